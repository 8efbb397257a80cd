package records

import (
	"slices"
	"strings"
)

// clean is f with bytes that are not UTF-8 replaced: no file could hold them.
func (f Fields) clean() Fields {
	for _, text := range []**string{&f.Title, &f.Status, &f.Priority, &f.Topic, &f.Plan, &f.Bot, &f.Folder,
		&f.Session, &f.Active, &f.Note, &f.Body} {
		if *text != nil {
			s := cleanText(**text)
			*text = &s
		}
	}
	for _, list := range []**[]string{&f.Labels, &f.BlockedBy, &f.Refs} {
		if *list != nil {
			s := cleanList(**list)
			*list = &s
		}
	}
	return f
}

func cleanText(s string) string { return strings.ToValidUTF8(s, "\uFFFD") }

func cleanList(list []string) []string {
	if len(list) == 0 {
		return nil
	}
	out := make([]string, len(list))
	for i, s := range list {
		out[i] = cleanText(s)
	}
	return out
}

// longest is the name of the longest field named, to be blamed for a record
// that is too large; "task" where none is named.
func (f Fields) longest() string {
	name, size := "task", 0
	longer := func(field string, n int) {
		if n > size {
			name, size = field, n
		}
	}
	text := func(field string, s *string) {
		if s != nil {
			longer(field, len(*s))
		}
	}
	list := func(field string, l *[]string) {
		if l != nil {
			longer(field, listSize(*l))
		}
	}
	text("title", f.Title)
	list("labels", f.Labels)
	text("topic", f.Topic)
	text("plan", f.Plan)
	text("bot", f.Bot)
	text("folder", f.Folder)
	text("session", f.Session)
	list("blockedBy", f.BlockedBy)
	text("active", f.Active)
	text("note", f.Note)
	list("refs", f.Refs)
	text("body", f.Body)
	return name
}

func listSize(list []string) int {
	n := 0
	for _, s := range list {
		n += len(s) + 1
	}
	return n
}

// changed names the fields a caller may set that differ, in the order of the
// file.
func changed(a, b *Task) []string {
	var names []string
	for _, f := range []struct {
		name string
		same bool
	}{
		{"title", a.Title == b.Title},
		{"status", a.Status == b.Status},
		{"priority", a.Priority == b.Priority},
		{"labels", slices.Equal(a.Labels, b.Labels)},
		{"topic", a.Topic == b.Topic},
		{"plan", a.Plan == b.Plan},
		{"bot", a.Bot == b.Bot},
		{"folder", a.Folder == b.Folder},
		{"session", a.Session == b.Session},
		{"blockedBy", slices.Equal(a.BlockedBy, b.BlockedBy)},
		{"refs", slices.Equal(a.Refs, b.Refs)},
		{"active", a.Active == b.Active},
		{"note", a.Note == b.Note},
		{"body", a.Body == b.Body},
	} {
		if !f.same {
			names = append(names, f.name)
		}
	}
	return names
}
