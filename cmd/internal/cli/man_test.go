package cli_test

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/git-tasks/git-tasks/tools"
)

// TestManualHasEverything: whatever the help names is in the manual page, and
// every exit code.
func TestManualHasEverything(t *testing.T) {
	t.Parallel()
	page := strings.ReplaceAll(must(t, bench(t), "man"), `\-`, "-")
	for command, flags := range knownCommands(t) {
		if called := ".SS \"git tasks " + command; command != "" && command != "plan" && command != "token" && !strings.Contains(page, called) {
			t.Errorf("the manual has no %s", called)
		}
		for _, flag := range flags {
			if flag != "help" && flag != "version" && !strings.Contains(page, ".B \"--"+flag) {
				t.Errorf("the manual has no --%s of %q", flag, command)
			}
		}
	}
	for _, code := range tools.Codes() {
		if at := ".B \"" + string(rune('0'+code.Exit())) + "\"\n"; !strings.Contains(page, at) {
			t.Errorf("the manual has no exit code %d", code.Exit())
		}
	}
}

// TestManualIsTaken lets the programs that show manuals read it: none has
// anything to say.
func TestManualIsTaken(t *testing.T) {
	t.Parallel()
	page, readers := must(t, bench(t), "man"), 0
	for _, reader := range [][]string{{"mandoc", "-T", "lint", "-W", "error"}, {"groff", "-ww", "-man", "-T", "ascii", "-z"}} {
		if _, err := exec.LookPath(reader[0]); err != nil {
			continue
		}
		readers++
		cmd := exec.CommandContext(t.Context(), reader[0], reader[1:]...)
		cmd.Stdin = strings.NewReader(page)
		if out, err := cmd.CombinedOutput(); err != nil || len(out) > 0 {
			t.Errorf("%s: %v\n%s", strings.Join(reader, " "), err, out)
		}
	}
	if readers == 0 {
		t.Skip("neither mandoc nor groff is installed, which read manual pages")
	}
}
