package cli

import (
	urfave "github.com/urfave/cli/v2"

	"github.com/git-tasks/git-tasks/tools/sweep"
)

func (f *front) sweepCommand() *urfave.Command {
	return &urfave.Command{
		Name: "sweep", Category: upkeep, Usage: "take plans off that were finished sweepAfterDays ago",
		Description: "git tasks sweep",
		Action: func(c *urfave.Context) error {
			if err := arguments(c, 0, 0); err != nil {
				return err
			}
			return f.with(c, amends, (*opened).sweep)
		},
	}
}

func (o *opened) sweep() error {
	swept, err := sweep.Pass(o.c.Context, o.store)
	if o.json {
		if derr := o.document(map[string][]string{"swept": append([]string{}, swept...)}); err == nil {
			err = derr
		}
		return err
	}
	for _, line := range swept {
		o.printf("%s\n", line)
	}
	switch {
	case o.store.Options().SweepAfterDays == 0:
		o.note("sweepAfterDays is not in the settings; nothing is ever swept")
	case len(swept) == 0 && err == nil:
		o.note("no plan is old enough to go")
	}
	return err
}
