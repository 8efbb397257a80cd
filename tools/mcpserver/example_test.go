package mcpserver_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/git-tasks/git-tasks/tools"
	"github.com/git-tasks/git-tasks/tools/mcpserver"
	"github.com/git-tasks/git-tasks/tools/toolstest"
)

type output struct{ bytes.Buffer }

func (*output) Close() error { return nil }

// A client that starts the program writes its messages to standard input, a
// line each, and reads the answers from standard output.
func ExampleServe() {
	s, done, err := toolstest.OpenExample(tools.Config{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer done()

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
