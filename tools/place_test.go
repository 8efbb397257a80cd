package tools_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/git-tasks/git-tasks/tools/toolstest"
)

// TestListsGoDownTheTree: tasks come behind their parents and by rank, in text and in
// structured content, and in pages that end nowhere in silence.
func TestListsGoDownTheTree(t *testing.T) {
	t.Parallel()
	s := toolstest.New(t)
	for _, c := range [][3]string{
		{"plan_create", `{"title":"P","scope":{"kind":"bot","bot":"b"}}`, "p1 draft P"},
		{"task_add", `{"title":"a","plan":"p1"}`, "t1 todo medium a"},
		{"task_add", `{"title":"c","plan":"p1","blockedBy":["t1"]}`, "t2 todo medium c"},
		{"task_add", `{"title":"b","plan":"p1","after":"t1"}`, "t3 todo medium b"},
		{"task_add", `{"title":"a1","plan":"p1","parent":"t1","body":"B","metadata":{"k":"v"}}`, "t4 todo medium a1"},
		{"task_add", `{"title":"a0","plan":"p1","parent":"t1","before":"t4"}`, "t5 todo medium a0"},
		{"task_set", `{"task":"t3","addBlockedBy":["t2"],"metadata":{"k":""}}`, "t3 todo medium b"},
		{"task_list", `{"limit":2}`, "t1 todo medium a\n  t5 todo medium a0\n3 more tasks match; go on with after t5"},
		{"task_list", `{"limit":2,"after":"t5"}`, "  t4 todo medium a1\nt3 todo medium b\n1 more task matches; go on with after t3"},
		{"task_list", `{"after":"t3"}`, "t2 todo medium c"},
		{"task_list", `{"text":"a0"}`, "  t5 todo medium a0"},
		{"plan_show", `{"plan":"p1"}`, "p1 draft P\nt1 todo medium a\n  t5 todo medium a0\n  t4 todo medium a1\nt3 todo medium b\nt2 todo medium c"},
	} {
		if got := ask(t, s, c[0], c[1]); got.Text != c[2] {
			t.Errorf("%s %s answers\n%s\nwant\n%s", c[0], c[1], got.Text, c[2])
		}
	}
	document, err := json.Marshal(ask(t, s, "task_list", `{"after":"t5"}`).Records)
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{
		`"id":"t4","title":"a1","status":"todo","plan":"p1","parent":"t1","metadata":{"k":"v"}`, `"body":"B","depth":1,"openBlockers":[],"hasBody":true}`,
		`"depth":0,"openBlockers":["t1"],"hasBody":false}`,
	} {
		if !strings.Contains(string(document), part) {
			t.Errorf("%s is not in %s", part, document)
		}
	}
}

// TestListsIndentSixLevels and no more, however deep a task stands.
func TestListsIndentSixLevels(t *testing.T) {
	t.Parallel()
	s := toolstest.New(t)
	for n := range 9 {
		input := map[string]any{"title": "x"}
		if n > 0 {
			input["parent"] = "t" + string(rune('0'+n))
		}
		raw, err := json.Marshal(input)
		if err != nil {
			t.Fatal(err)
		}
		ask(t, s, "task_add", string(raw))
	}
	lines := strings.Split(ask(t, s, "task_list", `{}`).Text, "\n")
	for n, want := range []int{0, 2, 4, 6, 8, 10, 12, 12, 12} {
		if got := len(lines[n]) - len(strings.TrimLeft(lines[n], " ")); got != want {
			t.Errorf("%q is indented by %d, want %d", lines[n], got, want)
		}
	}
}
