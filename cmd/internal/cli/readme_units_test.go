package cli_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// playUnit lets systemd look at a unit, with this program in place of the one
// that will be installed: it has nothing to say of it.
func playUnit(t *testing.T, unit string) {
	analyze, err := exec.LookPath("systemd-analyze")
	if err != nil {
		t.Skip("systemd-analyze is not installed, which looks at units")
	}
	start := regexp.MustCompile(`(?m)^ExecStart=(\S+/git-tasks) serve$`).FindStringSubmatch(unit)
	if start == nil || !strings.Contains(unit, "\nType=notify\n") {
		t.Fatalf("a unit that does not start the host as one that tells when it answers:\n%s", unit)
	}
	program, err := exec.LookPath("git-tasks")
	if err != nil {
		t.Fatal(err)
	}
	dir, args := t.TempDir(), []string{"verify"}
	if strings.HasPrefix(start[1], "%h") {
		args = append(args, "--user")
	}
	file := filepath.Join(dir, "git-tasks.service")
	if err := os.WriteFile(file, []byte(strings.Replace(unit, start[1], program, 1)), 0o644); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), analyze, append(args, file)...)
	cmd.Env = append(append(os.Environ(), covered()...), "XDG_RUNTIME_DIR="+dir, "HOME="+dir)
	if out, err := cmd.CombinedOutput(); err != nil || len(out) > 0 {
		t.Errorf("systemd-analyze %s: %v\n%s", strings.Join(args, " "), err, out)
	}
}
