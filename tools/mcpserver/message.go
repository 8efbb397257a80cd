package mcpserver

import (
	"encoding/json"
	"errors"
	"reflect"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"github.com/git-tasks/git-tasks/tools"
)

// fault is why a message is not taken, as a JSON-RPC error.
type fault struct {
	id   any // of the request, as it stands there; nil where it is not known
	code int64
	text string

	unasked bool // it is of a notification, which is never answered
}

// judge gives what should be one message, and what is wrong with it, nil where it
// goes to the SDK. It stands before the SDK where that would give up the
// connection, answer to another id than it was asked with, or say a client's own
// words back to it in its error. A batch is many calls that count as one, and no
// version from 2025-06-18 on has them.
func judge(data []byte) (m message, f *fault) {
	switch {
	case !json.Valid(data):
		return m, &fault{code: jsonrpc.CodeParseError, text: "what is sent must be one JSON-RPC message"}
	case data[0] == '[':
		return m, &fault{code: jsonrpc.CodeInvalidRequest, text: "batches are not taken; send one message at a time"}
	}
	m, err := readMessage(data)
	if err != nil {
		return m, &fault{id: m.answerTo(), code: jsonrpc.CodeInvalidRequest, text: "not a JSON-RPC 2.0 message"}
	}
	if m.ID != nil && !m.plainID() {
		return m, &fault{id: m.answerTo(), code: jsonrpc.CodeInvalidRequest, text: "id must be a string, or a whole number of at most 15 digits"}
	}
	if text := m.paramsFault(); text != "" {
		return m, &fault{id: m.answerTo(), code: int64(tools.Invalid.MCP()), text: text, unasked: m.ID == nil}
	}
	return m, nil
}

// message is what is looked at of one before the SDK reads it.
type message struct {
	ID     json.RawMessage
	Method string
	Params json.RawMessage
}

// readMessage reads keys as the SDK does, by their exact names.
func readMessage(data []byte) (m message, err error) {
	var keys map[string]json.RawMessage
	if err := json.Unmarshal(data, &keys); err != nil {
		return m, err
	}
	m.ID, m.Params = keys["id"], keys["params"]
	if method := keys["method"]; method != nil {
		if err := json.Unmarshal(method, &m.Method); err != nil {
			return m, err
		}
	}
	_, err = jsonrpc.DecodeMessage(data)
	return m, err
}

// plainID reports whether the SDK gives the id back as it came: it reads a number
// as a float, and cuts off what is behind the point.
func (m message) plainID() bool {
	if m.ID[0] == '"' {
		return true
	}
	digits := strings.TrimPrefix(string(m.ID), "-")
	return len(digits) <= 15 && strings.Trim(digits, "0123456789") == ""
}

// answerTo gives the id that an error names, nil where it is none.
func (m message) answerTo() any {
	if len(m.ID) == 0 || m.ID[0] != '"' && m.ID[0] != '-' && (m.ID[0] < '0' || m.ID[0] > '9') {
		return nil
	}
	return m.ID
}

// paramsFault says which of the parameters that some method has is of the wrong
// form. The SDK would find it too, and quote them all.
func (m message) paramsFault() string {
	if len(m.Params) == 0 || string(m.Params) == "null" {
		return ""
	}
	if m.Params[0] != '{' {
		return "params must be an object"
	}
	var known struct {
		Meta            map[string]any `json:"_meta"`
		Name            string         `json:"name"`
		URI             string         `json:"uri"`
		Cursor          string         `json:"cursor"`
		Level           string         `json:"level"`
		ProtocolVersion string         `json:"protocolVersion"`
		Capabilities    map[string]any `json:"capabilities"`
		ClientInfo      struct {
			Name    string `json:"name"`
			Title   string `json:"title"`
			Version string `json:"version"`
		} `json:"clientInfo"`
		Ref struct {
			Type string `json:"type"`
			Name string `json:"name"`
			URI  string `json:"uri"`
		} `json:"ref"`
		Argument struct {
			Name  string `json:"name"`
			Value string `json:"value"`
		} `json:"argument"`
		Notifications struct {
			Resources []string `json:"resourceSubscriptions"`
		} `json:"notifications"`
	}
	var wrong *json.UnmarshalTypeError
	if err := json.Unmarshal(m.Params, &known); errors.As(err, &wrong) {
		return "params." + wrong.Field + " must be " + form(wrong.Type)
	}
	var prompt struct {
		Arguments map[string]string `json:"arguments"`
	}
	if m.Method == "prompts/get" && json.Unmarshal(m.Params, &prompt) != nil {
		return "params.arguments must be an object of strings"
	}
	return ""
}

// form names what JSON has for a type.
func form(t reflect.Type) string {
	switch t.Kind() {
	case reflect.String:
		return "a string"
	case reflect.Slice:
		return "an array"
	}
	return "an object"
}

// methods are what a client may ask for, and notifications what it may say.
// Over HTTP the SDK takes anything else for a broken request.
var (
	methods = []string{"completion/complete", "initialize", "logging/setLevel", "ping", "prompts/get", "prompts/list",
		"resources/list", "resources/read", "resources/subscribe", "resources/templates/list", "resources/unsubscribe",
		"server/discover", "subscriptions/listen", "tools/call", "tools/list"}
	notifications = []string{"notifications/cancelled", "notifications/initialized", "notifications/progress",
		"notifications/roots/list_changed"}
)

// unheard reports whether a message is a notification that nobody waits for.
func (m message) unheard() bool {
	return m.ID == nil && m.Method != "" && !slices.Contains(notifications, m.Method) && !slices.Contains(methods, m.Method)
}

// unknown reports whether a message asks for what there is not. A session has a
// stream of its own, and none by listening.
func (m message) unknown(session bool) bool {
	if session && m.Method == "subscriptions/listen" {
		return true
	}
	return m.ID != nil && m.Method != "" && !slices.Contains(methods, m.Method) && !slices.Contains(notifications, m.Method)
}
