package cli

import (
	"encoding/json"
	"strings"

	urfave "github.com/urfave/cli/v2"

	"github.com/git-tasks/git-tasks/records"
	"github.com/git-tasks/git-tasks/tools"
)

func (f *front) callCommand() *urfave.Command {
	return &urfave.Command{
		Name: "call", Category: upkeep, ArgsUsage: "TOOL JSON", Usage: "call a tool as an agent does (- is standard input)",
		Description: callExamples(),
		Action: func(c *urfave.Context) error {
			if err := arguments(c, 1, 2); err != nil {
				return err
			}
			f.plain = true
			tool := tools.Find(c.Args().First())
			if tool == nil {
				return usage("there is no tool %s.", records.Visible(c.Args().First()))
			}
			raw := c.Args().Get(1)
			if raw == "-" {
				var err error
				if raw, err = f.stdin(); err != nil {
					return err
				}
			}
			what := writes
			if tool.ReadOnly {
				what = reads
			}
			return f.with(c, what, func(o *opened) error { return o.callTool(tool.Name, raw) })
		},
	}
}

// callExamples gives an example of every tool, of its own definition.
func callExamples() string {
	var lines []string
	for _, tool := range tools.All() {
		lines = append(lines, "git tasks call "+tool.Name+" '"+tool.Example+"'")
	}
	return strings.Join(lines, "\n         ")
}

// callTool prints the answer as an agent gets it; an error goes its own way,
// unchanged.
func (o *opened) callTool(name, raw string) error {
	answer, err := o.ask(name, json.RawMessage(raw))
	switch {
	case err != nil:
		return err
	case o.json:
		return o.document(answer)
	}
	o.printf("%s\n", answer.Text)
	return nil
}
