package mcpserver

import (
	"encoding/json"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/git-tasks/git-tasks/tools"
)

// answered is the result of a call that went well.
func answered(a tools.Answer) *mcp.CallToolResult { return result(a.Text, a) }

// refused is the result of a call that was refused or failed.
func refused(e *tools.Error) *mcp.CallToolResult {
	r := result(e.Message, e.Document())
	r.IsError = true
	return r
}

// result encodes what goes out before the SDK does: the SDK never answers a
// request whose result it cannot encode.
func result(text string, structured any) *mcp.CallToolResult {
	document, err := json.Marshal(structured)
	if err != nil {
		return refused(tools.AsError(err)) // a refusal itself is texts alone
	}
	return &mcp.CallToolResult{
		Content:           []mcp.Content{&mcp.TextContent{Text: text}},
		StructuredContent: json.RawMessage(document),
	}
}
