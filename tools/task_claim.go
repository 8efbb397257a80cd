package tools

import "github.com/git-tasks/git-tasks/records"

var taskClaim = &Tool{
	Name: "task_claim",
	Doc:  "Takes a task, or the next, for you: doing, and nobody else may change it.",
	Fields: []Field{
		{Name: "task", Form: TaskID, open: true, plain: true, Doc: "task id"},
		{Name: "next", Form: Flag, Doc: "instead of task: the first that is ready and nobody's, of these:"},
		{Name: "plan", Form: Text, Kind: PlanRef, plain: true, Doc: "next of this plan"},
		{Name: "labels", Form: Texts, plain: true, Doc: "next with all of these"},
		{Name: "priority", Form: Choice, Choices: priorities, plain: true, Doc: "next of this priority"},
		leasedUntil,
		{Name: "leaseFor", Form: Span, Doc: "such as 30m"},
		{Name: "active", Form: Text, plain: true, Doc: "what is being done"},
		force, idempotencyKey,
	},
	Example: `{"task":"t1","leaseFor":"30m"}`,
	run: func(c *call) (Answer, error) {
		in := c.in
		switch {
		case in.Task == "" && !in.Next:
			return Answer{}, invalid("task", "task must be a non-empty string.")
		case in.Task != "" && in.Next:
			return Answer{}, invalid("next", "next must not be given with task.")
		case in.LeasedUntil != nil && in.LeaseFor != nil:
			return Answer{}, invalid("leaseFor", "leaseFor must not be given with leasedUntil.")
		case in.Next:
			return c.claimNext()
		}
		return c.change(c.claimOf(in.Task))
	},
}

// claimOf is the patch that a claim is; it checks nothing of its own.
func (c *call) claimOf(task string) records.Edit {
	doing := string(records.Doing)
	return records.SetTask{Task: task, Force: c.in.Force, Fields: records.Fields{Status: &doing, Owner: &c.caller.by,
		LeasedUntil: c.in.LeasedUntil, LeaseFor: c.in.LeaseFor, Active: c.in.Active}}
}

// claimNext claims the first task that is ready and nobody's. It is looked for in
// the write door, so no two calls find the same.
func (c *call) claimNext() (Answer, error) {
	if err := c.knownPlan(text(c.in.Plan)); err != nil || c.trial {
		return Answer{}, err
	}
	ready := true
	f := records.Filter{Ready: &ready, Unowned: true, Rules: c.store.rules(), Plan: text(c.in.Plan), Priority: records.Priority(text(c.in.Priority))}
	if c.in.Labels != nil {
		f.Labels = *c.in.Labels
	}
	result, first, err := c.update(func(book *records.Book) ([]Step, error) {
		page, _, err := c.store.asOfNow(book).Select(f, 0, 1)
		if err != nil || len(page) == 0 {
			return nil, err
		}
		return []Step{{Edit: c.claimOf(page[0].ID)}}, nil
	})
	switch {
	case err != nil:
		return Answer{}, err
	case first != nil:
		return *first, nil
	}
	if len(result.IDs) == 0 {
		return Answer{Text: "No task is ready.", Records: []any{}}, nil
	}
	return c.answerChange(result)
}
