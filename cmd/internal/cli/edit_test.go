package cli_test

import (
	"strings"
	"testing"
)

// TestEditWithAHost: a file goes to the host where one serves the list; its clock
// stamps what is moved.
func TestEditWithAHost(t *testing.T) {
	t.Parallel()
	env := bench(t)
	must(t, env, "add", "Fix the login")
	host(t, env, 2)
	env.Environ = append(env.Environ, "EDITOR=sed -i.bak 's/^status: .*/status: doing/'")
	if out := must(t, env, "edit", "t1"); !strings.HasPrefix(out, "t1 doing medium Fix the login\n") {
		t.Errorf("edit prints\n%s", out)
	}
	created, started, _ := strings.Cut(must(t, env, "show", "t1"), "started")
	if !strings.Contains(created, "2026-10-18T10:00:00.000Z by ana") || strings.Contains(started, "2026-10-18T10:00:00.000Z") {
		t.Errorf("the move was not stamped by the clock of the host: %s", started)
	}
	env.Environ = append(env.Environ, "EDITOR=sed -i.bak 's/^status: .*/status: soon/'")
	out, code := run(t, env, "edit", "t1")
	if code != 2 || !strings.HasPrefix(out, "git-tasks: error: tasks/t1.md:4: status must be todo, doing, blocked, review, done, or dropped.\nhint: what you wrote is in ") {
		t.Errorf("edit ended with %d and prints\n%s", code, out)
	}
}
