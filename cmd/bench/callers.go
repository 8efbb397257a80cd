package main

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/git-tasks/git-tasks/tools"
)

// door makes one call as somebody and gives the text of the answer.
type door func(ctx context.Context, by, tool string, input any) (string, error)

// callers write to a list through a door, all at once, and remember what they
// were told.
type callers struct {
	b    *bench
	list *list
	dir  string // the copy they write to
	door door
	each []*caller
	per  int // calls of each caller in one burst
}

// caller adds a task and then writes notes on it, nine for each one it adds.
type caller struct {
	by    string
	plan  string
	calls int
	tasks []string          // that it added, by the id it was told
	notes map[string]string // the last one it was told of, by task
}

func (b *bench) newCallers(l *list, dir string, n, per int, d door) *callers {
	if b.quick {
		n, per = 5, 3
	}
	c := &callers{b: b, list: l, dir: dir, door: d, per: per}
	for i := range n {
		c.each = append(c.each, &caller{by: fmt.Sprintf("caller-%d", i), notes: map[string]string{},
			plan: fmt.Sprintf("p%d", 1+i%len(l.first))})
	}
	return c
}

// burst has every caller make its calls, and gives changes a second.
func (c *callers) burst(ctx context.Context) (float64, error) {
	errs := make([]error, len(c.each))
	var all sync.WaitGroup
	start := time.Now()
	for i, one := range c.each {
		all.Go(func() {
			for range c.per {
				if errs[i] = one.call(ctx, c.door); errs[i] != nil {
					return
				}
			}
		})
	}
	all.Wait()
	spent := time.Since(start)
	for _, err := range errs {
		if err != nil {
			return 0, err
		}
	}
	return float64(len(c.each)*c.per) / spent.Seconds(), nil
}

// call makes the caller's next change.
func (c *caller) call(ctx context.Context, d door) error {
	n := c.calls
	c.calls++
	if n%changes == 0 {
		title := fmt.Sprintf("Task %d of %s", n, c.by)
		said, err := d(ctx, c.by, "task_add", map[string]any{"title": title, "plan": c.plan, "labels": []string{"bench"}})
		if err != nil {
			return err
		}
		id, rest, _ := strings.Cut(said, " ")
		if rest != "todo medium "+title {
			return fmt.Errorf("task_add of %q was answered %q", title, said)
		}
		c.tasks = append(c.tasks, id)
		return nil
	}
	id, note := c.tasks[len(c.tasks)-1], fmt.Sprintf("note %d", n)
	if _, err := d(ctx, c.by, "task_set", map[string]any{"task": id, "note": note}); err != nil {
		return err
	}
	c.notes[id] = note
	return nil
}

// check holds what the callers were told to what is in the repository: ids
// without a gap, a commit for every call by whoever made it, the last note of
// every task.
func (c *callers) check(ctx context.Context) error {
	var ids, authors, notes []string
	added := 0
	for _, one := range c.each {
		ids = append(ids, one.tasks...)
		added += (one.calls + changes - 1) / changes
		authors = append(authors, slices.Repeat([]string{one.by}, one.calls)...)
		for id, note := range one.notes {
			notes = append(notes, id+" "+note)
		}
	}
	slices.Sort(authors)
	slices.Sort(notes)
	if err := c.b.dense("ids", strings.Join(ids, "\n"), c.list.tasks, added); err != nil {
		return err
	}
	out, err := c.b.git(ctx, c.dir, "log", "--format=%an", c.list.tip+"..main")
	if err != nil {
		return err
	}
	// A host that starts on a list from before its key commits that first.
	out = strings.TrimSuffix("\n"+strings.TrimSpace(out), "\ngit-tasks")
	if err := c.b.same("authors of the commits", sorted(strings.TrimPrefix(out, "\n")), strings.Join(authors, "\n")); err != nil {
		return err
	}
	got, err := readNotes(c.dir, notes)
	if err != nil {
		return err
	}
	if err := c.b.same("notes", got, strings.Join(notes, "\n")); err != nil {
		return err
	}
	return c.b.sound(ctx, c.list, c.dir)
}

// readNotes reads the notes of tasks as a process that knows nothing of them.
func readNotes(dir string, notes []string) (string, error) {
	s, err := tools.Open(tools.Config{Path: dir})
	if err != nil {
		return "", err
	}
	defer s.Close()
	book, _, err := s.Book()
	if err != nil {
		return "", err
	}
	var got []string
	for _, line := range notes {
		id, _, _ := strings.Cut(line, " ")
		t, err := book.Task(id)
		if err != nil || t == nil {
			return "", fmt.Errorf("%s is not there: %w", id, err)
		}
		got = append(got, id+" "+t.Note)
	}
	return strings.Join(got, "\n"), nil
}

// dense holds ids to be the so many numbers that follow the highest, each once.
func (b *bench) dense(what, ids string, highest, count int) error {
	return b.sure(what, ids, func(ids string) error {
		seen := map[string]bool{}
		list := strings.Split(ids, "\n")
		for _, id := range list {
			seen[id] = true
		}
		for n := range count {
			if id := fmt.Sprintf("t%d", highest+1+n); !seen[id] || len(list) != count {
				return fmt.Errorf("%d were given out for %d new tasks; %s is %v", len(list), count, id, seen[id])
			}
		}
		return nil
	})
}

// sorted sorts lines.
func sorted(text string) string {
	lines := strings.Split(text, "\n")
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

// inProcess is the door of a program that keeps the list open.
func inProcess(s *tools.Store) door {
	return func(ctx context.Context, by, tool string, input any) (string, error) {
		who, err := s.Caller(tools.Who{Person: by})
		if err != nil {
			return "", err
		}
		data, err := json.Marshal(input)
		if err != nil {
			return "", err
		}
		answer, err := tools.Call(ctx, s, who, tool, data)
		if err != nil {
			return "", fmt.Errorf("%s %s: %w", tool, data, err)
		}
		return answer.Text, nil
	}
}
