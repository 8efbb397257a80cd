package translate

import (
	"errors"
	"slices"

	"github.com/git-tasks/git-tasks/records"
)

// takeChange makes one change to the plan.
func (p *planner) takeChange() error {
	c := *p.update.Change
	w := words{c.Text, c.Status, c.Priority, c.Active, c.Body, c.Note, c.Labels}
	if IsBlank(c.Text) {
		w.text = ""
	}
	t := p.find(c.ID)
	if t == nil && w.text == "" {
		return mustBeText("text")
	}
	if err := p.needPlan(false); err != nil {
		return err
	}
	status, _ := statusOf(c.Status)
	if !isDoing(status, t) {
		p.keep(c.ID, c.Active)
	} else if w.active == "" && (t == nil || t.Active == "") {
		w.active = p.kept(c.ID)
	}
	id, err := "", error(nil)
	if t == nil {
		id, err = p.add(w, c.ID)
	} else {
		id, err = p.set(t, w)
	}
	if err != nil {
		return err
	}
	p.made.Tasks = []string{id}
	return p.takeBlockers(id, c)
}

// set changes what the words name of a task.
func (p *planner) set(t *records.Task, w words) (string, error) {
	f := w.fields(t)
	if w.text != "" {
		title := titleOf(w.text)
		f.Title = &title
	}
	return p.do(records.SetTask{Task: t.ID, Fields: f})
}

// find gives the first task of the plan that has an id in the harness, nil for
// none.
func (p *planner) find(id string) *records.Task {
	for _, t := range p.steps {
		if t.Source != nil && t.Source.ID == id {
			return t
		}
	}
	return nil
}

// takeBlockers puts what waits for what in place, by the harness's ids.
func (p *planner) takeBlockers(task string, c Change) error {
	if c.BlockedBy != nil {
		if err := p.replaceBlockers(task, c.BlockedBy); err != nil {
			return err
		}
	}
	for _, id := range c.AddBlockedBy {
		if err := p.addBlocker(task, p.find(id)); err != nil {
			return err
		}
	}
	for _, id := range c.AddBlocks {
		waits := p.find(id)
		if waits == nil {
			continue
		}
		blocker, err := p.book.Task(task)
		if err != nil {
			return err
		}
		if err := p.addBlocker(waits.ID, blocker); err != nil {
			return err
		}
	}
	return nil
}

// replaceBlockers leaves those that a task waits for by the harness's word the
// named ones, and those that somebody else added alone.
func (p *planner) replaceBlockers(task string, ids []string) error {
	t, err := p.book.Task(task)
	if err != nil {
		return err
	}
	wanted := map[string]bool{}
	for _, id := range ids {
		if b := p.find(id); b != nil {
			wanted[b.ID] = true
		}
	}
	var left []string
	for _, id := range t.BlockedBy {
		isHarness := slices.ContainsFunc(p.steps, func(s *records.Task) bool {
			return s.ID == id && s.Source != nil && s.Source.ID != ""
		})
		if wanted[id] || !isHarness {
			left = append(left, id)
		}
	}
	if len(left) != len(t.BlockedBy) {
		if _, err := p.do(records.SetTask{Task: task, Fields: records.Fields{BlockedBy: &left}}); err != nil {
			return err
		}
	}
	for _, id := range ids {
		if err := p.addBlocker(task, p.find(id)); err != nil {
			return err
		}
	}
	return nil
}

// addBlocker lets a task wait for another. What cannot be, a cycle above all, a
// harness may have all the same: it is left out.
func (p *planner) addBlocker(task string, blocker *records.Task) error {
	if blocker == nil {
		return nil
	}
	t, err := p.book.Task(task)
	if err != nil || slices.Contains(t.BlockedBy, blocker.ID) {
		return err
	}
	list := append(slices.Clone(t.BlockedBy), blocker.ID)
	_, err = p.do(records.SetTask{Task: task, Fields: records.Fields{BlockedBy: &list}})
	var refused *records.Refusal
	if errors.As(err, &refused) {
		return nil
	}
	return err
}
