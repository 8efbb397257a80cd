package cli_test

import (
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/git-tasks/git-tasks/cmd/internal/cli"
)

// TestReadmeBlocks plays every indented block of the README but the sessions,
// which are played on their own. A block that no play is made for is an error.
func TestReadmeBlocks(t *testing.T) {
	t.Parallel()
	text := readReadme(t)
	_, session, _ := block(t, text, "session")
	_, editing, _ := block(t, text, "clone")
	session += editing
	for _, b := range blocksOf(text) {
		first, _, _ := strings.Cut(b, "\n")
		t.Run(first, func(t *testing.T) {
			t.Parallel()
			switch {
			case strings.HasPrefix(b, "$ "):
				if !strings.Contains(session, "    "+first+"\n") {
					t.Errorf("a session that is not played:\n%s", b)
				}
			case strings.HasPrefix(b, "go test ./cmd/internal/simulation "):
				// TestReadmeRaces of that package plays it: what races is its program.
			case strings.HasPrefix(b, "go run "):
				playGo(t, b)
			case strings.HasPrefix(b, "git tasks serve\n"):
				playServe(t, b)
			case strings.HasPrefix(b, "git tasks work "):
				playWork(t, b)
			case strings.HasPrefix(b, "printf "):
				playInbox(t, b)
			case strings.HasPrefix(b, "git tasks watch\n"):
				playWatch(t, b)
			case strings.HasPrefix(b, "git clone -q "), strings.HasPrefix(b, "Good "), strings.HasPrefix(b, "problem: commit "):
				playReview(t, b)
			case strings.HasPrefix(b, "git tasks clone "):
				playEdit(t, b)
			case strings.HasPrefix(b, "git tasks edit "):
				playEditor(t, b)
			case strings.HasPrefix(b, "git tasks graph\n"):
				playGraph(t, b)
			case strings.HasPrefix(b, "git tasks panel "):
				playPanel(t, b)
			case strings.HasPrefix(b, "git tasks install "):
				playInstall(t, b)
			case strings.HasPrefix(b, `{"mcpServers"`):
				playClient(t, b)
			case strings.HasPrefix(b, "{\n"):
				playSettings(t, b)
			case strings.HasPrefix(b, "[Unit]\n"):
				playUnit(t, b)
			case strings.HasPrefix(b, "1 record could not be read: "):
				playBroken(t, b)
			case strings.HasPrefix(b, "remote: "):
				playRefused(t, b)
			default:
				t.Errorf("a block that nothing plays:\n%s", b)
			}
		})
	}
}

// blocksOf gives the indented blocks of a text, without what indents them.
func blocksOf(text string) []string {
	var blocks []string
	inside := false
	for line := range strings.Lines(text) {
		line, indented := strings.CutPrefix(line, "    ")
		switch {
		case indented && inside:
			blocks[len(blocks)-1] += line
		case indented:
			blocks = append(blocks, line)
		}
		inside = indented
	}
	return blocks
}

// home is a bench with a person whom git knows.
func home(t *testing.T) cli.Env {
	t.Helper()
	env := bench(t)
	config := "[user]\n\tname = ana\n\temail = ana@example.org\n[init]\n\tdefaultBranch = main\n"
	if err := os.WriteFile(filepath.Join(env.Dir, ".gitconfig"), []byte(config), 0o644); err != nil {
		t.Fatal(err)
	}
	return env
}

// shell plays a script as a person's shell would, up to the first failure.
func shell(t *testing.T, env cli.Env, script string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "sh", "-e", "-c", script)
	cmd.Dir, cmd.Env = env.Dir, env.Environ
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s\n%s", err, script, out)
	}
}

// playGo takes the program as it was built for go run; what go test says is what
// this is part of.
func playGo(t *testing.T, script string) {
	if _, err := os.Stat("../../git-tasks/main.go"); err != nil {
		t.Error(err)
	}
	env := home(t)
	shell(t, env, `go() {
	case "$1 $2" in
	"run ./cmd/git-tasks") shift 2 && git-tasks "$@" ;;
	"test ./...") test $# = 2 ;;
	*) return 1 ;;
	esac
}
`+script)
	if !strings.Contains(script, "./cmd/git-tasks") {
		return
	}
	if got := must(t, env, "list"); got != "t1  todo  high  Read the plan\n" {
		t.Errorf("the list is %q", got)
	}
}

func playEdit(t *testing.T, script string) {
	env := home(t)
	env.Environ = append(env.Environ, "EDITOR=sed -i.bak s/plan/road/")
	must(t, env, "add", "Read the plan")
	shell(t, env, script)
	if got := must(t, env, "list"); got != "t1  todo  medium  Read the road\n" {
		t.Errorf("the list is %q", got)
	}
	if got := must(t, env, "log"); !strings.Contains(got, "  ana        say it better\n") {
		t.Errorf("the log is\n%s", got)
	}
}

// playEditor has an editor begin a task, and compares what that prints.
func playEditor(t *testing.T, shown string) {
	env := home(t)
	env.Environ = append(env.Environ, "EDITOR=sed -i.bak 's/^status: todo/status: doing/'")
	must(t, env, "add", "Read the plan")
	line, want, _ := strings.Cut(shown, "\n")
	cmd := exec.CommandContext(t.Context(), "sh", "-c", strings.Replace(line, "git tasks", "git-tasks", 1)+" 2>&1")
	cmd.Dir, cmd.Env = env.Dir, env.Environ
	got, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, got)
	}
	commit := regexp.MustCompile(`\([0-9a-f]{10}\)`)
	if got, want := commit.ReplaceAllString(string(got), "()"), commit.ReplaceAllString(want, "()"); got != want {
		t.Errorf("README.md shows\n%s\nand the editor's end prints\n%s", want, got)
	}
}

// playPanel holds what the README shows to what a terminal does.
func playPanel(t *testing.T, shown string) {
	_, screen, _ := strings.Cut(shown, "\n")
	seen, err := os.ReadFile("testdata/panel/24.txt")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(seen), "\n"+screen+"== ") {
		t.Errorf("README.md shows\n%s\nand no terminal of TestPanel does", screen)
	}
}

// playInstall connects a client by the line of the README, and starts what its
// settings name.
func playInstall(t *testing.T, script string) {
	env := home(t)
	git, err := exec.LookPath("git-tasks")
	if err != nil {
		t.Fatal(err)
	}
	shell(t, env, script)
	settings, err := os.ReadFile(filepath.Join(env.Dir, ".claude.json"))
	if err != nil {
		t.Fatal(err)
	}
	e, _ := entryOf(t, "claude-code", string(settings))
	env.Stdin = io.NopCloser(strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"ping"}` + "\n"))
	if got := must(t, env, e.Args...); filepath.Base(e.Command) != filepath.Base(git) || !strings.Contains(got, `"id":1,"result"`) {
		t.Errorf("the client runs %s and gets %s", e.Command, got)
	}
	shell(t, env, "git tasks uninstall claude-code")
	if _, err := os.Stat(filepath.Join(env.Dir, ".claude.json")); !os.IsNotExist(err) {
		t.Errorf("the file is still there: %v", err)
	}
}

func playClient(t *testing.T, settings string) {
	var client struct {
		Servers map[string]struct {
			Command string
			Args    []string
		} `json:"mcpServers"`
	}
	if err := json.Unmarshal([]byte(settings), &client); err != nil {
		t.Fatal(err)
	}
	for name, server := range client.Servers {
		env := home(t)
		env.Stdin = io.NopCloser(strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"ping"}` + "\n"))
		if got := must(t, env, server.Args...); server.Command != "git-tasks" || !strings.Contains(got, `"id":1,"result"`) {
			t.Errorf("%s runs %s and gets %s", name, server.Command, got)
		}
	}
}

// playSettings looks that the settings do what the README says of them: ana may
// approve and bob not, and what is not approved may not be started.
func playSettings(t *testing.T, settings string) {
	env := home(t)
	file := filepath.Join(env.Dir, ".config", "git-tasks", "config.json")
	settings = strings.Replace(settings, "sha256:…", "sha256:"+strings.Repeat("0a", 32), 1)
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(settings), 0o644); err != nil {
		t.Fatal(err)
	}
	must(t, env, "add", "a")
	for _, c := range []struct {
		says string
		code int
		args []string
	}{
		{"bob may not task:approve here", 5, []string{"approve", "t1", "--as", "bob"}},
		{"until the task is approved", 2, []string{"set", "t1", "--status", "doing"}},
		{"approved t1", 0, []string{"approve", "t1"}},
		{"t1 doing", 0, []string{"set", "t1", "--status", "doing"}},
		{"no plan is old enough to go", 0, []string{"sweep"}},
	} {
		if got, code := run(t, env, c.args...); code != c.code || !strings.Contains(got, c.says) {
			t.Errorf("%q ended with %d, want %d, and said %s", c.args, code, c.code, got)
		}
	}
}

// brokenFile commits the file that the README's lines are about in a clone.
const brokenFile = `git clone -q ~/.local/share/git-tasks/records.git clone 2>/dev/null
cd clone && mkdir tasks
printf -- '---\nid: t7\ntitle: Fix: tabs in lists\nstatus: todo\n---\n' >tasks/t7.md
git add -A && git commit -qm broken
`

// playRefused pushes it.
func playRefused(t *testing.T, lines string) {
	env := home(t)
	must(t, env, "init")
	shell(t, env, brokenFile+"! git push origin HEAD:main 2>../said")
	said, err := os.ReadFile(filepath.Join(env.Dir, "said"))
	if err != nil {
		t.Fatal(err)
	}
	got := ""
	for line := range strings.Lines(string(said)) {
		if strings.HasPrefix(line, "remote: ") {
			got += strings.TrimRight(line, " \n") + "\n"
		}
	}
	if got != lines {
		t.Errorf("README.md shows\n%s\nand a push says\n%s", lines, got)
	}
}

// playBroken brings it into the list past the hooks.
func playBroken(t *testing.T, line string) {
	env := home(t)
	must(t, env, "init")
	shell(t, env, brokenFile+`git -C ~/.local/share/git-tasks/records.git fetch -q "$PWD" HEAD:main`)
	if got, want := must(t, env, "list"), "No tasks match.\n"+line; got != want {
		t.Errorf("README.md shows\n%s\nand git tasks list prints\n%s", want, got)
	}
	if got, _ := run(t, env, "check"); !strings.Contains(got, "\n    mend: title: \"Fix: tabs in lists\"\n") {
		t.Errorf("git tasks check does not show the line as it should be:\n%s", got)
	}
}
