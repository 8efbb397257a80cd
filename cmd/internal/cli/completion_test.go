package cli_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestCompletionInShells sources the script in a real shell and completes as that
// shell does.
func TestCompletionInShells(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ shell, script, want string }{
		{"bash", `source <(git-tasks completion bash)
try() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); __git_tasks_program; echo "${COMPREPLY[@]}"; }
try git-tasks show ''
try git-tasks set t1 --status = do
try git-tasks set t1 --status =
try git-tasks nonsense ''
of_git() { local words=("$@") cword=$(($# - 1)); _git_tasks; echo "${COMPREPLY[@]}"; }
of_git git -C . tasks plan sh
of_git git tasks set t1 --status=dr
complete -p git-tasks
`, "t1 t2\ndoing done\ntodo doing blocked review done dropped\n\nshow\ndropped\n" +
			"complete -o bashdefault -o default -F __git_tasks_program git-tasks\n"},
		{"zsh", `compdef() { print compdef $@ }
_describe() { print -l -- ${(P)3} }
_files() { print files }
source <(git-tasks completion zsh)
words=(git-tasks show t) CURRENT=3; _git-tasks
words=(tasks set t1 --status do) CURRENT=5; _git-tasks
words=(git-tasks --repo "") CURRENT=3; _git-tasks
`, "compdef _git-tasks git-tasks\nt1:A: b\nt2:B\ndoing\ndone\nfiles\n"},
		{"fish", `git-tasks completion fish | source
complete -C 'git-tasks show t'
complete -C 'git tasks set t1 --status=do'
`, "t1\tA: b\nt2\tB\n--status=doing\n--status=done\n"},
	} {
		t.Run(c.shell, func(t *testing.T) {
			t.Parallel()
			if _, err := exec.LookPath(c.shell); err != nil {
				t.Skipf("this machine has no %s to complete in", c.shell)
			}
			env := bench(t)
			must(t, env, "add", "A: b")
			must(t, env, "add", "B")
			cmd := exec.CommandContext(t.Context(), c.shell, "-c", c.script)
			cmd.Dir, cmd.Env = env.Dir, env.Environ
			if out, err := cmd.CombinedOutput(); err != nil || string(out) != c.want {
				t.Errorf("%v:\n%s\nwant\n%s", err, out, c.want)
			}
		})
	}
}

// TestCompletionDoesNotWait: a list that does not answer completes to nothing,
// and soon. Its settings are a pipe that nobody writes to.
func TestCompletionDoesNotWait(t *testing.T) {
	t.Parallel()
	env := bench(t)
	must(t, env, "add", "A")
	pipe := filepath.Join(env.Dir, ".local/share/git-tasks/records.git/config")
	if err := os.Remove(pipe); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	done := make(chan string, 1)
	began := time.Now()
	go func() {
		out, code := run(t, env, "complete", "--", "show", "")
		if code != 0 {
			out += "ended with an error"
		}
		done <- out
	}()
	select {
	case out := <-done:
		if out != "" || time.Since(began) < 300*time.Millisecond {
			t.Errorf("after %s it printed %q", time.Since(began), out)
		}
	case <-time.After(20 * time.Second):
		t.Error("it waits for the list")
	}
	writer, err := os.OpenFile(pipe, os.O_RDWR, 0) // lets the reader go on
	if err == nil {
		err = writer.Close()
	}
	if err != nil {
		t.Error(err)
	}
}

// TestCompletionOfEveryWord asks for the next word at every place of every
// command: it is one that the command takes, and nothing ever fails.
func TestCompletionOfEveryWord(t *testing.T) {
	t.Parallel()
	env := bench(t)
	must(t, env, "add", "A")
	for _, path := range commandPaths(t, env) {
		for _, at := range []string{"", "-", "--", "--no-such", "--plan=", "=", "--", "x"} {
			words := append(append([]string{"complete", "--"}, path...), at)
			for line := range strings.Lines(must(t, env, words...)) {
				word, _, ok := strings.Cut(line, "\t")
				if !ok || word == "" || !strings.HasPrefix(word, at) && at != "=" {
					t.Errorf("%q completes to %q", words, line)
				}
			}
		}
		known := must(t, env, append(append([]string{}, path...), "--help")...) + must(t, env, "help") + "--help"
		for line := range strings.Lines(must(t, env, append(append([]string{"complete", "--"}, path...), "--")...)) {
			if word, _, _ := strings.Cut(line, "\t"); !strings.Contains(known, word) {
				t.Errorf("%q takes no %s", path, word)
			}
		}
	}
}
