package serve

import (
	"net"
	"net/netip"
	"strconv"
	"strings"

	"github.com/git-tasks/git-tasks/tools"
)

// DefaultListen is where a host listens that is not told where.
const DefaultListen = "127.0.0.1:7433"

// address is where to listen.
type address struct {
	host, port string
}

func parseAddress(listen string) (address, error) {
	host, port, err := net.SplitHostPort(listen)
	if err == nil {
		_, err = strconv.ParseUint(port, 10, 16)
	}
	if err != nil {
		return address{}, refused("--listen must be HOST:PORT, such as " + DefaultListen + "; port 0 is a free one")
	}
	return address{host, port}, nil
}

func refused(text string) error { return &tools.Error{Code: tools.Invalid, Message: text} }

// String is the form that net.Listen takes.
func (a address) String() string { return net.JoinHostPort(a.host, a.port) }

// local reports whether only this machine can reach the address.
func (a address) local() bool { return loopback(a.host) }

// every reports whether the address stands for all of this machine's.
func (a address) every() bool {
	ip, err := netip.ParseAddr(a.host)
	return a.host == "" || err == nil && ip.IsUnspecified()
}

// loopback reports whether host, a name or an address without a port, is this
// machine for itself. Of names only localhost is: any other is what a name
// server says.
func loopback(host string) bool {
	if strings.EqualFold(host, "localhost") {
		return true
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.Zone() == "" && ip.Unmap().IsLoopback()
}

// hostOf gives the host of what a Host header says, without the port and the
// brackets of an address.
func hostOf(header string) string {
	if host, _, err := net.SplitHostPort(header); err == nil {
		return host
	}
	if inner, ok := strings.CutPrefix(header, "["); ok && strings.HasSuffix(inner, "]") {
		return strings.TrimSuffix(inner, "]")
	}
	return header
}
