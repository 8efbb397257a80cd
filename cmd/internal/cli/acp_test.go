package cli_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/git-tasks/git-tasks/cmd/internal/cli"
	"github.com/git-tasks/git-tasks/repo/repotest"
	"github.com/git-tasks/git-tasks/tools"
	"github.com/git-tasks/git-tasks/tools/toolstest"
)

// TestAgentBytesPass sends what an agent says through in pieces of any size, lines
// that are none among it, and finds every byte, and the list of each sequence.
func TestAgentBytesPass(t *testing.T) {
	t.Parallel()
	for _, q := range toolstest.Sequences(t) {
		if q.Harness != "acp" {
			continue
		}
		t.Run(q.Sequence, func(t *testing.T) {
			t.Parallel()
			var all bytes.Buffer
			for i, step := range q.Steps {
				var line bytes.Buffer
				if err := json.Compact(&line, step.Payload); err != nil {
					t.Fatal(err)
				}
				all.Write(line.Bytes())
				all.WriteString("\r\n"[i%2:])
				all.WriteString("\x00\xff{\n")
			}
			all.WriteString(`{"method":"session/update","plan`) // and no more

			dir := repotest.New(t)
			env := bench(t)
			in, feed := io.Pipe()
			var out, errs bytes.Buffer
			env.Environ = append(env.Environ, "GIT_TASKS_REPO="+dir)
			env.Args = []string{"git-tasks", "acp", "--", "cat"}
			env.Stdin, env.Stdout, env.Stderr = in, &out, &errs
			go func() {
				r := rand.New(rand.NewPCG(1, 2))
				for rest := all.Bytes(); len(rest) > 0; {
					n := min(len(rest), 1+r.IntN(200))
					if _, err := feed.Write(rest[:n]); err != nil {
						t.Error(err)
						return
					}
					rest = rest[n:]
				}
				feed.Close()
			}()
			if code := cli.Run(t.Context(), env); code != 0 || errs.Len() > 0 {
				t.Fatalf("it ended with %d: %s", code, errs.String())
			}
			if !bytes.Equal(out.Bytes(), all.Bytes()) {
				t.Errorf("what passed is not what was said:\n%q\n%q", out.Bytes(), all.Bytes())
			}
			last := q
			last.Steps = q.Steps[len(q.Steps)-1:]
			last.Play(t, toolstest.Open(t, tools.Config{Path: dir}), func(toolstest.Sample) {})
		})
	}
}

// TestP31AnAgentIsToldToStop ends with an agent that would go on, and with one that
// leaves something behind that holds its output.
func TestP31AnAgentIsToldToStop(t *testing.T) {
	t.Parallel()
	env := bench(t)
	out, said := io.Pipe()
	env.Environ = append(env.Environ, "GIT_TASKS_REPO="+repotest.New(t))
	env.Args = []string{"git-tasks", "acp", "--", "sh", "-c", "echo ready; exec sleep 100"}
	env.Stdin, env.Stdout, env.Stderr = io.NopCloser(bytes.NewReader(nil)), said, io.Discard
	ctx, stop := context.WithTimeout(t.Context(), 20*time.Second)
	defer stop()
	ended := make(chan int, 1)
	go func() { ended <- cli.Run(ctx, env) }()
	ready := make([]byte, 5)
	if _, err := io.ReadFull(out, ready); err != nil {
		t.Fatal(err)
	}
	go io.Copy(io.Discard, out)
	stop()
	if code := <-ended; code != 0 {
		t.Errorf("it ended with %d", code)
	}
}
