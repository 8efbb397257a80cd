package worker_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/git-tasks/git-tasks/tools"
	"github.com/git-tasks/git-tasks/tools/toolstest"
	"github.com/git-tasks/git-tasks/tools/worker"
)

// A worker runs its command for each task that is ready, and says what it comes to.
func ExampleRun() {
	s, done, err := toolstest.OpenExample(tools.Config{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer done()
	for _, task := range []string{`{"title":"Fix the login"}`, `{"title":"Say so","blockedBy":["t1"]}`} {
		if _, err := tools.Call(context.Background(), s, s.HostCaller(), "task_add", json.RawMessage(task)); err != nil {
			fmt.Println(err)
			return
		}
	}
	caller, err := s.Caller(tools.Who{Person: "ana", Session: "work-1"})
	if err != nil {
		fmt.Println(err)
		return
	}
	err = worker.Run(context.Background(), worker.Config{Store: s, Caller: caller, Lease: time.Hour, UntilEmpty: true,
		Command: []string{"/bin/sh", "-c", `read -r title; echo "$title"; test $GIT_TASKS_TASK = t1`}, Stdout: os.Stdout, Stderr: os.Stderr,
		Said: func(e worker.Event) { fmt.Println(strings.TrimSpace(e.Task + " " + e.What + " " + e.Why)) }})
	fmt.Println(err)
	// Output:
	// t1 claim
	// # t1 Fix the login
	// t1 done
	// t2 claim
	// # t2 Say so
	// t2 blocked exit 1
	// <nil>
}
