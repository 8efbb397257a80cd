package cli_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/git-tasks/git-tasks/cmd/internal/cli"
	"github.com/git-tasks/git-tasks/repo"
	"github.com/git-tasks/git-tasks/repo/repotest"
)

// crew fills a list with a plan that several are at.
func crew(t *testing.T) cli.Env {
	t.Helper()
	env := bench(t)
	env.Environ = append(env.Environ, "TEST_NOW=2026-10-18T10:00:00Z")
	must(t, env, "plan", "add", "Ship the parser")
	for _, title := range []string{"Fix tabs in lists", "日本語の題も揃う", "Read the grammar", "Tell the users", "Nest lists", "Turn \u202eround"} {
		must(t, env, "add", title, "--plan", "p1")
	}
	for n := range 8 {
		must(t, env, "add", fmt.Sprintf("Case %d", n+1), "--plan", "p1")
	}
	must(t, env, "set", "t1", "--status", "doing", "--active", "Reading the lexer", "--as", "pilot")
	must(t, env, "set", "t2", "--status", "doing", "--active", "Writing tests", "--as", "copilot")
	must(t, env, "set", "t3", "--status", "done")
	must(t, env, "set", "t4", "--blocked-by", "t1", "--blocked-by", "t2")
	for id, parent := range map[string]string{"t5": "t1", "t8": "t7", "t13": "t7", "t14": "t13"} {
		env := env
		env.Environ = append(env.Environ[:len(env.Environ):len(env.Environ)], "EDITOR=sed -i.bak 's/^refs: .*/&\\\nparent: "+parent+"/'")
		must(t, env, "edit", id)
	}
	return env
}

// seen is what a terminal showed, step by step, as a golden file has it.
type seen struct {
	*tmux
	t    *testing.T
	want map[string]string // by step; nil while the file is written
	all  strings.Builder
}

// step waits until the screen is the one of the golden file, or, where that is
// written, until the texts are to be seen.
func (s *seen) step(name string, texts ...string) {
	s.t.Helper()
	is := func(screen string) bool {
		return !slices.ContainsFunc(texts, func(text string) bool { return !strings.Contains(screen, text) })
	}
	if s.want != nil {
		is = func(screen string) bool { return screen == s.want[name] }
	}
	fmt.Fprintf(&s.all, "== %s\n%s", name, s.sees(name+":\n"+s.want[name], is))
}

// TestPanel looks at the panel on terminals of three heights, as somebody types, as
// the list changes, and as the terminal does.
func TestPanel(t *testing.T) {
	t.Parallel()
	for _, height := range []int{24, 40, 80} {
		t.Run(fmt.Sprint(height), func(t *testing.T) {
			t.Parallel()
			env := crew(t)
			file := fmt.Sprintf("testdata/panel/%d.txt", height)
			s := &seen{t: t}
			if !*update {
				data, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				s.want = map[string]string{}
				for _, part := range strings.Split(string(data), "== ")[1:] {
					name, screen, _ := strings.Cut(part, "\n")
					s.want[name] = screen
				}
			}
			s.tmux = newTmux(t, env.Environ, env.Dir, 80, height, "git-tasks panel p1; echo ended with $?; read x")
			s.walk(env, height)
			golden(t, file, s.all.String())
		})
	}
}

// walk does what somebody does who has the panel before them.
func (s *seen) walk(env cli.Env, height int) {
	s.step("begin", "q quit")
	must(s.t, env, "set", "t5", "--status", "doing", "--active", "Thinking", "--as", "bob")
	s.step("somebody begins", "bob: Thinking")
	must(s.t, env, "set", "t1", "--status", "done")
	s.step("somebody is done", "● t1")
	s.keys("Down", "j", "Down")
	s.step("the cursor goes down", "› ◐ t5")
	draft := repo.File{Path: "tasks/fix-login.md", Data: []byte("---\ntitle: Fix the login\n---\n")}
	broken := repo.File{Path: "tasks/t20.md", Data: []byte("---\nid: t20\ntitle: a: b\n---\n")}
	repotest.Foreign(s.t, filepath.Join(env.Dir, ".local/share/git-tasks/records.git"), "refs/heads/main", "eve", "by hand", broken, draft)
	s.step("what cannot be read", "tasks/t20.md:3", "tasks/fix-login.md")
	s.keys("t")
	s.step("the tree", "t list  q quit")
	s.keys("Home", "Left")
	s.step("what is folded", "▸")
	s.keys("/", "c", "a", "s", "e")
	s.step("a filter is typed", "/case_")
	s.keys("Enter", "G")
	s.step("a filter", "›   ○ t12")
	s.do("refresh-client -C 50x%d", height-6)
	s.step("a smaller terminal", "t list  q…\n", "progre…\n")
	s.keys("Escape")
	s.step("no filter", "t1 Fix", "copilot…\n", "  ○ t11 Case 5\n", "↑↓")
	s.do("refresh-client -C 100x%d", height)
	s.step("a larger terminal", strings.Repeat("─", 100), "copilot: Writing tests", "q quit\n")
	s.keys("q")
	s.step("the end", "ended with 0")
}

// TestPanelEdits: Enter opens the record of the cursor in the editor of git tasks edit,
// and the panel comes back with what was written; what is refused is said, and left.
func TestPanelEdits(t *testing.T) {
	t.Parallel()
	env := crew(t)
	editor := filepath.Join(env.Dir, "editor")
	script := "#!/bin/sh\necho \"editing $(grep ^status \"$1\")\"\nread status\nsed -i.bak \"s/^status: .*/status: $status/\" \"$1\"\n"
	if err := os.WriteFile(editor, []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	x := newTmux(t, append(env.Environ, "EDITOR="+editor), env.Dir, 80, 24, "git-tasks panel; echo ended with $?; read x")
	x.shows("q quit")
	x.keys("Down", "Down", "Enter")
	x.shows("editing status: doing")
	x.keys("review", "Enter")
	x.shows("› ◑ t1")
	x.keys("Enter")
	x.shows("editing status: review")
	x.keys("soon", "Enter")
	if screen := x.shows("write on? [Y/n]"); !strings.Contains(screen, "tasks/t1.md:4: status must be todo, doing") {
		t.Errorf("a refusal is shown as\n%s", screen)
	}
	x.keys("y", "Enter")
	x.shows("editing status: soon")
	x.keys("nonsense", "Enter")
	x.sees("a second question", func(screen string) bool { return strings.Count(screen, "write on? [Y/n]") == 2 })
	x.keys("n", "Enter")
	x.shows("Enter goes back to the panel")
	x.keys("Enter")
	x.sees("the reason in the panel", func(screen string) bool {
		return strings.Contains(screen, "› ◑ t1") && strings.Contains(screen, "\ntasks/t1.md:4: status must be todo, doing")
	})
	kept, err := filepath.Glob(filepath.Join(env.Dir, ".local/share/git-tasks/records.git/git-tasks/edits/*/t1.md"))
	if err != nil || len(kept) != 1 {
		t.Fatalf("%v was kept: %v", kept, err)
	}
	if text, err := os.ReadFile(kept[0]); err != nil || !strings.Contains(string(text), "status: nonsense") {
		t.Errorf("what was kept is\n%s%v", text, err)
	}
	x.keys("C-c")
	x.shows("ended with 0")
}

// TestPanelIsStopped: told to stop by a signal it leaves the terminal as it was, with 0.
func TestPanelIsStopped(t *testing.T) {
	t.Parallel()
	env := crew(t)
	for _, signal := range []string{"INT", "TERM"} {
		x := newTmux(t, env.Environ, env.Dir, 80, 24, "stty -a >before; sh -c 'echo $$ >pid; exec git-tasks panel'; echo ended with $?; stty -a >after; cmp before after && echo the same; read x")
		x.shows("q quit")
		shell(t, env, "kill -"+signal+" $(cat pid)")
		if screen := x.shows("the same"); !strings.Contains(screen, "ended with 0\n") || strings.Contains(screen, "t1") {
			t.Errorf("after SIG%s the terminal shows\n%s", signal, screen)
		}
	}
}

// TestEditIsStopped: told to stop while the editor is open, edit says where what was
// written is.
func TestEditIsStopped(t *testing.T) {
	t.Parallel()
	env := crew(t)
	command := "EDITOR='echo more >>$1; echo written; read x; true' sh -c 'echo $$ >pid; exec git-tasks edit t1'; echo ended with $?; read x"
	x := newTmux(t, env.Environ, env.Dir, 80, 24, command)
	x.shows("written")
	shell(t, env, "kill -TERM $(cat pid)")
	if screen := x.shows("ended with 1"); !strings.Contains(screen, "git-tasks: what you wrote is in ") || !strings.Contains(screen, "stopped by a signal") {
		t.Errorf("the end is\n%s", screen)
	}
}

// TestPanelLease: a claim is shown with the time that is left, and ends on the screen
// by time alone, without a commit and without a host.
func TestPanelLease(t *testing.T) {
	t.Parallel()
	env := bench(t)
	env.Now = time.Now
	must(t, env, "add", "Fix the login")
	x := newTmux(t, env.Environ, env.Dir, 80, 24, "git-tasks panel; read x")
	x.shows("○ t1")
	must(t, env, "claim", "t1", "--lease-for", "2s", "--as", "pilot")
	x.shows("◐ t1 Fix the login  pilot  1m left")
	x.shows("○ t1 Fix the login\n")
	if out := must(t, env, "log", "t1"); strings.Count(out, "\n") != 2 {
		t.Errorf("the history is\n%s", out)
	}
}

// TestPanelSessionEnds: a claim ends on the screen with its session, without a commit and
// without a host.
func TestPanelSessionEnds(t *testing.T) {
	t.Parallel()
	env := bench(t)
	must(t, env, "add", "Fix the login")
	hook := func(event, more string) {
		t.Helper()
		shell(t, env, `echo '{"hook_event_name":"`+event+`","session_id":"one","cwd":"/srv/work"`+more+`}' | git-tasks hook claude-code`)
	}
	hook("SessionStart", `,"source":"startup"`)
	must(t, env, "claim", "t1", "--as", "pilot", "--session", "one")
	x := newTmux(t, env.Environ, env.Dir, 80, 24, "git-tasks panel; read x")
	x.shows("◐ t1 Fix the login  pilot")
	hook("SessionEnd", `,"reason":"other"`)
	x.shows("○ t1 Fix the login\n")
	if out := must(t, env, "log", "t1"); strings.Count(out, "\n") != 2 {
		t.Errorf("the history is\n%s", out)
	}
}

// TestPanelColours: there are some, and none where somebody wants none; what cannot be
// drawn on gets the panel once.
func TestPanelColours(t *testing.T) {
	t.Parallel()
	env := crew(t)
	for _, want := range []string{"", "NO_COLOR=1"} {
		x := newTmux(t, append(env.Environ, want), env.Dir, 80, 24, "git-tasks panel; read x")
		x.shows("q quit")
		drawn := strings.Join(x.do("capture-pane -p -e"), "\n")
		if coloured := strings.Contains(drawn, "\x1b[36m"); coloured != (want == "") {
			t.Errorf("with %q the panel is drawn as\n%q", want, drawn)
		}
	}
	x := newTmux(t, env.Environ, env.Dir, 80, 24, "TERM=dumb git-tasks panel; echo ended with $?; read x")
	if screen := x.shows("ended with 0"); !strings.Contains(screen, "\n○ t12 Case 6\nended") {
		t.Errorf("a terminal that cannot be drawn on shows\n%s", screen)
	}
}
