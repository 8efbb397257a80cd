package mcpserver_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/git-tasks/git-tasks/tools"
	"github.com/git-tasks/git-tasks/tools/toolstest"
)

// TestCases plays the cases that the tools play themselves through a client,
// over pipes, in both eras.
func TestCases(t *testing.T) {
	t.Parallel()
	for _, era := range []string{"2025-11-25", "2026-07-28"} {
		for _, c := range toolstest.Cases() {
			t.Run(era+"/"+c.Name, func(t *testing.T) {
				t.Parallel()
				f := front{era: era, sessions: map[tools.Who]*mcp.ClientSession{}, connect: func(s *tools.Store, who tools.Who) *mcp.ClientSession {
					return pipes(t, s, who, era)
				}}
				toolstest.Play(t, c, f.call, false)
			})
		}
	}
}

// front keeps one client for each caller of a case.
type front struct {
	era      string
	sessions map[tools.Who]*mcp.ClientSession
	connect  func(*tools.Store, tools.Who) *mcp.ClientSession
}

func (f front) call(t testing.TB, list toolstest.List, who tools.Who, tool, input string) toolstest.Result {
	t.Helper()
	session := f.sessions[who]
	if session == nil {
		session = f.connect(list.Store, who)
		f.sessions[who] = session
	}
	result, err := session.CallTool(context.Background(), &mcp.CallToolParams{Name: tool, Arguments: json.RawMessage(input)})
	if err != nil {
		t.Fatalf("%s %s: %v", tool, input, err)
	}
	var structured struct {
		Commit string
		Error  struct {
			Code    tools.Code
			Message string
		}
	}
	decode(t, result, &structured)
	got := toolstest.Result{Text: text(t, result), Code: structured.Error.Code, Commit: structured.Commit}
	if result.IsError != (got.Code != "") || result.IsError && got.Text != structured.Error.Message {
		t.Errorf("%s %s: isError %v, text %q, structured %+v", tool, input, result.IsError, got.Text, structured)
	}
	return got
}
