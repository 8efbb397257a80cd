package cli

import (
	"github.com/git-tasks/git-tasks/records"
	"github.com/git-tasks/git-tasks/tools"
)

// watchedChange is a line of a watch as a document has it: the record as it is
// now, or as it was last where it was removed.
type watchedChange struct {
	Commit string        `json:"commit"`
	At     string        `json:"at,omitempty"`
	By     string        `json:"by,omitempty"`
	In     string        `json:"in,omitempty"`
	Tool   string        `json:"tool,omitempty"`
	Change string        `json:"change"`
	Jump   bool          `json:"jump,omitempty"`
	Task   *records.Task `json:"task,omitempty"`
	Plan   *records.Plan `json:"plan,omitempty"`
}

// change prints one change of a move.
func (w *watching) change(m tools.Move, c records.Change) error {
	said := watchedChange{Commit: m.Commit, By: m.By, In: m.Session, Tool: m.Tool, Change: "set", Jump: m.Jump}
	if m.At.IsZero() {
		said.Commit = m.At.String()
	} else {
		said.At = records.FormatTime(m.Event.At)
	}
	was, is := records.Parsed{Task: c.Before, Plan: c.PlanBefore}.Record(), records.Parsed{Task: c.After, Plan: c.PlanAfter}.Record()
	switch {
	case was == nil:
		said.Change = "added"
	case is == nil:
		said.Change, is = "removed", was
	}
	return w.line(said, is)
}

// line prints a line, and hands it on at once.
func (w *watching) line(said watchedChange, r records.Record) error {
	if !w.json {
		by := records.Visible(said.By)
		if by != "" {
			by += "  "
		}
		w.printf("%s  %s%-7s  %s\n", short(said.Commit), by, said.Change, r.Line())
		return w.out.Flush()
	}
	switch r := r.(type) {
	case *records.Task:
		said.Task = r
	case *records.Plan:
		said.Plan = r
	}
	if err := w.document(said); err != nil {
		return err
	}
	return w.out.Flush()
}
