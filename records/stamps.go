package records

// stamp is a new stamp of the mark.
func (m Mark) stamp() *Stamp {
	by := m.By
	if by == "" {
		by = "host"
	}
	return &Stamp{At: FormatTime(m.At), By: by, In: m.In}
}

// move gives a task another status, with the stamps that go with it: started
// at the first doing, finished at the first of review, done or dropped. What
// is being done right now ends when the task leaves doing.
func (t *Task) move(to Status, m Mark) {
	if t.Status == to {
		return
	}
	if t.Status == Doing {
		t.Active = ""
	}
	t.Status = to
	switch to {
	case Doing:
		if t.Started == nil {
			t.Started = m.stamp()
		}
	case Review, Done, Dropped:
		if t.Finished == nil {
			t.Finished = m.stamp()
		}
	}
}

// move gives a plan another status; finished is stamped at the first of done or
// dropped.
func (p *Plan) move(to Status, m Mark) {
	if p.Status == to {
		return
	}
	p.Status = to
	if !to.Open() && p.Finished == nil {
		p.Finished = m.stamp()
	}
}
