package worker

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"

	"github.com/git-tasks/git-tasks/tools"
)

// Exit codes with a meaning: the first of sysexits.h, the others of every shell.
const (
	notNow        = 75
	notExecutable = 126
	notFound      = 127
)

const (
	// stopWait is how long a command that was told to stop has to end.
	stopWait = 2 * time.Second
	// pipeWait is how long what it left in the background may hold its output.
	pipeWait = 500 * time.Millisecond
)

// guard is the shell that leads the command's process group, and outlives what the
// group is told. A line on its third descriptor is that the command ended; the end
// of it without one, that the worker did.
const guard = `trap '' HUP INT TERM; read -r ended <&3 || kill -KILL 0`

// process is a command that runs.
type process struct {
	cmd   *exec.Cmd
	guard *exec.Cmd
	leash *os.File
	last  *lastLine
	told  bool
	ended chan ending
	over  chan struct{} // closed once the group is left to itself
}

// ending is how a command ended.
type ending struct {
	code int // 128 and its number for a signal
	line string
}

func (e ending) String() string {
	if e.line == "" {
		return fmt.Sprintf("exit %d", e.code)
	}
	return fmt.Sprintf("exit %d: %s", e.code, e.line)
}

// start runs a command in a process group that ends with us, with a text for its
// standard input.
func start(argv []string, dir string, environ []string, input string, stdout, stderr io.Writer) (*process, error) {
	p := &process{ended: make(chan ending, 1), over: make(chan struct{}), last: &lastLine{}}
	if err := p.startGuard(dir, environ); err != nil {
		return nil, fmt.Errorf("guarding the command: %w", err)
	}
	p.cmd = exec.Command(argv[0], argv[1:]...)
	p.cmd.Dir, p.cmd.Env, p.cmd.WaitDelay = dir, environ, pipeWait
	p.cmd.Stdin, p.cmd.Stdout, p.cmd.Stderr = strings.NewReader(input), stdout, io.MultiWriter(stderr, p.last)
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pgid: p.guard.Process.Pid}
	if err := p.cmd.Start(); err != nil {
		p.free()
		return nil, cannotRun(err)
	}
	go func() {
		err := p.cmd.Wait()
		close(p.over)
		p.free()
		p.ended <- p.endingOf(err)
	}()
	return p, nil
}

// cannotRun refuses a command that no task can be done by.
func cannotRun(why error) error {
	return &tools.Error{Code: tools.Invalid, Message: fmt.Sprintf("the command cannot be run: %v", why)}
}

func (p *process) startGuard(dir string, environ []string) error {
	read, write, err := os.Pipe()
	if err != nil {
		return err
	}
	defer read.Close()
	p.guard = exec.Command("/bin/sh", "-c", guard)
	p.guard.Dir, p.guard.Env, p.guard.ExtraFiles = dir, environ, []*os.File{read}
	p.guard.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := p.guard.Start(); err != nil {
		write.Close()
		return err
	}
	p.leash = write
	return nil
}

// free lets the guard go once the command has ended.
func (p *process) free() {
	io.WriteString(p.leash, "ended\n") // a guard that is gone needs no word
	p.leash.Close()
	p.guard.Wait()
}

// stop tells the whole group to end, and sees to it that it does. A second time
// changes nothing.
func (p *process) stop() {
	if p.told {
		return
	}
	p.told = true
	group := -p.guard.Process.Pid
	syscall.Kill(group, syscall.SIGTERM)
	time.AfterFunc(stopWait, func() {
		select {
		case <-p.over:
		default:
			syscall.Kill(group, syscall.SIGKILL)
		}
	})
}

func (p *process) endingOf(err error) ending {
	e := ending{line: p.last.String()}
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit):
		e.code = exit.ExitCode()
		if status, ok := exit.Sys().(syscall.WaitStatus); ok && status.Signaled() {
			e.code = 128 + int(status.Signal())
		}
	case errors.Is(err, exec.ErrWaitDelay): // it ended well, and something that it left goes on
		e.code = p.cmd.ProcessState.ExitCode()
	case err != nil:
		e.code, e.line = 1, err.Error()
	}
	return e
}

// lastLine keeps the end of what is written to it.
type lastLine struct{ kept []byte }

const (
	mostKept = 4096
	mostSaid = 200
)

func (l *lastLine) Write(data []byte) (int, error) {
	l.kept = append(l.kept, data...)
	if over := len(l.kept) - mostKept; over > 0 {
		l.kept = append(l.kept[:0], l.kept[over:]...)
	}
	return len(data), nil
}

// String gives the last line that says something, cut at a length that a note bears.
func (l *lastLine) String() string {
	text := bytes.TrimSpace(l.kept)
	text = bytes.TrimSpace(text[bytes.LastIndexByte(text, '\n')+1:])
	return strings.ToValidUTF8(string(text[:min(len(text), mostSaid)]), "")
}
