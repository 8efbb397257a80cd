package detail

import (
	"maps"
	"slices"
	"strings"
	"unicode"

	"github.com/git-tasks/git-tasks/records"
)

// packetKeys are the keys of a work order, in the order in which they are shown.
var packetKeys = []string{"objective", "scope", "scopePath", "repo", "worktree", "branchPolicy",
	"acceptanceTests", "acceptanceCriteria", "resources", "commitPolicy", "reportingContract",
	"escalationPolicy", "recoveryPolicy", "verificationPlan"}

// Brief is the task as Markdown for whoever is to do it: the title, a section for
// each key of its packet, ours first, and the body.
func (t *Task) Brief() string {
	sections := []string{"# " + t.ID + " " + records.Visible(t.Title)}
	section := func(name, text string) {
		if text != "" {
			sections = append(sections, "## "+heading(name), text)
		}
	}
	for _, name := range packetKeys {
		section(name, briefed(t.Packet[name]))
	}
	for _, name := range slices.Sorted(maps.Keys(t.Packet)) {
		if !slices.Contains(packetKeys, name) {
			section(name, briefed(t.Packet[name]))
		}
	}
	body := markdown(t.Body)
	if len(t.Packet) > 0 {
		section("body", body)
	} else if body != "" {
		sections = append(sections, body)
	}
	return strings.Join(sections, "\n\n")
}

// heading is a key as the words it is made of: branchPolicy is "Branch policy".
func heading(key string) string {
	var b strings.Builder
	for i, r := range records.Visible(key) {
		switch {
		case i == 0:
			r = unicode.ToUpper(r)
		case unicode.IsUpper(r):
			b.WriteByte(' ')
			r = unicode.ToLower(r)
		case r == '_':
			r = ' '
		}
		b.WriteRune(r)
	}
	return b.String()
}

// markdown is text of many lines, without the empty ones around it.
func markdown(text string) string {
	return strings.Trim(Lines(text), "\n")
}

// briefed is a value of a packet: a text as it is, a list with an item a line, and a
// resource as "kind: value".
func briefed(value any) string {
	list, isList := value.([]any)
	if !isList {
		return item(value)
	}
	var lines []string
	for _, one := range list {
		lines = append(lines, "- "+strings.ReplaceAll(item(one), "\n", "\n  "))
	}
	return strings.Join(lines, "\n")
}

func item(value any) string {
	switch value := value.(type) {
	case nil:
		return ""
	case string:
		return markdown(value)
	case map[string]any:
		kind, isKind := value["kind"].(string)
		of, isText := value["value"].(string)
		if isKind && isText && len(value) == 2 {
			return markdown(kind + ": " + of)
		}
	}
	return records.Visible(inJSON(value))
}
