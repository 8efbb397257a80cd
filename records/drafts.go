package records

import (
	"fmt"
	"path"
	"slices"
	"strings"
)

// minted is a draft that gets an id.
type minted struct {
	path  string
	id    string // "" where there is none left for it, or no room
	group int
	mark  marked // what who added it made of it
}

// draft takes up a draft to be minted, nil where its file cannot be rewritten.
// The longest id there is is tried, so that the real one fits as well.
func (f *follower) draft(l *leaf) (*minted, error) {
	source, is, err := f.tip.text(l.path)
	if err != nil {
		return nil, err
	}
	longest := kindOfPath(l.path).letter() + strings.Repeat("9", maxDigits)
	if _, err := (draftNames{}).withID(longest, l.path, source, asMade(l)); err != nil || is == nil {
		return nil, nil
	}
	d := &minted{path: l.path}
	d.mark, err = f.mark(&account{path: l.path, draft: d}, l)
	return d, err
}

// mint gives the draft's file as a record: with its id, a status where it had none,
// the stamps of its making, and the names of other drafts turned into their ids. A
// file that is full goes without what does not fit into it.
func (d *minted) mint(b *Book, names draftNames) ([]byte, error) {
	source, is, err := b.text(d.path)
	if err != nil {
		return nil, err
	}
	for _, with := range []struct {
		stamps bool
		names  draftNames
	}{{true, names}, {false, names}, {true, draftNames{}}, {false, draftNames{}}} {
		m := d.mark
		if !with.stamps {
			m = m.unstamped()
		}
		var data []byte
		if data, err = with.names.withID(d.id, d.path, source, m.apply(is)); err == nil {
			d.mark.moved, d.mark.notes = m.moved, m.notes
			return data, nil
		}
	}
	return nil, fmt.Errorf("mint %s as %s: %w", d.path, d.id, err)
}

// unstamped gives the mark without the stamps that it calls for.
func (m marked) unstamped() marked {
	of := *m.account
	of.adder, m.mover = Mark{}, Mark{}
	m.account = &of
	return m
}

// draftNames finds the draft that a reference means. Its zero value knows none.
type draftNames struct {
	byPath map[string]*minted
	byBase map[string][]*minted // by base name behind the letter of the collection
}

func (n *draftNames) add(d *minted) {
	if n.byPath == nil {
		n.byPath, n.byBase = map[string]*minted{}, map[string][]*minted{}
	}
	n.byPath[d.path] = d
	base := kindOfPath(d.path).letter() + path.Base(d.path)
	n.byBase[base] = append(n.byBase[base], d)
}

// withID gives the file of a draft as the record of an id, the names in it turned
// into ids. Who calls it has taken out what nobody but the host can give it.
func (n draftNames) withID(id, from string, source []byte, made Record) ([]byte, error) {
	switch made := made.(type) {
	case *Task:
		made.ID = id
		n.redirect(made, from, func(*minted) bool { return true })
	case *Plan:
		made.ID = id
	}
	return Splice(source, made)
}

// find gives the draft of a kind that a name means when it stands in the file
// at from: by its path, or by its base name, both with or without .md. Of
// several drafts with one base name the one in the same folder is meant; where
// that does not decide it either, none is.
func (n draftNames) find(k Kind, name, from string) *minted {
	if name == "" {
		return nil
	}
	if _, _, isID := ParseID(name); isID {
		return nil
	}
	var found [][]*minted
	for _, file := range []string{name, name + ".md"} {
		if d := n.byPath[file]; d != nil && kindOfPath(file) == k {
			return d
		}
		if of := n.byBase[k.letter()+file]; len(of) > 0 {
			found = append(found, of)
		}
	}
	if len(found) == 1 && len(found[0]) == 1 {
		return found[0][0]
	}
	if len(found) == 0 {
		return nil
	}
	for _, file := range []string{name, name + ".md"} {
		if d := n.byPath[path.Dir(from)+"/"+file]; d != nil && kindOfPath(d.path) == k {
			return d
		}
	}
	return nil
}

// redirect turns the names of drafts in a task's blockedBy, parent and plan
// into their ids, and reports whether there were any.
func (n draftNames) redirect(t *Task, from string, wanted func(*minted) bool) bool {
	found := false
	turn := func(k Kind, name string) string {
		if d := n.find(k, name, from); d != nil && wanted(d) {
			found = true
			return d.id
		}
		return name
	}
	t.Plan = turn(PlanKind, t.Plan)
	t.Parent = turn(TaskKind, t.Parent)
	var blockers []string
	for _, name := range t.BlockedBy {
		id := turn(TaskKind, name)
		if id == name || !slices.Contains(blockers, id) {
			blockers = append(blockers, id)
		}
	}
	t.BlockedBy = blockers
	return found
}

// referring gives the id of every task of the tip that names one of the drafts.
func (f *follower) referring() ([]string, error) {
	x, err := f.tip.walked()
	if err != nil {
		return nil, err
	}
	var ids []string
	x.table(TaskKind).holders(func(l *leaf) bool {
		if l.record() != nil {
			t := *l.task
			if f.names.redirect(&t, l.path, func(*minted) bool { return true }) {
				ids = append(ids, t.ID)
			}
		}
		return true
	})
	return ids, nil
}

// redirect rewrites the tasks of b that name a draft of one group. One that
// cannot be rewritten keeps the name.
func (f *follower) redirect(b *Book, ids []string, group int) ([]File, error) {
	var files []File
	for _, id := range ids {
		old, err := b.Task(id)
		if err != nil {
			return nil, err
		}
		source, from, err := b.source(id)
		if err != nil {
			return nil, err
		}
		t := *old
		if !writable(from) || !f.names.redirect(&t, from, func(d *minted) bool { return d.group == group }) {
			continue
		}
		if data, err := Splice(source, &t); err == nil {
			files = append(files, File{Path: from, Data: data})
		}
	}
	return files, nil
}
