package cli_test

import (
	"bufio"
	"bytes"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/git-tasks/git-tasks/cmd/internal/cli"
)

// TestMCPOutlivesItsHost: a client's connection, its session and what it has claimed
// outlive the hosts that its calls go through, killed or stopped; while there is none
// the calls are made all the same.
func TestMCPOutlivesItsHost(t *testing.T) {
	t.Parallel()
	env := home(t)
	must(t, env, "add", "Read the plan")
	first := hostProcess(t, env)
	var said bytes.Buffer
	agent := program(t, env, "mcp", "--as", "pilot")
	agent.Stderr = &said
	session, err := mcp.NewClient(&mcp.Implementation{Name: "test"}, nil).Connect(t.Context(), &mcp.CommandTransport{Command: agent}, nil)
	if err != nil {
		t.Fatal(err)
	}
	call := func(want, tool string, input map[string]any) {
		t.Helper()
		answer, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: input})
		if err != nil {
			t.Fatalf("%s: %v\n%s", tool, err, said.String())
		}
		if got := answer.Content[0].(*mcp.TextContent).Text; !strings.Contains(got, want) {
			t.Errorf("%s answers %q, want %q", tool, got, want)
		}
	}
	unknown := map[string]any{"task": "t99", "status": "done"} // of which a host logs that it was refused
	call("t1 doing medium Read the plan", "task_claim", map[string]any{"task": "t1"})
	call("Invalid task_set input", "task_set", unknown)
	first.end(t, syscall.SIGKILL)

	call("t1 doing medium Read the plan", "task_set", map[string]any{"task": "t1", "note": "alone"})
	call("Invalid task_set input", "task_set", unknown)

	second := hostProcess(t, env)
	call("t1 doing medium Read the plan", "task_set", map[string]any{"task": "t1", "note": "through the next"})
	call("Invalid task_set input", "task_set", unknown)
	second.end(t, syscall.SIGTERM)

	call("t1 done medium Read the plan", "task_set", map[string]any{"task": "t1", "status": "done"})
	if err := session.Close(); err != nil || said.Len() > 0 {
		t.Errorf("the agent's server ended with %v and said %q", err, said.String())
	}
}

// program is this one, as a process that somebody starts.
func program(t *testing.T, env cli.Env, args ...string) *exec.Cmd {
	t.Helper()
	path, err := exec.LookPath("git-tasks")
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), path, args...)
	cmd.Dir, cmd.Env = env.Dir, env.Environ
	return cmd
}

// served is a host in a process of its own.
type served struct {
	*exec.Cmd
	log bytes.Buffer
}

// hostProcess starts a host, and waits until it answers.
func hostProcess(t *testing.T, env cli.Env) *served {
	t.Helper()
	h := &served{Cmd: program(t, env, "serve", "--listen", "127.0.0.1:0")}
	h.Stderr = &h.log
	out, err := h.StdoutPipe()
	if err == nil {
		err = h.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(out).ReadString('\n'); err != nil {
		h.Wait()
		t.Fatalf("the host printed %q, %v:\n%s", line, err, h.log.String())
	}
	return h
}

// end ends the host by a signal; that it was asked once shows in its log.
func (h *served) end(t *testing.T, by syscall.Signal) {
	t.Helper()
	if err := h.Process.Signal(by); err != nil {
		t.Fatal(err)
	}
	h.Wait()
	if n := strings.Count(h.log.String(), `"tool":"task_set"`); n != 1 {
		t.Errorf("the host was asked %d times for what it refused:\n%s", n, h.log.String())
	}
}
