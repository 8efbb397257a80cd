package channel

import (
	"encoding/json"
	"slices"

	"github.com/git-tasks/git-tasks/records"
)

// Scheme is what the address of a plan's channel begins with; the plan's id
// follows.
const Scheme = "x-ahpd-plans://"

// State is a plan and the tasks that name it, by number. Its JSON is
// {"plan": …, "tasks": […]}.
type State struct {
	Plan  *records.Plan
	Tasks []*records.Task
}

// Snapshot gives the state of a plan, nil where the Book has no such plan.
func Snapshot(book *records.Book, plan string) (*State, error) {
	record, err := planOf(book, plan)
	if err != nil || record == nil {
		return nil, err
	}
	tasks, err := book.TasksOf(plan)
	if err != nil {
		return nil, err
	}
	return &State{record, slices.Collect(tasks)}, nil
}

// planOf gives a plan whose channel has this very id.
func planOf(book *records.Book, id string) (*records.Plan, error) {
	plan, err := book.Plan(id)
	if err != nil || plan == nil || plan.ID != id {
		return nil, err
	}
	return plan, nil
}

// Reduce makes the state that follows from an action of its channel.
func (s *State) Reduce(a Action) {
	switch a.Type {
	case PlanSet:
		s.Plan = a.Plan
	case TaskRemoved:
		if i, ok := s.find(a.TaskID); ok {
			s.Tasks = slices.Delete(s.Tasks, i, i+1)
		}
	case TaskAdded, TaskSet:
		i, ok := s.find(a.Task.ID)
		if !ok {
			s.Tasks = slices.Insert(s.Tasks, i, nil)
		}
		s.Tasks[i] = a.Task
	}
}

func (s *State) find(id string) (int, bool) {
	return slices.BinarySearchFunc(s.Tasks, id, func(t *records.Task, id string) int {
		return number(t.ID) - number(id)
	})
}

// number gives that of an id, 0 for what is none.
func number(id string) int {
	_, n, _ := records.ParseID(id)
	return n
}

// MarshalJSON gives the state as it is sent.
func (s State) MarshalJSON() ([]byte, error) {
	tasks := s.Tasks
	if tasks == nil {
		tasks = []*records.Task{}
	}
	return wire(struct {
		Plan  *records.Plan   `json:"plan"`
		Tasks []*records.Task `json:"tasks"`
	}{s.Plan, tasks})
}

// wire gives a value as JSON whose texts have \n for every line end.
func wire(v any) ([]byte, error) {
	data, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	return unixLines(data), nil
}

// unixLines makes every \r\n and \r that the texts of a document have one \n, in
// place. In JSON each is written with a backslash, and nothing but a text has one.
func unixLines(data []byte) []byte {
	out := data[:0]
	for i := 0; i < len(data); i++ {
		if data[i] != '\\' {
			out = append(out, data[i])
			continue
		}
		i++
		if data[i] != 'r' {
			out = append(out, '\\', data[i])
			continue
		}
		out = append(out, '\\', 'n')
		if i+2 < len(data) && data[i+1] == '\\' && data[i+2] == 'n' {
			i += 2
		}
	}
	return out
}
