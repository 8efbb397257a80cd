package translate

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// call is one call of a tool that a harness tells of after it was made.
type call struct {
	id, tool string
	input    object
	result   object // nil where the harness gives only a text
	text     string // what the model was told, "" where the harness gives an object
}

// hooked is what the payloads of hooks have in common; most harnesses took it over
// from Claude Code.
func hooked(o object, session string) Said {
	said := Said{
		Session: cmp.Or(o.text("session_id", "sessionId"), session), agent: o.text("agent_id", "agentId"),
		Folder: o.text("cwd"), Title: o.text("session_title", "sessionTitle"),
		Turn:  o.text("prompt_id", "promptId", "turn_id", "turnId"),
		Event: o.text("hook_event_name", "hookEventName"),
	}
	switch said.Event {
	case "SessionStart":
		said.Moment = Started
		switch o.text("source") {
		case "compact":
			said.Moment = Compacted
		case "clear", "fork":
			said.Moment = Cleared
		}
	case "UserPromptSubmit", "BeforeAgent":
		said.Moment = TurnStarted
	case "Stop", "AfterAgent":
		said.Moment = TurnEnded
	case "SessionEnd":
		said.Moment = Ended
	case "PreToolUse", "BeforeTool":
		if tool := o.text("tool_name", "toolName"); isOwn(tool) {
			said.Calling = tool
		}
	}
	return said
}

// isOwn reports whether a tool is one by which a harness with hooks keeps its own list.
func isOwn(tool string) bool {
	switch tool {
	case "TodoWrite", "TaskCreate", "TaskUpdate", "TaskGet", "TaskList", "update_plan", "write_todos", "manage_todo_list":
		return true
	}
	return strings.HasPrefix(tool, "tracker_")
}

// called gives the calls that a payload tells of, in their order: the one of a hook
// that runs after each, or all of one that runs after several. Those of a hook that
// runs before a call, or after one that failed, are none.
func called(o object) []call {
	switch o.text("hook_event_name", "hookEventName") {
	case "PostToolUse", "AfterTool":
		return []call{callOf(o)}
	case "PostToolBatch":
		batch, err := o.objects("tool_calls")
		if err != nil {
			return nil
		}
		var calls []call
		for _, one := range batch {
			calls = append(calls, callOf(one))
		}
		return calls
	}
	return nil
}

func callOf(o object) call {
	const response, camel = "tool_response", "toolResponse"
	return call{id: o.text("tool_use_id", "toolUseId"), tool: o.text("tool_name", "toolName"),
		input: o.object("tool_input", "toolInput"), result: o.object(response, camel), text: o.text(response, camel)}
}

// each reads calls one after the other. One that cannot be read does not take the
// others with it: the error names each such one.
func (s Said) each(calls []call, read func(call) ([]Update, error)) (Said, error) {
	var all []error
	for _, c := range calls {
		updates, err := read(c)
		if err != nil {
			all = append(all, fmt.Errorf("%s: %w", c.tool, err))
			continue
		}
		s.Updates = append(s.Updates, updates...)
	}
	createdFirst(s.Updates)
	return s, errors.Join(all...)
}

// createdFirst puts what made a task before what names it: calls that ran at once
// come in any order.
func createdFirst(updates []Update) {
	for i, u := range updates {
		if u.Change == nil || u.Tool != "TaskCreate" && u.Tool != "tracker_create_task" {
			continue
		}
		at := slices.IndexFunc(updates[:i], func(o Update) bool { return o.Change != nil && o.Change.names(u.Change.ID) })
		if at >= 0 {
			copy(updates[at+1:i+1], updates[at:i])
			updates[at] = u
		}
	}
}

// names reports whether a change is about the entry of an id, or of what waits for it.
func (c *Change) names(id string) bool {
	return c.ID == id || slices.Contains(c.BlockedBy, id) || slices.Contains(c.AddBlockedBy, id) || slices.Contains(c.AddBlocks, id)
}

// list is the update that a whole list is.
func (s Said) list(c call, entries []Entry) Update {
	return Update{Session: s.Session, Agent: s.agent, Tool: c.tool, Call: c.id, List: entries}
}

// change is the update that one change is. The tasks of a session are its
// subagents' as well.
func (s Said) change(c call, change Change) Update {
	return Update{Session: s.Session, Tool: c.tool, Call: c.id, Change: &change}
}
