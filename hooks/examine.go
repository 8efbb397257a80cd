package hooks

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-tasks/git-tasks/repo"
	"github.com/git-tasks/git-tasks/tools"
)

// topic is what findings about hooks are told under.
const topic = "hooks"

// Examine looks whether pushes to a repository that git-tasks made go through its
// scripts, and gives a line for each that is not as it must be, else one that says
// so; of a repository of others it gives none. What Install would mend is
// [tools.Mendable]. It writes nothing.
func Examine(dir string) ([]tools.Finding, error) {
	var found []tools.Finding
	if made, err := repo.Setting(dir, "git-tasks.init"); err != nil || !slices.Contains(made, "1") {
		return nil, err
	}
	paths, err := repo.Setting(dir, "core.hooksPath")
	if err != nil {
		return nil, err
	}
	lands, err := repo.Setting(dir, "receive.procReceiveRefs")
	if err != nil {
		return nil, err
	}
	add := func(state tools.State, text, mend string) {
		found = append(found, tools.Finding{State: state, Topic: topic, Text: text, Mend: mend})
	}
	switch {
	case len(paths) == 0 || len(lands) == 0:
		add(tools.Mendable, "git is not told to run them, so pushes go past every check", "adds the settings, and changes no other")
	case paths[len(paths)-1] != "hooks":
		add(tools.ByHand, "core.hooksPath names "+paths[len(paths)-1]+", so git looks for them there",
			"take the setting out of "+filepath.Join(dir, "config")+", and run git tasks init again")
	case !slices.Contains(lands, "refs/heads/main") || !slices.Contains(lands, "refs/for"):
		add(tools.ByHand, "receive.procReceiveRefs names "+strings.Join(lands, ", ")+", so what is pushed elsewhere is not landed by git-tasks",
			"refs/heads/main and refs/for are what it must name")
	}
	for _, name := range scripts {
		if one := examine(filepath.Join(dir, "hooks", name)); one.Text != "" {
			found = append(found, one)
		}
	}
	if found == nil {
		text := "pushes are checked, and landed by git-tasks"
		if before := filepath.Join(dir, "hooks", chained+aside); isRunnable(before) {
			text += "; " + before + " is asked first"
		}
		add(tools.Fine, text, "")
	}
	return found, nil
}

// examine looks at one script; a finding without a text is none.
func examine(file string) tools.Finding {
	one := tools.Finding{State: tools.Mendable, Topic: topic, Mend: "writes it anew"}
	text, err := os.ReadFile(file)
	switch {
	case os.IsNotExist(err):
		one.Text = file + " is not there"
	case err != nil:
		one.State, one.Text, one.Mend = tools.ByHand, err.Error(), "whoever owns it can give you the right"
	case kindOf(text) == edited:
		one.State, one.Text = tools.ByHand, file+" was changed since git-tasks wrote it"
		one.Mend = mendOf(file) + ", and run git tasks init again"
	case kindOf(text) == others && filepath.Base(file) == chained:
		one.Text, one.Mend = file+" is not git-tasks' own, so what it stores is not checked", "has both run, that one first"
	case kindOf(text) == others:
		one.State, one.Text = tools.ByHand, file+" is not git-tasks' own, and only one program can land a push"
		one.Mend = "move it away, and run git tasks init again"
	case !isRunnable(file):
		one.Text = file + " may not be run, so git leaves it out"
	default:
		if program := programOf(text); filepath.IsAbs(program) && !isRunnable(program) {
			one.Text = fmt.Sprintf("%s runs %s, which is not there, else what is on the PATH of whoever pushes", file, program)
			one.Mend = "writes it anew, to run this program"
		}
	}
	return one
}
