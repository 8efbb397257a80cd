package cli_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// playWork does the plan of the README with a program that stands for the agent.
func playWork(t *testing.T, script string) {
	env := home(t)
	must(t, env, "plan", "add", "Ship it")
	must(t, env, "add", "Fix the login", "--plan", "p1", "--body", "It says 500.")
	must(t, env, "add", "Say so", "--plan", "p1", "--blocked-by", "t1")
	agent := "#!/bin/sh\ngit-tasks set \"$GIT_TASKS_TASK\" --note \"$(printf %s \"$2\" | head -n 1)\"\n"
	if err := os.WriteFile(filepath.Join(env.Dir, "claude"), []byte(agent), 0o755); err != nil {
		t.Fatal(err)
	}
	shell(t, env, `PATH="$PWD:$PATH"
`+script)
	if got := must(t, env, "list"); got != "t1  done  medium  Fix the login\nt2  done  medium  Say so\n" {
		t.Errorf("the list is %q", got)
	}
	if got := must(t, env, "show", "t2"); !strings.Contains(got, "# t2 Say so") {
		t.Errorf("the agent was told\n%s", got)
	}
}
