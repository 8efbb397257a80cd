package tools_test

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/git-tasks/git-tasks/tools"
	"github.com/git-tasks/git-tasks/tools/toolstest"
)

// A worker claims a task for a while and is not heard of again: who reads finds it
// free, and the host writes that.
func ExampleStore_Reclaim() {
	clock := toolstest.NewClock()
	s, done, err := toolstest.OpenExample(tools.Config{Now: clock.Now})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer done()
	ctx := context.Background()
	call := func(session, tool, input string) {
		caller, err := s.Caller(tools.Who{Person: "pilot", Session: session})
		if err != nil {
			fmt.Println(err)
			return
		}
		answer, err := tools.Call(ctx, s, caller, tool, json.RawMessage(input))
		fmt.Println(answer.Text, err)
	}
	call("one", "task_add", `{"title":"Fix tabs"}`)
	call("one", "task_claim", `{"next":true,"leaseFor":"30m"}`)
	call("two", "task_claim", `{"task":"t1"}`)
	clock.Pass(30 * time.Minute)
	call("two", "task_list", `{"ready":true}`)
	next, err := s.Reclaim(ctx)
	fmt.Println(next.IsZero(), err)
	events, err := s.History("t1")
	fmt.Println(events[0].By, events[0].What, err)
	// Output:
	// t1 todo medium Fix tabs <nil>
	// t1 doing medium Fix tabs <nil>
	//  conflict: t1 is held by pilot in ahp-session:/one until 2026-10-18T10:30:00.000Z.
	// t1 todo medium Fix tabs <nil>
	// true <nil>
	// host t1 reclaim: Fix tabs <nil>
}
