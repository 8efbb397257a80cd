package translate

import (
	"errors"

	"github.com/git-tasks/git-tasks/records"
)

// takeList makes the plan what a whole list says.
func (p *planner) takeList() error {
	var list []Entry
	for _, e := range p.update.List {
		if !IsBlank(e.Text) {
			list = append(list, e)
		}
	}
	switch {
	case len(list) == 0 && (len(p.update.List) > 0 || p.plan == nil):
		return nil // not one entry could be read, or nothing is cleared
	case len(list) > 0:
		if err := p.needPlan(true); err != nil {
			return err
		}
	}
	m := p.match(list)
	if p.update.Checked {
		if err := p.judge(list, &m); err != nil {
			return err
		}
	}
	for i, e := range list {
		if p.isHeld(m.task[i]) {
			p.leave(m.task[i])
			p.made.Tasks = append(p.made.Tasks, m.task[i].ID)
			continue
		}
		id, err := p.takeEntry(e, m.task[i])
		var refused *records.Refusal
		switch {
		case errors.As(err, &refused) && !p.update.Checked:
			continue // one odd entry is no reason to refuse the list
		case err != nil:
			return err
		}
		p.made.Tasks = append(p.made.Tasks, id)
	}
	dropped := string(records.Dropped)
	for _, t := range p.steps {
		if m.taken[t] || !t.Status.Open() || !p.wrote(t) {
			continue
		}
		if p.isHeld(t) {
			p.leave(t)
			continue
		}
		if _, err := p.do(records.SetTask{Task: t.ID, Fields: records.Fields{Status: &dropped}}); err != nil {
			return err
		}
	}
	return nil
}

// wrote reports whether a task came from the list that is being read: one that
// somebody added to the plan is no step of it.
func (p *planner) wrote(t *records.Task) bool {
	return t.Source != nil && t.Source.Tool == p.update.Tool
}

// takeEntry makes a task what an entry says, and adds it where t is nil.
func (p *planner) takeEntry(e Entry, t *records.Task) (string, error) {
	w := words{text: e.Text, status: e.Status, priority: e.Priority, active: e.Active}
	if t == nil {
		if p.update.Checked {
			p.keepOnly(e)
		}
		return p.add(w, e.ID)
	}
	title := titleOf(e.Text)
	if p.saysActive(e, t) {
		w.text, w.active, title = t.Title, e.Text, t.Title
	}
	if p.update.Checked {
		w.active = p.activeOf(e, t)
	}
	f := w.fields(t)
	f.Title = &title
	return p.do(records.SetTask{Task: t.ID, Fields: f})
}

// saysActive reports whether the text of an entry is what is being done about a
// task, and not its name.
func (p *planner) saysActive(e Entry, t *records.Task) bool {
	status, _ := statusOf(e.Status)
	return p.update.ActiveText && status == records.Doing && titleOf(e.Text) != t.Title
}

// matching says which task each entry is, nil for none.
type matching struct {
	task  []*records.Task
	taken map[*records.Task]bool
}

func (m *matching) take(i int, t *records.Task) { m.task[i], m.taken[t] = t, true }

// match finds the task of each entry: by its text, then by the harness's id, then,
// where a text may be an active form, by that. Of several tasks of one text an entry has
// the one with its id, then one whose id is no other entry's; the others are left to
// whom they belong by their ids, before whoever comes first has them.
func (p *planner) match(list []Entry) matching {
	m := matching{make([]*records.Task, len(list)), map[*records.Task]bool{}}
	byText, texts := map[string][]*records.Task{}, map[string]int{}
	byID, named := map[string][]*records.Task{}, map[string]bool{}
	for _, left := range []bool{false, true} {
		for _, t := range p.steps {
			if p.hasLeft(t) == left {
				byText[t.Title] = append(byText[t.Title], t)
				texts[t.Title]++
			}
		}
	}
	for _, t := range p.steps {
		if p.wrote(t) && t.Source.ID != "" && !p.hasLeft(t) {
			byID[t.Source.ID] = append(byID[t.Source.ID], t)
		}
	}
	for _, e := range list {
		named[e.ID] = e.ID != ""
	}
	sameText := func(e Entry) []*records.Task {
		title := titleOf(e.Text)
		for len(byText[title]) > 0 && m.taken[byText[title][0]] {
			byText[title] = byText[title][1:]
		}
		return byText[title]
	}
	hasID := func(e Entry) []*records.Task { return byID[e.ID] }
	isSame := func(e Entry, t *records.Task) bool { return t.Title == titleOf(e.Text) }
	isFree := func(_ Entry, t *records.Task) bool {
		return texts[t.Title] == 1 || p.hasLeft(t) || !p.wrote(t) || !named[t.Source.ID]
	}
	isAny := func(Entry, *records.Task) bool { return true }
	m.each(list, hasID, isSame)
	m.each(list, sameText, isFree)
	m.each(list, hasID, isAny)
	m.each(list, sameText, isAny)
	if p.update.ActiveText {
		p.matchActive(list, &m)
	}
	return m
}

// each lets every entry that has none yet take a task.
func (m *matching) each(list []Entry, among func(Entry) []*records.Task, fits func(Entry, *records.Task) bool) {
	for i, e := range list {
		if m.task[i] == nil {
			m.first(i, among(e), func(t *records.Task) bool { return fits(e, t) })
		}
	}
}

// first lets an entry take the first task that nobody took and that fits.
func (m *matching) first(i int, steps []*records.Task, fits func(*records.Task) bool) {
	for _, t := range steps {
		if !m.taken[t] && fits(t) {
			m.take(i, t)
			return
		}
	}
}

// matchActive finds the tasks of entries whose texts are active forms, and of
// those that were seen first by their active form.
func (p *planner) matchActive(list []Entry, m *matching) {
	byRest := map[string][]*records.Task{} // what all is known by, but for its first word
	for _, t := range p.steps {
		rest := afterWord(t.Title)
		byRest[rest] = append(byRest[rest], t)
		if said := afterWord(t.Active); t.Status == records.Doing && said != rest {
			byRest[said] = append(byRest[said], t)
		}
	}
	for i, e := range list {
		if m.task[i] != nil {
			continue
		}
		title := titleOf(e.Text)
		if status, _ := statusOf(e.Status); status == records.Doing {
			m.first(i, byRest[afterWord(title)], func(t *records.Task) bool {
				return t.Status.Open() && (isActiveForm(title, t.Title) || t.Status == records.Doing && t.Active == title)
			})
		} else {
			m.first(i, byRest[afterWord(title)], func(t *records.Task) bool {
				return t.Status == records.Doing && isActiveForm(t.Title, title)
			})
		}
	}
	if i, t := p.place(list, m); t != nil {
		m.take(i, t)
	}
}

// place gives the one entry of a list that is not told by its words, and the open
// task at its place, where the list is as long as before and nothing else in it
// moved. A list of one entry has nothing that could tell whether it moved.
func (p *planner) place(list []Entry, m *matching) (at int, found *records.Task) {
	var before []*records.Task
	for _, t := range p.steps {
		if p.wrote(t) && t.Status != records.Dropped {
			before = append(before, t)
		}
	}
	at = -1
	for i := range list {
		switch {
		case m.task[i] == nil && at >= 0:
			return 0, nil
		case m.task[i] == nil:
			at = i
		}
	}
	if at < 0 || len(list) < 2 || len(before) != len(list) {
		return 0, nil
	}
	for i, t := range before {
		if i != at && m.task[i] != t {
			return 0, nil
		}
	}
	if status, _ := statusOf(list[at].Status); status != records.Doing || !before[at].Status.Open() {
		return 0, nil
	}
	return at, before[at]
}
