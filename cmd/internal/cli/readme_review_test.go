package cli_test

import (
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/git-tasks/git-tasks/repo"
	"github.com/git-tasks/git-tasks/repo/repotest"
)

// playReview plays what a reviewer does, and holds what the README shows of it to
// what comes: ids and keys are others each time.
func playReview(t *testing.T, want string) {
	env := home(t)
	must(t, env, "add", "Read the plan")
	list := filepath.Join(env.Dir, ".local", "share", "git-tasks", "records.git")
	if strings.HasPrefix(want, "problem: ") {
		text := repotest.Git(t, list, "show", "main:tasks/t1.md") + "\n"
		forged := "approved:\n  at: 2026-10-18T10:00:00.000Z\n  by: bob\n"
		repotest.Foreign(t, list, "refs/heads/main", "mia", "approve", repo.File{Path: "tasks/t1.md",
			Data: []byte(strings.Replace(text, "created:", forged+"created:", 1))})
		got, code := run(t, env, "check", "--history")
		if got = regexp.MustCompile(`\b[0-9a-f]{10}\b`).ReplaceAllString(got, "1234567890"); !strings.HasPrefix(got, want) && !strings.HasSuffix(got, want) || code != 1 {
			t.Errorf("check --history ends with %d and says\n%s", code, got)
		}
		return
	}
	_, commands, _ := strings.Cut(readReadme(t), "    git clone -q ")
	commands, _, _ = strings.Cut(commands, "\n\n")
	cmd := exec.CommandContext(t.Context(), "sh", "-e", "-c", "git clone -q "+commands)
	cmd.Dir, cmd.Env = env.Dir, env.Environ
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if got := regexp.MustCompile(`SHA256:\S+`).ReplaceAllString(string(out), "SHA256:…"); strings.HasPrefix(want, "Good ") &&
		!strings.HasSuffix(got, want) {
		t.Errorf("git says\n%s", got)
	}
}
