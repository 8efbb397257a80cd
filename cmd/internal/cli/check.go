package cli

import (
	"fmt"

	urfave "github.com/urfave/cli/v2"

	"github.com/git-tasks/git-tasks/tools"
)

func (f *front) checkCommand() *urfave.Command {
	return &urfave.Command{
		Name: "check", Category: upkeep, Usage: "look for what is wrong with the list",
		Description: "git tasks check",
		Action: func(c *urfave.Context) error {
			if err := arguments(c, 0, 0); err != nil {
				return err
			}
			return f.with(c, reads, (*opened).check)
		},
	}
}

func (o *opened) check() error {
	report, err := o.store.Check(o.c.Context)
	if err != nil {
		return err
	}
	if o.json {
		err = o.document(map[string][]string{
			"problems": append([]string{}, report.Problems...), "notes": append([]string{}, report.Notes...)})
	} else {
		o.report(report)
	}
	if n := len(report.Problems); n > 0 && err == nil {
		return &tools.Error{Code: tools.Internal, Message: count(n, "problem") + " found"}
	}
	return err
}

func (o *opened) report(report tools.Report) {
	for _, line := range report.Problems {
		o.printf("problem: %s\n", visibleText(line))
	}
	for _, line := range report.Notes {
		o.printf("note: %s\n", visibleText(line))
	}
	if len(report.Problems) == 0 {
		o.printf("no problems found\n")
	}
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
