package serve_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"

	"github.com/git-tasks/git-tasks/cmd/internal/serve"
	"github.com/git-tasks/git-tasks/tools"
	"github.com/git-tasks/git-tasks/tools/toolstest"
)

// A host on a free port tells where it is, and answers how it is.
func ExampleRun() {
	s, done, err := toolstest.OpenExample(tools.Config{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer done()

	ctx, stop := context.WithCancel(context.Background())
	err = serve.Run(ctx, serve.Config{Store: s, Listen: "127.0.0.1:0", Ready: func(address string) error {
		defer stop()
		resp, err := http.Get(address + "/healthz")
		if err != nil {
			return err
		}
		defer resp.Body.Close()
		var h serve.Health
		if err := json.NewDecoder(resp.Body).Decode(&h); err != nil {
			return err
		}
		fmt.Println(resp.Status, h.Tasks, "tasks,", h.Unreadable, "unreadable")
		return nil
	}})
	fmt.Println(err)
	// Output:
	// 200 OK 0 tasks, 0 unreadable
	// <nil>
}
