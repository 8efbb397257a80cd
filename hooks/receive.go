package hooks

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/git-tasks/git-tasks/repo"
	"github.com/git-tasks/git-tasks/tools"
)

// Push is what git gives pre-receive of a push.
type Push struct {
	Script  string    // where the script lies that git ran; a hook that it was put in the place of lies beside it
	Refs    []byte    // a line each, "old new ref"
	Say     io.Writer // to whoever pushes
	Environ []string  // KEY=value, with the quarantine of the pushed objects
}

// PreReceive is git's hook of that name. A hook that was there before ours is told
// the same of the push, and what it refuses is refused. Then judge says of every
// ref what is wrong with it. The error holds all that was said, under the worst of its
// codes; git stores nothing.
func PreReceive(ctx context.Context, p Push, judge func(tools.Landing) error) error {
	if err := p.askEarlier(ctx); err != nil {
		return err
	}
	var wrong []string
	var code tools.Code
	for line := range strings.Lines(string(p.Refs)) {
		l, err := parseLanding(strings.TrimSuffix(line, "\n"))
		if err != nil {
			return err
		}
		if err := judge(l); err != nil {
			e := tools.AsError(err)
			code, wrong = worse(code, e.Code), append(wrong, e.Message)
		}
	}
	if wrong == nil {
		return nil
	}
	return &tools.Error{Code: code, Message: strings.Join(wrong, "\n")}
}

// worse gives the one of two codes that no other push mends: a failure of ours, else the
// one with the higher exit code. "" is none.
func worse(a, b tools.Code) tools.Code {
	switch {
	case a == "", b.Exit() == tools.Internal.Exit():
		return b
	case a.Exit() == tools.Internal.Exit(), a.Exit() >= b.Exit():
		return a
	}
	return b
}

// askEarlier has the hook that was there before ours judge the push, where there is
// one that may be run.
func (p Push) askEarlier(ctx context.Context) error {
	file := p.Script + aside
	if p.Script == "" || !isRunnable(file) {
		return nil
	}
	cmd := exec.CommandContext(ctx, file)
	cmd.Stdin, cmd.Stdout, cmd.Stderr, cmd.Env = bytes.NewReader(p.Refs), p.Say, p.Say, p.Environ
	if err := cmd.Run(); err != nil {
		return refused("%s refused the push: %v", filepath.Base(file), err)
	}
	return nil
}

func parseLanding(line string) (l tools.Landing, err error) {
	fields := strings.SplitN(line, " ", 3)
	if len(fields) != 3 || fields[2] == "" {
		return l, fmt.Errorf("git names a ref of a push as %q", line)
	}
	l.Ref = fields[2]
	if l.Old, err = repo.ParseID(fields[0]); err == nil {
		l.New, err = repo.ParseID(fields[1])
	}
	return l, err
}

// maxReason bounds what git is told of a ref that is refused, in bytes; it must
// fit into one packet.
const maxReason = 1000

// ProcReceive is git's hook of that name, which lands a push in git's place: it
// speaks version 1 of the protocol on in and out. Each ref is landed by itself,
// one after the other, and git is told whether it was. What land has to say, and
// why a ref was refused in more than a line, goes to told.
func ProcReceive(in io.Reader, out io.Writer, land func(tools.Landing) (tools.Landed, error), told func(string)) error {
	r := bufio.NewReader(in)
	hello, err := readPackets(r)
	if err != nil {
		return err
	}
	if len(hello) == 0 || !strings.HasPrefix(hello[0]+"\x00", "version=1\x00") {
		return fmt.Errorf("git speaks another version of proc-receive: %q", hello)
	}
	// None of git's further features is asked for: no push options come then.
	if err := writePackets(out, "version=1\n"); err != nil {
		return err
	}
	commands, err := readPackets(r)
	if err != nil {
		return err
	}
	var report []string
	for _, line := range commands {
		l, err := parseLanding(line)
		if err != nil {
			return err
		}
		landed, err := land(l)
		if err == nil {
			for _, line := range landed.Said {
				told(line)
			}
			report = append(report, "ok "+l.Ref+"\n")
			continue
		}
		reason := tools.AsError(err).Message
		first, rest, several := strings.Cut(strings.TrimPrefix(reason, l.Ref+": "), "\n")
		if several {
			told(first + "\n" + rest)
			first = "refused, see above"
		}
		report = append(report, "ng "+l.Ref+" "+first[:min(len(first), maxReason)]+"\n")
	}
	return writePackets(out, report...)
}

// readPackets reads packets, a line each, up to the one that ends them.
func readPackets(r io.Reader) (lines []string, err error) {
	for {
		head := make([]byte, 4)
		if _, err := io.ReadFull(r, head); err != nil {
			return nil, fmt.Errorf("reading what git says: %w", err)
		}
		length, err := strconv.ParseUint(string(head), 16, 16)
		if err != nil {
			return nil, fmt.Errorf("git sent a packet of length %q", head)
		}
		if length == 0 {
			return lines, nil
		}
		if int(length) < len(head) {
			return nil, errors.New("git sent a packet that does not belong here")
		}
		line := make([]byte, int(length)-len(head))
		if _, err := io.ReadFull(r, line); err != nil {
			return nil, fmt.Errorf("reading what git says: %w", err)
		}
		lines = append(lines, strings.TrimSuffix(string(line), "\n"))
	}
}

// writePackets writes lines as packets, and the one that ends them.
func writePackets(w io.Writer, lines ...string) error {
	var b strings.Builder
	for _, line := range lines {
		fmt.Fprintf(&b, "%04x%s", len(line)+4, line)
	}
	b.WriteString("0000")
	if _, err := io.WriteString(w, b.String()); err != nil {
		return fmt.Errorf("answering git: %w", err)
	}
	return nil
}
