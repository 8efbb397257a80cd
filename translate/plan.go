package translate

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/git-tasks/git-tasks/records"
)

// Of gives what an update asks of a Book. The error is a [records.Refusal] where
// the update cannot be taken, or the storage's.
func Of(b *records.Book, u Update, m Memory) (Plan, error) {
	if err := u.check(); err != nil {
		return Plan{}, err
	}
	p := &planner{update: u, memory: m, book: b, session: u.Scope(), left: map[string]bool{}}
	for _, id := range m.Left {
		p.left[id] = true
	}
	if err := p.open(); err != nil {
		return Plan{}, err
	}
	take := p.takeList
	if u.Change != nil {
		take = p.takeChange
	}
	if err := take(); err != nil {
		return Plan{}, err
	}
	p.made.Book = p.book
	if p.made.ID != "" {
		p.made.Place = &Place{p.made.ID, p.added}
		for _, t := range p.steps {
			p.made.Place.Tasks = append(p.made.Place.Tasks, t.ID)
		}
	}
	return p.made, nil
}

// Scope gives the bare session that the plan of an update is for: a subagent's is
// within that of its session.
func (u Update) Scope() string {
	session := records.BareSession(u.Session)
	if u.Agent != "" {
		session += "/" + u.Agent
	}
	return session
}

// check refuses an update that says nothing, in the words of a tool.
func (u Update) check() error {
	switch {
	case strings.TrimSpace(records.BareSession(u.Session)) == "":
		return mustBeText("session")
	case strings.TrimSpace(u.Tool) == "":
		return mustBeText("tool")
	case u.Change == nil && u.List == nil:
		return refuse("list", "must be a list of entries, or change one change.")
	case u.Change != nil && u.List != nil:
		return refuse("change", "must not come with a list.")
	case u.Change != nil && strings.TrimSpace(u.Change.ID) == "":
		return mustBeText("id")
	}
	return nil
}

func mustBeText(field string) error { return refuse(field, "must be a non-empty string.") }

func refuse(field, must string) error {
	return &records.Refusal{Kind: records.Invalid, Field: field, Text: field + " " + must}
}

// planner makes the edits of one update, each on the Book after those before it.
type planner struct {
	update  Update
	memory  Memory
	session string          // the scope's, bare
	left    map[string]bool // the tasks of the memory's Left
	book    *records.Book
	steps   []*records.Task // of the plan, as they were, by id
	plan    *records.Plan   // nil while there is none
	added   []string        // tasks
	made    Plan
}

// open finds the session's plan and its tasks.
func (p *planner) open() (err error) {
	if at := p.memory.Place; at != nil {
		return p.openAt(at)
	}
	if p.plan, err = p.book.PlanOfSession(p.session); err != nil || p.plan == nil {
		return err
	}
	p.made.ID = p.plan.ID
	tasks, err := p.book.TasksOf(p.plan.ID)
	if err == nil {
		p.steps = slices.Collect(tasks)
	}
	return err
}

// openAt is open where it is known which records to look at.
func (p *planner) openAt(at *Place) (err error) {
	if p.plan, err = p.book.Plan(at.Plan); err != nil || p.plan == nil {
		return err
	}
	p.made.ID = p.plan.ID
	for _, id := range at.Tasks {
		t, err := p.book.Task(id)
		if err != nil {
			return err
		}
		if t != nil && t.Plan == p.plan.ID {
			p.steps = append(p.steps, t)
		}
	}
	number := func(t *records.Task) int {
		_, n, _ := records.ParseID(t.ID)
		return n
	}
	slices.SortFunc(p.steps, func(a, b *records.Task) int { return cmp.Compare(number(a), number(b)) })
	p.steps = slices.CompactFunc(p.steps, func(a, b *records.Task) bool { return a.ID == b.ID })
	return nil
}

// do makes an edit, where it changes something.
func (p *planner) do(e records.Edit) (id string, err error) {
	set, ok := e.(records.SetTask)
	if ok {
		set.Force = true // who holds a task is known when the edits are made
		e = set
	}
	o, err := p.book.Apply(e, records.Mark{At: time.Unix(0, 0)}, records.Rules{})
	if err != nil {
		return "", err
	}
	if len(o.Files) > 0 {
		if set.Force = !p.update.Checked; ok { // what a harness says has happened already
			e = set
		}
		p.made.Edits = append(p.made.Edits, e)
		p.book = o.Book
	}
	return o.IDs[0], nil
}

// needPlan makes the plan where there is none. Where there is one, rename gives it
// the session's title.
func (p *planner) needPlan(rename bool) error {
	name := oneLine(p.memory.Title)
	switch {
	case p.plan == nil:
		if strings.TrimSpace(name) == "" {
			name = "Session " + oneLine(p.session)
		}
		id, err := p.do(records.AddPlan{Title: cut(name),
			Scope: records.Scope{Kind: records.SessionScope, Session: p.session}})
		p.made.ID = id
		return err
	case rename && strings.TrimSpace(name) != "":
		name = cut(name)
		_, err := p.do(records.SetPlan{Plan: p.plan.ID, Title: &name})
		return err
	}
	return nil
}

// add makes a task of the plan, todo, and moves it to its status, so that the
// stamps are those of any other move.
func (p *planner) add(w words, id string) (string, error) {
	f := w.fields(nil)
	title := titleOf(w.text)
	first := records.Fields{Title: &title, Plan: &p.made.ID, Priority: f.Priority, Labels: f.Labels, Body: f.Body, Note: f.Note}
	task, err := p.do(records.AddTask{Fields: first, Source: &records.Source{Tool: p.update.Tool, ID: id}})
	if err == nil {
		p.added = append(p.added, task)
	}
	if err != nil || f.Status == nil {
		return task, err
	}
	_, err = p.do(records.SetTask{Task: task, Fields: records.Fields{Status: f.Status, Active: f.Active}})
	return task, err
}

// keep remembers an active form that is not to be shown yet.
func (p *planner) keep(id, active string) {
	if active != "" && p.kept(id) != active {
		p.remember(id, active)
	}
}

// remember puts an active form among those that are remembered, "" for none.
func (p *planner) remember(id, active string) {
	if p.made.Active == nil {
		p.made.Active = map[string]string{}
		maps.Copy(p.made.Active, p.memory.Active)
	}
	p.made.Active[p.made.ID+"/"+id] = active
}

// kept gives the active form that is remembered of an entry, "" for none.
func (p *planner) kept(id string) string {
	from := p.memory.Active
	if p.made.Active != nil {
		from = p.made.Active
	}
	return from[p.made.ID+"/"+id]
}
