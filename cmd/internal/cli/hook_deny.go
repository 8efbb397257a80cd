package cli

import (
	urfave "github.com/urfave/cli/v2"

	"github.com/git-tasks/git-tasks/translate"
)

// instead is what a model is told whose harness may not keep a list of its own.
const instead = "this host keeps one list for all agents: call todo_write of the MCP server " + serverName +
	" for your steps, task_add and task_set for what outlives the session"

// deny answers a harness that is about to call a tool of its own list: where the settings
// say so it may not.
func (f *front) deny(c *urfave.Context, said translate.Said) error {
	settings, err := f.settings(c)
	if err != nil || !settings.HostTasks {
		return err
	}
	reason := said.Calling + " is off here; " + instead
	if said.Event == "BeforeTool" {
		return f.document(map[string]string{"decision": "deny", "reason": reason})
	}
	return f.document(map[string]any{"hookSpecificOutput": map[string]string{
		"hookEventName": said.Event, "permissionDecision": "deny", "permissionDecisionReason": reason}})
}
