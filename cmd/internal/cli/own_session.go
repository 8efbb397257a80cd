package cli

import (
	"context"
	"time"

	"github.com/git-tasks/git-tasks/tools"
)

// leaves notes that this process is in a session no longer. One of its own has ended
// with it, and what it still holds is anyone's from then on; one that was named is
// somebody else's as well.
func (o *opened) leaves(session string, isOwn bool) {
	ctx, stop := context.WithTimeout(context.WithoutCancel(o.c.Context), time.Second)
	defer stop()
	err := o.store.LeaveSession(ctx, session)
	if isOwn {
		err = o.store.ReportSession(ctx, tools.Session{Session: session, Ended: true})
	}
	if err != nil {
		o.store.Log().Warn("it is not noted that a session was left", "session", session, "error", err)
	}
}

// joins puts the client that this process serves into a session: the one that is
// named, "" among them for none, else the one that the harness says, else one that
// lasts as long as the process, which is told.
func (o *opened) joins() (isOwn bool) {
	switch said := o.env.get("CLAUDE_CODE_SESSION_ID"); {
	case o.c.IsSet("session") || o.who.Session != "":
	case said != "" && o.env.get("CLAUDECODE") == "1": // its hooks say the same one
		o.who.Session = said
	default:
		o.who.Session, isOwn = o.store.OwnSession("mcp"), true
	}
	return isOwn
}
