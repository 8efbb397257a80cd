package cli

import (
	urfave "github.com/urfave/cli/v2"

	"github.com/git-tasks/git-tasks/records"
	"github.com/git-tasks/git-tasks/tools"
)

func (f *front) logCommand() *urfave.Command {
	return &urfave.Command{
		Name: "log", ArgsUsage: "[ID]", Usage: "show what was done to the list, or to one record, newest first",
		Description: "git tasks log t1",
		Action: func(c *urfave.Context) error {
			if err := arguments(c, 0, 1); err != nil {
				return err
			}
			return f.with(c, reads, (*opened).log)
		},
	}
}

func (o *opened) log() error {
	id := o.c.Args().First()
	events, err := o.store.History(id)
	if err != nil {
		return err
	}
	if id != "" && len(events) == 0 {
		return o.noRecord(id)
	}
	if o.json {
		return o.document(map[string]any{"history": eventsOf(events)})
	}
	if len(events) == 0 {
		o.noteEmpty(nil, "git tasks add TITLE makes a task")
	}
	o.history(events)
	return nil
}

// event is one commit as a document has it.
type event struct {
	Commit string `json:"commit"`
	At     string `json:"at"`
	By     string `json:"by"`
	In     string `json:"in,omitempty"`
	What   string `json:"what"`
	Tool   string `json:"tool,omitempty"`
	// Committer is whom a commit of another program names so, where it is not by.
	Committer string `json:"committer,omitempty"`
}

func eventsOf(events []tools.Event) []event {
	list := make([]event, len(events))
	for i, e := range events {
		list[i] = event{e.Commit, records.FormatTime(e.At), e.By, e.Session, e.What, e.Tool, e.Committer}
	}
	return list
}

// roomForCommits is how wide a terminal must be for a line to say more than who
// did what on which day.
const roomForCommits = 60

// history prints a line per commit.
func (o *opened) history(events []tools.Event) {
	var t table
	for _, e := range events {
		at, by, what := e.At.UTC().Format("2006-01-02 15:04"), records.Visible(e.By), records.Visible(e.What)
		if e.Committer != "" {
			by += ", committed by " + records.Visible(e.Committer)
		}
		if o.isTerminal() && o.env.Width < roomForCommits {
			t.add("", at[:len("2006-01-02")], by, what)
		} else {
			t.add("", short(e.Commit), at, by, what)
		}
	}
	o.table(t)
}
