package tools_test

import (
	"context"
	"fmt"

	"github.com/git-tasks/git-tasks/tools"
	"github.com/git-tasks/git-tasks/tools/toolstest"
	"github.com/git-tasks/git-tasks/translate"
)

// A host hands over what a session's harness says of its own list.
func ExampleStore_PlanUpdate() {
	s, done, err := toolstest.OpenExample(tools.Config{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer done()
	caller, err := s.Caller(tools.Who{Session: "one"})
	if err != nil {
		fmt.Println(err)
		return
	}
	ctx := context.Background()
	for _, status := range []string{"in_progress", "in_progress", "completed"} {
		planned, err := s.PlanUpdate(ctx, caller, translate.Update{Session: "one", Tool: "update_plan",
			List: []translate.Entry{{Text: "Read the lexer", Status: status}}})
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(planned.Plan, planned.Tasks, planned.Commit != "")
	}
	_, err = s.PlanUpdate(ctx, caller, translate.Update{Session: "one", Tool: "TaskUpdate",
		Change: &translate.Change{ID: "8", Status: "completed"}})
	fmt.Println(err)
	// Output:
	// p1 [t1] true
	// p1 [t1] false
	// p1 [t1] true
	// Invalid plan_update input: text must be a non-empty string.
}
