package graph_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"pgregory.net/rapid"

	"github.com/git-tasks/git-tasks/records"
	"github.com/git-tasks/git-tasks/records/graph"
)

var update = flag.Bool("update", false, "write what is drawn into the golden files")

// of gives the graph of files that are named by their ids.
func of(t testing.TB, plan string, files map[string]string) *graph.Graph {
	t.Helper()
	tree := fstest.MapFS{}
	for id, text := range files {
		tree[records.PathOf(id)] = &fstest.MapFile{Data: []byte("---\nid: " + id + "\n" + text + "\n---\n")}
	}
	g, err := graph.Of(records.NewBook(tree), plan)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// TestGraphs holds what is drawn to the golden files, which a person has looked at.
func TestGraphs(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		plan  string
		files map[string]string
	}{
		"nothing": {},
		"statuses": {"", map[string]string{
			"t1": "title: Project Setup\nstatus: done", "t2": "title: Implement auth\nstatus: doing\nblockedBy: [t1]",
			"t3": "title: Add API endpoints\nstatus: todo\nblockedBy: [t2]", "t4": "title: Ask the users\nstatus: blocked",
			"t5": "title: Write it down\nstatus: review\nblockedBy: [t2]", "t6": "title: Logo\nstatus: dropped",
			"t10": "title: First of all\nstatus: todo\nrank: \"V0V\"",
		}},
		"above": {"", map[string]string{
			"t1": "title: A title that goes on and on and on\nstatus: done", "t2": "title: B\nstatus: done\nblockedBy: [t1]",
			"t3": "title: C\nstatus: todo\nblockedBy: [t1, t1]", "t4": "title: D\nstatus: todo\nblockedBy: [t3, t2, t9, t1, t5]", // t5 was removed
			"t6": "title: E\nstatus: todo\nblockedBy: [t4]",
		}},
		"circles": {"", map[string]string{
			"t1": "title: Behind it\nstatus: todo\nblockedBy: [t3]", "t2": "title: Round\nstatus: todo\nblockedBy: [t4]",
			"t3": "title: And round\nstatus: todo\nblockedBy: [t2]", "t4": "title: Again\nstatus: todo\nblockedBy: [t3]",
			"t5": "title: Itself\nstatus: todo\nblockedBy: [t5]", "t6": "title: Fine\nstatus: todo",
		}},
		"plan": {"p1", map[string]string{
			"p1": "title: P\nstatus: active\nscope: {kind: bot, bot: b}", "t1": "title: Elsewhere\nstatus: todo",
			"t2": "title: Here\nstatus: todo\nplan: p1\nblockedBy: [t1]", "t3": "title: Here too\nstatus: todo\nplan: p1\nblockedBy: [t2]",
			"t4": "title: Elsewhere too\nstatus: todo\nblockedBy: [t2]",
		}},
		"hostile": {"", map[string]string{
			"t1": `title: "a\"]; b --> c\n` + "```" + `\u2028end"` + "\nstatus: todo",
			"t2": `title: "%%{init: {\"theme\": \"dark\"}}%% <script>alert(1)</script> &amp; #35;"` + "\nstatus: todo\nblockedBy: [t1]",
			"t3": `title: "\u001b[2J\u202eevil \U000E0041 \\n *b* _i_ ` + "`code`" + ` https://example.org/~x @a {x}|y|"` + "\nstatus: todo\nblockedBy: [t2]",
			"t4": "title: 1. - end subgraph\nstatus: todo\nblockedBy: [t3]",
		}},
		"wide": {"", map[string]string{
			"t1": "title: 日本語の題日本語の題日本語の題日本語の題日本語の題日本語の題\nstatus: todo",
			"t2": "title: e\u0301" + strings.Repeat("e\u0301", 30) + "\nstatus: todo\nblockedBy: [t1]",
			"t3": "title: " + strings.Repeat("👩\u200d👩\u200d👧 ❤\ufe0f", 9) + "\nstatus: todo\nblockedBy: [t2]",
			"t4": "title: שלום עולם\nstatus: todo\nblockedBy: [t3]",
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := of(t, c.plan, c.files)
			var notes []string
			if name == "hostile" {
				notes = []string{"1 record could not be read: tasks/%%{init: {}}%%.md:1: a\n```\u202eb; c", "日" + strings.Repeat("long ", 500)}
			}
			golden(t, filepath.Join("testdata", name+".md"), g.Text()+"\n\n"+g.Mermaid(notes...)+"\n")
		})
	}
}

func golden(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s is\n%s\nwant\n%s", file, got, want)
	}
}

// TestEveryTaskOnce: whatever waits for what, each task has one line of its own, each
// further arrow to it one that says "above", and all end.
func TestEveryTaskOnce(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		files, arrows := map[string]string{}, 0
		n := rapid.IntRange(1, 12).Draw(rt, "tasks")
		for i := 1; i <= n; i++ {
			blockers := rapid.SliceOfNDistinct(rapid.IntRange(1, n), 0, 4, rapid.ID).Draw(rt, "blockers")
			var ids []string
			for _, b := range blockers {
				ids = append(ids, fmt.Sprintf("t%d", b))
			}
			arrows += len(ids)
			files[fmt.Sprintf("t%d", i)] = "title: A\nstatus: todo\nblockedBy: [" + strings.Join(ids, ", ") + "]"
		}
		g := of(t, "", files)
		own, above, roots := map[string]int{}, 0, 0
		for _, line := range strings.Split(g.Text(), "\n")[1:] {
			words := strings.Fields(line)
			switch {
			case strings.HasSuffix(line, " … (above)"):
				above++
			case words[0] == "⭕":
				own[words[1]]++
				if !strings.HasPrefix(line, " ") {
					roots++
				}
			}
		}
		for i := 1; i <= n; i++ {
			if id := fmt.Sprintf("t%d", i); own[id] != 1 {
				rt.Errorf("%s has %d lines in\n%s", id, own[id], g.Text())
			}
		}
		if want := arrows - (n - roots); above != want {
			rt.Errorf("%d lines say above, want %d:\n%s", above, want, g.Text())
		}
		if got := strings.Count(g.Mermaid(), " --> "); got != arrows {
			rt.Errorf("%d arrows are drawn, want %d:\n%s", got, arrows, g.Mermaid())
		}
	})
}

// TestAThousandTasks in a row, and side by side: lines stay readable, and a diagram
// stays within what GitHub draws, open tasks before those that are over.
func TestAThousandTasks(t *testing.T) {
	t.Parallel()
	for name, blockedBy := range map[string]string{"row": "t%d", "side by side": "t1"} {
		files := map[string]string{"t1": "title: " + strings.Repeat("long ", 12) + "\nstatus: done"}
		for i := 2; i <= 1000; i++ {
			status := "done"
			if i%5 == 0 {
				status = "todo"
			}
			by := blockedBy
			if strings.Contains(by, "%") {
				by = fmt.Sprintf(by, i-1)
			}
			files[fmt.Sprintf("t%d", i)] = "title: " + strings.Repeat("long ", 12) + "\nstatus: " + status + "\nblockedBy: [" + by + "]"
		}
		g := of(t, "", files)
		text, diagram := g.Text(), g.Mermaid(strings.Repeat("long ", 1000), strings.Repeat("long ", 1000))
		if lines := strings.Count(text, "\n"); lines != 1000+999 || len(text) > 400_000 {
			t.Errorf("%s: %d lines, %d bytes", name, lines, len(text))
		}
		arrows, open := strings.Count(diagram, " --> "), strings.Count(diagram, ":::todo")
		if len(diagram) > 50_000 || arrows > 500 || open != 200 || !strings.Contains(diagram, " more left out\"]\n") {
			t.Errorf("%s: a diagram of %d bytes, %d arrows and %d open tasks:\n%.300s", name, len(diagram), arrows, open, diagram)
		}
	}
}
