package main

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/git-tasks/git-tasks/records"
	"github.com/git-tasks/git-tasks/tools"
)

const pageSize = 50

// question is a call that reads, and what a plain look at the shape answers.
type question struct {
	name, work, tool string
	input            func(*list) map[string]any
	match            func(*list) func(task) bool
}

func questions() []question {
	return []question{{
		"page-list", "task_list in the host, a page of 50", "task_list",
		func(*list) map[string]any { return map[string]any{"status": "todo"} },
		func(*list) func(task) bool { return func(t task) bool { return t.status == records.Todo } },
	}, {
		"page-ready", "task_list ready, a page of 50", "task_list",
		func(*list) map[string]any { return map[string]any{"ready": true} },
		func(l *list) func(task) bool { return l.ready },
	}, {
		"page-text", "task_list by text, a page of 50", "task_list",
		func(*list) map[string]any { return map[string]any{"text": "LEXER before the ledger"} },
		func(*list) func(task) bool {
			return func(t task) bool { return strings.Contains(t.text, "lexer before the ledger") }
		},
	}, {
		"page-plan", "plan_show", "plan_show",
		func(l *list) map[string]any { return map[string]any{"plan": l.middlePlan()} },
		func(l *list) func(task) bool {
			plan := l.middlePlan()
			return func(t task) bool { return t.plan == plan }
		},
	}}
}

func pageRows() []row {
	var list []row
	for _, q := range questions() {
		list = append(list, row{name: q.name, work: q.work, unit: "ms", beside: "git --version", budget: "≤ 5 ms", at: anySize,
			share: timeOf(5), run: q.run})
	}
	return list
}

// run asks a store that has read the list once.
func (q question) run(ctx context.Context, b *bench, l *list) (reading, error) {
	s, err := tools.Open(tools.Config{Path: l.dir})
	if err != nil {
		return reading{}, err
	}
	defer s.Close()
	input, err := json.Marshal(page(q.tool, q.input(l)))
	if err != nil {
		return reading{}, err
	}
	want := l.page(q.tool, q.match(l))
	ask := func() (float64, error) {
		start := time.Now()
		answer, err := tools.Call(ctx, s, s.HostCaller(), q.tool, input)
		spent := milliseconds(time.Since(start))
		if err != nil {
			return 0, err
		}
		return spent, b.same("the tasks", pageIn(answer.Text), want)
	}
	if _, err := ask(); err != nil { // what is read once is read
		return reading{}, err
	}
	return b.compare(20, false, ask, func() (float64, error) { return b.start(ctx) })
}

// page adds the limit to an input, where the tool takes one.
func page(tool string, input map[string]any) map[string]any {
	if paged(tool) {
		input["limit"] = pageSize
	}
	return input
}

func paged(tool string) bool {
	return slices.ContainsFunc(tools.Find(tool).Fields, func(f tools.Field) bool { return f.Name == "limit" })
}

// task is as much of a task as is asked for.
type task struct {
	number      int
	status      records.Status
	priority    records.Priority
	plan, title string
	blockedBy   []string
	text        string // title and body, in small letters
}

// all gives the tasks of a list as the shape has them at its end.
func (l *list) all() []task {
	if l.finals == nil {
		for n := range l.tasks {
			t := l.final(n + 1)
			l.finals = append(l.finals, task{n + 1, t.Status, t.Priority, t.Plan, t.Title, t.BlockedBy, strings.ToLower(t.Title + "\n" + t.Body)})
		}
	}
	return l.finals
}

// page gives the ids of the tasks that match, as many as a tool answers at once,
// and how many are left after which.
func (l *list) page(tool string, match func(task) bool) string {
	var ids []string
	for _, t := range l.all() {
		if match(t) {
			ids = append(ids, fmt.Sprintf("t%d", t.number))
		}
	}
	if left := len(ids) - pageSize; paged(tool) && left > 0 {
		ids = append(ids[:pageSize], fmt.Sprintf("%d more after %s", left, ids[pageSize-1]))
	}
	return strings.Join(ids, "\n")
}

// ready is what can be begun: to do, and all that it waits for done.
func (l *list) ready(t task) bool {
	return t.status == records.Todo && !slices.ContainsFunc(t.blockedBy, func(id string) bool {
		_, n, _ := records.ParseID(id)
		return l.all()[n-1].status != records.Done
	})
}

// middlePlan is the plan of the task in the middle.
func (l *list) middlePlan() string { return fmt.Sprintf("p%d", l.plan[l.tasks/2]) }

// pageIn gives the first words of the lines that are tasks, and what the last
// line says of the rest.
func pageIn(text string) string {
	var ids []string
	for line := range strings.SplitSeq(text, "\n") {
		id, _, _ := strings.Cut(line, " ")
		if k, _, ok := records.ParseID(id); ok && k == records.TaskKind {
			ids = append(ids, id)
		}
		if i := strings.LastIndex(line, " after t"); strings.Contains(line, " more task") && i > 0 {
			ids = append(ids, id+" more"+line[i:])
		}
	}
	return strings.Join(ids, "\n")
}
