package serve

import (
	"net"
	"strings"
)

// What systemd is told, see sd_notify(3).
const (
	isReady    = "READY=1\nSTATUS=serving "
	isStopping = "STOPPING=1"
)

// notify tells systemd how the host is, where it is what started it. Whether it
// listens is its own affair: a host that cannot tell goes on.
func (h *host) notify(state string) {
	if h.Notify == "" {
		return
	}
	name := h.Notify
	if abstract, ok := strings.CutPrefix(name, "@"); ok {
		name = "\x00" + abstract
	}
	conn, err := net.DialUnix("unixgram", nil, &net.UnixAddr{Name: name, Net: "unixgram"})
	if err == nil {
		defer conn.Close()
		_, err = conn.Write([]byte(state))
	}
	if err != nil {
		h.Store.Log().Warn("systemd was not told", "error", err)
	}
}
