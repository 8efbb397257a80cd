package tools

import (
	"fmt"

	"github.com/git-tasks/git-tasks/records"
)

var taskList = &Tool{
	Name:       "task_list",
	Doc:        "Lists tasks, one line each (id, status, priority, title); every filter given must match.",
	ReadOnly:   true,
	Idempotent: true,
	Fields: []Field{
		{Name: "status", Form: Choice, Choices: taskStatuses, plain: true, Doc: "only tasks of this status"},
		{Name: "approved", Form: Flag, plain: true, Doc: "has, or has not, an approved stamp"},
		{Name: "ready", Form: Flag, Doc: "todo, and all blockers done"},
		{Name: "by", Form: Text, Doc: "person in any stamp"},
		{Name: "since", Form: Time, Doc: "any stamp at or after, ISO-8601"},
		{Name: "plan", Form: Text, Kind: PlanRef, plain: true, Doc: "only tasks of this plan"},
		{Name: "owner", Form: Text, plain: true, Doc: "only tasks of this owner"},
		{Name: "labels", Form: Texts, plain: true, Doc: "all of them"},
		{Name: "text", Form: Text, Doc: "in title or body"},
		{Name: "limit", Form: Count, plain: true, Doc: "at most so many; the last line says what is left"},
		{Name: "after", Form: Text, Kind: TaskRef, Doc: "id from the last line"},
	},
	Example: `{"ready":true,"limit":50}`,
	run: func(c *call) (Answer, error) {
		in := c.in
		if err := c.knownPlan(text(in.Plan)); err != nil {
			return Answer{}, err
		}
		after, err := behind(text(in.After))
		if err != nil {
			return Answer{}, err
		}
		f := records.Filter{Status: records.Status(text(in.Status)), Approved: in.Approved, Ready: in.Ready, Rules: c.store.rules(),
			Plan: text(in.Plan), Owner: text(in.Owner), By: in.By, Text: in.Text}
		if in.Labels != nil {
			f.Labels = *in.Labels
		}
		if in.Since != nil {
			f.Since = *in.Since
		}
		page, left, err := c.book.Select(f, after, in.Limit)
		if err != nil {
			return Answer{}, err
		}
		return answerPage(c.book, page, left)
	},
}

// behind gives the number of the task that a page goes on after, 0 for the first
// page. In a list without subtasks and moves it may have been removed meanwhile.
func behind(after string) (int, error) {
	if after == "" {
		return 0, nil
	}
	kind, n, ok := records.ParseID(after)
	if !ok || kind != records.TaskKind {
		return 0, records.Unknown("after", records.TaskKind, after)
	}
	return n, nil
}

// knownPlan refuses a plan that is not there and that no task names either: an
// empty list would hide that it was misspelt.
func (c *call) knownPlan(id string) error {
	if id == "" {
		return nil
	}
	plan, err := c.book.Plan(id)
	if err != nil || plan != nil {
		return err
	}
	page, _, err := c.book.Select(records.Filter{Plan: id}, 0, 1)
	if err == nil && len(page) == 0 {
		err = records.Unknown("plan", records.PlanKind, id)
	}
	return err
}

// answerPage ends a page with what it leaves out and where to go on.
func answerPage(book *records.Book, page []*records.Listed, left int) (Answer, error) {
	var l list
	for _, t := range page {
		l.addUnder(t.Depth, t.Task, t)
	}
	if left > 0 {
		more := "tasks match"
		if left == 1 {
			more = "task matches"
		}
		l.left = fmt.Sprintf("%d more %s; go on with after %s", left, more, page[len(page)-1].ID)
	}
	return l.answer(book, "No tasks match.")
}
