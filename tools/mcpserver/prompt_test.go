package mcpserver_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/git-tasks/git-tasks/repo"
	"github.com/git-tasks/git-tasks/repo/repotest"
	"github.com/git-tasks/git-tasks/tools"
	"github.com/git-tasks/git-tasks/tools/toolstest"
)

// prompted gives the texts of the prompt tasks.
func prompted(t *testing.T, session *mcp.ClientSession, arguments map[string]string) (guide, view string) {
	t.Helper()
	got, err := session.GetPrompt(t.Context(), &mcp.GetPromptParams{Name: "tasks", Arguments: arguments})
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Messages) != 2 {
		t.Fatalf("%d messages, want two", len(got.Messages))
	}
	return got.Messages[0].Content.(*mcp.TextContent).Text, got.Messages[1].Content.(*mcp.TextContent).Text
}

// TestPromptOverHTTP: in either era the prompt shows the tasks of the session that
// the client says, all where that has none, and no more than one can read.
func TestPromptOverHTTP(t *testing.T) {
	t.Parallel()
	dir := repotest.New(t)
	var files []repo.File
	for i := 1; i <= 60; i++ {
		files = append(files, repo.File{Path: fmt.Sprintf("tasks/t%d.md", i),
			Data: fmt.Appendf(nil, "---\nid: t%d\ntitle: T\nstatus: todo\nsession: ahp-session:/one\n---\n", i)})
	}
	files = append(files, repo.File{Path: "tasks/t61.md", Data: []byte("---\nid: t61\ntitle: T\nstatus: doing\n---\n")})
	repotest.Foreign(t, dir, "refs/heads/main", "mia", "x", files...)
	url := hosted(t, toolstest.Open(t, tools.Config{Path: dir}))
	for _, era := range eras {
		guide := ""
		for session, want := range map[string][3]string{
			"one": {"The open tasks of this session. ", "| t1 todo medium T\n", " 10 more are open: task_list has them."},
			"two": {"All open tasks. ", "| t61 doing medium T\n| t1 todo medium T\n", " 11 more are open: task_list has them."},
			"":    {"All open tasks. ", "| t61 doing medium T\n| t1 todo medium T\n", " 11 more are open: task_list has them."},
		} {
			said, view := prompted(t, dial(t, url, era, headers("Git-Tasks-Session", session)), nil)
			if guide != "" && said != guide {
				t.Errorf("%s: the guide moved to %s", era, said)
			}
			guide = said
			lines := strings.SplitN(view, "\n", 2)
			if !strings.HasPrefix(view, want[0]) || !strings.HasPrefix(lines[1], want[1]) || !strings.HasSuffix(view, want[2]) ||
				strings.Count(view, "\n| ") != 50 {
				t.Errorf("%s, session %q: the view is\n%s", era, session, view)
			}
		}
	}
}

// TestPlansAreCompleted: in either era the ids of plans are offered to whoever
// types one, for the prompt and for the URI of a plan; no more than a hundred.
func TestPlansAreCompleted(t *testing.T) {
	t.Parallel()
	dir := repotest.New(t)
	var files []repo.File
	for i := 1; i <= 120; i++ {
		folder := "plans/"
		if i >= 100 {
			folder += "1/"
		}
		files = append(files, repo.File{Path: fmt.Sprintf("%sp%d.md", folder, i),
			Data: fmt.Appendf(nil, "---\nid: p%d\ntitle: T\nstatus: draft\nscope: {kind: folder, folder: /srv}\n---\n", i)})
	}
	repotest.Foreign(t, dir, "refs/heads/main", "mia", "x", files...)
	url := hosted(t, toolstest.Open(t, tools.Config{Path: dir}))
	prompt, plan := &mcp.CompleteReference{Type: "ref/prompt", Name: "tasks"}, &mcp.CompleteReference{Type: "ref/resource", URI: "x-ahpd-plans://{id}"}
	for _, era := range eras {
		session := dial(t, url, era, nil)
		for _, c := range []struct {
			ref            *mcp.CompleteReference
			argument, said string
			want           string
		}{
			{prompt, "plan", "", "100 of 120: p1 p2"},
			{prompt, "plan", "p12", "2 of 2: p12 p120"},
			{plan, "id", "p119", "1 of 1: p119"},
			{plan, "id", "t1", "0 of 0:"},
			{prompt, "id", "p1", "0 of 0:"},
			{&mcp.CompleteReference{Type: "ref/resource", URI: "file:///{id}"}, "id", "p1", "0 of 0:"},
		} {
			got, err := session.Complete(t.Context(), &mcp.CompleteParams{Ref: c.ref,
				Argument: mcp.CompleteParamsArgument{Name: c.argument, Value: c.said}})
			if err != nil {
				t.Fatal(err)
			}
			d := got.Completion
			said := fmt.Sprintf("%d of %d:", len(d.Values), d.Total)
			for _, value := range d.Values[:min(2, len(d.Values))] {
				said += " " + value
			}
			if said != c.want || d.HasMore != (d.Total > 100) {
				t.Errorf("%s: %q of %+v is completed to %s (more: %v), want %s", era, c.said, c.ref, said, d.HasMore, c.want)
			}
		}
	}
}
