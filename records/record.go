package records

import (
	"iter"
	"reflect"
)

// Record is what a task and a plan have in common. A *Task and a *Plan are the
// only ones.
type Record interface {
	// Name gives the id and the title.
	Name() (id, title string)
	// Line gives the record in one line, safe to be shown.
	Line() string
	// Stamps yields the stamps the record has, by name, in the order of the file.
	Stamps() iter.Seq2[string, *Stamp]
	// Encode gives the file of a new record.
	Encode() []byte

	page() page
}

// page is what a record's file has to say.
type page struct {
	kind    Kind
	entries []entry
	body    string
}

func (t *Task) page() page { return page{TaskKind, entries(t.keys()), t.Body} }

func (p *Plan) page() page { return page{PlanKind, entries(p.keys()), p.Goal} }

// same reports whether two records say the same. A packet may hold a number that
// equals nothing, not even itself; its text does.
func same(a, b Record) bool {
	return reflect.DeepEqual(a, b) || reflect.DeepEqual(a.page(), b.page())
}

// recordOf gives the one of the two that is there, nil for none.
func recordOf(t *Task, p *Plan) Record {
	switch {
	case t != nil:
		return t
	case p != nil:
		return p
	}
	return nil
}
