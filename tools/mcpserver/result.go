package mcpserver

import (
	"encoding/json"
	"errors"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/git-tasks/git-tasks/records"
	"github.com/git-tasks/git-tasks/records/detail"
	"github.com/git-tasks/git-tasks/tools"
)

// answered is the result of a call that went well.
func answered(a tools.Answer) *mcp.CallToolResult {
	document, err := encoded(a)
	if err != nil {
		return refused(tools.AsError(err))
	}
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: a.Text}}, StructuredContent: document}
}

// encoded is an answer as JSON, as [json.Marshal] has it. That would keep the room
// that a large one took for the next.
func encoded(a tools.Answer) (json.RawMessage, error) {
	document := append(make([]byte, 0, weight(a)), `{"records":[`...)
	for i, record := range a.Records {
		one, err := json.Marshal(record)
		if err != nil {
			return nil, err
		}
		if i > 0 {
			document = append(document, ',')
		}
		document = append(document, one...)
	}
	document = append(document, ']')
	if a.Commit != "" {
		document = append(document, `,"commit":"`+a.Commit+`"`...) // digits alone
	}
	if a.Replaced != "" {
		document = append(document, `,"replaced":"`+a.Replaced+`"`...)
	}
	if len(a.Notes) > 0 {
		notes, err := json.Marshal(a.Notes)
		if err != nil {
			return nil, err
		}
		document = append(append(document, `,"notes":`...), notes...)
	}
	return append(document, '}'), nil
}

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

// lightened is a result in which names stand for what is large, where its answer
// goes to an outbox.
func lightened(r *mcp.CallToolResult, h *hold) *mcp.CallToolResult {
	text, isText := r.Content[0].(*mcp.TextContent)
	document, isDocument := r.StructuredContent.(json.RawMessage)
	if !isText || !isDocument || length(r) <= small {
		return r
	}
	quoted, err := json.Marshal(text.Text)
	if err != nil {
		return r // texts can always be encoded
	}
	if names := h.standFor(quoted, document); names != nil {
		r.Content, r.StructuredContent = []mcp.Content{&mcp.TextContent{Text: names[0]}}, names[1]
	}
	return r
}

// lightTexts are names that stand for texts, where the answer goes to an outbox.
func lightTexts(texts []string, h *hold) ([]string, error) {
	var values [][]byte
	for _, text := range texts {
		quoted, err := json.Marshal(text)
		if err != nil {
			return nil, err
		}
		values = append(values, quoted)
	}
	if names := h.standFor(values...); names != nil {
		return names, nil
	}
	return texts, nil
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
		case *records.Listed:
			n += len(r.Body) + len(r.Note)
		case *detail.Task:
			n += len(r.Body) + len(r.Note)
		case *records.Plan:
			n += len(r.Goal)
		}
	}
	return n
}
