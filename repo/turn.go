package repo

import "context"

// turn is what is written together: calls, what they were answered so far, and
// the batch that their edits made.
type turn struct {
	reqs    []*request
	answers []answer
	batch   *batch // nil: no edit was run yet
	stale   bool   // the batch was made for a tip that did not come to be
	ahead   *ahead // nil: nobody looks
}

// begin is the moment from which the calls of a turn are answered by it. Those that
// were withdrawn before are in it no more, and what rests on their edits neither.
func (t *turn) begin() {
	kept := t.reqs[:0:0]
	for i, req := range t.reqs {
		req.mu.Lock()
		req.begun = !req.gone
		req.mu.Unlock()
		if req.begun {
			kept = append(kept, req)
		} else if i < len(t.answers) {
			t.batch, t.answers = nil, nil
		}
	}
	t.reqs = kept
}

// runTurn runs the edits of a turn on a tip: all of them, or those that were not
// run on it already.
func (r *Repo) runTurn(t *turn, base *Snapshot) {
	ahead := t.batch
	t.begin()
	if t.batch != nil && t.batch.base.id == base.id {
		t.batch.stand()
	} else {
		if ahead != nil {
			r.packers.put(ahead.packer)
		}
		t.stale = t.batch != nil
		t.batch, t.answers = newBatch(base), t.answers[:0]
	}
	for _, req := range t.reqs[len(t.answers):] {
		r.runNext(t, req)
	}
}

// runNext runs the edit of one call more and lays out what it made, so that little
// is left to do when the batch is to be written.
func (r *Repo) runNext(t *turn, req *request) {
	t.answers = append(t.answers, r.run(t.batch, req))
	t.batch.lay(&r.packers)
}

// answer tells every caller. An error is everybody's.
func (t *turn) answer(err error) {
	for i, req := range t.reqs {
		if err != nil {
			req.done <- answer{err: err}
		} else {
			req.done <- t.answers[i]
		}
	}
}

// ahead is the next turn in the making: while a batch is being written, which is
// mostly waiting for the disk, the edits of the calls that come are run on the
// tip that the batch is about to make. When it does not come to be, because the
// disk failed or another program moved the branch, they are run again.
type ahead struct {
	giveUp context.CancelFunc // no more edits are run
	turn   chan *turn
}

// lookAhead begins the turn that follows a batch.
func (r *Repo) lookAhead(b *batch) *ahead {
	ctx, cancel := context.WithCancel(context.Background())
	a := &ahead{giveUp: cancel, turn: make(chan *turn, 1)}
	go func() {
		t := &turn{}
		for ctx.Err() == nil {
			if reqs := r.door.take(min(1, maxBatch-len(t.reqs))); len(reqs) > 0 {
				if t.batch == nil {
					t.batch = b.next()
				}
				t.reqs = append(t.reqs, reqs[0])
				r.runNext(t, reqs[0])
				continue
			}
			select {
			case <-r.door.came:
			case <-ctx.Done():
			}
		}
		a.turn <- t
	}()
	return a
}

// end has no more edits run; nothing is looked ahead where a turn was made for a
// tip that did not come to be.
func (a *ahead) end() {
	if a != nil {
		a.giveUp()
	}
}

// stop gives the turn as far as it got, nil where no call came.
func (a *ahead) stop() *turn {
	if a == nil {
		return nil
	}
	a.end()
	if t := <-a.turn; len(t.reqs) > 0 {
		return t
	}
	return nil
}
