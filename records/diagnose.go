package records

import (
	"regexp"
	"strconv"
	"strings"
)

// diagnose finds the line that YAML could not read. The parser names the line
// it gave up on, often that of the whole map, so every key is tried alone.
func (r *reader) diagnose(err error) Fault {
	for _, c := range r.stretches() {
		if !r.reads(c.start, c.end) {
			return r.explain(c)
		}
	}
	reason := strings.TrimPrefix(err.Error(), "yaml: ")
	f := Fault{Line: r.sheet.line, Reason: "YAML cannot read the frontmatter: " + reason}
	if m := regexp.MustCompile(`^line (\d+): (.*)`).FindStringSubmatch(reason); m != nil {
		if n, err := strconv.Atoi(m[1]); err == nil && n >= 1 && n <= len(r.lines) {
			f.Line = r.sheet.line + n - 1
			f.Field = keyOf(chomp(r.lines[n-1]))
		}
		f.Reason = "YAML cannot read the frontmatter: " + m[2]
	}
	return f
}

// stretch is the lines of one key at the top, by their indexes, end excluded.
type stretch struct{ start, end int }

func (r *reader) stretches() []stretch {
	var all []stretch
	for i, line := range r.lines {
		text := chomp(line)
		begins := text != "" && strings.IndexByte(" \t#-]}", text[0]) < 0
		if begins || len(all) == 0 && strings.TrimSpace(text) != "" {
			if len(all) > 0 {
				all[len(all)-1].end = i
			}
			all = append(all, stretch{start: i})
		}
	}
	if len(all) > 0 {
		all[len(all)-1].end = len(r.lines)
	}
	return all
}

func (r *reader) reads(start, end int) bool {
	_, err := decode([]byte(strings.Join(r.lines[start:end], "")))
	return err == nil
}

// What finding the line at fault among the lines of one key may cost: so many
// lines tried one by one, so many bytes shown to the parser.
const (
	searchedLines = 100
	searchedBytes = 128 << 10
)

// badLineOf gives the line behind the longest part of a key's lines that YAML
// reads, the first line where there is none.
func (r *reader) badLineOf(c stretch) int {
	size := len(strings.Join(r.lines[c.start:c.end], ""))
	for k, cost := c.end-1, 0; k > c.start && k > c.end-searchedLines; k-- {
		size -= len(r.lines[k])
		if cost += size; cost > searchedBytes {
			break
		}
		if r.reads(c.start, k) {
			return k
		}
	}
	return c.start
}

// explain says what is wrong with the line of a key's lines that is at fault.
func (r *reader) explain(c stretch) Fault {
	bad := r.badLineOf(c)
	field := keyOf(chomp(r.lines[c.start]))
	f := Fault{Line: r.sheet.line + bad, Field: field}
	line := chomp(r.lines[bad])
	head, text := splitValue(line)
	inner := strings.TrimLeft(line, " \t")
	isItem := strings.HasPrefix(inner, "- ")
	if key := keyOf(line); key != "" && !isItem {
		f.Field = key
	}
	switch {
	case strings.Contains(line[:len(line)-len(inner)], "\t"):
		f.Reason = "is indented with a tab: YAML indents with spaces"
		f.Mend = strings.ReplaceAll(line, "\t", "  ")
	case strings.TrimSpace(head) == "":
		f.Reason, f.Mend = unkeyed(text)
	case bad > c.start && alone(line):
		f.Reason = "is indented as nothing above it allows"
		if isItem {
			f.Reason = "is an item where no list is open"
		} else if keyOf(line) != "" {
			f.Mend = inner
		}
	case isItem:
		// An item with a colon in it was meant as text more often than as a map.
		text = strings.TrimLeft(inner[1:], " ")
		f.Reason = subject(f.Field) + unreadable(text)
		f.Mend = line[:len(line)-len(text)] + quote(unwrap(strings.TrimRight(text, " \t")))
	default:
		f.Reason = subject(f.Field) + unreadable(text)
		f.Mend = r.mendBroken(bad, line, f.Reason)
		return f
	}
	if f.Mend != indentIt {
		f.Mend = r.proven(bad+1, f.Reason, f.Mend)
	}
	return f
}

// indentIt is what to do with a line that seems to have lost its key.
const indentIt = "indent it if it belongs to the line above"

// alone reports whether a line, taken out of where it stands, is one that YAML
// reads.
func alone(line string) bool {
	text := strings.TrimLeft(line, " ")
	if strings.HasPrefix(text, "- ") {
		text = "list:\n" + text
	}
	_, err := decode([]byte(text))
	return err == nil
}

func subject(field string) string {
	if field == "" {
		return "the value "
	}
	return field + " "
}

// unkeyed says what is wrong with a line at the left edge that has no key.
func unkeyed(text string) (reason, mend string) {
	if m := regexp.MustCompile(`^([A-Za-z][A-Za-z_]*):(\S.*)$`).FindStringSubmatch(text); m != nil {
		return "a key needs a blank behind its colon", m[1] + ": " + m[2]
	}
	return "is not a line of `key: value`", indentIt
}

// unreadable says why YAML cannot read a text without quotes, or with quotes
// that do not fit.
func unreadable(text string) string {
	why := ""
	switch first := text + " "; first[0] {
	case '@', '`':
		why = "begins with " + first[:1] + ", which YAML keeps for itself"
	case '[', '{':
		why = "begins with " + first[:1] + ", which opens a list or a map"
	case ']', '}', ',':
		why = "begins with " + first[:1] + ", which YAML takes for the end of a list"
	case '*':
		why = "begins with *, which YAML takes for an alias"
	case '&', '!':
		why = "begins with " + first[:1] + ", which YAML takes for an anchor or a tag"
	case '\'', '"':
		why = "has quotes that do not fit"
	case '%', '|', '>', '-', '?':
		why = "begins with " + first[:1] + ", which has a meaning in YAML"
	default:
		if strings.Contains(text+" ", ": ") {
			why = "holds a colon and a blank, which YAML takes for another key"
		} else {
			why = "is text that YAML cannot read as it is"
		}
	}
	return why + ": quote it"
}
