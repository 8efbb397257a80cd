package mcpserver

import (
	"bytes"
	"encoding/json"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/git-tasks/git-tasks/tools"
)

// answered is the result of a call that went well.
func answered(a tools.Answer) *mcp.CallToolResult {
	return result(a.Text, struct {
		Records []any  `json:"records"`
		Commit  string `json:"commit,omitempty"`
	}{append([]any{}, a.Records...), a.Commit})
}

// refused is the result of a call that was refused or failed.
func refused(e *tools.Error) *mcp.CallToolResult {
	type refusal struct {
		Code    tools.Code `json:"code"`
		Message string     `json:"message"`
	}
	r := result(e.Message, struct {
		Error refusal `json:"error"`
	}{refusal{e.Code, e.Message}})
	r.IsError = true
	return r
}

// result encodes what goes out before the SDK does: the SDK never answers a
// request whose result it cannot encode.
func result(text string, structured any) *mcp.CallToolResult {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(structured); err != nil {
		return refused(tools.AsError(err)) // a refusal itself is texts alone
	}
	return &mcp.CallToolResult{
		Content:           []mcp.Content{&mcp.TextContent{Text: text}},
		StructuredContent: json.RawMessage(bytes.TrimSpace(b.Bytes())),
	}
}
