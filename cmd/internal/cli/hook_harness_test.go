package cli_test

import (
	"bytes"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/git-tasks/git-tasks/cmd/internal/cli"
	"github.com/git-tasks/git-tasks/repo/repotest"
	"github.com/git-tasks/git-tasks/tools"
	"github.com/git-tasks/git-tasks/tools/toolstest"
)

// hook hands a payload to the hook of a harness, and gives what it says.
func hook(t *testing.T, env cli.Env, harness string, payload []byte) (out, errs string) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	env.Args = []string{"git-tasks", "hook", harness}
	env.Stdin, env.Stdout, env.Stderr = io.NopCloser(bytes.NewReader(payload)), &stdout, &stderr
	if code := cli.Run(t.Context(), env); code != 0 {
		t.Fatalf("hook %s ended with %d: %s", harness, code, stderr.String())
	}
	return stdout.String(), stderr.String()
}

// TestSamples hands what each harness hands over to its hook, each payload twice.
func TestSamples(t *testing.T) {
	t.Parallel()
	for _, q := range toolstest.Sequences(t) {
		t.Run(q.Sequence, func(t *testing.T) {
			t.Parallel()
			dir := repotest.New(t)
			env := bench(t)
			env.Environ = append(env.Environ, "GIT_TASKS_REPO="+dir, "GIT_TASKS_SESSION="+q.Session, "GIT_DIR=/nowhere")
			store := toolstest.Open(t, tools.Config{Path: dir})
			q.Play(t, store, func(step toolstest.Sample) {
				out, errs := hook(t, env, q.Harness, step.Payload)
				want := ""
				if step.Name == "claude-task-11" {
					want = "git-tasks: error: Invalid plan_update input: text must be a non-empty string. It is about 6: its creation was not seen here.\n"
				}
				if out != "" || errs != want {
					t.Errorf("%s: printed %q and %q", step.Name, out, errs)
				}
				before := repotest.Git(t, dir, "rev-list", "--all", "--count")
				hook(t, env, q.Harness, step.Payload)
				if after := repotest.Git(t, dir, "rev-list", "--all", "--count"); after != before {
					t.Errorf("%s again made a commit", step.Name)
				}
			})
		})
	}
}

// TestHookSaysAllThatIsWrong has a batch of which one call cannot be read, and two are
// of tasks that were made before there was a hook.
func TestHookSaysAllThatIsWrong(t *testing.T) {
	t.Parallel()
	env := bench(t)
	env.Environ = append(env.Environ, "GIT_TASKS_REPO="+repotest.New(t))
	_, errs := hook(t, env, "claude-code", []byte(`{"session_id":"s","hook_event_name":"PostToolBatch","tool_calls":[
		{"tool_name":"TodoWrite","tool_input":{"todos":"x"},"tool_response":"Todos have been modified"},
		{"tool_name":"TaskUpdate","tool_input":{"taskId":"8","status":"completed"},"tool_response":"Updated task #8 status"},
		{"tool_name":"TaskUpdate","tool_input":{"taskId":"9","status":"completed"},"tool_response":"Updated task #9 status"},
		{"tool_name":"TaskCreate","tool_input":{"subject":"A"},"tool_response":"Task #1 created successfully: A"}]}`))
	const want = "git-tasks: TodoWrite: todos must be a list\n" +
		"git-tasks: error: Invalid plan_update input: text must be a non-empty string. " +
		"It is about 8, 9: the creation of one of them at least was not seen here.\n"
	if errs != want {
		t.Errorf("it says %q", errs)
	}
	if got := must(t, env, "show", "t1"); !strings.Contains(got, "A") {
		t.Errorf("what could be taken was not: %s", got)
	}
}

// TestHookDoesNotWaitForAnEnd has a harness that hands its payload over and leaves
// standard input open.
func TestHookDoesNotWaitForAnEnd(t *testing.T) {
	t.Parallel()
	env := bench(t)
	synctest.Test(t, func(t *testing.T) {
		in, payload := io.Pipe()
		defer payload.Close()
		go payload.Write([]byte(`{"session_id":"s"}`))
		var stdout, stderr bytes.Buffer
		env.Args = []string{"git-tasks", "hook", "claude-code"}
		env.Stdin, env.Stdout, env.Stderr = in, &stdout, &stderr
		began := time.Now()
		code := cli.Run(t.Context(), env)
		const want = "git-tasks: error: standard input did not end within 5s: nothing was taken; close it behind the payload\n"
		if code != 0 || stdout.Len() > 0 || stderr.String() != want || time.Since(began) > 6*time.Second {
			t.Errorf("it ended with %d after %s, and says %q and %q", code, time.Since(began), stdout.String(), stderr.String())
		}
	})
}

// TestHookThroughAHost hands a list over where a host runs.
func TestHookThroughAHost(t *testing.T) {
	t.Parallel()
	env := bench(t)
	env.Environ = append(env.Environ, "XDG_RUNTIME_DIR="+t.TempDir())
	host(t, env, 2)
	for _, q := range toolstest.Sequences(t) {
		if q.Sequence != "codex-updateplan" && q.Sequence != "claude-task" {
			continue
		}
		for _, step := range q.Steps {
			_, errs := hook(t, env, q.Harness, step.Payload)
			if isRefusal := strings.Contains(errs, "text must be a non-empty string."); isRefusal != (step.Name == "claude-task-11") {
				t.Errorf("%s: %q", step.Name, errs)
			}
		}
	}
	if got := must(t, env, "plan", "list"); !strings.Contains(got, "p2  draft  Session 01a22bb3") {
		t.Errorf("the plans are\n%s", got)
	}
	if got := must(t, env, "show", "t1"); strings.Contains(got, "2026-10-18T10:00:00.000Z") {
		t.Errorf("the process took the list by its own clock, not the host by its:\n%s", got)
	}
}

// TestHookNeverSaysNo: whatever is wrong with the call of a hook, it does not end with
// the code that harnesses take for a no to what the agent is about to do.
func TestHookNeverSaysNo(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		line string
		code int
		says string
	}{
		{"hook nosuch", 1, `git-tasks: error: git tasks hook has no command "nosuch"`},
		{"hook nosuch --json", 1, `"code":"invalid"`},
		{"hook --nosuch", 1, "git tasks hook has no flag --nosuch"},
		{"--nosuch hook nosuch", 1, "has no flag --nosuch"},
		{"hook session", 1, "standard input must be a JSON object"},
		{"hook session one", 1, "git-tasks: error: "},
		{"hook pre-receive", 1, "is run by the script"},
		{"hook claude-code one", 0, "git-tasks: error: "},
		{"hook claude-code --as", 0, "--as needs a value"},
		{"hook claude-code --config nowhere", 0, ""},
		{"hook claude-code", 0, ""},
		{"list one", 2, "git-tasks: error: "},
	} {
		env := bench(t)
		env.Stdin = io.NopCloser(strings.NewReader("[]"))
		if out, code := run(t, env, strings.Fields(c.line)...); code != c.code || !strings.Contains(out, c.says) {
			t.Errorf("git tasks %s ends with %d, want %d, and says %q", c.line, code, c.code, out)
		}
	}
}
