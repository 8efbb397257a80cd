package cli

import (
	urfave "github.com/urfave/cli/v2"

	"github.com/git-tasks/git-tasks/cmd/internal/clone"
	"github.com/git-tasks/git-tasks/records"
	"github.com/git-tasks/git-tasks/tools"
)

func (f *front) fmtCommand() *urfave.Command {
	return &urfave.Command{
		Name: "fmt", Category: upkeep, ArgsUsage: "[FILE...]",
		Usage:       "in a clone, mend what quotes or another folder mend",
		Description: "git tasks fmt",
		Flags: []urfave.Flag{
			&urfave.BoolFlag{Name: "check", Usage: "change nothing; 1 where something is to be mended"},
			&urfave.BoolFlag{Name: "all", Usage: "every record of the clone, not those that you changed"},
		},
		Action: f.format,
	}
}

func (f *front) format(c *urfave.Context) error {
	if c.Bool("all") && c.NArg() > 0 {
		return usage("--all is about every record; name FILE or --all, not both")
	}
	at, err := clone.FindList(c.Context, f.env.Dir, f.env.Environ)
	if err != nil {
		return noClone(err)
	}
	files, err := f.recordFiles(c, at)
	if err != nil {
		return err
	}
	done, err := at.Format(files, !c.Bool("check"))
	if err != nil {
		return err
	}
	if err := f.formatted(done); err != nil {
		return err
	}
	switch n := len(done.Left); {
	case n > 0:
		return &tools.Error{Code: tools.Internal, Message: count(n, "fault") + " left that you have to mend"}
	case c.Bool("check") && len(done.Mended) > 0:
		return withHint(&tools.Error{Code: tools.Internal, Message: count(len(done.Mended), "thing") + " to mend"}, "git tasks fmt mends that")
	}
	return nil
}

// noClone says how a clone is made, to whoever is in none.
func noClone(err error) error {
	if tools.AsError(err).Code != tools.Invalid {
		return err
	}
	return withHint(err, "git tasks clone makes one; type this in there")
}

func (f *front) recordFiles(c *urfave.Context, at *clone.Clone) ([]string, error) {
	switch {
	case c.Bool("all"):
		return at.All()
	case c.NArg() == 0:
		return at.Changed(c.Context)
	}
	var paths []string
	for _, p := range c.Args().Slice() {
		if p == "" {
			return nil, usage("FILE must not be empty")
		}
		paths = append(paths, f.abs(p))
	}
	return at.Named(paths)
}

// formatted prints what was mended, and says what was not.
func (f *front) formatted(done clone.Formatting) error {
	if f.json {
		said := map[string][]string{"mended": append([]string{}, done.Mended...), "left": {}, "warnings": {}}
		for _, fault := range done.Left {
			said["left"] = append(said["left"], fault.String())
		}
		for _, fault := range done.Warned {
			said["warnings"] = append(said["warnings"], fault.String())
		}
		return f.document(said)
	}
	for _, line := range done.Mended {
		f.printf("%s\n", line)
	}
	if err := f.flush(); err != nil {
		return err
	}
	f.faults(done.Left)
	f.faults(done.Warned)
	return nil
}

// faults says on standard error what is wrong with files, with the lines as they
// should be.
func (f *front) faults(faults []records.Fault) {
	for _, fault := range faults {
		f.note(fault.Explain())
	}
}
