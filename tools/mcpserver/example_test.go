package mcpserver_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

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
	if err := mcpserver.Serve(context.Background(), s, mcpserver.Client{Who: tools.Who{Person: "ana"}, Offered: tools.All()}, in, &out); err != nil {
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

// A program that serves MCP over a transport of its own settles who is behind a
// call.
func ExampleNew() {
	s, done, err := toolstest.OpenExample(tools.Config{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer done()

	server := mcpserver.New(s, func(*mcp.RequestExtra, mcp.Meta) (tools.Caller, error) {
		return s.Caller(tools.Who{Person: "ana"})
	})
	ours, theirs := mcp.NewInMemoryTransports()
	ctx := context.Background()
	if _, err := server.Connect(ctx, ours, nil); err != nil {
		fmt.Println(err)
		return
	}
	session, err := mcp.NewClient(&mcp.Implementation{Name: "example"}, nil).Connect(ctx, theirs, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer session.Close()
	answer, err := session.CallTool(ctx, &mcp.CallToolParams{Name: "plan_create",
		Arguments: map[string]any{"title": "Ship", "scope": map[string]any{"kind": "bot", "bot": "pilot"}}})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(answer.Content[0].(*mcp.TextContent).Text)
	// Output: p1 draft Ship
}
