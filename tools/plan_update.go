package tools

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/git-tasks/git-tasks/records"
	"github.com/git-tasks/git-tasks/translate"
)

// planUpdate is what the commits of translations are made by, and what refusals
// of them are said to be an input of. It is no tool: a harness's list comes by it.
const planUpdate = "plan_update"

// maxCalls is how many calls of a session are known again. They come again at
// once or never: from a hook that is run twice, or that two settings files name.
const maxCalls = 128

// Planned is what became of the updates of one call of [Store.PlanUpdate].
type Planned struct {
	Plan   string   `json:"plan"`             // the session's; "" where there is none
	Tasks  []string `json:"tasks"`            // that the updates are about, in their order
	Commit string   `json:"commit,omitempty"` // the one made, "" where nothing changed
}

// PlanUpdate makes the plans of sessions what their harnesses say of their lists,
// in one commit by the caller, or none where nothing changes. An update that was
// taken before, by its Call, is no news. An update that is refused leaves no trace,
// those beside it are made all the same, and the error is the first refusal. A
// setting that asks for approvals stops none: the harness has moved on already.
func (s *Store) PlanUpdate(ctx context.Context, c Caller, updates ...translate.Update) (Planned, error) {
	known := map[string]remembered{}
	for _, u := range updates {
		scope := u.Scope()
		if _, ok := known[scope]; ok || scope == "" {
			continue
		}
		session, err := s.remembered(scope)
		if err != nil {
			return Planned{}, AsError(err)
		}
		known[scope] = session
	}
	var made translation
	result, err := s.Update(ctx, c, planUpdate, func(book *records.Book) ([]Step, error) {
		made = translation{book: book, known: maps.Clone(known), Planned: Planned{Tasks: []string{}}}
		for _, u := range updates {
			if err := made.take(u); err != nil {
				return nil, err
			}
		}
		return made.steps(), nil
	})
	if err != nil {
		return Planned{}, err
	}
	if !result.Commit.IsZero() {
		made.Commit = result.Commit.String()
	}
	if err := s.remember(ctx, known, made.known); err != nil {
		s.log.Warn("what a harness said beside its list is lost", "session", c.session, "error", err)
	}
	return made.Planned, made.refusal()
}

// translation is what several updates come to, one after the other.
type translation struct {
	Planned
	book    *records.Book
	known   map[string]remembered // by scope
	edits   records.Translation
	plans   []string // that change
	tools   []string // that changed them
	refused *records.Refusal
}

// take adds what an update comes to. The error is the storage's.
func (t *translation) take(u translate.Update) error {
	scope := u.Scope()
	session := t.known[scope]
	if u.Call != "" && slices.Contains(session.Calls, u.Call) {
		return nil
	}
	p, err := translate.Of(t.book, u, translate.Memory{Title: session.Title, Active: session.Active})
	var refused *records.Refusal
	switch {
	case errors.As(err, &refused):
		if t.refused == nil {
			t.refused = refused
		}
		return nil
	case err != nil:
		return err
	}
	t.book = p.Book
	if p.ID != "" {
		t.Plan = p.ID
	}
	for _, id := range p.Tasks {
		if !slices.Contains(t.Tasks, id) {
			t.Tasks = append(t.Tasks, id)
		}
	}
	if len(p.Edits) > 0 {
		t.edits = append(t.edits, p.Edits...)
		t.plans, t.tools = with(t.plans, p.ID), with(t.tools, u.Tool)
	}
	if p.Active != nil {
		session.Active = p.Active
	}
	if u.Call != "" {
		calls := append(slices.Clone(session.Calls), u.Call)
		session.Calls = calls[max(0, len(calls)-maxCalls):]
	}
	t.known[scope] = session
	return nil
}

func with(list []string, value string) []string {
	if slices.Contains(list, value) {
		return list
	}
	return append(list, value)
}

// steps is the one commit of it all: "p1 translate TodoWrite".
func (t *translation) steps() []Step {
	if len(t.edits) == 0 {
		return nil
	}
	return []Step{{Edit: t.edits, Subject: strings.Join(t.plans, ", ") + " translate " + records.Visible(strings.Join(t.tools, ", "))}}
}

// refusal is the first one, in the words of a tool; nil for none.
func (t *translation) refusal() error {
	if t.refused == nil {
		return nil
	}
	e := AsError(t.refused)
	return &Error{Code: e.Code, Message: "Invalid " + planUpdate + " input: " + e.Message, Err: t.refused}
}

// remember puts beside the repository what the updates said that no task holds,
// where that is new. Another process may have put something there meanwhile.
func (s *Store) remember(ctx context.Context, was, is map[string]remembered) error {
	for scope, session := range is {
		before := was[scope]
		if maps.Equal(before.Active, session.Active) && slices.Equal(before.Calls, session.Calls) {
			continue
		}
		err := s.editSession(ctx, scope, func(known *remembered) {
			for key, active := range session.Active {
				if known.Active == nil {
					known.Active = map[string]string{}
				}
				if before.Active[key] != active {
					known.Active[key] = active
				}
			}
			for _, call := range session.Calls {
				known.Calls = with(known.Calls, call)
			}
			known.Calls = known.Calls[max(0, len(known.Calls)-maxCalls):]
		})
		if err != nil {
			return err
		}
	}
	return nil
}
