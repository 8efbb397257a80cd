package repo

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

const (
	// maxBatch bounds how many callers share one pack and one ref move.
	maxBatch = 256
	// maxTries bounds how often a batch starts again because somebody else
	// moved the branch. Each time somebody else's change landed.
	maxTries = 200
)

// EditFunc looks at the tip and says what to commit on it, in order; none is
// fine. It may be called several times, on another tip each time, and must
// have no effect but what it returns. Its error refuses the call.
type EditFunc func(tip *Snapshot) ([]Proposal, error)

// Receipt says what became of a call of [Repo.Update].
type Receipt struct {
	Before  ID   // the tip the edit function was last run on
	Commits []ID // its commits, oldest first; none when it proposed none
}

// request is one caller waiting at the door.
type request struct {
	ctx  context.Context
	edit EditFunc
	at   time.Time // when it came
	done chan answer

	mu    sync.Mutex // held while the edit is run
	begun bool       // its turn is: it is answered by that
	gone  bool       // it was withdrawn before
}

type answer struct {
	Receipt
	err error
}

// door is the queue of one process.
type door struct {
	mu      sync.Mutex
	waiting []*request
	open    bool          // a goroutine is serving
	came    chan struct{} // gets a signal when a call came, where somebody looks ahead
}

// Update commits what edit proposes and returns when it is on disk and on the
// branch, or when nothing is. Calls that wait at the same time share a pack and
// a ref move, never a commit; a lone call waits for nobody. Errors are those of
// edit, an [Error], or what the system said of a file. A context that ends
// while the call is still waiting withdraws it; one that is being carried out
// is answered.
func (r *Repo) Update(ctx context.Context, edit EditFunc) (Receipt, error) {
	if err := ctx.Err(); err != nil {
		return Receipt{}, err
	}
	if r.objects.incoming != nil {
		return Receipt{}, errors.New("nothing is written while a push is being judged")
	}
	req := &request{ctx: ctx, edit: edit, at: time.Now(), done: make(chan answer, 1)}
	d := &r.door
	d.mu.Lock()
	d.waiting = append(d.waiting, req)
	if !d.open {
		d.open = true
		go r.serve()
	}
	select {
	case d.came <- struct{}{}:
	default:
	}
	d.mu.Unlock()
	select {
	case a := <-req.done:
		return a.Receipt, a.err
	case <-ctx.Done():
	}
	if d.withdraw(req) {
		return Receipt{}, ctx.Err()
	}
	a := <-req.done
	return a.Receipt, a.err
}

// withdraw takes a request out of the queue, or out of the turn that is made ahead,
// unless its turn has begun. Its edit is not run any more then.
func (d *door) withdraw(req *request) bool {
	if d.leave(req) {
		return true
	}
	req.mu.Lock()
	defer req.mu.Unlock()
	req.gone = !req.begun
	return req.gone
}

// leave takes a request out of the queue, if it is still there.
func (d *door) leave(req *request) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	i := slices.Index(d.waiting, req)
	if i >= 0 {
		d.waiting = slices.Delete(d.waiting, i, i+1)
	}
	return i >= 0
}

// take gives up to n of the calls that wait.
func (d *door) take(n int) []*request {
	d.mu.Lock()
	defer d.mu.Unlock()
	n = min(len(d.waiting), n)
	taken := d.waiting[:n:n]
	d.waiting = d.waiting[n:]
	return taken
}

// shut says that nobody serves any more, unless a call waits.
func (d *door) shut() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.open = len(d.waiting) > 0
	return !d.open
}

// serve carries out what waits, turn by turn, until nothing does.
func (r *Repo) serve() {
	for next := (*turn)(nil); next != nil || !r.door.shut(); {
		t := next
		if t == nil {
			t = &turn{reqs: r.door.take(maxBatch)}
		}
		if len(t.reqs) == 0 { // withdrawn
			continue
		}
		ctx, stop := patience(t.reqs)
		err := r.withLock(ctx, func() error { return r.writeTurn(t) })
		stop()
		t.answer(err)
		next = t.ahead.stop()
	}
}

// patience ends when nobody waits any more for the door: all callers have given
// up, or lockWait is over.
func patience(reqs []*request) (ctx context.Context, stop func()) {
	ctx, cancel := context.WithTimeout(context.Background(), lockWait)
	waiting := atomic.Int64{}
	waiting.Store(int64(len(reqs)))
	var stops []func() bool
	for _, req := range reqs {
		stops = append(stops, context.AfterFunc(req.ctx, func() {
			if waiting.Add(-1) == 0 {
				cancel()
			}
		}))
	}
	return ctx, func() {
		for _, stop := range stops {
			stop()
		}
		cancel()
	}
}

// writeTurn runs and lands the edits of a turn, from the start whenever the
// branch moved meanwhile. An error it returns is everybody's.
func (r *Repo) writeTurn(t *turn) error {
	if err := r.prepare(); err != nil {
		return err
	}
	for try := range maxTries {
		base, err := r.Tip()
		if err != nil {
			return err
		}
		t.reqs = append(t.reqs, r.door.take(maxBatch-len(t.reqs))...)
		r.runTurn(t, base)
		b := t.batch
		if b.tip.id == base.id {
			return nil
		}
		if try == 0 && !t.stale {
			t.ahead = r.lookAhead(b)
		}
		moved, err := r.land(b, t.reqs[0].at)
		if moved {
			t.ahead.end()
			t.batch = nil
			continue
		}
		if err != nil {
			b.fail(t.answers, err)
		}
		return nil
	}
	return &Error{Kind: Busy, Text: fmt.Sprintf("%s was moved by others %d times in a row", r.ref, maxTries)}
}

// fail gives a batch's error to every caller whose answer rests on the batch:
// those with commits in it, and those that judged a tip that is not to be.
func (b *batch) fail(answers []answer, err error) {
	for i, a := range answers {
		if len(a.Commits) > 0 || a.Before != b.base.id {
			answers[i] = answer{err: err}
		}
	}
}

// run lets one caller's edit grow the batch. One that refuses, or whose
// commits cannot all be made, leaves no trace in it.
func (r *Repo) run(b *batch, req *request) (a answer) {
	req.mu.Lock()
	defer req.mu.Unlock()
	if err := req.ctx.Err(); err != nil {
		return answer{err: err}
	}
	before := b.mark()
	a.Before = before.tip.id
	defer func() {
		if p := recover(); p != nil {
			a.err = fmt.Errorf("the edit failed: %v", p)
		}
		if a.err != nil {
			b.undo(before)
			a.Commits = nil
		}
	}()
	proposals, err := req.edit(before.tip)
	if err != nil {
		return answer{Receipt{Before: before.tip.id}, err}
	}
	for _, p := range proposals {
		id, err := p.Take, error(nil)
		if id.IsZero() {
			id, err = r.commit(b, p)
		} else {
			err = r.take(b, id)
		}
		if err != nil {
			a.err = err
			return a
		}
		a.Commits = append(a.Commits, id)
		if p.Made != nil {
			p.Made(b.tip)
		}
	}
	return a
}

// land makes a batch durable and moves the branch to it. since is when the first
// of its calls came.
func (r *Repo) land(b *batch, since time.Time) (moved bool, err error) {
	ref := r.refFile(b.tip.id)
	if len(b.order) == 0 { // all of it lies there already
		if err := r.disk.write(ref); err != nil {
			return false, err
		}
		return r.moveTo(b, ref.path, since)
	}
	defer r.packers.put(b.packer)
	p, err := b.packer.finish(b)
	if err != nil {
		return false, err
	}
	if err := r.writePack(p, ref); err != nil {
		return false, err
	}
	// Whoever sees the branch move at once finds what it moved to in memory.
	r.objects.add(b.objs)
	moved, err = r.moveTo(b, ref.path, since)
	if moved || err != nil && !IsKind(err, Unconfirmed) {
		r.givePackUp(p)
		return moved, err
	}
	r.releasePack(p)
	r.hints.note(b)
	r.packWritten()
	return false, err
}

// moveTo moves the branch to the tip of a batch, by the ref file own.
func (r *Repo) moveTo(b *batch, own string, since time.Time) (moved bool, err error) {
	commit, err := b.tip.commit(b.tip.id)
	if err != nil {
		r.disk.remove(own)
		return false, err
	}
	return r.moveRef(own, b.base.id, b.tip.id, commit.Subject(), since)
}

// prepare is done under the lock before each batch: it costs two listings of
// small folders, and any process may have died since the last one.
func (r *Repo) prepare() error {
	if err := r.refuseCheckedOut(); err != nil {
		return err
	}
	r.clearRefFiles("")
	r.clearPacks()
	return nil
}
