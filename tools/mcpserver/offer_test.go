package mcpserver_test

import (
	"context"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/git-tasks/git-tasks/tools"
	"github.com/git-tasks/git-tasks/tools/mcpserver"
	"github.com/git-tasks/git-tasks/tools/toolstest"
)

// listed is how many bytes some of the tools of a list take on the wire.
func listed(t testing.TB, offered []*mcp.Tool) int {
	t.Helper()
	data, err := json.Marshal(offered)
	if err != nil {
		t.Fatal(err)
	}
	return len(data)
}

func core() []*tools.Tool {
	var few []*tools.Tool
	for _, t := range tools.All() {
		if one := t.Core(); one != nil {
			few = append(few, one)
		}
	}
	return few
}

// TestOfferIsSmall: what a model has to read of the tools before its first call stays
// within bounds, the ten that every list has among them.
func TestOfferIsSmall(t *testing.T) {
	t.Parallel()
	for _, era := range eras {
		list, err := pipes(t, toolstest.New(t), tools.Who{Person: "ana"}, era).ListTools(context.Background(), nil)
		if err != nil {
			t.Fatal(err)
		}
		isFirst, first := map[string]bool{}, []*mcp.Tool{}
		for _, tool := range tools.All()[:10] {
			isFirst[tool.Name] = true
		}
		for _, tool := range list.Tools {
			if isFirst[tool.Name] {
				first = append(first, tool)
			}
		}
		if n := listed(t, first); len(first) != 10 || n >= 8192 {
			t.Errorf("%s: the first %d tools take %d bytes, want ten in under 8192", era, len(first), n)
		}
		if n := listed(t, list.Tools); n >= 12<<10 {
			t.Errorf("%s: %d tools take %d bytes, want under 12 KiB", era, len(list.Tools), n)
		}
		few, err := offering(t, toolstest.New(t), tools.Who{Person: "ana"}, core(), era).ListTools(context.Background(), nil)
		if err != nil {
			t.Fatal(err)
		}
		if n := listed(t, few.Tools); len(few.Tools) != len(core()) || n >= 6<<10 {
			t.Errorf("%s: the core is %d tools in %d bytes, want %d in under 6 KiB", era, len(few.Tools), n, len(core()))
		}
	}
}

// TestInstructionsSayTheProtocol: whoever reads no more than the instructions knows when
// a list is of use and how it is kept, in few words, by tools that there are.
func TestInstructionsSayTheProtocol(t *testing.T) {
	t.Parallel()
	said := pipes(t, toolstest.New(t), tools.Who{Person: "ana"}, "2025-11-25").InitializeResult().Instructions
	if said != mcpserver.Instructions || len(said) >= 1500 {
		t.Errorf("the instructions are %d bytes, want the same text in under 1500:\n%s", len(said), said)
	}
	for what, words := range map[string]string{
		"when to use a list":                  "three or more steps",
		"one step in progress":                "Keep one step in progress",
		"done only with evidence":             "done only with evidence",
		"a failed step stays":                 "failed stays in the list",
		"and gets a recovery step":            "recovery step",
		"an empty list clears a finished one": "An empty list clears",
		"blockers before close":               "Close what blocks others before",
		"claim before work":                   "Claim a task before you work on it (task_claim)",
		"release when stopping":               "release it when you stop before its end (task_release)",
	} {
		if !strings.Contains(said, words) {
			t.Errorf("%s: %q is not said in\n%s", what, words, said)
		}
	}
	named := regexp.MustCompile(`\b(task|plan|todo)_[a-z]+\b`).FindAllString(said, -1)
	for _, name := range named {
		if !slices.ContainsFunc(core(), func(t *tools.Tool) bool { return t.Name == name }) {
			t.Errorf("%s is named, and is no tool of the core", name)
		}
	}
	if len(named) == 0 {
		t.Error("no tool is named")
	}
}

// TestCoreTakesCalls: a tool of the core that is offered alone answers, and one that is
// not offered cannot be called.
func TestCoreTakesCalls(t *testing.T) {
	t.Parallel()
	for _, era := range eras {
		session := offering(t, toolstest.New(t), tools.Who{Person: "ana", Folder: "/srv"}, core(), era)
		if got := text(t, call(t, session, "task_add", `{"title":"A","topic":"a field that is not offered"}`)); got != "t1 todo medium A" {
			t.Errorf("%s: task_add answers %q", era, got)
		}
		if got := text(t, call(t, session, "task_list", `{"text":"a field"}`)); got != "No tasks match." {
			t.Errorf("%s: task_list answers %q", era, got)
		}
		if _, err := session.CallTool(context.Background(), &mcp.CallToolParams{Name: "plan_list"}); err == nil {
			t.Errorf("%s: a tool that is not offered is called", era)
		}
	}
}

// TestSubagentsHaveListsOfTheirOwn: whoever speaks for a subagent says so in _meta, by
// either road, or over HTTP in a header.
func TestSubagentsHaveListsOfTheirOwn(t *testing.T) {
	t.Parallel()
	for _, era := range eras {
		s := toolstest.New(t)
		url := hosted(t, s)
		write := func(session *mcp.ClientSession, agent any, content string) *mcp.CallToolResult {
			t.Helper()
			meta := mcp.Meta{}
			if agent != nil {
				meta["git-tasks/agent"] = agent
			}
			result, err := session.CallTool(context.Background(), &mcp.CallToolParams{Meta: meta, Name: "todo_write",
				Arguments: json.RawMessage(`{"todos":[{"id":"1","content":"` + content + `","status":"pending"}]}`)})
			if err != nil {
				t.Fatal(err)
			}
			return result
		}
		web := dial(t, url, era, headers("Git-Tasks-As", "ana", "Git-Tasks-Session", "one"))
		process := pipes(t, s, tools.Who{Person: "ana", Session: "one"}, era)
		write(web, nil, "A")
		write(process, "a1", "B")
		write(web, "a2", "C")
		write(dial(t, url, era, headers("Git-Tasks-As", "ana", "Git-Tasks-Session", "one", "Git-Tasks-Agent", "a3")), nil, "D")
		const want = "p1 draft Session one\np2 draft Session one/a1\np3 draft Session one/a2\np4 draft Session one/a3"
		if got := text(t, call(t, web, "plan_list", `{}`)); got != want {
			t.Errorf("%s: the plans are\n%s", era, got)
		}
		if got := text(t, call(t, web, "task_list", `{"status":"todo"}`)); got != "t1 todo medium A\nt2 todo medium B\nt3 todo medium C\nt4 todo medium D" {
			t.Errorf("%s: the tasks are\n%s", era, got)
		}
		for _, session := range []*mcp.ClientSession{web, process} {
			if got := write(session, 7, "E"); !got.IsError || text(t, got) != "_meta git-tasks/agent must be a string." {
				t.Errorf("%s: an agent that is a number is answered %q", era, text(t, got))
			}
		}
	}
}
