package cli_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/git-tasks/git-tasks/cmd/internal/cli"
	"github.com/git-tasks/git-tasks/records"
	"github.com/git-tasks/git-tasks/tools"
)

// TestHandEdits plays each kind of edit that a person may make in a clone, at a
// push and as it got into the branch another way. Two words make a script short:
// pushes commits what lies in the clone and pushes it, slips brings it into the
// branch past the hooks. Both start the clone anew from the branch. Each script
// ends with a check of the list.
func TestHandEdits(t *testing.T) {
	t.Parallel()
	testscript.Run(t, testscript.Params{
		Dir: "testdata/hand-edits", UpdateScripts: *update,
		Setup: func(env *testscript.Env) error {
			if err := fence(env); err != nil {
				return err
			}
			list, vars := env.Getenv("DATA"), env.Vars
			env.Defer(func() { checkEdited(t, list, vars) })
			return os.MkdirAll(filepath.Join(env.WorkDir, "clone"), 0o755)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"begins": begins, "pushes": pushes, "slips": slips},
	})
}

// checkEdited runs check on the list that a script leaves: nothing is wrong but the
// files that slipped in and that the list itself names as unreadable.
func checkEdited(t *testing.T, list string, vars []string) {
	store, err := tools.Open(tools.Config{Path: list})
	if err != nil {
		t.Error(err)
		return
	}
	defer store.Close()
	book, _, err := store.Book()
	if err != nil {
		t.Error(err)
		return
	}
	out, code := run(t, cli.Env{Environ: vars, Dir: list}, "check", "--repo", list)
	if want := min(len(book.Faults()), 1); code != want {
		t.Errorf("git-tasks check of %s ended with %d, want %d:\n%s", list, code, want, out)
	}
	for line := range strings.Lines(out) {
		problem, ok := strings.CutPrefix(line, "problem: ")
		if ok && !slices.ContainsFunc(book.Faults(), func(f records.Fault) bool { return strings.HasPrefix(problem, f.String()) }) {
			t.Errorf("git-tasks check of %s: %s", list, line)
		}
	}
}

// begins makes a list with one task and a clone of it.
func begins(ts *testscript.TestScript, _ bool, _ []string) {
	ts.Check(ts.Exec("git-tasks", "add", "One"))
	ts.Check(ts.Exec("git", "clone", "-q", ts.Getenv("DATA"), "clone"))
}

func commitAll(ts *testscript.TestScript) {
	ts.Check(ts.Exec("git", "-C", "clone", "add", "-A"))
	ts.Check(ts.Exec("git", "-C", "clone", "commit", "-q", "--allow-empty", "-m", "by hand"))
}

func startAnew(ts *testscript.TestScript) {
	ts.Check(ts.Exec("git", "-C", "clone", "fetch", "-q"))
	ts.Check(ts.Exec("git", "-C", "clone", "reset", "-q", "--hard", "origin/main"))
}

// pushes leaves what git said for the script to look at. With an argument it
// pushes there, and the clone stays as it is.
func pushes(ts *testscript.TestScript, neg bool, args []string) {
	commitAll(ts)
	to := "main"
	if len(args) > 0 {
		to = args[0]
	}
	err := ts.Exec("git", "-C", "clone", "push", "-q", "origin", "HEAD:"+to)
	if (err != nil) != neg {
		ts.Fatalf("the push ended with %v", err)
	}
	if len(args) > 0 {
		return
	}
	said := ts.ReadFile("stderr")
	startAnew(ts)
	ts.Check(os.WriteFile(ts.MkAbs("said"), []byte(said), 0o666))
}

func slips(ts *testscript.TestScript, _ bool, _ []string) {
	commitAll(ts)
	ts.Check(ts.Exec("git", "--git-dir="+ts.Getenv("DATA"), "fetch", "-q", ts.MkAbs("clone"), "+HEAD:main"))
	startAnew(ts)
}
