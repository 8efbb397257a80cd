package records

import (
	"strings"
	"unicode/utf8"
)

// canonical reads a file that is spelled the way Encode spells one, a line at a
// time and without YAML: some fifteen times as fast. It is a shortcut and no
// second grammar: what it takes, the YAML reader reads as the same record
// without a fault or a warning, and what it does not know, a hand's own spelling
// or a mistake, it leaves to that reader.
type canonical struct {
	text   string // the file
	at     int    // what of it was read
	line   int    // the line that begins there, counted from 1
	stamps []Stamp
	names  referenceLines
}

// readCanonical gives what Parse gives of a file whose name spells an id; false
// where the file is not canonical or has anything to report.
func readCanonical(kind Kind, id, text string) (Parsed, bool) {
	if len(text) > MaxRecord || id == "" || !utf8.ValidString(text) {
		return Parsed{}, false
	}
	c := &canonical{text: text, line: 1}
	var buffer [maxNames]key
	switch kind {
	case TaskKind:
		t := &Task{}
		if !c.read(t.appendKeys(buffer[:0]), &t.Body) || t.ID != id || !t.Status.forTask() || blank(t.Title) {
			return Parsed{}, false
		}
		return Parsed{Task: t, lines: c.names}, true
	case PlanKind:
		p := &Plan{}
		if !c.read(p.appendKeys(buffer[:0]), &p.Goal) || p.ID != id || !p.Status.forPlan() || blank(p.Title) || !p.Scope.Valid() {
			return Parsed{}, false
		}
		return Parsed{Plan: p}, true
	}
	return Parsed{}, false
}

func blank(text string) bool { return strings.TrimSpace(text) == "" }

// read takes the file apart: the keys, each at most once and in the order given,
// and the text below them.
func (c *canonical) read(keys []key, body *string) bool {
	if !c.skip("---\n") {
		return false
	}
	for _, k := range keys {
		if !c.opens(k.name) {
			continue
		}
		c.names.note(k.name, c.line)
		c.at += len(k.name) + 1
		if !c.value(k) {
			return false
		}
	}
	// A line is a key at the most, so few lines are few keys.
	front := c.at
	if !c.skip("---\n") || front > maxFrontmatter || c.line > maxKeys {
		return false
	}
	rest := c.text[c.at:]
	*body = sheet{}.trim(rest)
	return !strings.Contains(rest, conflictStart)
}

// skip reads the text given, which holds one line end, if it is what comes next.
func (c *canonical) skip(line string) bool {
	if !strings.HasPrefix(c.text[c.at:], line) {
		return false
	}
	c.at += len(line)
	c.line++
	return true
}

// opens reports whether the line is the one of a key.
func (c *canonical) opens(key string) bool {
	rest := c.text[c.at:]
	return len(rest) > len(key) && rest[len(key)] == ':' && rest[:len(key)] == key
}

// value reads what stands behind a key's colon into its field.
func (c *canonical) value(k key) (ok bool) {
	switch f := k.field.(type) {
	case *string:
		*f, ok = c.scalar()
	case *rank:
		var text string
		text, ok = c.scalar()
		*f = rank(text)
	case *Status:
		var text string
		text, ok = c.scalar()
		*f = Status(text)
	case *Priority:
		var text string
		text, ok = c.scalar()
		*f = Priority(text)
		ok = ok && f.valid()
	case *[]string:
		*f, ok = c.list()
	case *map[string]string:
		*f, ok = c.texts()
	case *Scope:
		ok = c.fields(part{"kind", &f.Kind, false}, part{"folder", &f.Folder, false}, part{"bot", &f.Bot, false},
			part{"session", &f.Session, false})
	case **Lease:
		l := &Lease{}
		*f = l
		ok = c.fields(part{"at", &l.At, true}, part{"by", &l.By, false}, part{"in", &l.In, false},
			part{"until", &l.Until, true}) && l.At != "" && l.By != ""
	case **Source:
		s := &Source{}
		*f = s
		ok = c.fields(part{"tool", &s.Tool, false}, part{"id", &s.ID, false}) && *s != (Source{})
	case **Stamp:
		*f, ok = c.stamp(k.name == "reviewed")
	}
	return ok // a packet is anything, which is YAML's to read
}

// part is a text in a map, of a time or of anything.
type part struct {
	name string
	text *string
	time bool
}

// fields reads the map of a key: texts, each at most once and in the order given.
func (c *canonical) fields(parts ...part) bool {
	if !c.skip("\n") {
		return false
	}
	for _, p := range parts {
		if !strings.HasPrefix(c.text[c.at:], "  ") {
			break
		}
		c.at += 2
		if !c.opens(p.name) {
			c.at -= 2
			continue
		}
		c.at += len(p.name) + 1
		text, ok := "", false
		if p.time {
			text, ok = c.moment()
		} else {
			text, ok = c.scalar()
		}
		if !ok {
			return false
		}
		*p.text = text
	}
	return true
}

// maxStamps is how many stamps a record can have.
const maxStamps = 5

func (c *canonical) stamp(reviewed bool) (*Stamp, bool) {
	if c.stamps == nil {
		c.stamps = make([]Stamp, 0, min(maxStamps, strings.Count(c.text[c.at:], "\n  at: ")))
	}
	if len(c.stamps) == cap(c.stamps) {
		return nil, false
	}
	c.stamps = append(c.stamps, Stamp{})
	s := &c.stamps[len(c.stamps)-1]
	verdict := ""
	ok := c.fields(part{"at", &s.At, true}, part{"by", &s.By, false}, part{"in", &s.In, false},
		part{"verdict", &verdict, false})
	s.Verdict = Verdict(verdict)
	return s, ok && s.At != "" && s.By != "" && (verdict == "" || reviewed && s.Verdict.valid())
}

// list reads the items of a list, a line each.
func (c *canonical) list() ([]string, bool) {
	if c.skip(" []\n") {
		return nil, true
	}
	if !c.skip("\n") {
		return nil, false
	}
	const dash = "  -"
	n := 0
	for at := c.at; strings.HasPrefix(c.text[at:], dash); n++ {
		end := strings.IndexByte(c.text[at:], '\n')
		if end < 0 {
			return nil, false
		}
		at += end + 1
	}
	if n == 0 {
		return nil, false
	}
	list := make([]string, n)
	for i := range list {
		c.at += len(dash)
		ok := false
		if list[i], ok = c.scalar(); !ok {
			return nil, false
		}
	}
	return list, true
}

// texts reads a map of texts whose keys are any, sorted.
func (c *canonical) texts() (map[string]string, bool) {
	if !c.skip("\n") {
		return nil, false
	}
	m, last := map[string]string{}, ""
	for strings.HasPrefix(c.text[c.at:], "  ") {
		line := c.text[c.at+2:]
		end := strings.Index(line, ": ")
		if end < 0 || end > longKey || !readsBare(line[:end]) || len(m) > 0 && line[:end] <= last {
			return nil, false
		}
		last = line[:end]
		c.at += 2 + end + 1
		ok := false
		if m[last], ok = c.scalar(); !ok {
			return nil, false
		}
	}
	return m, len(m) > 0
}

// rest reads a blank and gives what stands behind it up to the end of the line.
func (c *canonical) rest() (string, bool) {
	text := c.text[c.at:]
	end := strings.IndexByte(text, '\n')
	if end < 1 || text[0] != ' ' {
		return "", false
	}
	c.at += end + 1
	c.line++
	return text[1:end], true
}

// scalar reads a text on one line, bare or in double quotes.
func (c *canonical) scalar() (string, bool) {
	text, ok := c.rest()
	if !ok || text == "" {
		return "", false
	}
	if text[0] == '"' {
		return unquote(text)
	}
	return text, readsBare(text)
}

// moment reads a time in the one form that we write.
func (c *canonical) moment() (string, bool) {
	text, ok := c.rest()
	return text, ok && isMoment(text)
}
