package tools_test

import (
	"strings"
	"testing"

	"github.com/git-tasks/git-tasks/tools/toolstest"
	"github.com/git-tasks/git-tasks/translate"
)

// TestSamples plays what each harness hands over, in a list of its own, and plays
// each payload once more: that is no news.
func TestSamples(t *testing.T) {
	t.Parallel()
	for _, q := range toolstest.Sequences(t) {
		t.Run(q.Sequence, func(t *testing.T) {
			h := newHarness(t, nil)
			q.Play(t, h.store, func(step toolstest.Sample) {
				said, err := translate.Read(q.Harness, step.Payload, q.Session)
				if err != nil {
					t.Fatalf("%s: %v", step.Name, err)
				}
				h.take(step.Name, said)
				before := h.git("rev-list", "--all", "--count")
				h.take(step.Name, said)
				if after := h.git("rev-list", "--all", "--count"); after != before {
					t.Errorf("%s again is %s commits more than %s", step.Name, after, before)
				}
			})
		})
	}
}

// take hands over what a payload says; what a harness says of a step that nobody
// knows is refused.
func (h *harness) take(name string, said translate.Said) {
	h.t.Helper()
	_, err := h.store.PlanUpdate(h.t.Context(), h.caller, said.Updates...)
	if err != nil && (name != "claude-task-11" || err.Error() != "Invalid plan_update input: text must be a non-empty string.") {
		h.t.Fatalf("%s: %v", name, err)
	}
}

// TestHarnessesReadAnything has every harness take what is another's, and any JSON,
// without harm.
func TestHarnessesReadAnything(t *testing.T) {
	h := newHarness(t, nil)
	for _, harness := range translate.Harnesses() {
		for _, payload := range []string{"", "[]", "null", "1", "{", `"x"`} {
			if _, err := translate.Read(harness, []byte(payload), "one"); err == nil {
				t.Errorf("%s takes %q", harness, payload)
			}
		}
		for _, q := range toolstest.Sequences(t) {
			for _, step := range q.Steps {
				said, err := translate.Read(harness, step.Payload, "one")
				if err != nil {
					continue
				}
				if _, err := h.store.PlanUpdate(t.Context(), h.caller, said.Updates...); err != nil && !strings.HasPrefix(err.Error(), "Invalid plan_update input: ") {
					t.Errorf("%s reads %s: %v", harness, step.Name, err)
				}
			}
		}
	}
	if got := h.lines(); !strings.Contains(got, "p1 draft") {
		t.Errorf("nothing came of it:\n%s", got)
	}
}

// TestA19AListInAText has a list that came as text refused, and nothing written.
func TestA19AListInAText(t *testing.T) {
	h := newHarness(t, nil)
	h.update(todo("pending a"))
	for _, input := range []string{`"[]"`, `"[{\"content\":\"a\"}]"`, `{}`, `1`, `null`, `"x"`} {
		said, err := translate.Read("claude-code", []byte(`{"session_id":"one","hook_event_name":"PostToolUse","tool_name":"TodoWrite","tool_input":{"todos":`+
			input+`},"tool_response":{}}`), "")
		if err == nil || err.Error() != "TodoWrite: todos must be a list" || len(said.Updates) > 0 {
			t.Errorf("%s: %v, %+v", input, err, said.Updates)
		}
	}
	said, err := translate.Read("claude-code", []byte(`{"session_id":"one","hook_event_name":"PostToolUse","tool_name":"TodoWrite","tool_input":{"todos":["a",1,[]]},"tool_response":{}}`), "")
	if err != nil {
		t.Fatal(err)
	}
	if p, err := h.store.PlanUpdate(t.Context(), h.caller, said.Updates...); err != nil || p.Commit != "" {
		t.Errorf("a list of rubbish is %+v, %v", p, err)
	}
	if _, err := h.store.PlanUpdate(t.Context(), h.caller); err != nil {
		t.Errorf("no update at all: %v", err)
	}
}
