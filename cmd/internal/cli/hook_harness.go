package cli

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	urfave "github.com/urfave/cli/v2"

	"github.com/git-tasks/git-tasks/cmd/internal/serve"
	"github.com/git-tasks/git-tasks/records"
	"github.com/git-tasks/git-tasks/tools"
	"github.com/git-tasks/git-tasks/translate"
)

// harnessHooks are the commands that harnesses run, each with a payload on standard
// input. Whatever goes wrong they end with 0: a list that cannot be kept must not
// stop the agent.
func (f *front) harnessHooks() []*urfave.Command {
	var all []*urfave.Command
	for _, name := range translate.Harnesses() {
		all = append(all, &urfave.Command{
			Name: name, Usage: "take what a hook of " + name + " is told, on standard input",
			Description: "git tasks hook " + name + " < payload.json",
			Action: func(c *urfave.Context) error {
				if err := arguments(c, 0, 0); err != nil {
					return err
				}
				payload, err := f.payload()
				if err != nil {
					return err
				}
				said, err := translate.Read(name, []byte(payload), f.sessionOf(c))
				took := f.take(c, said)
				if err != nil && took != nil {
					f.note(err.Error()) // of two errors only one is the command's
				}
				return cmp.Or(took, err)
			},
		})
	}
	return all
}

// payloadWait is how long a harness has to hand its payload over: it waits for the
// hook, and the agent for it.
const payloadWait = 5 * time.Second

// payload reads standard input to its end, which must come soon.
func (f *front) payload() (string, error) {
	type input struct {
		text string
		err  error
	}
	whole := make(chan input, 1)
	go func() {
		text, err := f.stdin()
		whole <- input{text, err}
	}()
	select {
	case in := <-whole:
		return in.text, in.err
	case <-time.After(payloadWait):
		return "", fmt.Errorf("standard input did not end within %s: nothing was taken; close it behind the payload", payloadWait)
	}
}

// sessionOf is the session that the caller is in, by the flag or the variable.
func (f *front) sessionOf(c *urfave.Context) string {
	if c.IsSet("session") {
		return c.String("session")
	}
	return f.env.get("GIT_TASKS_SESSION")
}

// isHarmless reports whether a command must never end as a failure.
func (l *commandLine) isHarmless() bool {
	return len(l.path) == 2 && l.path[0] == "hook" && slices.Contains(translate.Harnesses(), l.path[1])
}

// scrub takes what steers git out of the environment: a hook is run with what its
// harness was, and that with what started it.
func (f *front) scrub() {
	f.env.Environ = slices.DeleteFunc(slices.Clone(f.env.Environ), func(v string) bool {
		return strings.HasPrefix(v, "GIT_") && !strings.HasPrefix(v, "GIT_TASKS_")
	})
}

// take does what a payload asks for.
func (f *front) take(c *urfave.Context, said translate.Said) error {
	what := reads
	switch {
	case said.Calling != "":
		return f.deny(c, said)
	case said.Session == "" && len(said.Updates) > 0:
		return errors.New("the payload names no session, and neither does GIT_TASKS_SESSION: nothing was taken")
	case len(said.Updates) > 0:
		what = writes
	case said.Session == "" || said.Moment == translate.Working && said.Title == "":
		return nil
	}
	return f.with(c, what, func(o *opened) error {
		if o.noList {
			return nil
		}
		in, err := o.in(said)
		if err != nil {
			return err
		}
		return in.takeSaid(said)
	})
}

// in is the list as the session that a payload is of has it.
func (o *opened) in(said translate.Said) (*opened, error) {
	one := *o
	one.who.Session = said.Session
	one.who.Folder = cmp.Or(said.Folder, o.who.Folder)
	var err error
	one.caller, err = o.store.Caller(one.who)
	return &one, err
}

// takeSaid does what a payload asks for in its session.
func (o *opened) takeSaid(said translate.Said) error {
	before, err := o.store.LastSession(said.Folder)
	if err != nil {
		return err
	}
	err = o.remember(said)
	if len(said.Updates) > 0 {
		err = errors.Join(err, o.plan(said.Updates))
	}
	switch said.Moment {
	case translate.Started, translate.Compacted:
		err = errors.Join(err, o.remind(said, said.Session))
	case translate.Cleared:
		err = errors.Join(err, o.remind(said, before))
	case translate.TurnStarted:
		err = errors.Join(err, o.remindAtTimes(said))
	}
	return err
}

// remember reports what happens to a session, where it is new.
func (o *opened) remember(said translate.Said) error {
	ctx := o.c.Context
	var err error
	switch said.Moment {
	case translate.TurnStarted:
		err = o.store.ReportTurn(ctx, said.Session, said.Folder, cmp.Or(said.Turn, "turn"))
	case translate.TurnEnded, translate.Ended:
		err = o.store.ReportTurn(ctx, said.Session, said.Folder, "")
	}
	if err != nil {
		return err
	}
	known, err := o.store.Session(said.Session)
	if err != nil {
		return err
	}
	report := tools.Session{Session: said.Session, Title: said.Title, Folder: said.Folder, Ended: said.Moment == translate.Ended}
	isNews := said.Moment != translate.Working && known.Session == "" || said.Title != "" && said.Title != known.Title
	switch said.Moment {
	case translate.Working, translate.TurnEnded: // it may come behind the end: hooks run side by side
		if isNews {
			err = o.store.DescribeSession(ctx, report)
		}
		return err
	}
	if isNews || report.Ended != known.Ended {
		err = o.store.ReportSession(ctx, report)
	}
	if !report.Ended {
		err = errors.Join(err, o.store.WatchSession(ctx, said.Session, harness()))
	}
	return err
}

// plan hands updates over: through the host where one serves the list, else here.
func (o *opened) plan(updates []translate.Update) error {
	_, named, err := o.named(o.c, "config", "GIT_TASKS_CONFIG")
	if err != nil {
		return err
	}
	if !named {
		_, ok, err := serve.PlanUpdate(o.c.Context, o.store, o.who, o.env.get("XDG_RUNTIME_DIR"), updates)
		if ok {
			return unseen(err, updates)
		}
	}
	_, err = o.store.PlanUpdate(o.c.Context, o.caller, updates...)
	return unseen(err, updates)
}

// unseen adds to a refusal for want of a text which entries may be meant: those that
// are changed without one were made where no hook ran.
func unseen(err error, updates []translate.Update) error {
	var refused *records.Refusal
	if !errors.As(err, &refused) || refused.Field != "text" {
		return err
	}
	var ids, made []string
	for _, u := range updates {
		switch c := u.Change; {
		case c == nil:
		case c.Text != "":
			made = append(made, c.ID)
		case !slices.Contains(made, c.ID) && !slices.Contains(ids, c.ID):
			ids = append(ids, c.ID)
		}
	}
	said := "its creation was not seen here"
	switch {
	case len(ids) == 0:
		return err
	case len(ids) > 1:
		said = "the creation of one of them at least was not seen here"
	}
	e := tools.AsError(err)
	message := fmt.Sprintf("%s It is about %s: %s.", e.Message, strings.Join(ids, ", "), said)
	return &tools.Error{Code: e.Code, Message: message, Next: e.Next, Err: err}
}
