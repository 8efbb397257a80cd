package mcpserver

import (
	"encoding/json"
	"errors"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/git-tasks/git-tasks/records"
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

// failed is what a request ends with that is no call of a tool. An error that is
// of the protocol already stays what it is; any other goes along as data, since
// the protocol has no code for most of what it may be.
func failed(err error) error {
	var said *jsonrpc.Error
	if errors.As(err, &said) {
		return err
	}
	e := tools.AsError(err)
	data, err := json.Marshal(e)
	if err != nil {
		data = nil // texts alone can always be encoded
	}
	return &jsonrpc.Error{Code: int64(e.Code.MCP()), Message: e.Message, Data: data}
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

// length is how many bytes a result has, about.
func length(r *mcp.CallToolResult) (n int) {
	for _, c := range r.Content {
		if text, ok := c.(*mcp.TextContent); ok {
			n += len(text.Text)
		}
	}
	document, _ := r.StructuredContent.(json.RawMessage)
	return n + len(document)
}

// weight is how many bytes an answer will have, about, before it is encoded.
func weight(a tools.Answer) int {
	n := len(a.Text)
	for _, record := range a.Records {
		n += 512 // keys, stamps, and what is short
		switch r := record.(type) {
		case *records.Task:
			n += len(r.Body) + len(r.Note)
		case *records.Plan:
			n += len(r.Goal)
		}
	}
	return n
}
