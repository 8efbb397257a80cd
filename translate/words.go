package translate

import (
	"slices"
	"strings"

	"github.com/git-tasks/git-tasks/records"
)

// words are what a harness says of one entry, whichever way it says it.
type words struct {
	text, status, priority, active, body, note string
	labels                                     []string
}

// noted begins a note on a status for which a task has no word.
const noted = "harness status: "

// statuses are the words of all harnesses for a status, small and without what
// joins their parts.
var statuses = map[string]records.Status{
	"pending": records.Todo, "notstarted": records.Todo, "open": records.Todo, "created": records.Todo,
	"inprogress": records.Doing, "running": records.Doing,
	"completed": records.Done, "closed": records.Done, "done": records.Done,
	"deleted": records.Dropped, "cancelled": records.Dropped, "canceled": records.Dropped,
	"stopped": records.Dropped, "killed": records.Dropped,
	"blocked": records.Blocked, "failed": records.Blocked,
}

// statusOf gives the status that a word means, "" for none, and the note that goes
// with it. A word that begins with an underscore is the harness's own (ACP).
func statusOf(word string) (s records.Status, note string) {
	if word == "" {
		return "", ""
	}
	plain := strings.ToLower(strings.NewReplacer("_", "", "-", "", " ", "").Replace(word))
	if !strings.HasPrefix(word, "_") {
		s = statuses[plain]
	}
	switch {
	case s == "", plain == "stopped", plain == "killed", plain == "failed":
		return s, noted + word
	}
	return s, ""
}

// fields gives what the words change about a task, nil for one that is to be made.
// An active form is for the time in which the task is in progress.
func (w words) fields(t *records.Task) (f records.Fields) {
	status, note := statusOf(w.status)
	if status != "" && (t != nil || status != records.Todo) {
		word := string(status)
		f.Status = &word
	}
	switch {
	case w.note != "" && note != "":
		note = w.note + "; " + note
	case w.note != "":
		note = w.note
	}
	if note != "" {
		note = cut(oneLine(note))
		f.Note = &note
	} else if t != nil && status != "" && strings.HasPrefix(t.Note, noted) {
		f.Note = &note // what it said is over
	}
	if p := records.Priority(w.priority); p == records.High || p == records.Medium || p == records.Low {
		f.Priority = &w.priority
	}
	if w.active != "" && isDoing(status, t) {
		active := cut(oneLine(w.active))
		f.Active = &active
	}
	f.Labels = w.missing(t)
	f.Body = w.bodyFor(t)
	return f
}

// isDoing reports whether a task, nil for one that is to be made, is in progress
// once it has a status, "" leaving it as it is.
func isDoing(status records.Status, t *records.Task) bool {
	return status == records.Doing || status == "" && t != nil && t.Status == records.Doing
}

// missing gives the labels of a task with those that it lacks, nil for none.
func (w words) missing(t *records.Task) *[]string {
	var all []string
	if t != nil {
		all = slices.Clone(t.Labels)
	}
	had := len(all)
	for _, label := range w.labels {
		if label != "" && !slices.Contains(all, label) {
			all = append(all, label)
		}
	}
	if len(all) == had {
		return nil
	}
	return &all
}

// bodyFor gives the body that a task is to get, nil to leave it alone. A text that
// is too long for a title stands in it whole.
func (w words) bodyFor(t *records.Task) *string {
	body := w.body
	if whole := oneLine(w.text); len(whole) > maxText {
		isOurs := t == nil || t.Body == "" || strings.HasSuffix(t.Title, records.Cut)
		switch {
		case body != "":
			body = w.text + "\n\n" + body
		case isOurs:
			body = w.text
		}
	}
	if body == "" {
		return nil
	}
	body = cutAt(body, records.MaxRecord/2)
	return &body
}
