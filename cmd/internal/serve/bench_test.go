package serve_test

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/git-tasks/git-tasks/cmd/internal/serve"
	"github.com/git-tasks/git-tasks/repo/repotest"
	"github.com/git-tasks/git-tasks/tools/toolstest"
)

// BenchmarkHTTP adds tasks over MCP from clients that call at the same time, each
// on a connection of its own, in both eras of the protocol. Every answer is looked
// at, and in the end there must be one task a call, with dense ids. x-file is the
// time of a call as a multiple of one small file that is created, synced, renamed
// and its folder synced.
//
//	go test ./cmd/internal/serve/ -run NONE -bench HTTP -count 6 | benchstat -
func BenchmarkHTTP(b *testing.B) {
	for _, era := range []string{"2026-07-28", "2025-11-25"} {
		for _, clients := range []int{1, 32} {
			b.Run(fmt.Sprintf("era=%s/clients=%d", era, clients), func(b *testing.B) {
				host := begin(b, nil, func(*serve.Config) {})
				benchHTTP(b, host, era, clients)
				checkAdded(b, host)
			})
		}
	}
}

func benchHTTP(b *testing.B, host *running, era string, clients int) {
	b.Helper()
	repotest.Callers(b, clients, func() (func(int) error, error) {
		c := &mcpClient{url: host.url + "/mcp", era: era, http: &http.Client{Transport: &http.Transport{}}}
		b.Cleanup(c.http.CloseIdleConnections)
		return c.add, c.open()
	})
}

// mcpClient is a client of one era, which knows no more than it needs.
type mcpClient struct {
	url, era, session string
	http              *http.Client
}

// open shakes hands where the era does.
func (c *mcpClient) open() error {
	if c.era >= "2026-07-28" {
		return nil
	}
	_, err := c.post("initialize", fmt.Sprintf(`{"protocolVersion":%q,"capabilities":{},"clientInfo":{"name":"x","version":"1"}}`, c.era))
	return err
}

func (c *mcpClient) add(i int) error {
	meta := ""
	if c.session == "" {
		meta = `,"_meta":{"io.modelcontextprotocol/protocolVersion":"` + c.era +
			`","io.modelcontextprotocol/clientCapabilities":{},"io.modelcontextprotocol/clientInfo":{"name":"x","version":"1"}}`
	}
	answer, err := c.post("tools/call", fmt.Sprintf(`{"name":"task_add","arguments":{"title":"Call %d"}%s}`, i, meta))
	if err == nil && (!bytes.Contains(answer, fmt.Appendf(nil, "todo medium Call %d\"", i)) || !bytes.Contains(answer, []byte(`"commit"`))) {
		err = fmt.Errorf("call %d was answered %s", i, answer)
	}
	return err
}

// post sends one message and gives the answer, out of its stream where it comes
// in one.
func (c *mcpClient) post(method, params string) ([]byte, error) {
	req, err := http.NewRequest(http.MethodPost, c.url,
		strings.NewReader(fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":%q,"params":%s}`, method, params)))
	if err != nil {
		return nil, err
	}
	for name, value := range map[string]string{"Content-Type": "application/json", "Accept": "application/json, text/event-stream",
		"Mcp-Protocol-Version": c.era, "Mcp-Session-Id": c.session, "Mcp-Method": method, "Mcp-Name": "task_add"} {
		if value != "" && (method != "initialize" || name != "Mcp-Protocol-Version") {
			req.Header.Set(name, value)
		}
	}
	resp, err := c.http.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	answer, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("%s: %s, %w: %s", method, resp.Status, err, answer)
	}
	if method == "initialize" {
		c.session = resp.Header.Get("Mcp-Session-Id")
	}
	return answer, nil
}

func checkAdded(b *testing.B, host *running) {
	b.Helper()
	toolstest.CheckDense(b, host.store, b.N)
	if events, err := host.store.History(""); err != nil || len(events) != b.N {
		b.Errorf("%d commits for %d calls, %v", len(events), b.N, err)
	}
}
