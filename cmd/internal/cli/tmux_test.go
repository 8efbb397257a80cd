package cli_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// tmux is a terminal that a test looks at: tmux in control mode, which says when
// something was printed, and what its screen shows.
type tmux struct {
	t       *testing.T
	ctx     context.Context
	in      io.Writer
	answers chan []string // to a command each
	printed chan struct{} // holds one where something was, since it was last looked at
	ended   chan struct{}
}

// newTmux runs a shell command on a terminal of a size. It is given long to do what a
// test waits for, since only a test that fails waits so long.
func newTmux(t *testing.T, environ []string, dir string, width, height int, command string) *tmux {
	t.Helper()
	if _, err := exec.LookPath("tmux"); err != nil {
		t.Skip("tmux is not installed, which is the terminal of this test")
	}
	at, err := os.MkdirTemp("", "tmux") // the path of a socket must be short
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithTimeout(t.Context(), time.Minute)
	socket := filepath.Join(at, "s")
	cmd := exec.CommandContext(ctx, "tmux", "-S", socket, "-f", "/dev/null", "-u", "-C", "new-session", command)
	cmd.Dir, cmd.Env = dir, append(environ[:len(environ):len(environ)], "TERM=xterm-256color", "SHELL=/bin/sh", "TMUX=")
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	x := &tmux{t: t, ctx: ctx, in: in, answers: make(chan []string, 1), printed: make(chan struct{}, 1), ended: make(chan struct{})}
	go x.listen(out)
	t.Cleanup(func() {
		exec.Command("tmux", "-S", socket, "kill-server").Run() // it may be over
		<-x.ended
		cmd.Wait()
		stop()
		os.RemoveAll(at)
	})
	x.answer()
	x.do("refresh-client -C %dx%d", width, height)
	return x
}

// listen sorts what tmux says: answers stand between two lines, the rest is news.
func (x *tmux) listen(out io.Reader) {
	defer close(x.ended)
	var answer []string
	inside := false
	for r := bufio.NewScanner(out); r.Scan(); {
		line := r.Text()
		switch {
		case strings.HasPrefix(line, "%begin "):
			answer, inside = nil, true
		case strings.HasPrefix(line, "%end "), strings.HasPrefix(line, "%error "):
			inside = false
			select {
			case x.answers <- answer:
			case <-x.ctx.Done():
				return
			}
		case inside:
			answer = append(answer, line)
		case strings.HasPrefix(line, "%output "):
			select {
			case x.printed <- struct{}{}:
			default:
			}
		}
	}
}

func (x *tmux) answer() []string {
	x.t.Helper()
	select {
	case answer := <-x.answers:
		return answer
	case <-x.ended:
		x.t.Fatal("tmux has ended")
	case <-x.ctx.Done():
		x.t.Fatal("tmux does not answer")
	}
	return nil
}

// do has tmux do something.
func (x *tmux) do(format string, args ...any) []string {
	x.t.Helper()
	if _, err := fmt.Fprintf(x.in, format+"\n", args...); err != nil {
		x.t.Fatal(err)
	}
	return x.answer()
}

// keys types, key by key, as tmux names them.
func (x *tmux) keys(keys ...string) {
	x.t.Helper()
	x.do("send-keys %s", strings.Join(keys, " "))
}

// screen is what there is to see, without blanks and empty lines at the ends.
func (x *tmux) screen() string {
	x.t.Helper()
	lines := x.do("capture-pane -p")
	for i, line := range lines {
		lines[i] = strings.TrimRight(line, " ")
	}
	return strings.TrimRight(strings.Join(lines, "\n"), "\n") + "\n"
}

// sees waits until the screen is as it must be, and gives it.
func (x *tmux) sees(what string, is func(screen string) bool) string {
	x.t.Helper()
	for {
		screen := x.screen()
		if is(screen) {
			return screen
		}
		select {
		case <-x.printed:
		case <-x.ended:
			x.t.Fatalf("the terminal is gone, and %s was never seen; it showed\n%s", what, screen)
		case <-x.ctx.Done():
			x.t.Fatalf("%s is not seen; the terminal shows\n%s", what, screen)
		}
	}
}

// shows waits until a text is to be seen.
func (x *tmux) shows(text string) string {
	x.t.Helper()
	return x.sees(text, func(screen string) bool { return strings.Contains(screen, text) })
}
