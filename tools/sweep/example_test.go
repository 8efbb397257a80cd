package sweep_test

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/git-tasks/git-tasks/tools"
	"github.com/git-tasks/git-tasks/tools/sweep"
	"github.com/git-tasks/git-tasks/tools/toolstest"
)

// A plan that is done leaves the list with its tasks once it is older than the
// setting says.
func ExamplePass() {
	now := time.Date(2026, 10, 1, 10, 0, 0, 0, time.UTC)
	s, done, err := toolstest.OpenExample(tools.Config{Now: func() time.Time { return now },
		Settings: &tools.Settings{Options: tools.Options{SweepAfterDays: 30}}})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer done()
	for _, call := range []struct{ tool, input string }{
		{"plan_create", `{"title":"Ship it","scope":{"kind":"folder","folder":"/srv/work"}}`},
		{"task_add", `{"title":"Build","plan":"p1"}`},
		{"plan_set", `{"plan":"p1","status":"done"}`},
	} {
		if _, err := tools.Call(context.Background(), s, s.HostCaller(), call.tool, json.RawMessage(call.input)); err != nil {
			fmt.Println(err)
			return
		}
	}
	for _, days := range []int{30, 1} {
		now = now.AddDate(0, 0, days)
		swept, err := sweep.Pass(context.Background(), s)
		fmt.Println(swept, err)
	}
	// Output:
	// [] <nil>
	// [p1: 1 task] <nil>
}
