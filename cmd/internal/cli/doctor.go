package cli

import (
	"errors"

	urfave "github.com/urfave/cli/v2"

	"github.com/git-tasks/git-tasks/hooks"
	"github.com/git-tasks/git-tasks/repo"
	"github.com/git-tasks/git-tasks/tools"
)

func (f *front) doctorCommand() *urfave.Command {
	return &urfave.Command{
		Name: "doctor", Category: upkeep, Usage: "look at git, locks, packs, settings, clock and disk",
		Description: "git tasks doctor --fix",
		Flags: []urfave.Flag{&urfave.BoolFlag{Name: "fix",
			Usage: "mend what is our own: what dead processes left, what init adds, packs"}},
		Action: func(c *urfave.Context) error {
			if err := arguments(c, 0, 0); err != nil {
				return err
			}
			return f.doctor(c)
		},
	}
}

// doctor looks at everything before it mends anything. What keeps other commands
// from running, a broken settings file or repository, is a finding here.
func (f *front) doctor(c *urfave.Context) error {
	branch, _, err := f.named(c, "branch", "GIT_TASKS_BRANCH")
	if err != nil {
		return err
	}
	path, named, err := f.repository(c)
	if err != nil {
		return err
	}
	settings, said := f.examineSettings(c)
	found := []tools.Finding{f.examineGit(c.Context), said}
	store, err := tools.Open(tools.Config{Path: path, Branch: branch, Host: f.env.Host, Settings: settings,
		Environ: f.env.Environ, Now: f.env.Now, Log: f.log()})
	if err != nil {
		found = append(found, unopened(path, named, err))
		return f.diagnosed(found, nil)
	}
	defer store.Close()
	found = append(found, tools.Finding{State: tools.Fine, Topic: "list", Text: path})
	found = append(found, examineFolders(store)...)
	found = append(found, f.examineSecrets(c, store, settings), examineHost(store))
	found = append(found, examineEdits(store)...)
	inside, err := f.examineList(store)
	if err != nil {
		found = append(found, tools.Finding{State: tools.ByHand, Topic: "list", Text: err.Error(), Mend: "git tasks check says more"})
	}
	found = append(found, inside...)
	if !c.Bool("fix") || !has(found, tools.Mendable) {
		return f.diagnosed(found, nil)
	}
	if !f.json {
		f.findings(found)
		if err := f.flush(); err != nil {
			return err
		}
	}
	return f.mend(c, store, found)
}

// examineList looks at the list itself, and at its hooks.
func (f *front) examineList(store *tools.Store) ([]tools.Finding, error) {
	found, err := store.Examine()
	if err != nil {
		return found, err
	}
	pushes, err := hooks.Examine(store.Dir())
	return append(found, pushes...), err
}

// mend does what can be done, and looks again: what is still found was not
// mended.
func (f *front) mend(c *urfave.Context, store *tools.Store, found []tools.Finding) error {
	if err := store.Mend(c.Context); err != nil {
		return err
	}
	if has(found, tools.Mendable, "hooks") {
		if err := f.equip(store.Dir()); err != nil {
			return err
		}
	}
	after, err := f.examineList(store)
	if err != nil {
		return err
	}
	var left, mended []tools.Finding
	for _, was := range found {
		switch {
		case was.State == tools.Mendable && !has(after, tools.Mendable, was.Topic):
			mended = append(mended, was)
		case was.State == tools.Mendable:
			was.State = tools.ByHand
			left = append(left, was)
		default:
			left = append(left, was)
		}
	}
	if f.json {
		return f.diagnosed(left, mended)
	}
	for _, m := range mended {
		f.printf("mended  %s: %s\n", m.Topic, visibleText(m.Text))
	}
	return verdict(left)
}

// diagnosed prints what was found and says how it is.
func (f *front) diagnosed(found, mended []tools.Finding) error {
	if !f.json {
		f.findings(found)
		return verdict(found)
	}
	if err := f.document(map[string][]tools.Finding{
		"findings": append([]tools.Finding{}, found...), "mended": append([]tools.Finding{}, mended...)}); err != nil {
		return err
	}
	return verdict(found)
}

// findings prints a line for each, and below it how to mend it.
func (f *front) findings(found []tools.Finding) {
	width := 0
	for _, one := range found {
		width = max(width, len(one.Topic))
	}
	for _, one := range found {
		in := 6 + width + 2
		f.printf("%-4s  %-*s  ", one.State, width, one.Topic)
		f.hanging(in, visibleText(one.Text))
		mend := visibleText(one.Mend)
		if one.State == tools.Mendable {
			mend = "--fix " + mend
		}
		if one.Mend != "" {
			f.printf("%*s", in, "")
			f.hanging(in, mend)
		}
	}
}

// verdict is an error where something needs a hand, and be it to ask for --fix.
func verdict(found []tools.Finding) error {
	hands, mendable := 0, 0
	for _, one := range found {
		switch one.State {
		case tools.ByHand:
			hands++
		case tools.Mendable:
			mendable++
		}
	}
	if hands+mendable == 0 {
		return nil
	}
	err := error(&tools.Error{Code: tools.Internal, Message: count(hands+mendable, "finding") + " to look after"})
	if mendable > 0 {
		err = withHint(err, "git tasks doctor --fix mends "+count(mendable, "finding"))
	}
	return err
}

// has reports whether there is a finding of a state, of one of the topics where
// any are named.
func has(found []tools.Finding, state tools.State, topics ...string) bool {
	for _, one := range found {
		if one.State != state {
			continue
		}
		if len(topics) == 0 || topics[0] == one.Topic {
			return true
		}
	}
	return false
}

// unopened says of a list that cannot be opened why, and what helps.
func unopened(path string, named bool, err error) tools.Finding {
	one := tools.Finding{State: tools.ByHand, Topic: "list", Text: tools.AsError(err).Message}
	var e *repo.Error
	switch {
	case !errors.As(err, &e):
	case e.Kind == repo.Missing && !named && nothingAt(path):
		one.State, one.Text, one.Mend = tools.Notable, "there is none yet at "+path, "git tasks add makes it"
	case e.Kind == repo.Missing:
		one.Mend = initHint(path)
	case e.Kind == repo.Damaged:
		one.Mend = "put back what is missing from a copy, or a clone; nothing is written meanwhile"
	}
	return one
}
