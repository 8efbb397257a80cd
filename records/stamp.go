package records

import (
	"strings"
	"time"
)

// Verdict is what a review came to. Its zero value is none given.
type Verdict string

// The two verdicts.
const (
	Approved      Verdict = "approved"
	ChangesWanted Verdict = "changes"
)

// valid reports whether v is one of the two verdicts; none given is not.
func (v Verdict) valid() bool { return v == Approved || v == ChangesWanted }

// Stamp says when something happened to a record and who the call was by. The
// host writes every stamp from the call that caused it; nobody passes one in.
type Stamp struct {
	// At is the time as the file has it: ISO-8601 text.
	At string `json:"at"`
	// By is the person behind the call, or "host".
	By string `json:"by"`
	// In is the session of the call as a URI, "" for none.
	In string `json:"in,omitempty"`
	// Verdict is given by a review alone.
	Verdict Verdict `json:"verdict,omitempty"`
}

// Time gives At as a time; false where At is no time.
func (s Stamp) Time() (time.Time, bool) { return ParseTime(s.At) }

// stamp gives a new stamp of the mark.
func (m Mark) stamp() *Stamp {
	by := m.By
	if by == "" {
		by = "host"
	}
	return &Stamp{At: FormatTime(m.At), By: by, In: m.In}
}

// Lease says who holds a task and until when. The host writes it.
type Lease struct {
	// At is when the claim was made, By by whom, In from which session.
	At string `json:"at"`
	By string `json:"by"`
	In string `json:"in,omitempty"`
	// Until is when the claim ends by itself; "" for never.
	Until string `json:"until,omitempty"`
}

// Source names what a translated task was made from: the tool whose list it
// stood in, and its id there.
type Source struct {
	Tool string `json:"tool,omitempty"`
	ID   string `json:"id,omitempty"`
}

// Scope says whom a plan is for. Kind is "folder", "bot" or "session", and the
// field of that name is the only other one set.
type Scope struct {
	Kind    string `json:"kind"`
	Folder  string `json:"folder,omitempty"`
	Bot     string `json:"bot,omitempty"`
	Session string `json:"session,omitempty"`
}

// The three kinds of Scope, and what is said of one that is none: behind the name of
// the field and a blank.
const (
	FolderScope  = "folder"
	BotScope     = "bot"
	SessionScope = "session"

	MustBeScope = "must be a folder, bot, or session scope."
)

// Valid reports whether the kind is known, its own field holds text that is not
// blank, and the other two are empty.
func (s Scope) Valid() bool {
	own, others := "", ""
	switch s.Kind {
	case FolderScope:
		own, others = s.Folder, s.Bot+s.Session
	case BotScope:
		own, others = s.Bot, s.Folder+s.Session
	case SessionScope:
		own, others = s.Session, s.Folder+s.Bot
	}
	return strings.TrimSpace(own) != "" && others == ""
}

// sessionScheme is what a session's URI begins with.
const sessionScheme = "ahp-session:"

// BareSession gives a session's id without scheme and leading slashes, the form
// in which two sessions are compared: "ahp-session:/one" and "one" are the
// same.
func BareSession(s string) string {
	return strings.TrimLeft(strings.TrimPrefix(s, sessionScheme), "/")
}
