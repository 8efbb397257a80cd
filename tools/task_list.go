package tools

import (
	"time"

	"github.com/git-tasks/git-tasks/records"
)

var taskList = &Tool{
	Name:       "task_list",
	Doc:        "Lists tasks, one line each (id, status, priority, title); every filter given must match.",
	ReadOnly:   true,
	Idempotent: true,
	Fields: []Field{
		{Name: "status", Form: Choice, Choices: taskStatuses, Doc: "only tasks of this status"},
		{Name: "approved", Form: Flag, Doc: "only tasks with, or without, an approved stamp"},
		{Name: "ready", Form: Flag, Doc: "only tasks that can, or cannot, be started: todo, all blockers done"},
		{Name: "by", Form: Text, Doc: "only tasks with any stamp of this person"},
		{Name: "since", Form: Time, Doc: "only tasks with any stamp at or after this ISO-8601 time"},
	},
	Example: `{"ready":true}`,
	run: func(c *call) (Answer, error) {
		tasks, err := c.book.Tasks()
		if err != nil {
			return Answer{}, err
		}
		var l list
		for t := range tasks {
			match, err := c.matches(t)
			if err != nil {
				return Answer{}, err
			}
			if match {
				l.add(t)
			}
		}
		return l.answer(c.book, "No tasks match.")
	},
}

// matches reads the filters against a whole task, the cheap ones first.
func (c *call) matches(t *records.Task) (bool, error) {
	in := c.in
	if in.Status != nil && string(t.Status) != *in.Status {
		return false, nil
	}
	if in.Approved != nil && *in.Approved != (t.Approved != nil) {
		return false, nil
	}
	if in.By != "" && !stamped(t.Stamps(), func(s *records.Stamp) bool { return s.By == in.By }) {
		return false, nil
	}
	if in.Since != nil && !stamped(t.Stamps(), notBefore(*in.Since)) {
		return false, nil
	}
	if in.Ready != nil {
		is, err := c.book.Ready(t, c.store.Options().RequireApproval)
		return is == *in.Ready, err
	}
	return true, nil
}

func notBefore(since time.Time) func(*records.Stamp) bool {
	return func(s *records.Stamp) bool {
		at, ok := s.Time()
		return ok && !at.Before(since)
	}
}
