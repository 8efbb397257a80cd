package translate_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/git-tasks/git-tasks/translate"
)

func TestMoments(t *testing.T) {
	t.Parallel()
	for payload, want := range map[string]translate.Said{
		`{"session_id":"s","cwd":"/w","hook_event_name":"SessionStart","source":"startup"}`:  {Session: "s", Folder: "/w", Event: "SessionStart", Moment: translate.Started},
		`{"session_id":"s","hook_event_name":"SessionStart","source":"compact"}`:             {Session: "s", Event: "SessionStart", Moment: translate.Compacted},
		`{"session_id":"s","hook_event_name":"SessionStart","source":"clear"}`:               {Session: "s", Event: "SessionStart", Moment: translate.Cleared},
		`{"session_id":"s","hook_event_name":"SessionStart","source":"fork"}`:                {Session: "s", Event: "SessionStart", Moment: translate.Cleared},
		`{"session_id":"s","hook_event_name":"UserPromptSubmit","prompt_id":"p"}`:            {Session: "s", Event: "UserPromptSubmit", Turn: "p", Moment: translate.TurnStarted},
		`{"session_id":"s","hook_event_name":"Stop","session_title":"T"}`:                    {Session: "s", Event: "Stop", Title: "T", Moment: translate.TurnEnded},
		`{"session_id":"s","hook_event_name":"SessionEnd"}`:                                  {Session: "s", Event: "SessionEnd", Moment: translate.Ended},
		`{"sessionId":"s","hookEventName":"UserPromptSubmit"}`:                               {Session: "s", Event: "UserPromptSubmit", Moment: translate.TurnStarted},
		`{"hook_event_name":"PreToolUse","tool_name":"TodoWrite","tool_input":{"todos":[]}}`: {Session: "given", Event: "PreToolUse", Calling: "TodoWrite"},
		`{"hook_event_name":"PreToolUse","tool_name":"Bash"}`:                                {Session: "given", Event: "PreToolUse"},
		`{"hookEventName":"BeforeTool","toolName":"tracker_add_dependency"}`:                 {Session: "given", Event: "BeforeTool", Calling: "tracker_add_dependency"},
	} {
		for _, harness := range []string{"claude-code", "codex", "vscode", "claw", "gemini"} {
			got, err := translate.Read(harness, []byte(payload), "given")
			if err != nil || !reflect.DeepEqual(got, want) {
				t.Errorf("%s reads %s as %+v, %v", harness, payload, got, err)
			}
		}
	}
	for payload, want := range map[string]translate.Said{
		`{"type":"session.updated","properties":{"info":{"id":"s","title":"T","directory":"/w"}}}`: {Session: "s", Event: "session.updated", Title: "T", Folder: "/w"},
		`{"type":"session.created","properties":{"info":{"id":"s"}}}`:                              {Session: "s", Event: "session.created", Moment: translate.Started},
		`{"type":"session.status","properties":{"sessionID":"s","status":{"type":"busy"}}}`:        {Session: "s", Event: "session.status", Moment: translate.TurnStarted},
		`{"type":"chat.message","properties":{"sessionID":"s"}}`:                                   {Session: "s", Event: "chat.message", Moment: translate.TurnStarted},
		`{"type":"session.status","properties":{"sessionID":"s","status":{"type":"idle"}}}`:        {Session: "s", Event: "session.status"},
		`{"type":"session.idle","properties":{"sessionID":"s"}}`:                                   {Session: "s", Event: "session.idle", Moment: translate.TurnEnded},
		`{"type":"session.deleted","properties":{"info":{"id":"s"}}}`:                              {Session: "s", Event: "session.deleted", Moment: translate.Ended},
		`{"type":"session.deleted","properties":{}}`:                                               {Session: "given", Event: "session.deleted", Moment: translate.TurnEnded}, // the one given goes on
		`{"type":"message.updated","properties":{}}`:                                               {Session: "given", Event: "message.updated"},
	} {
		got, err := translate.Read("opencode", []byte(payload), "given")
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("opencode: %s is %+v, %v", payload, got, err)
		}
	}
}

// TestABatchIsReadInItsOrder has what was refused left out, and the rest read in the
// order of the calls; a call without an answer of its own is not believed.
func TestABatchIsReadInItsOrder(t *testing.T) {
	t.Parallel()
	said, err := translate.Read("claude-code", []byte(`{"session_id":"s","agent_id":"a","hook_event_name":"PostToolBatch","tool_calls":[
		{"tool_name":"TaskCreate","tool_use_id":"1","tool_input":{"subject":"A","description":"A","owner":"mia"},"tool_response":"Task #12 created successfully: A"},
		{"tool_name":"TaskCreate","tool_use_id":"2","tool_input":{"subject":"B"},"tool_response":"Lock file is already being held"},
		{"tool_name":"TodoWrite","tool_use_id":"3","tool_input":{"todos":[]},"tool_response":"InputValidationError"},
		{"tool_name":"TodoWrite","tool_use_id":"4","tool_input":{"todos":[{"content":"C"}]},"tool_response":"Todos have been modified successfully."},
		{"tool_name":"TaskUpdate","tool_use_id":"5","tool_input":{"taskId":"12","addBlocks":["3"],"status":"completed"},"tool_response":"Updated task #12 status"},
		{"tool_name":"TaskUpdate","tool_use_id":"6","tool_input":{"taskId":"12"},"tool_response":"Task not found"}]}`), "")
	if err != nil {
		t.Fatal(err)
	}
	want := []translate.Update{
		{Session: "s", Tool: "TaskCreate", Call: "1", Change: &translate.Change{ID: "12", Text: "A", Note: "owner: mia"}},
		{Session: "s", Agent: "a", Tool: "TodoWrite", Call: "4", List: []translate.Entry{{Text: "C"}}},
		{Session: "s", Tool: "TaskUpdate", Call: "5", Change: &translate.Change{ID: "12", Status: "completed", AddBlocks: []string{"3"}}},
	}
	if !reflect.DeepEqual(said.Updates, want) {
		t.Errorf("it is read as %+v", said.Updates)
	}
}

// TestABatchMakesATaskBeforeItIsNamed has the calls of a batch, which ran at once, in
// an order that cannot be.
func TestABatchMakesATaskBeforeItIsNamed(t *testing.T) {
	t.Parallel()
	said, err := translate.Read("claude-code", []byte(`{"session_id":"s","hook_event_name":"PostToolBatch","tool_calls":[
		{"tool_name":"TaskUpdate","tool_input":{"taskId":"9","status":"completed"},"tool_response":"Updated task #9 status"},
		{"tool_name":"TaskUpdate","tool_input":{"taskId":"2","addBlockedBy":["1"]},"tool_response":"Updated task #2 blockedBy"},
		{"tool_name":"TaskUpdate","tool_input":{"taskId":"2","status":"in_progress"},"tool_response":"Updated task #2 status"},
		{"tool_name":"TaskCreate","tool_input":{"subject":"A"},"tool_response":"Task #1 created successfully: A"},
		{"tool_name":"TaskCreate","tool_input":{"subject":"B"},"tool_response":"Task #2 created successfully: B"}]}`), "")
	if err != nil {
		t.Fatal(err)
	}
	var order []string
	for _, u := range said.Updates {
		order = append(order, u.Change.ID+u.Change.Text+u.Change.Status)
	}
	if got := strings.Join(order, " "); got != "9completed 1A 2B 2 2in_progress" {
		t.Errorf("the order is %s", got)
	}
}

// TestOneCallOfABatchThatCannotBeRead is named, and those beside it are taken.
func TestOneCallOfABatchThatCannotBeRead(t *testing.T) {
	t.Parallel()
	const batch = `{"session_id":"s","hook_event_name":"PostToolBatch","tool_calls":[%s]}`
	for harness, c := range map[string]struct{ good, bad, refused string }{
		"claude-code": {`{"tool_name":"TaskCreate","tool_input":{"subject":"A"},"tool_response":"Task #1 created successfully: A"}`,
			`{"tool_name":"TodoWrite","tool_input":{"todos":"x"},"tool_response":"Todos have been modified"}`, "TodoWrite: todos must be a list"},
		"vscode": {`{"tool_name":"manage_todo_list","tool_input":{"todoList":[{"title":"A"}]}}`,
			`{"tool_name":"manage_todo_list","tool_input":{"todoList":7}}`, "manage_todo_list: todoList must be a list"},
		"codex": {`{"tool_name":"update_plan","tool_input":{"plan":[{"step":"A"}]},"tool_response":"Plan updated"}`,
			`{"tool_name":"update_plan","tool_input":{},"tool_response":"Plan updated"}`, "update_plan: plan must be a list"},
		"gemini": {`{"tool_name":"write_todos","tool_input":{"todos":[{"description":"A"}]}}`,
			`{"tool_name":"write_todos","tool_input":{"todos":{}}}`, "write_todos: todos must be a list"},
		"claw": {`{"tool_name":"TodoWrite","tool_input":{"todos":[{"content":"A"}]}}`,
			`{"tool_name":"TodoWrite","tool_input":{"todos":"x"}}`, "TodoWrite: todos must be a list"},
	} {
		payload := fmt.Sprintf(batch, strings.Join([]string{c.good, c.bad, c.good, c.bad}, ","))
		said, err := translate.Read(harness, []byte(payload), "")
		if err == nil || err.Error() != c.refused+"\n"+c.refused {
			t.Errorf("%s says %v", harness, err)
		}
		if len(said.Updates) != 2 {
			t.Errorf("%s takes %+v", harness, said.Updates)
		}
	}
}

func TestHarnesses(t *testing.T) {
	t.Parallel()
	if got := strings.Join(translate.Harnesses(), " "); got != "acp claude-code claude-tasks claurst claw codex cursor gemini gemini-tracker opencode pi vscode" {
		t.Errorf("the harnesses are %s", got)
	}
	if _, err := translate.Read("none", []byte("{}"), ""); err == nil {
		t.Error("an unknown harness is read")
	}
}
