package detail

import (
	"strings"

	"github.com/git-tasks/git-tasks/records"
)

// Task is a task, and where it stands in the list.
type Task struct {
	*records.Task
	Standing
}

// Standing is what follows for a task from the rest of the list.
type Standing struct {
	Blocked      bool     `json:"blocked"`         // it waits for a task that is open
	OpenBlockers []string `json:"openBlockers"`    // the ids of those, never nil
	Depth        int      `json:"depth"`           // how many tasks stand above it
	Blocks       []string `json:"blocks,omitzero"` // the ids of those that wait for it; nil where nobody looked for them
	Commit       string   `json:"commit"`          // that all of it was read at
}

// Of gives what follows for a task of a Book that was read at a commit. It costs a
// few files, however long the list is; to look for those that wait for the task
// costs a look at all.
func Of(book *records.Book, commit string, t *records.Task, blocks bool) (*Task, error) {
	open, err := book.OpenBlockers(t)
	if err != nil {
		return nil, err
	}
	depth, err := book.Depth(t)
	if err != nil {
		return nil, err
	}
	is := Standing{Blocked: len(open) > 0, OpenBlockers: append([]string{}, open...), Depth: depth, Commit: commit}
	if blocks {
		waiting, err := book.Waiting(t.ID)
		if err != nil {
			return nil, err
		}
		is.Blocks = append([]string{}, waiting...)
	}
	return &Task{t, is}, nil
}

// Text is the task as an agent reads it: its line, a line for each other key, and
// the body behind a blank line.
func (t *Task) Text() string {
	lines := []string{t.Line()}
	for _, key := range Keys(t) {
		switch key.Name {
		case "id", "title", "status", "priority", "body":
		default:
			lines = append(lines, key.Name+": "+key.Line())
		}
	}
	if t.Body != "" {
		lines = append(lines, "", strings.TrimRight(Lines(t.Body), "\n"))
	}
	return strings.Join(lines, "\n")
}

// Lines gives text of many lines as it may be shown, each line as records.Visible
// gives it. Tabs stay.
func Lines(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		parts := strings.Split(strings.TrimSuffix(line, "\r"), "\t")
		for j, part := range parts {
			parts[j] = records.Visible(part)
		}
		lines[i] = strings.Join(parts, "\t")
	}
	return strings.Join(lines, "\n")
}
