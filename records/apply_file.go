package records

import (
	"bytes"
	"cmp"
	"strings"
	"unicode/utf8"
)

// addFile makes a task of a file: what it says of itself is judged as the input of
// a tool is, and what is the host's to say is left out of it.
func (b *Book) addFile(e File, names map[string]string, m Mark, r Rules) (Outcome, error) {
	said, source, err := readWritten(e)
	if err != nil {
		return Outcome{}, err
	}
	said.redirect(names)
	n, err := b.mint(TaskKind)
	if err != nil {
		return Outcome{}, err
	}
	blank := &Task{ID: formatID(TaskKind, n), Status: Todo}
	next, f := said.asNew(*blank)
	if _, err := b.take(&next, blank, f, m, r, false); err != nil {
		return Outcome{}, err
	}
	next.Lease = nil // a file claims for nobody
	next.Created = m.stamp()
	if source == nil {
		return b.create(&next, f.longest())
	}
	data, err := Splice(source, &next)
	if err != nil {
		return Outcome{}, invalid(f.longest(), mustBeShorter)
	}
	return b.createAs(&next, data, f.longest())
}

// redirect puts ids in the place of the names of other files. What is an id is no
// name.
func (t *Task) redirect(names map[string]string) {
	turn := func(name string) string {
		if _, _, isID := ParseID(name); isID {
			return name
		}
		return cmp.Or(names[strings.TrimSuffix(name, ".md")], name)
	}
	t.Parent = turn(t.Parent)
	for i, name := range t.BlockedBy {
		t.BlockedBy[i] = turn(name)
	}
}

// asNew gives the task that a file means with the id and status of a blank one:
// without stamps and lease, and without what the fields beside it name, which is
// taken from there once it is judged.
func (t *Task) asNew(blank Task) (Task, Fields) {
	f := Fields{Title: &t.Title, BlockedBy: &t.BlockedBy, Body: &t.Body}
	for _, named := range []struct {
		field **string
		text  string
	}{{&f.Status, string(t.Status)}, {&f.Priority, string(t.Priority)}, {&f.Topic, t.Topic},
		{&f.Plan, t.Plan}, {&f.Owner, t.Owner}, {&f.Parent, t.Parent}, {&f.Active, t.Active}, {&f.Note, t.Note}} {
		if named.text != "" {
			*named.field = &named.text
		}
	}
	next := *t
	next.ID, next.Status = blank.ID, blank.Status
	next.Priority, next.Topic, next.Plan, next.Owner, next.Parent, next.BlockedBy, next.Active, next.Note = "", "", "", "", "", nil, "", ""
	next.Lease, next.Created, next.Approved, next.Started, next.Finished, next.Reviewed = nil, nil, nil, nil, nil, nil
	return next, f
}

// readWritten gives the task that a file says, and its bytes where they are the
// record's; nil where it has no frontmatter.
func readWritten(e File) (*Task, []byte, error) {
	if len(e.Data) <= MaxRecord && utf8.Valid(e.Data) {
		if _, reason, _ := cut(e.Data); reason == noFrontmatter {
			return taskOfText(e.Data), nil, nil
		}
	}
	p := Parse(TaskKind.Dir()+"/file.md", e.Data)
	faults := append(p.Faults, p.Warnings...)
	if len(faults) == 0 {
		return p.Task, e.Data, nil
	}
	var text strings.Builder
	for i, f := range faults {
		if f.Path = e.Path; f.Field == "id" {
			f.Mend = takeIDOut
		}
		if i > 0 {
			text.WriteByte('\n')
		}
		text.WriteString(f.Explain())
	}
	return nil, nil, &Refusal{Kind: Invalid, Field: faults[0].Field, Text: text.String()}
}

// taskOfText makes a task of a text without frontmatter: its first line is the
// title, as a heading or not, and what follows is the body. A line that is too long
// for a title stays in the body, too.
func taskOfText(data []byte) *Task {
	text := strings.TrimLeft(string(bytes.TrimPrefix(data, []byte(byteOrderMark))), "\r\n")
	line, rest, _ := strings.Cut(text, "\n")
	title := heading(line)
	if under, after, _ := strings.Cut(rest, "\n"); isUnderline(under) {
		rest = after
	}
	if len(title) > maxTitle {
		end := maxTitle
		for !utf8.RuneStart(title[end]) {
			end--
		}
		title, rest = title[:end]+Cut, text
	}
	rest = strings.TrimLeft(rest, "\r\n")
	return &Task{Title: title, Body: strings.TrimSuffix(strings.TrimSuffix(rest, "\n"), "\r")}
}

// heading gives the text of a line, without what makes a heading of it in
// Markdown: "## Fix it ##" is "Fix it".
func heading(line string) string {
	line = strings.TrimSpace(line)
	text := strings.TrimLeft(line, "#")
	if level := len(line) - len(text); level == 0 || level > 6 || text != "" && !strings.ContainsAny(text[:1], " \t") {
		return line
	}
	text = strings.TrimSpace(text)
	if open := strings.TrimRight(text, "#"); open == "" || strings.HasSuffix(open, " ") {
		text = strings.TrimSpace(open)
	}
	return text
}

// isUnderline reports a line that makes a heading of the one above it.
func isUnderline(line string) bool {
	line = strings.TrimSpace(line)
	return len(line) > 1 && (strings.Trim(line, "=") == "" || strings.Trim(line, "-") == "")
}
