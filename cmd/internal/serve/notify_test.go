package serve_test

import (
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/git-tasks/git-tasks/cmd/internal/serve"
)

// TestSystemdIsTold: once the host answers, with the address, and when it stops.
func TestSystemdIsTold(t *testing.T) {
	t.Parallel()
	dir, err := os.MkdirTemp("", "notify") // the name of a socket is short
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "s")
	socket, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: file, Net: "unixgram"})
	if err != nil {
		t.Fatal(err)
	}
	defer socket.Close()
	socket.SetReadDeadline(time.Now().Add(10 * time.Second))
	next := func() string {
		said := make([]byte, 200)
		n, err := socket.Read(said)
		if err != nil {
			t.Fatal(err)
		}
		return string(said[:n])
	}
	r := begin(t, nil, func(c *serve.Config) { c.Notify = file })
	if got, want := next(), "READY=1\nSTATUS=serving "+r.url; got != want {
		t.Errorf("systemd was told %q, want %q", got, want)
	}
	if err := r.stop(); err != nil {
		t.Error(err)
	}
	if got := next(); got != "STOPPING=1" {
		t.Errorf("systemd was told %q at the end", got)
	}

	lost := begin(t, nil, func(c *serve.Config) { c.Notify = file + "-nobody" })
	lost.log.await(t, "systemd was not told")
	if strings.Contains(lost.log.String(), "panic") || lost.stop() != nil {
		t.Errorf("a host without systemd does not go on:\n%s", lost.log)
	}
}
