package tools

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/git-tasks/git-tasks/records"
	"github.com/git-tasks/git-tasks/repo"
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
	made, err := s.translated(ctx, c, planUpdate, updates...)
	if err != nil {
		return Planned{}, err
	}
	return made.Planned, made.refusal()
}

// translated makes the plans what the updates say, by the name of a tool. The error is
// the storage's; what was refused stands in what comes back.
func (s *Store) translated(ctx context.Context, c Caller, tool string, updates ...translate.Update) (translation, error) {
	known := map[string]remembered{}
	for _, u := range updates {
		scope := u.Scope()
		if _, ok := known[scope]; ok || scope == "" {
			continue
		}
		session, err := s.remembered(scope)
		if err != nil {
			return translation{}, AsError(err)
		}
		known[scope] = session
	}
	var made translation
	result, err := s.update(ctx, c, tool, func(tip *repo.Snapshot, book *records.Book) ([]Step, error) {
		made = translation{book: s.asOfNow(book), known: maps.Clone(known), named: map[string]bool{}, Planned: Planned{Tasks: []string{}}}
		mark, rules := s.mark(c), s.rules()
		made.isHeld = func(t *records.Task) string { return t.HeldByAnother(mark, rules) }
		if tip != nil && !book.Loaded() {
			made.tip = tip.ID()
			if err := made.places(tip, book); err != nil {
				return nil, err
			}
		}
		for _, u := range updates {
			if err := made.take(u); err != nil {
				return nil, err
			}
		}
		return made.steps(), nil
	})
	if err != nil {
		return translation{}, err
	}
	at := made.tip
	if made.refused == nil {
		made.book = s.asOfNow(result.Book)
	}
	if !result.Commit.IsZero() {
		made.Commit, at = result.Commit.String(), result.Commit
	}
	if !made.tip.IsZero() {
		made.lookedAt(at)
	}
	if err := s.remember(ctx, known, made.known); err != nil {
		s.log.Warn("what a harness said beside its list is lost", "session", c.session, "error", err)
	}
	return made, nil
}

// translation is what several updates come to, one after the other.
type translation struct {
	Planned
	book    *records.Book         // after them
	done    int                   // steps of checked lists that are completed only now
	known   map[string]remembered // by scope
	named   map[string]bool       // the tasks that are among Tasks
	edits   records.Translation
	plans   []string                   // that change
	tools   []string                   // that changed them
	isHeld  func(*records.Task) string // who else holds a task, "" for nobody
	held    []*records.Task            // that checked lists left to those
	refused *records.Refusal
	tip     repo.ID                     // zero where the list is read already, and nothing need be remembered of it
	at      map[string]*translate.Place // by scope, where it is known
}

// maxChanged is how many files may have changed since a session's plan was looked
// at for a look at those to be worth it.
const maxChanged = 500

// places finds the plans of the sessions among what is remembered and what has
// changed since, so that not every record has to be read.
func (t *translation) places(tip *repo.Snapshot, book *records.Book) error {
	t.at = map[string]*translate.Place{}
	for scope, session := range t.known {
		at, err := repo.ParseID(session.At)
		if err != nil || session.Place == nil {
			continue
		}
		paths, err := tip.Changed(at)
		if err != nil || len(paths) > maxChanged {
			continue // history was rewritten, or it is long ago
		}
		plan, err := book.Plan(session.Place.Plan)
		if err != nil {
			return err
		}
		if plan == nil || plan.Scope.Kind != records.SessionScope || records.BareSession(plan.Scope.Session) != scope {
			continue
		}
		place := &translate.Place{Plan: plan.ID, Tasks: slices.Clone(session.Place.Tasks)}
		for _, path := range paths {
			id, isPlan := recordAt(path)
			if isPlan && id != plan.ID {
				place = nil // it may be the session's now
				break
			}
			if id != "" && !isPlan {
				place.Tasks = append(place.Tasks, id)
			}
		}
		if place != nil {
			t.at[scope] = place
		}
	}
	return nil
}

// recordAt gives the id that the name of a file spells, "" for none, and whether it
// lies among the plans.
func recordAt(file string) (id string, isPlan bool) {
	id = idOfFile(file)
	if _, _, ok := records.ParseID(id); !ok {
		id = ""
	}
	return id, strings.HasPrefix(file, records.PlanDir+"/")
}

// lookedAt remembers where the plans are, as of a commit.
func (t *translation) lookedAt(commit repo.ID) {
	for scope, place := range t.at {
		session := t.known[scope]
		session.Place, session.At = place, commit.String()
		t.known[scope] = session
	}
}

// take adds what an update comes to. The error is the storage's.
func (t *translation) take(u translate.Update) error {
	scope := u.Scope()
	session := t.known[scope]
	if u.Call != "" && slices.Contains(session.Calls, u.Call) {
		return nil
	}
	p, err := translate.Of(t.book, u, translate.Memory{Title: session.Title, Active: session.Active, Left: session.Left, Place: t.at[scope], Held: t.isHeld})
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
	if t.at != nil && p.Place != nil {
		t.at[scope] = p.Place
	}
	if p.ID != "" {
		t.Plan = p.ID
	}
	for _, id := range p.Tasks {
		if !t.named[id] {
			t.named[id] = true
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
	session.wrote = true
	if u.Checked && p.ID != "" {
		session.Left = p.Left
		t.done += p.Finished
		t.held = append(t.held, p.Held...)
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
		if !session.wrote && maps.Equal(before.Active, session.Active) && slices.Equal(before.Calls, session.Calls) &&
			slices.Equal(before.Left, session.Left) && before.At == session.At {
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
			if !slices.Equal(before.Left, session.Left) {
				known.Left = session.Left
			}
			known.Calls = known.Calls[max(0, len(known.Calls)-maxCalls):]
			if session.wrote {
				known.Count.write(s.now())
			}
			if before.At != session.At {
				known.Place, known.At = session.Place, session.At
			}
		})
		if err != nil {
			return err
		}
	}
	return nil
}
