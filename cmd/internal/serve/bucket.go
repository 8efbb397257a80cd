package serve

import "time"

// bucket is how many calls somebody may still make: a second's worth at once, and
// from then on as many as come back, evenly. The zero bucket is full. Time that
// goes backwards brings none back.
type bucket struct {
	owed time.Duration // that must pass until all calls came back
	at   time.Time     // when that was so
}

// take takes a call, of so many a second, or reports that none is left.
func (b *bucket) take(now time.Time, perSecond int) bool {
	b.refill(now)
	after := b.owed + time.Second/time.Duration(perSecond)
	if after > time.Second {
		return false
	}
	b.owed = after
	return true
}

// full reports whether all calls came back: such a bucket is as a new one is.
func (b *bucket) full(now time.Time) bool {
	b.refill(now)
	return b.owed == 0
}

func (b *bucket) refill(now time.Time) {
	if since := now.Sub(b.at); since > 0 {
		b.owed, b.at = max(0, b.owed-since), now
	}
}
