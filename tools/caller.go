package tools

import (
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"os"
	"strings"

	"github.com/git-tasks/git-tasks/records"
	"github.com/git-tasks/git-tasks/repo"
)

// host is who acts where nobody is known to.
const host = "host"

// Who is what a door knows of whoever calls: the person ("" where there is
// none), the session, bare or as a URI, and the folder. Agent is the subagent of the
// session that calls, "" for the session itself.
type Who struct {
	Person, Session, Folder, Agent string
}

// Caller is who makes a call: made once, by [Store.Caller], and handed down.
type Caller struct {
	person  string // "" where nobody is behind the call
	by      string // what stamps and commits say
	mail    string
	session string // a URI, or ""
	folder  string
	agent   string // "" for the session itself
	may     func(operation string) error
}

// By is the name in the stamps and commits of the call.
func (c Caller) By() string { return c.by }

// Session is the session that the call comes from, as a URI; "" where none is
// known.
func (c Caller) Session() string { return c.session }

// May gives the refusal where the person lacks the grant for an operation, such
// as session:read: [Denied], in the words for an agent.
func (c Caller) May(operation string) error { return c.may(operation) }

// Caller settles who is behind a call: the person, else the owner of the
// session, else host. A name that git could not store is [Invalid].
func (s *Store) Caller(w Who) (Caller, error) {
	c := Caller{session: SessionURI(w.Session), folder: w.Folder, agent: w.Agent}
	c.person = repo.CleanName(w.Person)
	if w.Person != "" && c.person == "" {
		return Caller{}, &Error{Code: Invalid, Message: "--as must name somebody."}
	}
	c.by = c.person
	if c.by == "" && c.session != "" {
		session, err := s.Session(c.session)
		if err != nil {
			return Caller{}, err
		}
		c.by = session.Person()
	}
	if c.by == "" {
		c.by = host
	}
	c.mail = s.mailOf(c.by)
	st := s.Settings()
	c.may = func(operation string) error { return st.allow(c.person, operation) }
	return c, nil
}

// HostCaller is the host itself: what the sweep does, and nobody asked for.
func (s *Store) HostCaller() Caller {
	return Caller{by: host, mail: s.mailOf(host), may: func(string) error { return nil }}
}

func (s *Store) mailOf(name string) string {
	for _, u := range s.Settings().Users {
		if u.ID == name && u.Mail != "" {
			return u.Mail
		}
	}
	return strings.Join(strings.Fields(name), ".") + "@" + s.host
}

func (c Caller) author() repo.Person { return repo.Person{Name: c.by, Mail: c.mail} }

// SessionURI gives a session in the form of a task and a stamp: a value without
// a scheme is the path of ahp-session. "" stays "".
func SessionURI(s string) string {
	if s == "" || hasScheme(s) {
		return s
	}
	return "ahp-session:/" + records.BareSession(s)
}

// ofClient begins the name of a session that was made up for a client of MCP.
const ofClient = "mcp"

// OwnSession makes up a session for a process that was started in none, and that ends
// with it: "mcp-desk-4711-09af3c", of its command and its machine. One of "mcp" is one
// connection of a client, whose idempotency keys count in the next one too.
func (s *Store) OwnSession(command string) string {
	var random [3]byte
	rand.Read(random[:])
	return fmt.Sprintf("%s-%s-%d-%s", command, s.host, os.Getpid(), hex.EncodeToString(random[:]))
}

// isOfClient reports whether a session was made up for a client of MCP.
func isOfClient(session string) bool {
	return strings.HasPrefix(records.BareSession(session), ofClient+"-")
}

// hasScheme reports whether s starts as a URI does (RFC 3986, section 3.1).
func hasScheme(s string) bool {
	scheme, _, ok := strings.Cut(s, ":")
	if !ok || scheme == "" {
		return false
	}
	for i, c := range scheme {
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
		if !letter && (i == 0 || !strings.ContainsRune("0123456789+-.", c)) {
			return false
		}
	}
	return true
}
