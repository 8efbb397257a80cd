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

// waits is what a patch says of the tasks to be waited for.
type waits struct {
	// list is all of them, as they are to be but for repeats; nil where the patch says
	// nothing of them.
	list *[]string
	// named are those that the patch itself names, added the ones among them that
	// addBlockedBy does, removed what removeBlockedBy does.
	named, added, removed []string
}

// waits gives what the patch says, of a task that waits for some already.
func (f *Fields) waits(was []string) waits {
	if f.BlockedBy == nil && f.AddBlockedBy == nil && f.RemoveBlockedBy == nil {
		return waits{}
	}
	var w waits
	list := was
	if f.BlockedBy != nil {
		list, w.named = *f.BlockedBy, *f.BlockedBy
	}
	list = slices.Clone(list)
	if f.RemoveBlockedBy != nil {
		w.removed = *f.RemoveBlockedBy
		list = slices.DeleteFunc(list, func(id string) bool { return slices.Contains(w.removed, id) })
	}
	if f.AddBlockedBy != nil {
		w.added = *f.AddBlockedBy
		list, w.named = append(list, w.added...), slices.Concat(w.named, w.added)
	}
	w.list = &list
	return w
}

// field is the one that named an id.
func (w *waits) field(id string) string {
	if slices.Contains(w.added, id) {
		return "addBlockedBy"
	}
	return "blockedBy"
}

// takeBlockers takes the tasks that t waits for: known ones, or such as it
// waits for already; not itself, and none that waits for it in the end. What the patch
// does not name stays as it is, and a refusal is of the field that named what is wrong.
func (b *Book) takeBlockers(t *Task, w *waits) error {
	if err := b.checkKnown(w.removed, t.BlockedBy, t.ID, func(string) string { return "removeBlockedBy" }); err != nil {
		return err
	}
	if w.list == nil {
		return nil
	}
	var list, named []string
	for _, id := range *w.list {
		if slices.Contains(list, id) {
			continue
		}
		list = append(list, id)
		if slices.Contains(w.named, id) {
			named = append(named, id)
		}
	}
	if slices.Equal(list, t.BlockedBy) {
		return nil
	}
	if err := b.checkKnown(named, t.BlockedBy, t.ID, w.field); err != nil {
		return err
	}
	if slices.Contains(named, t.ID) {
		return b.selfBlock(t.ID, w.field(t.ID))
	}
	if id, err := b.waiter(named, t.ID); err != nil {
		return err
	} else if id != "" {
		return mustNotLoopBy(id, w.field(id))
	}
	if len(list) > maxBlockers && len(named) > 0 {
		return invalid(w.field(named[len(named)-1]), mustBeFew)
	}
	t.BlockedBy = list
	return nil
}

// checkKnown refuses ids that no task has, but for some that may be named all the
// same.
func (b *Book) checkKnown(ids, may []string, own string, field func(id string) string) error {
	for _, id := range ids {
		if id == own || slices.Contains(may, id) {
			continue
		}
		known, err := b.Task(id)
		if err != nil {
			return err
		}
		if known == nil {
			return mustKnow(field(id), TaskKind, id)
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

// waiter gives the first of some tasks that waits for id, directly or through others,
// "" for none. Loops that were made by hand are walked once.
func (b *Book) waiter(of []string, id string) (string, error) {
	seen := map[string]bool{}
	for _, from := range of {
		for queue := []string{from}; len(queue) > 0; {
			at := queue[len(queue)-1]
			queue = queue[:len(queue)-1]
			if at == id {
				return from, nil
			}
			if seen[at] {
				continue
			}
			seen[at] = true
			t, err := b.Task(at)
			if err != nil {
				return "", err
			}
			if t != nil {
				queue = append(queue, t.BlockedBy...)
			}
		}
	}
	return "", nil
}
