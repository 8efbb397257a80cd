package detail

import (
	"maps"
	"slices"
	"strings"
	"unicode"

	"github.com/git-tasks/git-tasks/records"
)

// Brief is the task as Markdown for whoever is to do it: the title, a section for
// each key of its packet, ours first, and the body.
func (t *Task) Brief() string {
	sections := []string{"# " + t.ID + " " + records.Visible(t.Title)}
	section := func(name, text string) {
		if text != "" {
			sections = append(sections, "## "+heading(name), text)
		}
	}
	others := maps.Clone(t.Packet)
	for _, form := range packetForms {
		section(form.key, briefed(t.Packet[form.key]))
		delete(others, form.key)
	}
	for _, key := range slices.Sorted(maps.Keys(others)) {
		section(key, briefed(others[key]))
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
