package channel

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/git-tasks/git-tasks/records"
	"github.com/git-tasks/git-tasks/tools"
)

// Type says what an action is.
type Type string

// The four actions of a plan's channel.
const (
	TaskAdded   Type = "x-ahpd-plans/taskAdded"   // a task of the plan was made, or moved to it
	TaskSet     Type = "x-ahpd-plans/taskSet"     // a task of the plan changed
	TaskRemoved Type = "x-ahpd-plans/taskRemoved" // a task left the plan
	PlanSet     Type = "x-ahpd-plans/set"         // the plan itself changed
)

// Action is a change as the channel of one plan sends it. Its JSON has the type
// and the one of task, taskId and plan that goes with it. Actions are shared: they
// must not be changed.
type Action struct {
	On     string // the plan whose channel it is on; not part of the JSON
	Type   Type
	Task   *records.Task // of TaskAdded and TaskSet
	TaskID string        // of TaskRemoved: the id it had
	Plan   *records.Plan // of PlanSet

	wire []byte
}

// MarshalJSON gives the action as it is sent.
func (a Action) MarshalJSON() ([]byte, error) {
	if a.wire != nil {
		return a.wire, nil
	}
	return wire(struct {
		Type   Type          `json:"type"`
		Task   *records.Task `json:"task,omitempty"`
		TaskID string        `json:"taskId,omitempty"`
		Plan   *records.Plan `json:"plan,omitempty"`
	}{a.Type, a.Task, a.TaskID, a.Plan})
}

// Actions gives what a move comes to, on the channels of all plans, in the order
// in which it is sent: removals, then plans, then the tasks that were added or
// set, each by number.
func Actions(m tools.Move) ([]Action, error) {
	c := collected{move: m, whole: map[string]bool{}}
	for _, change := range m.Changes {
		if err := c.plan(change.PlanBefore, change.PlanAfter); err != nil {
			return nil, err
		}
	}
	for _, change := range m.Changes {
		if err := c.task(change.Before, change.After); err != nil {
			return nil, err
		}
	}
	slices.SortStableFunc(c.removed, func(a, b Action) int { return cmp.Compare(number(a.TaskID), number(b.TaskID)) })
	slices.SortStableFunc(c.tasks, func(a, b Action) int { return cmp.Compare(number(a.Task.ID), number(b.Task.ID)) })
	return slices.Concat(c.removed, c.plans, c.tasks), nil
}

// collected are the actions of a move in the making.
type collected struct {
	move                  tools.Move
	whole                 map[string]bool // the plans that came or went, and all their tasks with them
	removed, plans, tasks []Action
}

// plan takes in what became of a plan, by number as the changes are.
func (c *collected) plan(before, after *records.Plan) error {
	switch {
	case before != nil && after != nil:
		was, err := Action{Type: PlanSet, Plan: before}.MarshalJSON()
		if err != nil {
			return err
		}
		return add(&c.plans, Action{On: after.ID, Type: PlanSet, Plan: after}, was)
	case after != nil:
		c.whole[after.ID] = true
		if err := add(&c.plans, Action{On: after.ID, Type: PlanSet, Plan: after}, nil); err != nil {
			return err
		}
		tasks, err := c.move.Book.TasksOf(after.ID)
		if err != nil {
			return err
		}
		for t := range tasks {
			if err := add(&c.tasks, Action{On: after.ID, Type: TaskAdded, Task: t}, nil); err != nil {
				return err
			}
		}
	case before != nil:
		c.whole[before.ID] = true
		tasks, err := c.move.Before.TasksOf(before.ID)
		if err != nil {
			return err
		}
		for t := range tasks {
			if err := add(&c.removed, Action{On: before.ID, Type: TaskRemoved, TaskID: t.ID}, nil); err != nil {
				return err
			}
		}
	}
	return nil
}

// task takes in what became of a task, but for the plans that came or went.
func (c *collected) task(before, after *records.Task) error {
	was, err := c.shownOn(c.move.Before, before)
	if err != nil {
		return err
	}
	is, err := c.shownOn(c.move.Book, after)
	if err != nil {
		return err
	}
	if was != "" && was == is {
		old, err := Action{Type: TaskSet, Task: before}.MarshalJSON()
		if err != nil {
			return err
		}
		return add(&c.tasks, Action{On: is, Type: TaskSet, Task: after}, old)
	}
	if was != "" {
		if err := add(&c.removed, Action{On: was, Type: TaskRemoved, TaskID: before.ID}, nil); err != nil {
			return err
		}
	}
	if is != "" {
		return add(&c.tasks, Action{On: is, Type: TaskAdded, Task: after}, nil)
	}
	return nil
}

// shownOn gives the plan that shows a task, "" for none.
func (c *collected) shownOn(book *records.Book, t *records.Task) (string, error) {
	if t == nil || t.Plan == "" || c.whole[t.Plan] {
		return "", nil
	}
	plan, err := planOf(book, t.Plan)
	if err != nil || plan == nil {
		return "", err
	}
	return plan.ID, nil
}

// add encodes an action once for all who will send it, and keeps it unless it
// says what was said before.
func add(to *[]Action, a Action, before []byte) error {
	var err error
	if a.wire, err = a.MarshalJSON(); err == nil && !bytes.Equal(a.wire, before) {
		*to = append(*to, a)
	}
	return err
}
