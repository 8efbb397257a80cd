package cli_test

import (
	"strings"
	"testing"
)

// playGraph draws what the README shows.
func playGraph(t *testing.T, b string) {
	env := bench(t)
	must(t, env, "add", "Read the plan")
	must(t, env, "add", "Write the parser", "--blocked-by", "t1")
	must(t, env, "add", "Tell the users", "--blocked-by", "t2", "--blocked-by", "t1")
	must(t, env, "set", "t1", "--status", "done")
	must(t, env, "set", "t2", "--status", "doing")
	_, want, _ := strings.Cut(b, "\n")
	if got := strings.TrimSpace(must(t, env, "graph")); got != strings.TrimSpace(want) {
		t.Errorf("the graph is\n%s\nwant\n%s", got, want)
	}
}
