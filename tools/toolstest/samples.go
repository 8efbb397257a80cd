package toolstest

import (
	"embed"
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/git-tasks/git-tasks/records"
	"github.com/git-tasks/git-tasks/tools"
)

//go:embed samples
var samples embed.FS

// Sequence is what a harness hands over in one session, payload by payload.
type Sequence struct {
	Sequence string   `json:"sequence"`
	Harness  string   `json:"harness"`
	Session  string   `json:"session"` // of payloads that name none
	Steps    []Sample `json:"steps"`
}

// Sample is a payload, and what the session's list holds after it: the plan, which
// is left out where it stays as it is, and the tasks, their ids by their places.
type Sample struct {
	Name    string          `json:"name"`
	Payload json.RawMessage `json:"payload"`
	Plan    *records.Plan   `json:"plan"`
	Tasks   []sampleTask    `json:"tasks"`
}

type sampleTask struct {
	ID        string          `json:"id"`
	Title     string          `json:"title"`
	Status    records.Status  `json:"status"`
	Priority  string          `json:"priority"`
	Source    *records.Source `json:"source"`
	Stamps    []string        `json:"stamps"`
	Active    string          `json:"active"`
	Note      string          `json:"note"`
	Body      string          `json:"body"`
	Labels    []string        `json:"labels"`
	BlockedBy []string        `json:"blockedBy"`
}

// Sequences gives the sequences of all harnesses.
func Sequences(t testing.TB) []Sequence {
	t.Helper()
	entries, err := samples.ReadDir("samples")
	if err != nil {
		t.Fatal(err)
	}
	var all []Sequence
	for _, e := range entries {
		data, err := samples.ReadFile("samples/" + e.Name())
		if err != nil {
			t.Fatal(err)
		}
		var s Sequence
		if err := json.Unmarshal(data, &s); err != nil {
			t.Fatalf("%s: %v", e.Name(), err)
		}
		all = append(all, s)
	}
	return all
}

// Play hands every payload of the sequence over, and compares the list after each.
func (q Sequence) Play(t testing.TB, s *tools.Store, take func(Sample)) {
	t.Helper()
	scope := q.Session
	for _, step := range q.Steps {
		take(step)
		if step.Plan != nil {
			scope = step.Plan.Scope.Session
		}
		plan, tasks := sampleOf(t, s, scope)
		if step.Plan != nil && (plan == nil || plan.Scope != step.Plan.Scope || plan.Title != step.Plan.Title ||
			plan.Status != step.Plan.Status || plan.Goal != "") {
			t.Fatalf("%s: the plan is %+v, not %+v", step.Name, plan, step.Plan)
		}
		if !slices.EqualFunc(tasks, step.Tasks, func(a, b sampleTask) bool { return reflect.DeepEqual(a, b.plain()) }) {
			got, _ := json.MarshalIndent(tasks, "", " ")
			want, _ := json.MarshalIndent(step.Tasks, "", " ")
			t.Fatalf("%s: the tasks are\n%s\nand should be\n%s", step.Name, got, want)
		}
	}
}

// plain has no list where it is empty.
func (t sampleTask) plain() sampleTask {
	for _, list := range []*[]string{&t.Labels, &t.BlockedBy} {
		if len(*list) == 0 {
			*list = nil
		}
	}
	return t
}

// sampleOf gives a session's plan, nil for none, and its tasks as samples have them.
func sampleOf(t testing.TB, s *tools.Store, session string) (*records.Plan, []sampleTask) {
	t.Helper()
	book, _, err := s.Book()
	if err != nil {
		t.Fatal(err)
	}
	plan, err := book.PlanOfSession(session)
	if err != nil {
		t.Fatal(err)
	}
	if plan == nil {
		return nil, nil
	}
	tasks, err := book.TasksOf(plan.ID)
	if err != nil {
		t.Fatal(err)
	}
	all := slices.Collect(tasks)
	place := map[string]string{}
	for i, task := range all {
		place[task.ID] = "t" + string(rune('1'+i))
	}
	var list []sampleTask
	for _, task := range all {
		one := sampleTask{ID: place[task.ID], Title: task.Title, Status: task.Status, Priority: strings.Fields(task.Line())[2],
			Source: task.Source, Active: task.Active, Note: task.Note, Body: task.Body, Labels: task.Labels}
		for name := range task.Stamps() {
			one.Stamps = append(one.Stamps, name)
		}
		for _, id := range task.BlockedBy {
			one.BlockedBy = append(one.BlockedBy, place[id])
		}
		list = append(list, one.plain())
	}
	return plan, list
}
