package records

import (
	"bytes"
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// Apply makes one edit: it checks the input field by field in the order the
// fields are declared in, stamps what the host stamps, and renders the files.
// The Book itself stays as it is. The error is a *Refusal where the edit is not
// to be made, anything else is the storage's.
func (b *Book) Apply(e Edit, m Mark, r Rules) (Outcome, error) {
	switch e := e.(type) {
	case AddPlan:
		return b.addPlan(e, m)
	case SetPlan:
		return b.setPlan(e, m)
	case AddTask:
		return b.addTask(e, m)
	case SetTask:
		return b.setTask(e, m, r)
	case Approve:
		return b.approve(e, m)
	case ReviewTask:
		return b.review(e, m)
	case Remove:
		return b.remove(e)
	}
	return Outcome{}, fmt.Errorf("apply %T: not an edit", e)
}

// approve stamps a task or a plan, whatever its status.
func (b *Book) approve(e Approve, m Mark) (Outcome, error) {
	if k, _, _ := ParseID(e.ID); k == PlanKind {
		old, err := b.Plan(e.ID)
		if err != nil {
			return Outcome{}, err
		}
		if old == nil {
			return Outcome{}, unknown(PlanKind)
		}
		next := *old
		next.Approved = m.stamp()
		return rewrite(b, old, &next, "approved", "plan")
	}
	old, err := b.knownTask(e.ID)
	if err != nil {
		return Outcome{}, err
	}
	next := *old
	next.Approved = m.stamp()
	return rewrite(b, old, &next, "approved", "task")
}

// review stamps a task, with a verdict where one was given.
func (b *Book) review(e ReviewTask, m Mark) (Outcome, error) {
	old, err := b.knownTask(e.Task)
	if err != nil {
		return Outcome{}, err
	}
	if e.Verdict != "" && !e.Verdict.Valid() {
		return Outcome{}, invalid("verdict", mustBeVerdict)
	}
	next := *old
	next.Reviewed = m.stamp()
	next.Reviewed.Verdict = e.Verdict
	return rewrite(b, old, &next, strings.TrimSpace("reviewed "+string(e.Verdict)), "task")
}

// knownTask is the task an edit is about.
func (b *Book) knownTask(id string) (*Task, error) {
	t, err := b.Task(id)
	if err == nil && t == nil {
		err = unknown(TaskKind)
	}
	return t, err
}

// rewrite is the outcome of an edit that made next of old: the file with the
// lines of what differs replaced. The longest field is who is blamed where the
// file gets too large.
func rewrite[R Task | Plan](b *Book, old, next *R, what, longest string) (Outcome, error) {
	id, title := identity(next)
	if reflect.DeepEqual(old, next) {
		return Outcome{Book: b, IDs: []string{id}, Title: title}, nil
	}
	source, path, err := b.Source(id)
	if err != nil {
		return Outcome{}, err
	}
	data, err := Splice(source, next)
	if err != nil {
		// The old text is kept, so what it has beside the fields counts too.
		if tooLarge(encoded(next), source, encoded(old)) {
			return Outcome{}, invalid(longest, mustBeShorter)
		}
		return Outcome{}, fmt.Errorf("rewrite %s: %w", path, err)
	}
	o := Outcome{Files: []File{{Path: path, Data: data}}, IDs: []string{id}, What: what, Title: title}
	return settle(b, o, next)
}

// create is the outcome of an edit that made a new record.
func create[R Task | Plan](b *Book, next *R, longest string) (Outcome, error) {
	id, title := identity(next)
	data := encoded(next)
	if tooLarge(data, nil, nil) {
		return Outcome{}, invalid(longest, mustBeShorter)
	}
	o := Outcome{Files: []File{{Path: PathOf(id), Data: data}}, IDs: []string{id}, What: "add", Title: title}
	k, n, _ := ParseID(id)
	said, err := b.said(k)
	if err != nil {
		return Outcome{}, err
	}
	if unsaid(n, said) {
		o.Files = append(o.Files, highestFile(k, n))
	}
	return settle(b, o, next)
}

// settle makes the next Book and reads back what was written.
func settle[R Task | Plan](b *Book, o Outcome, want *R) (Outcome, error) {
	o.Book = b.with(o.Files)
	l, err := o.Book.at(o.Files[0].Path)
	if err != nil {
		return Outcome{}, err
	}
	if l == nil || !l.record() || !l.holds(want) {
		return Outcome{}, fmt.Errorf("%s does not read back as it was written", o.Files[0].Path)
	}
	sortFiles(o.Files)
	return o, nil
}

// holds reports whether the file says exactly what the record does.
func (l *leaf) holds(record any) bool {
	switch r := record.(type) {
	case *Task:
		return sameTask(l.task, r)
	case *Plan:
		return reflect.DeepEqual(l.plan, r)
	}
	return false
}

// sameTask reports whether two tasks, either of which may be none, say the same.
// A packet may hold a number that equals nothing, not even itself; its text
// does.
func sameTask(a, b *Task) bool {
	return reflect.DeepEqual(a, b) ||
		a != nil && b != nil && a.Packet != nil && bytes.Equal(a.Encode(), b.Encode())
}

// with is the Book after some files changed.
func (b *Book) with(files []File) *Book {
	paths := make([]string, len(files))
	for i, f := range files {
		paths[i] = f.Path
	}
	next := b.Advance(over(b.fsys, files), paths)
	for _, k := range []Kind{TaskKind, PlanKind} {
		next.tops[k-TaskKind] = b.topAfter(k, files)
	}
	return next
}

// topAfter is what Book.tops may say after files of our own were written, so
// that a batch of edits does not look for the highest number again each time;
// 0 where a record went, or where it was not known.
func (b *Book) topAfter(k Kind, files []File) int {
	b.mu.Lock()
	top := b.tops[k-TaskKind]
	b.mu.Unlock()
	for _, f := range files {
		n := numberOf(f.Path)
		if f.Path == HighestPath(k) {
			_, n, _ = ParseID(strings.TrimSpace(string(f.Data)))
		}
		switch {
		case kindOfPath(f.Path) != k || n == 0:
		case top == 0 || f.Data == nil:
			return 0
		default:
			top = max(top, n+1)
		}
	}
	return top
}

func highestFile(k Kind, n int) File {
	return File{Path: HighestPath(k), Data: []byte(FormatID(k, n) + "\n")}
}

func sortFiles(files []File) {
	slices.SortFunc(files, func(a, b File) int { return strings.Compare(a.Path, b.Path) })
}

func identity(record any) (id, title string) {
	switch r := record.(type) {
	case *Task:
		return r.ID, r.Title
	case *Plan:
		return r.ID, r.Title
	}
	return "", ""
}

func encoded(record any) []byte {
	switch r := record.(type) {
	case *Task:
		return r.Encode()
	case *Plan:
		return r.Encode()
	}
	return nil
}

// tooLarge reports whether a record passes a limit of size. A file that is
// edited in place is judged by its old text, with what the canonical form of
// the record grew by.
func tooLarge(next, source, old []byte) bool {
	if source == nil {
		return len(next) > MaxRecord || frontOf(next) > MaxFrontmatter || tooWide(next)
	}
	return len(source)+len(next)-len(old) > MaxRecord ||
		frontOf(source)+frontOf(next)-frontOf(old) > MaxFrontmatter || tooWide(next)
}

func frontOf(data []byte) int {
	s, reason, _ := cut(data)
	if reason != "" {
		return len(data)
	}
	return len(s.front())
}

func tooWide(data []byte) bool {
	s, reason, _ := cut(data)
	if reason != "" {
		return false
	}
	over, _ := overLimit(splitLines(s.front()))
	return over != ""
}
