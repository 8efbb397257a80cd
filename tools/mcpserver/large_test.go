package mcpserver_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/git-tasks/git-tasks/records"
	"github.com/git-tasks/git-tasks/repo"
	"github.com/git-tasks/git-tasks/repo/repotest"
	"github.com/git-tasks/git-tasks/tools"
	"github.com/git-tasks/git-tasks/tools/toolstest"
)

// TestLargeAnswers: an answer that is large is what it would be if it were small,
// whatever stands in it: over HTTP, in every version, as over pipes.
func TestLargeAnswers(t *testing.T) {
	t.Parallel()
	dir := repotest.New(t)
	plan := records.Plan{ID: "p1", Title: "P", Status: records.Draft, Scope: records.Scope{Kind: records.FolderScope, Folder: "/srv"}}
	files := []repo.File{{Path: records.PathOf("p1"), Data: plan.Encode()}}
	for i := 1; i <= 50; i++ {
		task := records.Task{ID: fmt.Sprintf("t%d", i), Title: fmt.Sprintf("<%d> & \"it\"", i), Status: records.Todo, Plan: "p1",
			Body: strings.Repeat("\"structuredContent\":\"A\"\n\ndata: {}\n</script>\u2028 日本\n", 100)}
		files = append(files, repo.File{Path: records.PathOf(task.ID), Data: task.Encode()})
	}
	repotest.Foreign(t, dir, "refs/heads/main", "mia", "x", files...)
	s := toolstest.Open(t, tools.Config{Path: dir})
	url := hosted(t, s)
	ask := func(session *mcp.ClientSession) []any {
		result := call(t, session, "task_list", `{}`)
		return []any{text(t, result), result.StructuredContent}
	}
	for _, era := range versions {
		want, got := ask(pipes(t, s, tools.Who{Person: "ana"}, era)), ask(dial(t, url, era, headers("Git-Tasks-As", "ana")))
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: a list over HTTP is %.300v, want %.300v", era, got, want)
		}
		resource, err := dial(t, url, era, headers("Git-Tasks-As", "ana")).ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "x-ahpd-plans://p1"})
		if err != nil {
			t.Fatal(err)
		}
		shown := call(t, pipes(t, s, tools.Who{Person: "ana"}, era), "plan_show", `{"plan":"p1"}`)
		var document any
		if err := json.Unmarshal([]byte(resource.Contents[0].Text), &document); err != nil {
			t.Fatal(err)
		}
		if resource.Contents[1].Text != text(t, shown) || !reflect.DeepEqual(document, shown.StructuredContent) {
			t.Errorf("%s: a plan over HTTP is %.300q, %.300v", era, resource.Contents[1].Text, document)
		}
	}
}
