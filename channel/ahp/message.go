package ahp

import (
	"bytes"
	"encoding/json"

	"github.com/git-tasks/git-tasks/tools"
)

// The codes of JSON-RPC and of the protocol that are about the form of a message.
// Every other one is in the table of tools.
const (
	codeParse          = -32700
	codeInvalidRequest = -32600
	codeNoMethod       = -32601
	codeNoVersion      = -32005
	codeUnknownClient  = -32008
)

// request is a message of the client.
type request struct {
	id     json.RawMessage // nil: a notification, which is never answered
	method string
	params json.RawMessage
}

// fault is an error as the protocol has it.
type fault struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
	Data    any    `json:"data,omitempty"`
}

// Error gives the message.
func (f *fault) Error() string { return f.Message }

// faultOf gives an error of ours its code. The protocol has few, so the error itself
// goes with it as data, and where to sign in where that would help.
func faultOf(err error) *fault {
	if f, ok := err.(*fault); ok {
		return f
	}
	e := tools.AsError(err)
	f := &fault{Code: e.Code.AHP(), Message: e.Message, Data: e}
	if e.Code == tools.Unauthenticated {
		f.Data = authRequired{e, []protectedResource{{tasksResource, "the list of git-tasks"}}}
	}
	return f
}

func badParams(text string) error { return &tools.Error{Code: tools.Invalid, Message: text} }

func notFound(uri string) error {
	return &tools.Error{Code: tools.NotFound, Message: "Resource not found: " + uri}
}

// read makes a request of a frame. Where there is something wrong with it the
// fault is to be answered under the id, which is null where there is none; with
// neither a request nor a fault the message is let be.
func read(frame []byte) (r *request, id json.RawMessage, f *fault) {
	null := json.RawMessage("null")
	if !json.Valid(frame) {
		return nil, null, &fault{Code: codeParse, Message: "a frame must be one JSON document"}
	}
	var m struct {
		JSONRPC string          `json:"jsonrpc"`
		ID      json.RawMessage `json:"id"`
		Method  json.RawMessage `json:"method"`
		Params  json.RawMessage `json:"params"`
		Result  json.RawMessage `json:"result"`
		Error   json.RawMessage `json:"error"`
	}
	invalid := &fault{Code: codeInvalidRequest, Message: "a message must be one object of JSON-RPC 2.0 with a method"}
	if err := json.Unmarshal(frame, &m); err != nil || !bytes.HasPrefix(bytes.TrimLeft(frame, " \t\r\n"), []byte("{")) {
		return nil, null, invalid
	}
	switch {
	case len(m.ID) > 0 && m.ID[0] != '"' && m.ID[0] != '-' && (m.ID[0] < '0' || m.ID[0] > '9'):
		return nil, null, &fault{Code: codeInvalidRequest, Message: "id must be a string or a number"}
	case m.Method == nil && (m.Result != nil || m.Error != nil):
		return nil, nil, nil // an answer, and nothing was asked
	}
	r = &request{id: m.ID, params: m.Params}
	if m.JSONRPC != "2.0" || json.Unmarshal(m.Method, &r.method) != nil || r.method == "" {
		if m.ID == nil {
			return nil, nil, nil
		}
		return nil, m.ID, invalid
	}
	return r, nil, nil
}

// into reads the params of a method; "params must be …" where they have another
// shape.
func (r *request) into(params any) error {
	if err := json.Unmarshal(r.params, params); err != nil {
		return badParams("params of " + r.method + " have another shape")
	}
	return nil
}

// channel gives the channel that every message names, by its one name.
func (r *request) channel() (string, error) {
	var base struct {
		Channel *string `json:"channel"`
	}
	if json.Unmarshal(r.params, &base) != nil || base.Channel == nil || *base.Channel == "" {
		return "", badParams("params.channel must be a non-empty string")
	}
	return normal(*base.Channel), nil
}

// answered and failed are what goes back.
func answered(id json.RawMessage, result any) any {
	return struct {
		JSONRPC string          `json:"jsonrpc"`
		ID      json.RawMessage `json:"id"`
		Result  any             `json:"result"`
	}{"2.0", id, result}
}

func failed(id json.RawMessage, f *fault) any {
	return struct {
		JSONRPC string          `json:"jsonrpc"`
		ID      json.RawMessage `json:"id"`
		Error   *fault          `json:"error"`
	}{"2.0", id, f}
}

// noted is a notification.
func noted(method string, params any) any {
	return struct {
		JSONRPC string `json:"jsonrpc"`
		Method  string `json:"method"`
		Params  any    `json:"params"`
	}{"2.0", method, params}
}
