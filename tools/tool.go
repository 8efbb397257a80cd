package tools

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"github.com/git-tasks/git-tasks/records"
	"github.com/git-tasks/git-tasks/repo"
)

// Tool is one thing that can be asked of the list. The schema, the help and
// the README's table are made of it.
type Tool struct {
	Name       string
	Doc        string // what it does, in one or two sentences
	ReadOnly   bool
	Idempotent bool    // asked again in the same words it changes nothing more
	Fields     []Field // in the order in which they are checked
	Example    string  // an input that it takes once there are p1 and t1
	run        func(*call) (Answer, error)
}

// Answer is what a tool says: one line per record in Text, without a newline
// at the end, and the same records as values that marshal to the file's keys.
// Every front that speaks JSON sends it as {"records":[…],"commit":"…"}.
type Answer struct {
	Text    string `json:"-"`
	Records []any  `json:"records"`          // *records.Task, *records.Plan and, of task_get, *detail.Task; never nil in an answer
	Commit  string `json:"commit,omitempty"` // the commit made, "" where nothing changed
	// Replaced is the commit that the change of a task was made to.
	Replaced string `json:"replaced,omitempty"`
	// Notes are the lines of a list that are of none of its records: what a limit left
	// out, and see [Notes].
	Notes []string `json:"notes,omitempty"`
}

// all is every tool, in the order in which they are shown.
var all = []*Tool{
	planCreate, planSet, planShow, planList,
	taskAdd, taskSet, taskList,
	planApprove, taskApprove, taskReview,
	taskGet,
	taskClaim, taskRelease, taskRemove,
	todoWrite, taskGraph,
}

// All gives every tool, in the order in which they are shown.
func All() []*Tool { return append([]*Tool(nil), all...) }

// core names the tools that are enough for an agent which takes up tasks and keeps a
// list, each with the fields that such an agent needs.
var core = map[string]string{
	"task_add":     "title priority labels plan parent blockedBy note body",
	"task_set":     "task title status priority labels plan owner blockedBy active note body output",
	"task_list":    "status ready plan owner labels text limit after",
	"task_get":     "task packet",
	"task_claim":   "task next plan leaseFor active",
	"task_release": "task",
	"plan_show":    "plan",
	"todo_write":   "todos",
}

// Core gives a tool as it is offered among those that are enough for an agent which
// takes up tasks and keeps a list: without the fields that it need not know, which are
// taken all the same. It is nil where the tool is none of those.
func (t *Tool) Core() *Tool {
	named, ok := core[t.Name]
	if !ok {
		return nil
	}
	few := *t
	few.Fields = slices.DeleteFunc(slices.Clone(t.Fields), func(f Field) bool { return !slices.Contains(strings.Fields(named), f.Name) })
	return &few
}

// Find gives a tool by name, nil where there is none.
func Find(name string) *Tool {
	for _, t := range all {
		if t.Name == name {
			return t
		}
	}
	return nil
}

// call is one call while it is answered.
type call struct {
	ctx    context.Context
	store  *Store
	caller Caller
	tool   *Tool
	book   *records.Book // at the tip when the call came in
	in     input
	trial  bool // the edit is to be judged, not made

	key  string  // of the call, with the digest of its input; "" for none
	seen repo.ID // no commit up to this one has it
}

// Call answers one call of a tool. input is a JSON object as a model writes it.
// Every error is an [Error].
func Call(ctx context.Context, s *Store, c Caller, name string, input json.RawMessage) (Answer, error) {
	answer, err := makeCall(ctx, s, c, name, input)
	if err != nil {
		if Find(name) == nil {
			name = "unknown"
		}
		// Nothing that was given: it may be anything.
		s.log.Info("a call was refused", "tool", name, "by", c.by, "session", c.session, "code", AsError(err).Code)
	}
	return answer, err
}

func makeCall(ctx context.Context, s *Store, c Caller, name string, input json.RawMessage) (Answer, error) {
	tool := Find(name)
	if tool == nil {
		return Answer{}, &Error{Code: NotFound, Message: "there is no tool " + records.Visible(name) + "."}
	}
	began := s.now()
	book, _, err := s.Book()
	if err != nil {
		return Answer{}, err
	}
	asked := &call{ctx: ctx, store: s, caller: c, tool: tool, book: book}
	if answer, found, err := asked.again(input); err != nil {
		return Answer{}, asked.refused(err)
	} else if found {
		return answer, nil
	}
	asked.in, err = tool.readInput(book, input)
	if err != nil {
		return Answer{}, asked.refused(asked.firstFault(err))
	}
	if c.session != "" && !tool.ReadOnly {
		s.sawSession(ctx, c.session, began)
	}
	answer, err := tool.run(asked)
	if err != nil {
		return Answer{}, asked.refused(err)
	}
	return answer, nil
}

// firstFault gives the fault of the input that comes first in declared order:
// the one that reading the fields ended with, or what the edit itself would be
// refused for because of a field before it.
func (c *call) firstFault(fault error) error {
	var found, earlier *records.Refusal
	if !errors.As(fault, &found) || c.tool.place(found.Field) < 1 {
		return fault
	}
	c.trial = true
	_, err := c.tool.run(c)
	if errors.As(err, &earlier) {
		if at := c.tool.place(earlier.Field); at >= 0 && at < c.tool.place(found.Field) {
			return earlier
		}
	}
	return fault
}

// place is where a field stands in declared order, negative for none.
func (t *Tool) place(field string) int {
	return slices.IndexFunc(t.Fields, func(f Field) bool { return f.Name == field })
}

// refused puts a refusal of the input in the tool's own words, and names the
// tool that helps on.
func (c *call) refused(err error) *Error {
	e := AsError(err)
	refusal, ok := e.Err.(*records.Refusal)
	if !ok || refusal.Kind == records.Conflict || refusal.Kind == records.Held {
		return e
	}
	return &Error{Code: e.Code, Message: "Invalid " + c.tool.Name + " input: " + e.Message, Next: refusal.See, Tool: c.tool.Name, Err: refusal}
}

// change commits one edit and answers the line of the record it is about.
func (c *call) change(edit records.Edit) (Answer, error) {
	if c.trial {
		_, err := c.book.Apply(edit, c.store.mark(c.caller), c.store.rules())
		return Answer{}, err
	}
	result, first, err := c.update(func(*records.Book) ([]Step, error) {
		return []Step{{Edit: edit}}, nil
	})
	switch {
	case err != nil:
		return Answer{}, err
	case first != nil:
		return *first, nil
	}
	return c.answerChange(result)
}

// answerChange answers the line of the record that a change was about.
func (c *call) answerChange(result Result) (Answer, error) {
	answer, err := showRecord(result.Book, result.IDs[0])
	if !result.Commit.IsZero() {
		answer.Commit = result.Commit.String()
		switch c.tool.Name {
		case "task_set", "task_claim", "task_release", "task_remove":
			answer.Replaced = result.replaced.String()
		}
	}
	return answer, err
}
