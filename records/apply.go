package records

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// Apply makes one edit: it checks the input field by field in the order the
// fields are declared in, stamps what the host stamps, and renders the files.
// The Book itself stays as it is. The error is a *Refusal where the edit is not
// to be made. Anything else is the storage's, or says that a new record has no
// place: that no id is left, or what lies in the way of its file.
func (b *Book) Apply(e Edit, m Mark, r Rules) (Outcome, error) {
	switch e := e.(type) {
	case AddPlan:
		return b.addPlan(e, m)
	case SetPlan:
		return b.setPlan(e, m)
	case AddTask:
		return b.addTask(e, m, r)
	case SetTask:
		return b.setTask(e, m, r)
	case Approve:
		return b.approve(e, m)
	case ReviewTask:
		return b.review(e, m)
	case Reclaim:
		return b.reclaim(e, m, r)
	case RemoveTask:
		return b.removeTask(e, m, r)
	case Remove:
		return b.remove(e, m, r)
	case Restore:
		return b.restore(e)
	case Translation:
		return b.translate(e, m, r)
	}
	return Outcome{}, fmt.Errorf("apply %T: not an edit", e)
}

// approve stamps a task or a plan, whatever its status.
func (b *Book) approve(e Approve, m Mark) (Outcome, error) {
	k, _, _ := ParseID(e.ID)
	old, err := b.known(e.ID, k)
	if err != nil {
		return Outcome{}, err
	}
	var next Record
	switch old := old.(type) {
	case *Task:
		t := *old
		t.Approved = m.stamp()
		next = &t
	case *Plan:
		p := *old
		p.Approved = m.stamp()
		next = &p
	}
	return b.rewrite(old, next, "approved", k.noun())
}

// review stamps a task, with a verdict where one was given.
func (b *Book) review(e ReviewTask, m Mark) (Outcome, error) {
	old, err := b.knownTask(e.Task)
	if err != nil {
		return Outcome{}, err
	}
	if e.Verdict != "" && !e.Verdict.valid() {
		return Outcome{}, invalid("verdict", mustBeVerdict)
	}
	next := *old
	next.Reviewed = m.stamp()
	next.Reviewed.Verdict = e.Verdict
	return b.rewrite(old, &next, strings.TrimSpace("reviewed "+string(e.Verdict)), "task")
}

// known gives the record that an edit is about.
func (b *Book) known(id string, k Kind) (Record, error) {
	l, err := b.holderOf(id, k)
	if err != nil {
		return nil, err
	}
	if r := l.record(); r != nil {
		return r, nil
	}
	return nil, Unknown(k.noun(), k, id)
}

func (b *Book) knownTask(id string) (*Task, error) {
	r, err := b.known(id, TaskKind)
	if err != nil {
		return nil, err
	}
	return r.(*Task), nil
}

func (b *Book) knownPlan(id string) (*Plan, error) {
	r, err := b.known(id, PlanKind)
	if err != nil {
		return nil, err
	}
	return r.(*Plan), nil
}

// rewrite gives the outcome of an edit that made next of old: the file with the
// lines of what differs replaced. The longest field is who is blamed where the
// file gets too large.
func (b *Book) rewrite(old, next Record, what, longest string) (Outcome, error) {
	id, title := next.Name()
	if reflect.DeepEqual(old, next) {
		return Outcome{Book: b, IDs: []string{id}, Title: title}, nil
	}
	source, path, err := b.source(id)
	if err != nil {
		return Outcome{}, err
	}
	data, err := Splice(source, next)
	if err != nil {
		// The old text is kept, so what it has beside the fields counts too.
		if tooLarge(next.Encode(), source, old.Encode()) {
			return Outcome{}, invalid(longest, mustBeShorter)
		}
		return Outcome{}, fmt.Errorf("rewrite %s: %w", path, err)
	}
	o := Outcome{Files: []File{{Path: path, Data: data}}, IDs: []string{id}, What: what, Title: title}
	return b.settle(o, next)
}

// create gives the outcome of an edit that made a new record.
func (b *Book) create(next Record, longest string) (Outcome, error) {
	return b.createAs(next, next.Encode(), longest)
}

// createAs is create for a record whose file is spelled in a way of its own.
func (b *Book) createAs(next Record, data []byte, longest string) (Outcome, error) {
	id, title := next.Name()
	if tooLarge(data, nil, nil) {
		return Outcome{}, invalid(longest, mustBeShorter)
	}
	o := Outcome{Files: []File{{Path: PathOf(id), Data: data}}, IDs: []string{id}, Added: []string{id}, What: "add", Title: title}
	k, n, _ := ParseID(id)
	said, err := b.said(k)
	if err != nil {
		return Outcome{}, err
	}
	if unsaid(n, said) {
		if err := b.needRoom(highestPath(k), "the highest id"); err != nil {
			return Outcome{}, fmt.Errorf("note %s: %w", id, err)
		}
		o.Files = append(o.Files, highestFile(k, n))
	}
	return b.settle(o, next)
}

// settle makes the next Book and reads back what was written.
func (b *Book) settle(o Outcome, want Record) (Outcome, error) {
	o.Book = b.with(o.Files)
	l, err := o.Book.at(o.Files[0].Path)
	if err != nil {
		return Outcome{}, err
	}
	if got := l.record(); got == nil || !same(got, want) {
		return Outcome{}, fmt.Errorf("%s does not read back as it was written", o.Files[0].Path)
	}
	sortFiles(o.Files)
	return o, nil
}

// with gives the Book after some files changed.
func (b *Book) with(files []File) *Book {
	paths := make([]string, len(files))
	for i, f := range files {
		paths[i] = f.Path
	}
	return b.Advance(over(b.fsys, files), paths)
}

func highestFile(k Kind, n int) File {
	return File{Path: highestPath(k), Data: []byte(formatID(k, n) + "\n")}
}

func sortFiles(files []File) {
	slices.SortFunc(files, func(a, b File) int { return strings.Compare(a.Path, b.Path) })
}

// tooLarge reports whether a record passes a limit of size. A file that is
// edited in place is judged by its old text, with what the canonical form of
// the record grew by.
func tooLarge(next, source, old []byte) bool {
	if source == nil {
		return len(next) > MaxRecord || frontOf(next) > maxFrontmatter || tooWide(next)
	}
	return len(source)+len(next)-len(old) > MaxRecord ||
		frontOf(source)+frontOf(next)-frontOf(old) > maxFrontmatter || tooWide(next)
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
