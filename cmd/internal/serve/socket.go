package serve

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"time"

	"github.com/git-tasks/git-tasks/tools"
)

const (
	// maxSocketPath is how long the name of a socket may be on every system.
	maxSocketPath = 100

	helloWait = 2 * time.Second // for either side to say who it is

	// welcomeCall is said to a process that comes for one call.
	welcomeCall = "ask\n"

	// welcomeReload is said to a process that has changed the settings.
	welcomeReload = "set\n"
)

// hello is the first line on the socket: who a process was started for, and the
// branch that it is about. The host believes it, since whoever can open the
// socket can write the repository.
type hello struct {
	Ref     string `json:"ref"`
	Person  string `json:"person"`
	Session string `json:"session"`
	Folder  string `json:"folder"`
	Agent   string `json:"agent,omitempty"`

	// Calls is the version of a process that comes for one call of a tool, and
	// gives the answer as its own.
	Calls string `json:"calls,omitempty"`

	// Settings is a file that the process has changed, for the host to read again: of
	// whatever version the two are, and whatever branch the host is about.
	Settings string `json:"settings,omitempty"`
}

// socketPath is where the socket of the repository with this side folder lies.
func socketPath(side, runtime string) string {
	path := filepath.Join(side, "socket")
	if len(path) > maxSocketPath && runtime != "" {
		path = filepath.Join(runtime, fmt.Sprintf("git-tasks-%x", sha256.Sum256([]byte(side)))[:32])
	}
	return path
}

// listenSocket opens the socket, for this user alone. What lies there is left
// over from a host that was killed: whoever calls holds the lock of the host.
func listenSocket(path string) (net.Listener, error) {
	if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	private := func(_, _ string, c syscall.RawConn) error {
		// Where the system takes it, nobody else can open the socket at any moment.
		return c.Control(func(fd uintptr) { syscall.Fchmod(int(fd), 0o600) })
	}
	l, err := (&net.ListenConfig{Control: private}).Listen(context.Background(), "unix", path)
	if err != nil {
		return nil, err
	}
	if err := os.Chmod(path, 0o600); err != nil {
		l.Close()
		return nil, err
	}
	return l, nil
}

// answerSocket answers the processes that come by the socket, until ctx ends and
// each is answered.
func (h *host) answerSocket(ctx context.Context, l net.Listener) {
	var open sync.WaitGroup
	defer open.Wait()
	defer context.AfterFunc(ctx, func() { l.Close() })()
	for {
		conn, err := l.Accept()
		if err != nil {
			if ctx.Err() == nil {
				h.Store.Log().Error("the socket is closed", "error", err)
			}
			return
		}
		open.Go(func() {
			defer conn.Close()
			defer context.AfterFunc(ctx, func() { // whoever does not listen has had the time then
				conn.SetWriteDeadline(time.Now().Add(stopWait))
			})()
			said, in, err := h.meet(ctx, conn)
			who := tools.Who{Person: said.Person, Session: said.Session, Folder: said.Folder, Agent: said.Agent}
			switch {
			case err != nil:
			case said.Settings != "":
				err = h.answerReload(said.Settings, conn)
			default:
				err = h.answerCall(ctx, who, in, conn)
			}
			if err != nil && ctx.Err() == nil {
				h.Store.Log().Warn("a process by the socket was left", "error", err)
			}
		})
	}
}

// meet reads who has come, and says whether they are in the right place.
func (h *host) meet(ctx context.Context, conn net.Conn) (said hello, in io.Reader, err error) {
	conn.SetReadDeadline(time.Now().Add(helloWait))
	defer context.AfterFunc(ctx, func() { conn.SetReadDeadline(time.Now()) })()
	lines := bufio.NewReaderSize(conn, 16<<10)
	line, err := lines.ReadSlice('\n')
	if err != nil {
		return said, nil, fmt.Errorf("reading who it is: %w", err)
	}
	if err := json.Unmarshal(line, &said); err != nil {
		return said, nil, fmt.Errorf("reading who it is: %w", err)
	}
	word := welcomeCall
	switch {
	case said.Settings != "":
		word = welcomeReload
	case said.Calls != tools.Version():
		return said, nil, fmt.Errorf("it is of version %q", said.Calls)
	case said.Ref != h.Store.Ref():
		return said, nil, fmt.Errorf("it is about %s, and the host about %s", said.Ref, h.Store.Ref())
	}
	if _, err := io.WriteString(conn, word); err != nil {
		return said, nil, err
	}
	conn.SetReadDeadline(time.Time{})
	return said, lines, nil
}

// dial says hello, and gives the connection where the host answers with a word.
func dial(s *tools.Store, as hello, runtime, word string) *net.UnixConn {
	conn, err := net.DialTimeout("unix", socketPath(s.Side(), runtime), helloWait)
	if err != nil {
		return nil
	}
	line, err := json.Marshal(as)
	if err == nil {
		conn.SetDeadline(time.Now().Add(helloWait))
		_, err = conn.Write(append(line, '\n'))
	}
	answer := make([]byte, 0, len(welcomeCall))
	for err == nil && !bytes.HasSuffix(answer, []byte("\n")) && len(answer) < cap(answer) {
		var next [1]byte // what comes behind the line is not ours to read
		if _, err = conn.Read(next[:]); err == nil {
			answer = append(answer, next[0])
		}
	}
	if err != nil || string(answer) != word {
		conn.Close()
		return nil
	}
	conn.SetDeadline(time.Time{})
	return conn.(*net.UnixConn)
}
