package records

import (
	"iter"
	"reflect"
	"slices"
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

// parts gives the kind of a record, its keys and the text below them.
func parts(r Record) (Kind, []key, string) {
	switch r := r.(type) {
	case *Task:
		return TaskKind, r.keys(), r.Body
	case *Plan:
		return PlanKind, r.keys(), r.Goal
	}
	return 0, nil, ""
}

// same reports whether two records say the same: whether their pages are equal.
func same(a, b Record) bool {
	kind, was, before := parts(a)
	other, is, after := parts(b)
	if kind != other || before != after {
		return false
	}
	for i := range was {
		if !sameField(was[i].field, is[i].field) {
			return false
		}
	}
	return true
}

// sameField reports whether two fields of one key hold the same value. A packet may
// hold a number that equals nothing, not even itself; its text does.
func sameField(a, b any) bool {
	switch a := a.(type) {
	case *string:
		return *a == *b.(*string)
	case *rank:
		return *a == *b.(*rank)
	case *Status:
		return *a == *b.(*Status)
	case *Priority:
		return *a == *b.(*Priority)
	case *[]string:
		return slices.Equal(*a, *b.(*[]string))
	case *map[string]string:
		if len(*a) == 0 && len(*b.(*map[string]string)) == 0 {
			return true
		}
	case *map[string]any:
		if len(*a) == 0 && len(*b.(*map[string]any)) == 0 {
			return true
		}
	case **Lease:
		if *a == *b.(**Lease) {
			return true
		}
	case **Source:
		if *a == *b.(**Source) {
			return true
		}
	case **Stamp:
		if b := *b.(**Stamp); *a == b || *a != nil && b != nil && **a == *b {
			return true
		}
	}
	return reflect.DeepEqual(valueOf(a), valueOf(b))
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
