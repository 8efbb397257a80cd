package records

import (
	"maps"
	"slices"
	"time"
)

// view is what a Book that tells of its tasks as of a time stands on.
type view struct {
	under *Book
	now   time.Time
	gone  func(session string) bool
}

// AsOf gives the Book as it counts at a time: a task whose claim is over, because its
// time is up or because its session is gone, is todo and nobody's, whether it is asked
// for by its id, listed, or waited for. gone may be nil: then no session is known to
// have ended. Where no claim is over, and all was read before, that is the Book itself.
// Edits may be planned on it, and what they come to is as if each reclaim were written;
// what is to be committed is made of the Book of the tree, where the reclaims still
// have to be.
func (b *Book) AsOf(now time.Time, gone func(session string) bool) *Book {
	v := &view{b, now, gone}
	next := NewBook(b.fsys)
	next.view = v
	if x := b.whole.Load(); x != nil {
		counts := v.of(x)
		if counts == x {
			return b
		}
		next.whole.Store(counts)
	}
	return next
}

// of gives an index with the claims that are over taken out.
func (v *view) of(x *index) *index {
	var r *revision
	for _, path := range x.claimed() {
		l := x.at(path)
		if next := v.leaf(l); next != l {
			if r == nil {
				r = revise(x)
			}
			r.put(path, next)
		}
	}
	if r == nil {
		return x
	}
	return r.done()
}

// leaf gives a file as it counts.
func (v *view) leaf(l *leaf) *leaf {
	if l == nil || l.task == nil {
		return l
	}
	t := l.task.asOf(v.now, v.gone)
	if t == l.task {
		return l
	}
	next := *l
	next.task = t
	return &next
}

// Claims gives the tasks that are in doing under a lease, whether it still counts or
// not, sorted by number. It takes no look at others.
func (b *Book) Claims() ([]*Task, error) {
	x, err := b.walked()
	if err != nil {
		return nil, err
	}
	tasks, err := b.ClaimsAt(x.claimed())
	slices.SortFunc(tasks, func(a, b *Task) int { return numberOf(PathOf(a.ID)) - numberOf(PathOf(b.ID)) })
	return tasks, err
}

// ClaimsAt gives the tasks of Claims that lie at some paths. It takes no look at others,
// nor, at a path with nothing there, anywhere else.
func (b *Book) ClaimsAt(paths []string) ([]*Task, error) {
	var tasks []*Task
	for _, path := range paths {
		if !ours(path) {
			continue
		}
		l, err := b.at(reach(path))
		if err != nil {
			return nil, err
		}
		if !l.isClaim() {
			continue
		}
		task, err := b.Task(l.task.ID)
		if err != nil {
			return nil, err
		}
		if task == l.task { // else another file has the id
			tasks = append(tasks, task)
		}
	}
	return tasks, nil
}

// isClaim reports whether a file is a task in doing under a lease.
func (l *leaf) isClaim() bool {
	return l != nil && l.task != nil && !l.draft && l.task.Status == Doing && l.task.Lease != nil
}

// claimed gives the paths of the files that are claims.
func (x *index) claimed() []string { return slices.Sorted(maps.Keys(x.claims)) }

// putClaim keeps the list of claims: most lists have none, and none is copied for a
// file that is none.
func (r *revision) putClaim(path string, l *leaf) {
	if is, was := l.isClaim(), r.next.claims[path]; is == was {
		return
	}
	if !r.claims {
		r.claims = true
		r.next.claims = maps.Clone(r.next.claims)
		if r.next.claims == nil {
			r.next.claims = map[string]bool{}
		}
	}
	if l.isClaim() {
		r.next.claims[path] = true
	} else {
		delete(r.next.claims, path)
	}
}
