package channel

import (
	"slices"

	"github.com/git-tasks/git-tasks/records"
	"github.com/git-tasks/git-tasks/tools"
)

// The words of the todo list call, as VS Code has them for an agent's list.
const (
	CallTool = "TodoWrite"
	CallName = "Update todo list" // shown while it runs and once it is over
)

// MetaKey is the key in the _meta of a session that holds its [Open].
const MetaKey = "ahpd.tasks"

// Open is how many tasks of a session are open: {"open": 2}.
type Open struct {
	Open int `json:"open"`
}

// OpenOf counts the open tasks of a session, nil where no task belongs to it.
func OpenOf(book *records.Book, session string) (*Open, error) {
	n, some, err := book.OpenCount(session)
	if err != nil || !some {
		return nil, err
	}
	return &Open{n}, nil
}

// Count is what became of the open count of a session when it moved.
type Count struct {
	Session string // bare
	Open    *Open  // nil: no task belongs to the session any more
}

// CallState says how far a todo list call is.
type CallState string

// The states of a call: opened at the first change of a turn, changed at each
// later one, done as the turn ends.
const (
	CallOpen    CallState = "open"
	CallChanged CallState = "changed"
	CallDone    CallState = "done"
)

// Call is the todo list call of a turn, at one moment.
type Call struct {
	Session string // bare
	Turn    string
	ID      string // the same for one turn
	State   CallState
	Lines   []string // "- [x] title" for what is done, "- [ ] title" for all else
}

// Desk knows the turns that are under way and draws their calls. Its zero value is
// not ready: see NewDesk. It is not safe for concurrent use.
type Desk struct {
	turns map[string]*turn // by the bare session
}

type turn struct {
	id    string
	drawn bool
	lines []string // as they were drawn last
}

// NewDesk gives a desk with no turn under way.
func NewDesk() *Desk { return &Desk{turns: map[string]*turn{}} }

// Start has the call of a turn drawn from now on. A turn of the session that is
// still under way ends, and its call is what comes back, nil where it had none; a
// turn that is started again goes on.
func (d *Desk) Start(session, id string) *Call {
	bare := records.BareSession(session)
	now := d.turns[bare]
	if now != nil && now.id == id {
		return nil
	}
	var last *Call
	if now != nil {
		last = d.End(session, now.id)
	}
	d.turns[bare] = &turn{id: id}
	return last
}

// End ends a turn and gives its call as it was last, nil where nothing was drawn
// or the turn is not under way.
func (d *Desk) End(session, id string) *Call {
	bare := records.BareSession(session)
	t := d.turns[bare]
	if t == nil || t.id != id {
		return nil
	}
	delete(d.turns, bare)
	if !t.drawn {
		return nil
	}
	return t.call(bare, CallDone)
}

func (t *turn) call(session string, state CallState) *Call {
	return &Call{session, t.id, "tasks-" + t.id, state, t.lines}
}

// Moved takes in a move: it gives the calls that it changes, and the counts that
// it moves.
func (d *Desk) Moved(m tools.Move) (calls []Call, counts []Count, err error) {
	touched, err := sessionsOf(m)
	if err != nil {
		return nil, nil, err
	}
	for _, session := range touched {
		before, err := OpenOf(m.Before, session)
		if err != nil {
			return nil, nil, err
		}
		now, err := OpenOf(m.Book, session)
		if err != nil {
			return nil, nil, err
		}
		if (before == nil) != (now == nil) || now != nil && *before != *now {
			counts = append(counts, Count{session, now})
		}
		t := d.turns[session]
		if t == nil {
			continue
		}
		state := CallChanged
		if !t.drawn {
			state = CallOpen
		}
		if t.lines, err = linesOf(m.Book, session); err != nil {
			return nil, nil, err
		}
		t.drawn = true
		calls = append(calls, *t.call(session, state))
	}
	return calls, counts, nil
}

// linesOf gives a line for each task of a session, by number.
func linesOf(book *records.Book, session string) ([]string, error) {
	tasks, err := book.TasksOfSession(session)
	if err != nil {
		return nil, err
	}
	lines := []string{}
	for t := range tasks {
		box := "- [ ] "
		if t.Status == records.Done {
			box = "- [x] "
		}
		lines = append(lines, box+records.Visible(t.Title))
	}
	return lines, nil
}

// sessionsOf gives the sessions, bare and sorted, whose tasks or plans a move
// changed.
func sessionsOf(m tools.Move) ([]string, error) {
	var all []string
	add := func(session string) {
		if bare := records.BareSession(session); bare != "" && !slices.Contains(all, bare) {
			all = append(all, bare)
		}
	}
	plan := func(p *records.Plan) {
		if p != nil && p.Scope.Kind == records.SessionScope {
			add(p.Scope.Session)
		}
	}
	task := func(book *records.Book, t *records.Task) error {
		if t == nil {
			return nil
		}
		add(t.Session)
		p, err := book.Plan(t.Plan)
		plan(p)
		return err
	}
	for _, c := range m.Changes {
		plan(c.PlanBefore)
		plan(c.PlanAfter)
		if err := task(m.Before, c.Before); err != nil {
			return nil, err
		}
		if err := task(m.Book, c.After); err != nil {
			return nil, err
		}
	}
	slices.Sort(all)
	return all, nil
}
