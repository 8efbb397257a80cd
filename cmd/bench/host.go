package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"
)

// host is a running git tasks serve, as a process of its own.
type host struct {
	cmd *exec.Cmd
	url string // of /mcp
}

// startHost starts a host on a repository and waits until it answers.
func (b *bench) startHost(dir string) (*host, error) {
	argv := b.tasks(dir, "serve", "--listen", "127.0.0.1:0")
	h := &host{cmd: exec.Command(argv[0], argv[1:]...)}
	var said bytes.Buffer
	h.cmd.Env, h.cmd.Stderr = b.environ, &said
	out, err := h.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := h.cmd.Start(); err != nil {
		return nil, err
	}
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if url, ok := strings.CutPrefix(lines.Text(), "mcp   "); ok {
			h.url = url
			go io.Copy(io.Discard, out)
			return h, nil
		}
	}
	err = h.cmd.Wait()
	return nil, fmt.Errorf("the host on %s ended before it answered: %w: %s", dir, err, bytes.TrimSpace(said.Bytes()))
}

// stop tells the host to end, and waits for it.
func (h *host) stop() error {
	if err := h.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		return err
	}
	return h.cmd.Wait()
}

// client is a client of MCP over HTTP, in the form of 2026-07-28, where every
// request says all: one connection for each caller that is at it at a time.
type client struct {
	url  string
	http *http.Client
}

// newClient gives a client of so many connections.
func newClient(url string, connections int) *client {
	return &client{url, &http.Client{Transport: &http.Transport{
		MaxConnsPerHost: connections, MaxIdleConnsPerHost: connections, DisableCompression: true,
		IdleConnTimeout: time.Minute}}} // before the host would close it, under a call perhaps
}

// meta is what a request of that form says of its client.
var meta = map[string]any{
	"io.modelcontextprotocol/protocolVersion":    "2026-07-28",
	"io.modelcontextprotocol/clientCapabilities": struct{}{},
	"io.modelcontextprotocol/clientInfo":         map[string]string{"name": "bench", "version": "1"},
}

// answered is as much of an answer as is looked at.
type answered struct {
	Result *struct {
		IsError  bool `json:"isError"`
		Document struct {
			Commit string `json:"commit"`
		} `json:"structuredContent"`
		Content []struct {
			Text string `json:"text"`
		} `json:"content"`
	} `json:"result"`
	Error *struct {
		Message string `json:"message"`
	} `json:"error"`
}

// refusal is what a tool says when it does not do what was asked.
type refusal string

func (r refusal) Error() string { return string(r) }

// call is a [door].
func (c *client) call(ctx context.Context, by, tool string, input any) (string, error) {
	text, _, err := c.ask(ctx, by, tool, input)
	return text, err
}

// ask gives the commit as well. An error that is no refusal leaves open whether
// the call was carried out.
func (c *client) ask(ctx context.Context, by, tool string, input any) (text, commit string, err error) {
	body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": "tools/call",
		"params": map[string]any{"name": tool, "arguments": input, "_meta": meta}})
	if err != nil {
		return "", "", err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.url, bytes.NewReader(body))
	if err != nil {
		return "", "", err
	}
	for name, value := range map[string]string{"Content-Type": "application/json", "Accept": "application/json, text/event-stream",
		"Mcp-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call", "Mcp-Name": tool, "Git-Tasks-As": by} {
		req.Header.Set(name, value)
	}
	resp, err := c.http.Do(req)
	if err != nil {
		return "", "", err
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(resp.Body)
	if err != nil {
		return "", "", err
	}
	return readAnswer(tool, resp.StatusCode, data)
}

// readAnswer reads JSON, alone or as the last event of a stream.
func readAnswer(tool string, status int, data []byte) (text, commit string, err error) {
	document := data
	if i := bytes.LastIndex(data, []byte("data: ")); i >= 0 {
		document = data[i+len("data: "):]
	}
	var a answered
	if err := json.Unmarshal(document, &a); err != nil {
		return "", "", fmt.Errorf("%s: status %d: %w: %s", tool, status, err, data)
	}
	switch {
	case a.Error != nil:
		return "", "", fmt.Errorf("%s: status %d: %s", tool, status, a.Error.Message)
	case a.Result == nil || len(a.Result.Content) == 0:
		return "", "", fmt.Errorf("%s: status %d without a result: %s", tool, status, data)
	case a.Result.IsError:
		return "", "", refusal(tool + ": " + a.Result.Content[0].Text)
	}
	return a.Result.Content[0].Text, a.Result.Document.Commit, nil
}

// memory gives what the system says of the host's memory, in MiB: its highest.
func (h *host) memory() (float64, error) {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", h.cmd.Process.Pid))
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(string(data)) {
		if value, ok := strings.CutPrefix(line, "VmHWM:"); ok {
			var kib float64
			_, err := fmt.Sscan(value, &kib)
			return kib / 1024, err
		}
	}
	return 0, fmt.Errorf("the system does not say how much memory the host had")
}
