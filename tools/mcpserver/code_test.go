package mcpserver_test

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/git-tasks/git-tasks/tools"
	"github.com/git-tasks/git-tasks/tools/mcpserver"
	"github.com/git-tasks/git-tasks/tools/toolstest"
)

// TestCodesOverMCP plays every row of the table: a call of a tool ends with a
// result that has isError and the error as its document, any other request with
// the row's code of JSON-RPC and the same error as data.
func TestCodesOverMCP(t *testing.T) {
	t.Parallel()
	s := toolstest.New(t)
	for _, era := range eras {
		for _, code := range tools.Codes() {
			refusal := &tools.Error{Code: code, Message: "refused as " + string(code), Next: "task_list"}
			session := inMemory(t, s, func(*mcp.RequestExtra, mcp.Meta) (tools.Caller, error) { return tools.Caller{}, refusal }, era)
			got := call(t, session, "task_list", `{}`)
			var document struct{ Error tools.Error }
			decode(t, got, &document)
			if !got.IsError || document.Error != *refusal || text(t, got) != refusal.Message {
				t.Errorf("%s: a call is answered %+v, isError %v; want %+v", era, document.Error, got.IsError, refusal)
			}
			_, err := session.GetPrompt(t.Context(), &mcp.GetPromptParams{Name: "tasks"})
			var failed *jsonrpc.Error
			if !errors.As(err, &failed) {
				t.Fatalf("%s: a prompt is answered %v", era, err)
			}
			var data tools.Error
			if err := json.Unmarshal(failed.Data, &data); err != nil || data != *refusal ||
				failed.Code != int64(code.MCP()) || failed.Message != refusal.Message {
				t.Errorf("%s: a prompt is answered %d, %q, %s; want %d, %+v", era, failed.Code, failed.Message, failed.Data, code.MCP(), refusal)
			}
		}
	}
}

// TestFailureOverMCP: what no tool worded ends a request as a failure, in words.
func TestFailureOverMCP(t *testing.T) {
	t.Parallel()
	s := toolstest.New(t)
	var none mcpserver.CallerOf = func(*mcp.RequestExtra, mcp.Meta) (tools.Caller, error) {
		return tools.Caller{}, errors.New("the disk is on fire")
	}
	_, err := inMemory(t, s, none, eras[0]).GetPrompt(t.Context(), &mcp.GetPromptParams{Name: "tasks"})
	var failed *jsonrpc.Error
	if !errors.As(err, &failed) || failed.Code != jsonrpc.CodeInternalError || failed.Message != "the disk is on fire" {
		t.Errorf("a failure is answered %v", err)
	}
}

// TestEveryCodeIsOnTheWire holds the transcripts to the table of codes.
func TestEveryCodeIsOnTheWire(t *testing.T) {
	t.Parallel()
	paths, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatalf("%d transcripts, %v", len(paths), err)
	}
	var wire []byte
	for _, path := range paths {
		file, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		wire = append(wire, file...)
	}
	for _, code := range tools.Codes() {
		if code == tools.Unreachable || code == tools.Conflict {
			continue // what no tool says: one calls through a host, the other restores, pushes or makes tokens
		}
		form := regexp.MustCompile(`(?m)^< .*"structuredContent":\{"error":\{"code":"` + string(code) + `","message":"[^"]+"(,"next":"[a-z_]+")?\}\},"isError":true[,}]`)
		if !form.Match(wire) {
			t.Errorf("no refusal of code %s, as a result with isError", code)
		}
	}
}
