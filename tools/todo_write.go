package tools

import (
	"fmt"
	"slices"
	"strings"

	"github.com/git-tasks/git-tasks/records"
	"github.com/git-tasks/git-tasks/translate"
)

var todoWrite = &Tool{
	Name:       "todo_write",
	Doc:        "Makes the todo list of your session what you say: all of it each time. A step moves from pending to in_progress to completed, never back; an empty list clears it.",
	Idempotent: true,
	Fields: []Field{{Name: "todos", Form: Objects, items: []Field{
		{Name: "id", Form: Named, Doc: "stays the same"},
		{Name: "content", Form: Named},
		{Name: "status", Form: Chosen, Choices: []string{"pending", "in_progress", "completed"}},
		{Name: "priority", Form: Choice, Choices: priorities},
		{Name: "activeForm", Form: Text, Doc: "what is being done, while in_progress"},
	}, Doc: "every step, in order"}},
	Example: `{"todos":[]}`,
	run: func(c *call) (Answer, error) {
		update, err := c.todoList()
		if err != nil {
			return Answer{}, err
		}
		made, err := c.store.translated(c.ctx, c.caller, c.tool.Name, update)
		if err == nil && made.refused != nil {
			err = made.refused
		}
		if err != nil {
			return Answer{}, err
		}
		answer, err := made.records()
		answer.Text = strings.Join(append([]string{todoText(made.shown(c.in.Todos), made.done)}, made.leftTo()...), "\n")
		return answer, err
	},
}

const mustKnowSession = "session must be known: say it by --session or GIT_TASKS_SESSION, over HTTP by git-tasks/session in _meta."

// maxTodos is how many steps a list may have: what a session works through, not a
// store.
const maxTodos = 1000

// todo is one step of the list as it was written.
type todo struct{ id, content, status, priority, active string }

func todosOf(value any) []todo {
	objects, _ := value.([]map[string]any)
	list := make([]todo, len(objects))
	for i, o := range objects {
		word := func(name string) string { s, _ := o[name].(string); return s }
		list[i] = todo{word("id"), word("content"), word("status"), word("priority"), word("activeForm")}
	}
	return list
}

// todoList is the list as an update of the session's plan, or the refusal of one that
// no plan can hold.
func (c *call) todoList() (translate.Update, error) {
	u := translate.Update{Session: c.caller.session, Agent: c.caller.agent, Tool: c.tool.Name, Checked: true, List: []translate.Entry{}}
	if records.BareSession(u.Session) == "" {
		return u, invalid("session", mustKnowSession)
	}
	if len(c.in.Todos) > maxTodos {
		return u, invalid("todos", fmt.Sprintf("todos must be at most %d steps.", maxTodos))
	}
	first := map[string]int{}
	for i, t := range c.in.Todos {
		before, repeats := first[t.id]
		switch {
		case repeats:
			return u, invalid("todos", fmt.Sprintf("todos[%d].id must not be that of todos[%d].", i, before))
		case translate.IsBlank(t.content):
			return u, invalid("todos", fmt.Sprintf("todos[%d].content must be a non-empty string.", i))
		}
		first[t.id] = i
		u.List = append(u.List, translate.Entry{ID: t.id, Text: t.content, Status: t.status, Priority: t.priority, Active: t.active})
	}
	return u, nil
}

// records answers the plan and the steps of the list, in its order.
func (t *translation) records() (Answer, error) {
	a := Answer{Records: []any{}, Commit: t.Commit}
	for _, id := range append([]string{t.Plan}, t.Tasks...) {
		record, err := t.book.Record(id)
		if err != nil {
			return a, err
		}
		if record != nil {
			a.Records = append(a.Records, record)
		}
	}
	return a, nil
}

// shown is a list as it stands now: the steps that others hold are as those have them.
func (t *translation) shown(list []todo) []todo {
	held := map[string]*records.Task{}
	for _, task := range t.held {
		held[task.ID] = task
	}
	list = slices.Clone(list)
	for i := range list {
		if task := held[t.Tasks[i]]; task != nil {
			list[i].content, list[i].status = task.Title, translate.Word(task.Status)
		}
	}
	return list
}

// leftTo says, a line each, which steps others hold, in the list or taken off it.
func (t *translation) leftTo() (lines []string) {
	for _, task := range t.held {
		lines = append(lines, t.isHeld(task)+": left to them as it is.")
	}
	return lines
}

// manyDone is how many steps completed at once ask for one that verifies them.
const manyDone = 3

// todoText shows a list: how much of it is where, a line a step, and, where much was
// completed at once and nothing says that it was verified, a word on that.
func todoText(list []todo, done int) string {
	of, verifies := map[string]int{}, false
	var steps []string
	for _, t := range list {
		of[t.status]++
		verifies = verifies || strings.Contains(strings.ToLower(t.content), "verif")
		steps = append(steps, todoMark(t.status)+" "+records.Visible(t.content))
	}
	lines := []string{todoCounts(of)}
	if len(steps) > 0 {
		lines = append(append(lines, ""), steps...)
	}
	if done >= manyDone && !verifies {
		lines = append(lines, fmt.Sprintf("%d steps were completed at once: add a step that verifies them, before you call it done.", done))
	}
	return strings.Join(lines, "\n")
}

// todoCounts is the first line of a list, by how many steps each word has.
func todoCounts(of map[string]int) string {
	pending, doing, completed := of["pending"], of["in_progress"], of["completed"]
	return fmt.Sprintf("Todo list (%d total: %d pending, %d in progress, %d completed)", pending+doing+completed, pending, doing, completed)
}

// todoMark is what a step's line begins with.
func todoMark(word string) string {
	switch word {
	case "completed":
		return "[x]"
	case "in_progress":
		return "[~]"
	}
	return "[ ]"
}
