package mcpserver_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/git-tasks/git-tasks/repo"
	"github.com/git-tasks/git-tasks/tools"
	"github.com/git-tasks/git-tasks/tools/mcpserver"
)

type output struct{ bytes.Buffer }

func (*output) Close() error { return nil }

// A client that starts the program writes its messages to standard input, a
// line each, and reads the answers from standard output.
func ExampleServe() {
	dir, err := os.MkdirTemp("", "tasks")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	list := filepath.Join(dir, "records.git")
	if _, err := repo.Init(list); err != nil {
		fmt.Println(err)
		return
	}
	s, err := tools.Open(tools.Config{Path: list})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer s.Close()

	in := io.NopCloser(strings.NewReader(`
{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"example","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"task_add","arguments":{"title":"Read the plan"}}}
`))
	var out output
	if err := mcpserver.Serve(context.Background(), s, tools.Who{Person: "ana"}, in, &out); err != nil {
		fmt.Println(err)
		return
	}
	for line := range strings.Lines(out.String()) {
		var answer struct {
			ID     int
			Result struct{ Content []struct{ Text string } }
		}
		if err := json.Unmarshal([]byte(line), &answer); err == nil && answer.ID == 2 {
			fmt.Println(answer.Result.Content[0].Text)
		}
	}
	// Output: t1 todo medium Read the plan
}
