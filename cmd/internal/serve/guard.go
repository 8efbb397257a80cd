package serve

import (
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"

	"github.com/git-tasks/git-tasks/tools"
)

// guard keeps out what a web page can have a browser send: requests by a name
// that the page's own name server has turned to this machine, and requests from
// another origin than ours. It stands before every route.
type guard struct {
	next  http.Handler
	names []string // that this machine is reached by, beside those of loopback
	log   *slog.Logger
}

func (g *guard) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	reason := ""
	switch {
	case !g.ours(r):
		reason = "this host is not reached by that name"
	case !sameOrigin(r):
		reason = "requests of web pages are not taken"
	default:
		g.next.ServeHTTP(w, r)
		return
	}
	g.log.Warn("a request was refused", "because", reason, "from", r.RemoteAddr)
	w.Header().Set("Connection", "close") // its body is not read
	http.Error(w, "Forbidden: "+reason+".", tools.Denied.Status())
}

// ours reports whether the request's Host is this machine. An address that the
// request came in by is: no name server was asked for it.
func (g *guard) ours(r *http.Request) bool {
	host := hostOf(r.Host)
	if loopback(host) {
		return true
	}
	for _, name := range g.names {
		if strings.EqualFold(host, name) {
			return true
		}
	}
	said, err := netip.ParseAddr(host)
	at, ok := r.Context().Value(http.LocalAddrContextKey).(*net.TCPAddr)
	return err == nil && ok && said.Unmap() == at.AddrPort().Addr().Unmap()
}

// sameOrigin reports whether a request comes from no web page, or from one of
// ours: programs send no Origin, browsers send one with all that can change
// something, and say of the rest where it comes from.
func sameOrigin(r *http.Request) bool {
	for _, site := range r.Header["Sec-Fetch-Site"] {
		if site != "" && site != "same-origin" && site != "none" {
			return false
		}
	}
	origins := r.Header["Origin"]
	if len(origins) == 0 {
		return true
	}
	u, err := url.Parse(origins[0])
	return err == nil && len(origins) == 1 && (u.Scheme == "http" || u.Scheme == "https") &&
		strings.EqualFold(origins[0], u.Scheme+"://"+r.Host)
}
