package cli_test

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/git-tasks/git-tasks/cmd/internal/cli"
	"github.com/git-tasks/git-tasks/repo"
	"github.com/git-tasks/git-tasks/repo/repotest"
)

// watch is a git tasks watch under way.
type watch struct {
	t     *testing.T
	out   *bufio.Reader
	notes *bufio.Reader
	stop  func()
	ended chan int
}

// startWatch starts one, and comes back when it watches.
func startWatch(t *testing.T, env cli.Env, args ...string) *watch {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	out, outEnd := io.Pipe()
	notes, notesEnd := io.Pipe()
	env.Args = append([]string{"git-tasks", "watch"}, args...)
	env.Stdout, env.Stderr, env.Host, env.User = outEnd, notesEnd, "desk", func() string { return "ana" }
	w := &watch{t, bufio.NewReader(out), bufio.NewReader(notes), stop, make(chan int, 1)}
	go func() {
		code := cli.Run(ctx, env)
		outEnd.Close()
		notesEnd.Close()
		w.ended <- code
	}()
	t.Cleanup(stop)
	if got := w.line(w.notes); !strings.HasPrefix(got, "git-tasks: watching ") {
		t.Fatalf("it said %q", got)
	}
	return w
}

// line gives the next line, without the commit at its beginning.
func (w *watch) line(r *bufio.Reader) string {
	w.t.Helper()
	line, err := r.ReadString('\n')
	if err != nil {
		w.t.Fatal(err)
	}
	return regexp.MustCompile(`^[0-9a-f]{10}  `).ReplaceAllString(strings.TrimSuffix(line, "\n"), "")
}

func (w *watch) wants(want ...string) {
	w.t.Helper()
	for _, want := range want {
		if got := w.line(w.out); got != want {
			w.t.Errorf("printed %q, want %q", got, want)
		}
	}
}

// ends waits for the end, and wants nothing more to be printed.
func (w *watch) ends(code int) {
	w.t.Helper()
	go io.Copy(io.Discard, w.notes)
	if rest, err := io.ReadAll(w.out); err != nil || len(rest) > 0 {
		w.t.Errorf("more was printed: %q, %v", rest, err)
	}
	if got := <-w.ended; got != code {
		w.t.Errorf("it ended with %d, want %d", got, code)
	}
}

// TestWatch: each change is a line, whoever makes it, with a host and without;
// what cannot be read is said, and watching goes on; a signal is a good end.
func TestWatch(t *testing.T) {
	t.Parallel()
	for name, served := range map[string]bool{"alone": false, "beside a host": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			env := bench(t)
			must(t, env, "add", "A")
			if served {
				host(t, env, 2)
			}
			dir := filepath.Join(env.Dir, ".local/share/git-tasks/records.git")
			w := startWatch(t, env)
			must(t, env, "plan", "add", "Ship it", "--as", "bob")
			must(t, env, "set", "t1", "--status", "doing")
			w.wants("bob  added    p1 draft Ship it", "ana  set      t1 doing medium A")
			tip := repotest.Git(t, dir, "rev-parse", "main")
			repotest.Foreign(t, dir, "refs/heads/main", "eve", "gone", repo.File{Path: "tasks/t1.md"})
			w.wants("eve  removed  t1 doing medium A")
			if served {
				return // the host would write to the branch
			}
			repotest.Git(t, dir, "update-ref", "refs/heads/main", tip)
			if got := w.line(w.notes); got != "git-tasks: history was rewritten, or merged from aside; what follows is the difference" {
				t.Errorf("it said %q", got)
			}
			w.wants("ana  added    t1 doing medium A")
			holds(t, dir, "junk")
			if got := w.line(w.notes); !strings.HasSuffix(got, "; watching on") {
				t.Errorf("of a branch that is damaged it said %q", got)
			}
			holds(t, dir, tip)
			must(t, env, "add", "B")
			w.wants("ana  added    t2 todo medium B")
			w.stop()
			w.ends(0)
		})
	}
}

// holds makes text what the branch's file holds, at once.
func holds(t *testing.T, dir, text string) {
	t.Helper()
	file := filepath.Join(dir, "refs/heads/main")
	if err := os.WriteFile(file+".new", []byte(text+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(file+".new", file); err != nil {
		t.Fatal(err)
	}
}

// TestWatchUntil: it waits, prints what it waited for, and ends.
func TestWatchUntil(t *testing.T) {
	t.Parallel()
	env := bench(t)
	must(t, env, "plan", "add", "Ship it")
	must(t, env, "add", "A", "--plan", "p1")
	must(t, env, "add", "B", "--blocked-by", "t1")
	done := startWatch(t, env, "--plan", "p1", "--until", "done")
	ready := startWatch(t, env, "t2", "--until", "ready")
	later := startWatch(t, env, "t2", "--until", "any")
	never := startWatch(t, env, "t2", "--until", "done")
	must(t, env, "set", "t1", "--status", "doing")
	must(t, env, "set", "t1", "--status", "done")
	done.wants("done     t1 done medium A")
	done.ends(0)
	ready.wants("ready    t2 todo medium B")
	ready.ends(0)
	must(t, env, "set", "t2", "--note", "at last", "--as", "bob")
	later.wants("bob  set      t2 todo medium B")
	later.ends(0)
	never.stop()
	never.ends(1)
}

// TestWatchUntilAClaimIsOver: what waits for a task to be ready sees the end of a claim,
// which no commit says where there is no host.
func TestWatchUntilAClaimIsOver(t *testing.T) {
	t.Parallel()
	env := bench(t)
	env.Now = time.Now
	must(t, env, "add", "A")
	must(t, env, "claim", "t1", "--lease-for", "1s")
	ready := startWatch(t, env, "t1", "--until", "ready")
	ready.wants("ready    t1 todo medium A")
	ready.ends(0)
}

// enough is a pipe whose reader has gone.
type enough struct{}

func (enough) Write([]byte) (int, error) { return 0, syscall.EPIPE }

// TestWatchPipeCloses: a pipe that nobody reads any more is a good end.
func TestWatchPipeCloses(t *testing.T) {
	t.Parallel()
	env := bench(t)
	must(t, env, "add", "A")
	env.Args = []string{"git-tasks", "watch", "--since", strings.Repeat("0", 40)}
	env.Stdout, env.Stderr = enough{}, io.Discard
	if code := cli.Run(t.Context(), env); code != 0 {
		t.Errorf("it ended with %d", code)
	}
}

// TestP30Watch: whoever goes on from the commit of the last line misses nothing
// and reads nothing twice.
func TestP30Watch(t *testing.T) {
	t.Parallel()
	env := bench(t)
	since, told := strings.Repeat("0", 40), []string{}
	for _, title := range []string{"A", "B", "C"} {
		must(t, env, "add", title)
		w := startWatch(t, env, "--json", "--since", since)
		var line struct {
			Commit, By, Change string
			Task               struct{ Title string }
		}
		if err := json.Unmarshal([]byte(w.line(w.out)), &line); err != nil {
			t.Fatal(err)
		}
		w.stop()
		w.ends(0)
		since, told = line.Commit, append(told, line.By+" "+line.Change+" "+line.Task.Title)
	}
	if got := strings.Join(told, ", "); got != "ana added A, ana added B, ana added C" {
		t.Errorf("told %s", got)
	}
}

// playWatch makes the changes that the block of the README tells of.
func playWatch(t *testing.T, script string) {
	env := home(t)
	must(t, env, "plan", "add", "Ship it")
	w := startWatch(t, env)
	must(t, env, "add", "Fix: tabs in lists", "--as", "pilot")
	must(t, env, "set", "t1", "--status", "doing", "--as", "pilot")
	repotest.Foreign(t, filepath.Join(env.Dir, ".local/share/git-tasks/records.git"), "refs/heads/main", "bob", "rm", repo.File{Path: "tasks/t1.md"})
	for _, line := range strings.Split(strings.TrimSuffix(script, "\n"), "\n")[1:] {
		w.wants(line[len("5f2c81d09e  "):])
	}
	w.stop()
	w.ends(0)
}
