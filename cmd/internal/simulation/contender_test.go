package simulation_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"

	"github.com/git-tasks/git-tasks/repo/repotest"
)

// contender is a worker who calls from a process of its own, by a session of its
// own.
type contender struct {
	name, session string
	call          func(tool, input string) (said string, refused bool)
}

func (r *race) program(n int, args ...string) *exec.Cmd {
	cmd := exec.Command(os.Args[0], append(args, "--repo", r.store.Dir(), "--as", fmt.Sprintf("w%d", n), "--session", fmt.Sprintf("s%d", n))...)
	cmd.Env = append(repotest.Env(r), runVariable+"=1", "GORACE=atexit_sleep_ms=0")
	return cmd
}

// host starts the host of the list, which all others then call through.
func (r *race) host() {
	r.Helper()
	cmd := r.program(0, "serve", "--listen", "127.0.0.1:0") // whose log is of every refusal
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err == nil {
		_, err = bufio.NewReader(out).ReadString('\n')
	}
	if err != nil {
		r.Fatal(err)
	}
	go io.Copy(io.Discard, out)
	r.Cleanup(func() {
		cmd.Process.Signal(os.Interrupt)
		if err := cmd.Wait(); err != nil {
			r.Errorf("the host: %v", err)
		}
	})
}

// typing is a contender who types each call: a process each.
func (r *race) typing(n int) contender {
	c := contender{name: fmt.Sprintf("w%d", n), session: fmt.Sprintf("ahp-session:/s%d", n)}
	c.call = func(tool, input string) (string, bool) {
		cmd := r.program(n, "call", tool, input)
		out, err := cmd.CombinedOutput()
		if code := cmd.ProcessState.ExitCode(); code != 0 && code != 4 {
			r.Errorf("%s: %s %s ended with %v: %s", c.name, tool, input, err, out)
		}
		return strings.TrimSuffix(string(out), "\n"), err != nil
	}
	return c
}

// agent is a contender who speaks MCP with one process.
func (r *race) agent(n int) contender {
	r.Helper()
	c := contender{name: fmt.Sprintf("w%d", n), session: fmt.Sprintf("ahp-session:/s%d", n)}
	cmd := r.program(n, "mcp")
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		r.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		r.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		r.Fatal(err)
	}
	r.Cleanup(func() {
		in.Close()
		if err := cmd.Wait(); err != nil {
			r.Errorf("the agent %s: %v", c.name, err)
		}
	})
	answers := bufio.NewReader(out)
	var answer struct {
		Result struct {
			Content []struct{ Text string }
			IsError bool
		}
	}
	ask := func(method, params string) error {
		answer.Result.Content, answer.Result.IsError = nil, false
		if _, err := fmt.Fprintf(in, `{"jsonrpc":"2.0","id":1,"method":%q,"params":%s}`+"\n", method, params); err != nil {
			return err
		}
		for {
			line, err := answers.ReadBytes('\n')
			if err != nil {
				return err
			}
			if strings.Contains(string(line), `"id":1`) {
				return json.Unmarshal(line, &answer)
			}
		}
	}
	if err := ask("initialize", `{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"race","version":"1"}}`); err != nil {
		r.Fatal(err)
	}
	if _, err := io.WriteString(in, `{"jsonrpc":"2.0","method":"notifications/initialized"}`+"\n"); err != nil {
		r.Fatal(err)
	}
	c.call = func(tool, input string) (string, bool) {
		if err := ask("tools/call", fmt.Sprintf(`{"name":%q,"arguments":%s}`, tool, input)); err != nil || len(answer.Result.Content) == 0 {
			r.Errorf("%s: %s %s: %v, %+v", c.name, tool, input, err, answer)
			return "", true
		}
		return answer.Result.Content[0].Text, answer.Result.IsError
	}
	return c
}
