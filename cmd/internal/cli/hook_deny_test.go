package cli_test

import (
	"os"
	"path/filepath"
	"testing"
)

// TestHostTasks: where the settings say so, a harness that is about to call a tool of its
// own list is told no, and which tools there are instead; nothing else is ever denied.
func TestHostTasks(t *testing.T) {
	t.Parallel()
	const instead = " is off here; this host keeps one list for all agents: call todo_write of the MCP server tasks for your steps, task_add and task_set for what outlives the session"
	denied := func(tool string) string {
		return `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"` + tool + instead + `"}}` + "\n"
	}
	for _, c := range []struct{ harness, event, tool, want string }{
		{"claude-code", "PreToolUse", "TodoWrite", denied("TodoWrite")},
		{"claude-code", "PreToolUse", "TaskCreate", denied("TaskCreate")},
		{"claude-code", "PreToolUse", "TaskList", denied("TaskList")},
		{"claude-code", "PreToolUse", "manage_todo_list", denied("manage_todo_list")},
		{"vscode", "PreToolUse", "manage_todo_list", denied("manage_todo_list")},
		{"codex", "PreToolUse", "update_plan", denied("update_plan")},
		{"gemini", "BeforeTool", "write_todos", `{"decision":"deny","reason":"write_todos` + instead + `"}` + "\n"},
		{"gemini", "BeforeTool", "tracker_create_task", `{"decision":"deny","reason":"tracker_create_task` + instead + `"}` + "\n"},
		{"claude-code", "PreToolUse", "Bash", ""},
		{"claude-code", "PreToolUse", "TaskStop", ""},
		{"claude-code", "PreToolUse", "mcp__tasks__todo_write", ""},
		{"claude-code", "PostToolUseFailure", "TodoWrite", ""},
	} {
		for option, want := range map[string]string{`{"hostTasks": true}`: c.want, `{"hostTasks": false}`: "", `{}`: ""} {
			env := bench(t)
			file := filepath.Join(env.Dir, "config.json")
			if err := os.WriteFile(file, []byte(`{"plugins": [{"name": "@ahpd/tasks", "options": `+option+`}]}`), 0o600); err != nil {
				t.Fatal(err)
			}
			env.Environ = append(env.Environ, "GIT_TASKS_CONFIG="+file)
			out, errs := hook(t, env, c.harness, []byte(`{"session_id":"one","hook_event_name":"`+c.event+`","tool_name":"`+c.tool+`","tool_input":{}}`))
			if out != want || errs != "" {
				t.Errorf("%s of %s with %s:\n got %q %q\nwant %q", c.tool, c.harness, option, out, errs, want)
			}
			if _, err := os.Stat(filepath.Join(env.Dir, ".local")); err == nil {
				t.Errorf("%s of %s makes a list", c.tool, c.harness)
			}
		}
	}
}
