package tools_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"syscall"

	"github.com/git-tasks/git-tasks/records"
	"github.com/git-tasks/git-tasks/tools"
	"github.com/git-tasks/git-tasks/tools/toolstest"
)

// A front opens the list, settles once who calls, and prints what a call
// answers. A refusal is an error in the words for an agent; its code says what
// sort it is.
func ExampleCall() {
	s, done, err := toolstest.OpenExample(tools.Config{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer done()
	ana, err := s.Caller(tools.Who{Person: "ana", Folder: "/srv/work"})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, call := range []struct{ tool, input string }{
		{"task_add", `{"title":"Read the plan","priority":"high"}`},
		{"task_set", `{"task":"t1","status":"doing"}`},
		{"task_set", `{"task":"t7","status":"doing"}`},
	} {
		answer, err := tools.Call(context.Background(), s, ana, call.tool, json.RawMessage(call.input))
		if err != nil {
			fmt.Println(tools.AsError(err).Code+":", err)
			continue
		}
		fmt.Println(answer.Text)
	}
	// Output:
	// t1 todo high Read the plan
	// t1 doing high Read the plan
	// not_found: Invalid task_set input: task must match the id of a known task (see task_list).
}

// What is no tool changes the list by steps: each becomes a commit, and all
// land in one ref move or none does. What they are is decided by the Book at the
// tip, which nobody moves meanwhile.
func ExampleStore_Update() {
	s, done, err := toolstest.OpenExample(tools.Config{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer done()
	doneAlready := string(records.Done)
	title := "Import the old list"
	result, err := s.Update(context.Background(), s.HostCaller(), "import", func(book *records.Book) ([]tools.Step, error) {
		if task, err := book.Task("t1"); task != nil || err != nil {
			return nil, err // imported before
		}
		return []tools.Step{
			{Edit: records.AddTask{Fields: records.Fields{Title: &title}}},
			{Edit: records.SetTask{Task: "t1", Fields: records.Fields{Status: &doneAlready}}, Subject: "t1 was done already"},
		}, nil
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	task, err := result.Book.Task("t1")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(result.IDs, result.Commit.IsZero(), task.Line())
	events, err := s.History("t1")
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, e := range events {
		fmt.Printf("%s (%s): %s\n", e.By, e.Tool, e.What)
	}
	// Output:
	// [t1 t1] false t1 done medium Import the old list
	// host (import): t1 was done already
	// host (import): t1 add: Import the old list
}

// Where nobody is behind a call, whoever owns the session is.
func ExampleStore_ReportSession() {
	s, done, err := toolstest.OpenExample(tools.Config{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer done()
	if err := s.ReportSession(context.Background(), tools.Session{Session: "one", Owner: "user:bob", Title: "Parser"}); err != nil {
		fmt.Println(err)
		return
	}
	known, err := s.Session("ahp-session:/one")
	fmt.Println(known.Title, err)
	for _, who := range []tools.Who{{Session: "one"}, {Person: "ana", Session: "one"}, {}} {
		caller, err := s.Caller(who)
		fmt.Println(caller.By(), err)
	}
	// Output:
	// Parser <nil>
	// bob <nil>
	// ana <nil>
	// host <nil>
}

// What a tool takes is said once: a front makes of it what its users read.
func ExampleTool() {
	for _, f := range tools.Find("task_set").Fields[:4] {
		fmt.Println(f.Name, f.Required(), f.Choices, f.Clears)
	}
	// Output:
	// task true [] false
	// title false [] false
	// status false [todo doing blocked review done dropped] false
	// priority false [high medium low] true
}

// Every code ends a command, a request of HTTP, one of MCP and one of AHP in its
// own way. A call of a tool over MCP is a result with isError whatever the code.
func ExampleCodes() {
	for _, code := range tools.Codes() {
		fmt.Println(code, code.Exit(), code.Status(), code.MCP(), code.AHP())
	}
	// Output:
	// internal 1 500 -32603 -32603
	// invalid 2 400 -32602 -32602
	// not_found 3 404 -32602 -32001
	// conflict 4 409 -32600 -32011
	// held 4 423 -32600 -32011
	// busy 4 429 -32600 -32011
	// denied 5 403 -32600 -32009
	// unauthenticated 5 401 -32600 -32007
	// unreachable 6 503 -32603 -32603
}

// A test sees what a call says when the disk fails, without a disk that does.
func ExampleConfig() {
	s, done, err := toolstest.OpenExample(tools.Config{Fault: func(op, path string) error { return syscall.ENOSPC }})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer done()
	_, err = tools.Call(context.Background(), s, s.HostCaller(), "task_add", json.RawMessage(`{"title":"A"}`))
	fmt.Println(tools.AsError(err).Code)
	fmt.Println(errors.Is(err, syscall.ENOSPC))
	// Output:
	// internal
	// true
}
