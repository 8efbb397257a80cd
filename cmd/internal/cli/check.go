package cli

import (
	"fmt"

	urfave "github.com/urfave/cli/v2"

	"github.com/git-tasks/git-tasks/tools"
)

func (f *front) checkCommand() *urfave.Command {
	return &urfave.Command{
		Name: "check", Category: upkeep, Usage: "look for what is wrong with the list",
		Description: "git tasks check --history",
		Flags: []urfave.Flag{&urfave.BoolFlag{Name: "history",
			Usage: "also what the commits prove: which stamps git-tasks wrote, and which came another way"}},
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
	proof := &report.Proof
	if !o.c.Bool("history") {
		proof = nil
	}
	if o.json {
		err = o.document(struct {
			Notes    []string     `json:"notes"`
			Problems []string     `json:"problems"`
			Proof    *tools.Proof `json:"proof,omitempty"`
		}{append([]string{}, report.Notes...), append([]string{}, report.Problems...), proof})
	} else {
		o.report(report)
		o.proof(proof)
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

// proof says what the history proves; nothing where that was not asked for.
func (o *opened) proof(p *tools.Proof) {
	if p == nil {
		return
	}
	for _, line := range p.Unproven {
		o.printf("unproven: %s\n", line)
	}
	o.printf("%s: %d signed by git-tasks", count(p.Commits, "commit"), p.Signed)
	if p.Named > 0 {
		o.printf(", %d by its name alone", p.Named)
	}
	o.printf(", %d of others\n%s: %d written by those of git-tasks\n", p.Others, count(p.Stamps, "stamp"), p.Proven)
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
