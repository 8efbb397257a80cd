package tools_test

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/git-tasks/git-tasks/repo"
	"github.com/git-tasks/git-tasks/tools"
	"github.com/git-tasks/git-tasks/tools/toolstest"
)

// A reader that remembers the last commit it was told of goes on behind it,
// whoever has changed the list meanwhile.
func ExampleStore_Feed() {
	s, done, err := toolstest.OpenExample(tools.Config{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer done()
	var last repo.ID // nothing was told yet
	for _, call := range []struct{ tool, input string }{
		{"task_add", `{"title":"Read the plan"}`},
		{"task_set", `{"task":"t1","status":"doing"}`},
	} {
		if _, err := tools.Call(context.Background(), s, s.HostCaller(), call.tool, json.RawMessage(call.input)); err != nil {
			fmt.Println(err)
			return
		}
		feed, err := s.Feed(last)
		if err != nil {
			fmt.Println(err)
			return
		}
		for move, err := range feed.Moves() {
			if err != nil {
				fmt.Println(err)
				return
			}
			for _, change := range move.Changes {
				fmt.Printf("%s: %s\n", move.By, change.After.Line())
			}
			last = move.At
		}
	}
	// Output:
	// host: t1 todo medium Read the plan
	// host: t1 doing medium Read the plan
}
