package graph

import (
	"slices"
	"strings"
	"unicode"

	"github.com/git-tasks/git-tasks/records"
)

const (
	maxTitle = 25 // characters of a title below a task
	maxLevel = 40 // of indentation; a chain that is longer goes on below itself
)

// Text is the graph in lines, the first of which says what it is.
func (g *Graph) Text() string {
	lines := []string{"Task Graph:"}
	if len(g.tasks) == 0 {
		lines = append(lines, "No tasks match.")
	}
	shown := make([]bool, len(g.tasks))
	for _, root := range g.roots() {
		lines = g.descend(lines, shown, root)
	}
	return strings.Join(lines, "\n")
}

// place is a task, and how deep it is to stand.
type place struct{ task, level int }

// descend adds the lines of a task and of all that wait for it.
func (g *Graph) descend(lines []string, shown []bool, root int) []string {
	for ahead := []place{{root, 0}}; len(ahead) > 0; {
		at := ahead[len(ahead)-1]
		ahead = ahead[:len(ahead)-1]
		t, indent := g.tasks[at.task], strings.Repeat("  ", min(at.level, maxLevel))
		if shown[at.task] {
			lines = append(lines, indent+label(t)+" … (above)")
			continue
		}
		shown[at.task] = true
		lines = append(lines, indent+label(t)+" ["+strings.ToUpper(string(t.Status))+"] "+records.Visible(t.Title))
		if names := g.names(t); len(names) > 0 {
			lines = append(lines, indent+"  └─ depends on: "+strings.Join(names, ", "))
		}
		behind := g.blocks[at.task]
		for i := range behind { // the last first, since the last is taken first
			ahead = append(ahead, place{behind[len(behind)-1-i], at.level + 1})
		}
	}
	return lines
}

// names gives the titles of what a task waits for, and the ids of those that nobody
// knows yet. One that was removed is none.
func (g *Graph) names(t *records.Task) []string {
	var names []string
	for i, id := range t.BlockedBy {
		if slices.Contains(t.BlockedBy[:i], id) {
			continue
		}
		title, ok := g.others[id]
		if at, isHere := g.at[id]; isHere {
			title, ok = g.tasks[at].Title, true
		}
		if ok {
			names = append(names, short(records.Visible(title)))
		}
	}
	return names
}

// short is the first characters of a title, as people count them: an accent or a
// picture that is joined of several belongs to the one before it.
func short(title string) string {
	count, joined := 0, false
	for i, r := range title {
		switch {
		case r == zeroWidthJoiner:
			joined = true
			continue
		case joined, unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf, unicode.Sk) && r > unicode.MaxASCII:
			joined = false
			continue
		}
		if count++; count > maxTitle {
			return title[:i]
		}
	}
	return title
}

// zeroWidthJoiner makes one picture of two.
const zeroWidthJoiner = '\u200d'
