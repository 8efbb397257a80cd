package cli_test

import (
	"strings"
	"testing"
)

// playInbox drops the file of the README into the inbox of a host.
func playInbox(t *testing.T, script string) {
	env := home(t)
	must(t, env, "add", "Read the plan")
	since := strings.Fields(must(t, env, "log"))[0]
	host(t, env, 5, "--inbox", "inbox")
	shell(t, env, script)
	must(t, env, "watch", "--since", since, "--until", "any")
	if got := must(t, env, "show", "t2"); !strings.HasPrefix(got, "t2  Fix the login\n") || !strings.Contains(got, "\nIt says 500.\n") {
		t.Errorf("the task is\n%s", got)
	}
}
