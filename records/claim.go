package records

import (
	"cmp"
	"time"
)

// Why a claim is over although nobody ended it.
const (
	leaseOver   = "lease"
	sessionOver = "session"
)

// holder names whose a claim is: the session that it was made in, or the person
// where it was made in none.
func (l *Lease) holder() string { return cmp.Or(l.In, l.By) }

// isOf reports whether a caller is the holder. What somebody of the user directory
// claimed is theirs alone: a session is named by whoever calls, and proves nothing.
func (l *Lease) isOf(m Mark, r Rules) bool {
	switch {
	case l.In == "":
		return l.By == m.who()
	case BareSession(l.In) != BareSession(m.In):
		return false
	}
	return l.By == m.who() || r.KnownUser == nil || !r.KnownUser(l.By)
}

// who is the person that stamps name.
func (m Mark) who() string { return cmp.Or(m.By, "host") }

// now is the time that a claim is judged at.
func (m Mark) now() time.Time {
	if m.Now.IsZero() {
		return m.At
	}
	return m.Now
}

// over says why a claim has ended by itself: "lease" where its time is up,
// "session" where the session is known to have ended; "" where nobody holds the
// task, and while somebody does. Doing without a lease never ends so.
func (t *Task) over(now time.Time, gone func(session string) bool) string {
	if t.Status != Doing || t.Lease == nil {
		return ""
	}
	if until, ok := ParseTime(t.Lease.Until); ok && !now.Before(until) {
		return leaseOver
	}
	if t.Lease.In != "" && gone != nil && gone(t.Lease.In) {
		return sessionOver
	}
	return ""
}

// held reports whether a task is in doing under a lease that still counts.
func (t *Task) held(now time.Time, gone func(session string) bool) bool {
	return t.Status == Doing && t.Lease != nil && t.over(now, gone) == ""
}

// asOf gives the task as it counts at a time: one whose claim is over, because its
// time is up or because its session is gone, is todo and nobody's. Everything else
// is the task itself. gone may be nil: then no session is known to have ended.
func (t *Task) asOf(now time.Time, gone func(session string) bool) *Task {
	if t.over(now, gone) == "" {
		return t
	}
	next := *t
	next.Status, next.Owner, next.Lease, next.Active = Todo, "", nil, ""
	return &next
}

// HeldByAnother says who holds a task, where that keeps the caller of an edit from
// changing it; "" where it does not.
func (t *Task) HeldByAnother(m Mark, r Rules) string {
	if !t.held(m.now(), r.Gone) || t.Lease.isOf(m, r) {
		return ""
	}
	return t.heldBy()
}

// heldBy is the first rule's refusal, without the word conflict.
func (t *Task) heldBy() string {
	text := t.ID + " is held by " + Visible(t.Lease.By)
	if t.Lease.In != "" {
		text += " in " + Visible(t.Lease.In)
	}
	if t.Lease.Until != "" {
		text += " until " + t.Lease.Until
	}
	return text
}

// reclaim makes a task whose claim is over todo again, and nobody's. One that is
// held, or never was, stays as it is.
func (b *Book) reclaim(e Reclaim, m Mark, r Rules) (Outcome, error) {
	old, err := b.knownTask(e.Task)
	if err != nil {
		return Outcome{}, err
	}
	why := old.over(m.now(), r.Gone)
	o, err := b.rewrite(old, old.asOf(m.now(), r.Gone), "reclaim", "task")
	if why != "" {
		o.Reclaimed = old.Lease.holder() + " " + why
	}
	return o, err
}

// claims reports whether a patch claims: it names doing, and as owner whoever calls.
// Doing with another's name gives the task to them, who may claim it.
func (f *Fields) claims(m Mark) bool {
	return f.Owner != nil && *f.Owner == m.who() && f.Status != nil && Status(*f.Status) == Doing
}

// releases reports whether a patch is what a release is.
func (f *Fields) releases() bool {
	return f.Owner != nil && *f.Owner == "" && f.Status != nil && Status(*f.Status) == Todo &&
		f.LeasedUntil != nil && f.LeasedUntil.IsZero()
}

// until gives the end of the lease that a patch names, the zero time for none;
// false where it names neither.
func (f *Fields) until(m Mark) (time.Time, bool) {
	switch {
	case f.LeaseFor != nil:
		return m.now().Add(*f.LeaseFor).Truncate(time.Millisecond), true
	case f.LeasedUntil != nil && !f.LeasedUntil.IsZero():
		return f.LeasedUntil.Truncate(time.Millisecond), true
	}
	return time.Time{}, f.LeasedUntil != nil
}

// takeLease takes who holds the task and until when, once its status and its owner
// are what they will be. A task that is not in doing is held by nobody.
func (t *Task) takeLease(old *Task, f *Fields, m Mark, r Rules) error {
	until, named := f.until(m)
	if named && !until.IsZero() && !until.After(m.now()) {
		return invalid("leasedUntil", mustBeFuture)
	}
	if t.Status != Doing {
		t.Lease = nil
		return nil
	}
	t.Lease = t.leaseAfter(old, f, m, r)
	switch {
	case !named:
	case until.IsZero() && t.Lease != nil:
		t.Lease.Until = ""
	case !until.IsZero() && t.Lease == nil:
		if t.Owner != "" && t.Owner != m.who() { // only they can say that they hold it
			return assigned(t.ID, t.Owner)
		}
		t.Lease = t.newLease(m)
		fallthrough
	case !until.IsZero():
		t.Lease.Until = FormatTime(until)
	}
	return nil
}

// newLease is a claim made now, for the task's owner: in the session of the call
// where the caller claims, in none where somebody else is named.
func (t *Task) newLease(m Mark) *Lease {
	l := &Lease{At: FormatTime(m.At), By: cmp.Or(t.Owner, m.who())}
	if l.By == m.who() {
		l.In = m.In
	}
	return l
}

// leaseAfter gives a task's lease, a copy, once a patch has named an owner or not.
func (t *Task) leaseAfter(old *Task, f *Fields, m Mark, r Rules) *Lease {
	var had *Lease
	if old.Lease != nil {
		copied := *old.Lease
		had = &copied
	}
	switch {
	case f.Owner == nil:
		return had
	case t.Owner == "":
		return nil
	case had == nil && !f.claims(m):
		return nil // it was given to somebody who has not claimed it
	case had == nil:
		return t.newLease(m)
	}
	next := t.newLease(m)
	switch mine := old.held(m.now(), r.Gone) && had.isOf(m, r); {
	case mine && (had.By != t.Owner || f.claims(m) && had.In != next.In): // handed on, or taken into a session
		next.Until = had.Until
		return next
	case mine, had.By == t.Owner && !f.claims(m):
		return had
	case t.Owner != m.who():
		return nil // it was taken from one and given to another, who has not claimed it
	}
	return next // taken over
}
