package cli_test

import (
	"os/exec"
	"regexp"
	"strings"
	"testing"
)

// TestReadmeClone plays the README's session in a clone and compares what a
// terminal shows of it.
func TestReadmeClone(t *testing.T) {
	t.Parallel()
	_, session, _ := block(t, readReadme(t), "clone")
	env := home(t)
	must(t, env, "add", "Read the plan")
	script, want := "", ""
	for line := range strings.Lines(strings.TrimSpace(session) + "\n") {
		line = strings.TrimPrefix(line, "    ")
		want += line
		if command, ok := strings.CutPrefix(line, "$ "); ok {
			script += "cat <<'COMMAND'\n" + line + "COMMAND\n" + command
		}
	}
	cmd := exec.CommandContext(t.Context(), "sh", "-c", "exec 2>&1\n"+script)
	cmd.Dir, cmd.Env = env.Dir, env.Environ
	out, _ := cmd.Output() // the last command is refused
	got := regexp.MustCompile(` +\n`).ReplaceAllString(strings.ReplaceAll(string(out), env.Dir, "/home/ana"), "\n")
	if got != want {
		t.Errorf("README.md shows\n%s\nand a terminal\n%s", want, got)
	}
}
