package cli

import (
	"strings"

	urfave "github.com/urfave/cli/v2"
)

func (f *front) graphCommand() *urfave.Command {
	return &urfave.Command{
		Name: "graph", Category: upkeep, ArgsUsage: "[PLAN]", Usage: "show what waits for what",
		Description: "git tasks graph p1 --format mermaid",
		Flags:       flagsOf("task_graph", "plan"),
		Action: func(c *urfave.Context) error {
			if err := arguments(c, 0, 1); err != nil {
				return err
			}
			in, err := f.inputOf(c, "task_graph")
			if err != nil {
				return err
			}
			if c.NArg() > 0 {
				in["plan"] = c.Args().First()
			}
			return f.with(c, reads, func(o *opened) error { return o.graph(in) })
		},
	}
}

// graph prints a graph. Only a terminal gets its lines cut.
func (o *opened) graph(in input) error {
	answer, err := o.call("task_graph", in)
	switch {
	case err != nil:
		return err
	case o.json:
		return o.listDocument(answer, notesIn(answer))
	}
	for line := range strings.SplitSeq(answer.Text, "\n") {
		if o.isTerminal() {
			line = cut(line, o.env.Width)
		}
		o.printf("%s\n", line)
	}
	return nil
}
