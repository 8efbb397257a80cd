package records

// Status is where a task or a plan stands.
type Status string

// Every status. Draft and Active are a plan's alone, Done and Dropped are
// shared, the rest are a task's alone.
const (
	Todo    Status = "todo"
	Doing   Status = "doing"
	Blocked Status = "blocked"
	Review  Status = "review"
	Done    Status = "done"
	Dropped Status = "dropped"
	Draft   Status = "draft"
	Active  Status = "active"
)

// forTask reports whether a task may have the status.
func (s Status) forTask() bool {
	switch s {
	case Todo, Doing, Blocked, Review, Done, Dropped:
		return true
	}
	return false
}

// forPlan reports whether a plan may have the status.
func (s Status) forPlan() bool {
	switch s {
	case Draft, Active, Done, Dropped:
		return true
	}
	return false
}

// Open reports whether the status still counts as work to do: every one but
// done and dropped.
func (s Status) Open() bool { return s != Done && s != Dropped }

// move gives a task another status, with the stamps that go with it: started
// at the first doing, finished at the first of review, done or dropped.
func (t *Task) move(to Status, m Mark) {
	if t.Status == to {
		return
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
