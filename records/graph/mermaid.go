package graph

import (
	"fmt"
	"strings"

	"github.com/git-tasks/git-tasks/records"
)

// What GitHub renders: so many characters and arrows in one diagram, with some room
// for what stands around them.
const (
	maxDiagram = 48_000
	maxArrows  = 480
)

// colours are how a status is shown: what is over is pale.
var colours = []struct {
	status        records.Status
	fill, outline string
}{
	{records.Todo, "#ffffff", "#57606a"},
	{records.Doing, "#ddf4ff", "#0969da"},
	{records.Blocked, "#ffebe9", "#cf222e"},
	{records.Review, "#fff8c5", "#9a6700"},
	{records.Done, "#dafbe1", "#1a7f37"},
	{records.Dropped, "#f6f8fa", "#8c959f"},
}

// maxNote is how long a note of a diagram may be, in bytes.
const maxNote = 2000

// Mermaid is the graph as a code block of Markdown, which GitHub and others draw. What
// is to be said of the graph beside it stands ahead of the nodes, in comments: they are
// not drawn.
func (g *Graph) Mermaid(notes ...string) string {
	lines := []string{"```mermaid", "flowchart TD"}
	for _, note := range notes {
		lines = append(lines, comment(note))
	}
	drawn, left := g.drawn(len(strings.Join(lines, "\n")))
	if len(g.tasks) == 0 {
		lines = append(lines, `  none["No tasks match."]`)
	}
	for i, t := range g.tasks {
		if drawn[i] {
			lines = append(lines, node(t))
		}
	}
	if left > 0 {
		lines = append(lines, fmt.Sprintf(`  left["… %d more left out"]`, left))
	}
	for i := range g.tasks {
		lines = append(lines, g.arrows(i, drawn)...)
	}
	for _, c := range colours {
		lines = append(lines, fmt.Sprintf("  classDef %s fill:%s,stroke:%s,color:#1f2328", c.status, c.fill, c.outline))
	}
	return strings.Join(append(lines, "```"), "\n")
}

// unsaid writes by its number what makes a directive of a comment.
var unsaid = strings.NewReplacer("%", "#37;", "{", "#123;", "}", "#125;")

// comment is a line that is not drawn.
func comment(note string) string {
	note = unsaid.Replace(records.Visible(note))
	if len(note) > maxNote {
		note = strings.ToValidUTF8(note[:maxNote], "") + " …"
	}
	return "  %% " + note
}

// node is the line of a task.
func node(t *records.Task) string {
	return fmt.Sprintf(`  %s["%s %s"]:::%s`, t.ID, label(t), escaped(t.Title), t.Status)
}

// arrows are the lines from what a task waits for, as far as both are drawn.
func (g *Graph) arrows(i int, drawn []bool) []string {
	var lines []string
	for _, from := range g.waits[i] {
		if drawn[i] && drawn[from] {
			lines = append(lines, "  "+g.tasks[from].ID+" --> "+g.tasks[i].ID)
		}
	}
	return lines
}

// drawn says of each task whether there is room for it, open ones first, and how
// many there is none for, where so much is written already.
func (g *Graph) drawn(size int) (drawn []bool, left int) {
	drawn = make([]bool, len(g.tasks))
	arrows := 0
	for _, open := range []bool{true, false} {
		for i, t := range g.tasks {
			if t.Status.Open() != open {
				continue
			}
			drawn[i] = true
			lines := append(g.arrows(i, drawn), node(t))
			for _, next := range g.blocks[i] {
				if next != i && drawn[next] {
					lines = append(lines, "  "+t.ID+" --> "+g.tasks[next].ID)
				}
			}
			more := len(strings.Join(lines, "\n")) + 1
			if drawn[i] = size+more <= maxDiagram && arrows+len(lines)-1 <= maxArrows; !drawn[i] {
				left++
				continue
			}
			size, arrows = size+more, arrows+len(lines)-1
		}
	}
	return drawn, left
}

// escaped is a title in a label: whatever may have a meaning there, or to the Markdown
// that labels are read as, addresses too, is written by its number.
func escaped(title string) string {
	var b strings.Builder
	for _, r := range records.Visible(title) {
		switch {
		case r > '~', strings.ContainsRune(" ,-()!?'", r),
			r >= '0' && r <= '9', r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z':
			b.WriteRune(r)
		default:
			fmt.Fprintf(&b, "#%d;", r)
		}
	}
	return b.String()
}
