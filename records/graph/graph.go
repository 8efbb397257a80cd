package graph

import (
	"fmt"
	"slices"

	"github.com/git-tasks/git-tasks/records"
)

// Graph is tasks and what waits for what.
type Graph struct {
	tasks  []*records.Task   // in the order of a list
	at     map[string]int    // where the task of an id is among them
	waits  [][]int           // by task, those among them that it waits for, as it names them
	blocks [][]int           // by task, those among them that wait for it, in their order
	others map[string]string // what stands for one that is not among them
}

// Of gives the graph of the tasks that name a plan, of all for "".
func Of(book *records.Book, plan string) (*Graph, error) {
	listed, _, err := book.Select(records.Filter{Plan: plan}, 0, 0)
	if err != nil {
		return nil, err
	}
	g := &Graph{at: map[string]int{}, others: map[string]string{}}
	for i, l := range listed {
		g.tasks = append(g.tasks, l.Task)
		g.at[l.ID] = i
	}
	g.waits, g.blocks = make([][]int, len(g.tasks)), make([][]int, len(g.tasks))
	for i, l := range listed {
		for _, id := range l.BlockedBy {
			if from, ok := g.at[id]; ok {
				if !slices.Contains(g.waits[i], from) { // a hand may name one twice
					g.waits[i] = append(g.waits[i], from)
					g.blocks[from] = append(g.blocks[from], i)
				}
				continue
			}
			other, err := book.Task(id)
			switch {
			case err != nil:
				return nil, err
			case other != nil:
				g.others[id] = other.Title
			case slices.Contains(l.OpenBlockers, id):
				g.others[id] = id
			}
		}
	}
	return g, nil
}

// Tasks gives what is told of each task: its id, title, status and what it waits for.
func (g *Graph) Tasks() []*records.Task {
	tasks := make([]*records.Task, len(g.tasks))
	for i, t := range g.tasks {
		tasks[i] = &records.Task{ID: t.ID, Title: t.Title, Status: t.Status, BlockedBy: t.BlockedBy}
	}
	return tasks
}

// roots gives the tasks to begin with: those that wait for none, and the first of each
// circle that no other task leads to.
func (g *Graph) roots() []int {
	reached := make([]bool, len(g.tasks))
	var roots []int
	begin := func(i int) {
		roots = append(roots, i)
		reached[i] = true
		for ahead := []int{i}; len(ahead) > 0; {
			at := ahead[len(ahead)-1]
			ahead = ahead[:len(ahead)-1]
			for _, next := range g.blocks[at] {
				if !reached[next] {
					reached[next] = true
					ahead = append(ahead, next)
				}
			}
		}
	}
	for i := range g.tasks {
		if len(g.waits[i]) == 0 {
			begin(i)
		}
	}
	for i := range g.tasks {
		if !reached[i] {
			begin(g.circle(i))
		}
		if !reached[i] {
			begin(i) // it waits for another circle as well
		}
	}
	return roots
}

// circle gives the first task of the circle that a task waits for in the end, where
// every task does that it waits for.
func (g *Graph) circle(i int) int {
	var path []int
	for !slices.Contains(path, i) {
		path = append(path, i)
		i = g.waits[i][0]
	}
	return slices.Min(path[slices.Index(path, i):])
}

// label is what stands for a task: its mark, and its id.
func label(t *records.Task) string { return fmt.Sprintf("%s %s", marks[t.Status], t.ID) }

// marks are what stands for each status.
var marks = map[records.Status]string{
	records.Todo: "⭕", records.Doing: "🚧", records.Blocked: "⛔", records.Review: "👀", records.Done: "✅", records.Dropped: "🗑️",
}
