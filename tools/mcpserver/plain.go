package mcpserver

import (
	"bytes"
	"encoding/json"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/git-tasks/git-tasks/tools"
)

// maxNested bounds the objects and lists of a plain call: the SDK counts their depth,
// up to a thousand.
const maxNested = 500

// plainCall is a call of a tool that says all in its one request, with nothing in it
// that anybody could find wrong. It is answered as the SDK would answer it, but
// read once: the SDK reads a request fifteen times, and takes 32 KiB for each, so
// that a host with many tasks would do little else than collect garbage. What is not
// plain in any way goes to the SDK, which knows what to say of it.
type plainCall struct {
	id        json.RawMessage
	name      string
	meta      mcp.Meta
	arguments json.RawMessage
}

// servePlain answers a plain call; false where a request is none.
func (h *web) servePlain(w http.ResponseWriter, r *http.Request, body []byte) bool {
	call, ok := readPlain(body)
	if !ok || !plainRequest(r, call.name) {
		return false
	}
	handle := h.calls[call.name]
	if handle == nil {
		return false
	}
	result := handle(r.Context(), &mcp.CallToolRequest{
		Params: &mcp.CallToolParamsRaw{Meta: call.meta, Name: call.name, Arguments: call.arguments},
		Extra:  &mcp.RequestExtra{TokenInfo: auth.TokenInfoFromContext(r.Context()), Header: r.Header},
	})
	said, err := json.Marshal(completed(result))
	if err != nil {
		h.store.Log().Error("an answer could not be encoded", "door", "mcp", "in", call.name, "error", err)
		answer(w, http.StatusOK, &fault{id: call.id, code: int64(tools.Internal.MCP()), text: call.name + " failed; the server's log says why."})
		return true
	}
	w.Header().Set("Cache-Control", "no-cache, no-transform")
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Connection", "keep-alive")
	event := append(make([]byte, 0, len(said)+len(call.id)+64), "event: message\ndata: {\"jsonrpc\":\"2.0\",\"id\":"...)
	event = append(append(event, call.id...), `,"result":`...)
	event = append(append(event, said...), "}\n\n"...)
	w.Write(event)
	return true
}

// completeResult is a result with what the version without initialize adds.
type completeResult struct {
	Meta struct {
		ServerInfo *mcp.Implementation `json:"io.modelcontextprotocol/serverInfo"`
	} `json:"_meta"`
	Content           []mcp.Content `json:"content"`
	StructuredContent any           `json:"structuredContent,omitempty"`
	IsError           bool          `json:"isError,omitempty"`
	ResultType        string        `json:"resultType"`
}

func completed(r *mcp.CallToolResult) completeResult {
	c := completeResult{Content: r.Content, StructuredContent: r.StructuredContent, IsError: r.IsError, ResultType: "complete"}
	c.Meta.ServerInfo = implementation()
	return c
}

// plainRequest reports whether a request brings a call of a tool as the version
// without initialize wants it: the headers once each, and a name of this host.
func plainRequest(r *http.Request, tool string) bool {
	for name, want := range map[string]string{"Content-Type": "application/json", "Mcp-Protocol-Version": handshakeless,
		"Mcp-Method": "tools/call", "Mcp-Name": tool} {
		if values := r.Header[name]; len(values) != 1 || values[0] != want {
			return false
		}
	}
	var accepted []string
	for part := range strings.SplitSeq(strings.Join(r.Header["Accept"], ","), ",") {
		accepted = append(accepted, strings.TrimSpace(part))
	}
	return r.Method == http.MethodPost && len(r.Header[headerID]) == 0 && len(r.Header["Last-Event-Id"]) == 0 &&
		slices.Contains(accepted, "application/json") && slices.Contains(accepted, "text/event-stream") && !misnamed(r)
}

// misnamed reports whether a request reached this machine alone under a name that is
// not its own, as that of a page in a browser does whose name was made to point here.
func misnamed(r *http.Request) bool {
	at, ok := r.Context().Value(http.LocalAddrContextKey).(net.Addr)
	return ok && at != nil && loopback(at.String()) && !loopback(r.Host)
}

func loopback(address string) bool {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		host = strings.Trim(address, "[]")
	}
	ip, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && ip.IsLoopback()
}

// readPlain reads the body of a plain call.
func readPlain(body []byte) (c plainCall, ok bool) {
	if len(body) > small || !utf8.Valid(body) || bytes.Count(body, []byte("{"))+bytes.Count(body, []byte("[")) > maxNested {
		return c, false
	}
	keys, ok := objectOf(body, "jsonrpc", "id", "method", "params")
	if !ok || string(keys["jsonrpc"]) != `"2.0"` || string(keys["method"]) != `"tools/call"` {
		return c, false
	}
	c.id = keys["id"]
	if m := (message{ID: c.id}); m.answerTo() == nil || !m.plainID() {
		return c, false
	}
	params, ok := objectOf(keys["params"], "name", "arguments", "_meta")
	if !ok || json.Unmarshal(params["name"], &c.name) != nil {
		return c, false
	}
	c.arguments = params["arguments"]
	return c, c.arguments[0] == '{' && c.readMeta(params["_meta"])
}

// objectOf gives the values of an object that has these keys and no others.
func objectOf(data []byte, names ...string) (keys map[string]json.RawMessage, ok bool) {
	if json.Unmarshal(data, &keys) != nil || len(keys) != len(names) {
		return nil, false
	}
	for _, name := range names {
		if len(keys[name]) == 0 {
			return nil, false
		}
	}
	return keys, true
}

// readMeta reads what a call says of its client.
func (c *plainCall) readMeta(data []byte) bool {
	var client struct {
		Capabilities *mcp.ClientCapabilities `json:"io.modelcontextprotocol/clientCapabilities"`
		Info         *mcp.Implementation     `json:"io.modelcontextprotocol/clientInfo"`
	}
	if json.Unmarshal(data, &c.meta) != nil || json.Unmarshal(data, &client) != nil {
		return false
	}
	info, said := c.meta[mcp.MetaKeyClientInfo]
	_, isInfo := info.(map[string]any)
	_, isCapable := c.meta[mcp.MetaKeyClientCapabilities].(map[string]any)
	return c.meta[mcp.MetaKeyProtocolVersion] == handshakeless && isCapable && (isInfo || !said)
}

// plainCalls are the tools as plain calls want them, by their names.
func plainCalls(d *door, offered []*tools.Tool) map[string]toolCall {
	calls := map[string]toolCall{}
	for _, t := range offered {
		calls[t.Name] = d.call(t)
	}
	return calls
}
