package records

import "slices"

// Ready reports whether work on a task may begin: it is todo, every task it
// waits for is done, and it is approved where the rules ask for that. A blocker
// that was dropped still blocks, as one does that cannot be read; one that was
// removed does not.
func (b *Book) Ready(t *Task, requireApproval bool) (bool, error) {
	if t.Status != Todo || requireApproval && t.Approved == nil {
		return false, nil
	}
	open, err := b.OpenBlockers(t)
	return err == nil && len(open) == 0, err
}

// OpenBlockers gives those of the tasks that a task waits for which still keep it
// waiting, in the order of its file. Whatever says that a task is blocked or ready
// says it by them.
func (b *Book) OpenBlockers(t *Task) ([]string, error) {
	var open []string
	for _, id := range t.BlockedBy {
		blocks, err := b.blocks(id)
		if err != nil {
			return nil, err
		}
		if blocks {
			open = append(open, id)
		}
	}
	return open, nil
}

// Waiting gives the ids of the tasks that name one in blockedBy, by number, whatever
// its status and theirs. It needs the whole list.
func (b *Book) Waiting(id string) ([]string, error) {
	x, err := b.walked()
	k, n, ok := ParseID(id)
	if err != nil || !ok || k != TaskKind {
		return nil, err
	}
	var found []string
	for _, c := range x.table(TaskKind).chunks {
		s := c.summary()
		for i := range s.waiting.each {
			if slices.Contains(s.waits[i], n) {
				found = append(found, formatID(TaskKind, c.base+i))
			}
		}
	}
	return found, nil
}

// blocks reports whether an id in blockedBy keeps its task waiting. An id that
// has no file and is not above the highest was removed; what is no task id, or
// above the highest, may still come and blocks.
func (b *Book) blocks(id string) (bool, error) {
	k, n, ok := ParseID(id)
	if !ok || k != TaskKind {
		return true, nil
	}
	l, err := b.holder(k, n, true)
	if err != nil {
		return true, err
	}
	if l != nil {
		return l.record() == nil || l.task.Status != Done, nil
	}
	top, err := b.highest(k)
	return n > top, err
}

// waiting gives a patch that says in BlockedBy alone what is to be waited for, and the
// name of the field that said it.
func (f Fields) waiting(was []string) (Fields, string) {
	if f.AddBlockedBy == nil && f.RemoveBlockedBy == nil {
		return f, "blockedBy"
	}
	field := "blockedBy"
	if f.BlockedBy == nil {
		f.BlockedBy, field = &was, "addBlockedBy"
	}
	list := slices.Clone(*f.BlockedBy)
	if f.RemoveBlockedBy != nil {
		list = slices.DeleteFunc(list, func(id string) bool { return slices.Contains(*f.RemoveBlockedBy, id) })
	}
	if f.AddBlockedBy != nil {
		list = append(list, *f.AddBlockedBy...)
	}
	f.BlockedBy = &list
	return f, field
}

// takeBlockers takes the tasks that t waits for: known ones, or such as it
// waits for already; not itself, and none that waits for it in the end. A refusal is
// of the field that named them.
func (b *Book) takeBlockers(t *Task, f *Fields, field string) error {
	if f.RemoveBlockedBy != nil {
		if err := b.checkKnown(*f.RemoveBlockedBy, t.BlockedBy, t.ID, "removeBlockedBy"); err != nil {
			return err
		}
	}
	if f.BlockedBy == nil {
		return nil
	}
	var list []string
	for _, id := range *f.BlockedBy {
		if !slices.Contains(list, id) {
			list = append(list, id)
		}
	}
	if slices.Equal(list, t.BlockedBy) {
		return nil
	}
	if err := b.checkKnown(list, t.BlockedBy, t.ID, field); err != nil {
		return err
	}
	if slices.Contains(list, t.ID) {
		return b.selfBlock(t.ID, field)
	}
	if loops, err := b.reaches(list, t.ID); err != nil {
		return err
	} else if loops {
		return b.loop(list, t.ID, field)
	}
	if len(list) > maxBlockers {
		return invalid(field, mustBeFew)
	}
	t.BlockedBy = list
	return nil
}

// checkKnown refuses ids that no task has, but for some that may be named all the
// same.
func (b *Book) checkKnown(ids, may []string, own, field string) error {
	for _, id := range ids {
		if id == own || slices.Contains(may, id) {
			continue
		}
		known, err := b.Task(id)
		if err != nil {
			return err
		}
		if known == nil {
			return mustKnow(field, TaskKind, id)
		}
	}
	return nil
}

// selfBlock refuses a task's own id; the id a new task is about to get is
// merely one that nobody knows.
func (b *Book) selfBlock(id, field string) error {
	t, err := b.Task(id)
	if err != nil {
		return err
	}
	if t == nil {
		return mustKnow(field, TaskKind, id)
	}
	return invalid(field, mustNotSelf)
}

// loop refuses the first of the tasks that waits for id.
func (b *Book) loop(list []string, id, field string) error {
	for _, from := range list {
		waits, err := b.reaches([]string{from}, id)
		if err != nil {
			return err
		}
		if waits {
			return mustNotLoopBy(from, field)
		}
	}
	return invalid(field, mustNotLoop)
}

// reaches reports whether one of the tasks waits for id, directly or through
// others. Loops that were made by hand are walked once.
func (b *Book) reaches(from []string, id string) (bool, error) {
	seen := map[string]bool{}
	queue := slices.Clone(from)
	for len(queue) > 0 {
		at := queue[len(queue)-1]
		queue = queue[:len(queue)-1]
		if at == id {
			return true, nil
		}
		if seen[at] {
			continue
		}
		seen[at] = true
		t, err := b.Task(at)
		if err != nil {
			return false, err
		}
		if t != nil {
			queue = append(queue, t.BlockedBy...)
		}
	}
	return false, nil
}
