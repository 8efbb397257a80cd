package main

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/git-tasks/git-tasks/records"
	"github.com/git-tasks/git-tasks/tools"
)

// fields are the values that each field of a task may have: more than one where
// a call was cut off before it was answered.
type fields map[string][]string

// actor makes calls about tasks of its own.
type actor struct {
	s     *soaked
	name  string
	r     *rand.Rand
	steps int
	told  chan<- struct{}
	call  func(tool string, input map[string]any) (text, commit string, err error)

	http  *client
	plan  string
	tasks map[string]fields // of its plan, by id
	acked [][20]byte        // commits that it was told of
	cut   int               // calls that were not answered
}

// errCut says that a call may or may not have been carried out.
var errCut = errors.New("not answered")

// live makes the actor's calls, one after the other.
func (a *actor) live() {
	for step := 0; a.s.more(step, a.steps); step++ {
		err := a.step(step)
		switch {
		case err == errCut:
			a.cut++
		case err != nil:
			a.s.t.Errorf("%s, step %d: %v", a.name, step, err)
			return
		}
		select {
		case a.told <- struct{}{}:
		default:
		}
	}
}

// step is a plan, a task in it, a field of a task, or the plan's end; after it
// the sweep may take them all, so the actor forgets them.
func (a *actor) step(n int) error {
	switch ids := a.ids(); {
	case a.plan == "":
		text, err := a.change("plan_create", map[string]any{"title": fmt.Sprintf("Plan %d of %s", n, a.name), "scope": map[string]string{"kind": "bot", "bot": a.name}})
		if err == nil {
			a.plan, _, _ = strings.Cut(text, " ")
		}
		return err
	case len(ids) > 3:
		_, err := a.change("plan_set", map[string]any{"plan": a.plan, "status": "done"})
		a.plan, a.tasks = "", map[string]fields{}
		return err
	case len(ids) == 0 || a.r.IntN(4) == 0:
		text, err := a.change("task_add", map[string]any{"title": fmt.Sprintf("Task %d of %s", n, a.name), "plan": a.plan})
		if err == nil {
			id, _, _ := strings.Cut(text, " ")
			a.tasks[id] = fields{"note": {""}, "status": {"todo"}}
		}
		return err
	default:
		field, value := "note", fmt.Sprintf("note %d", n)
		if a.r.IntN(3) == 0 {
			field, value = "status", pick(a.r, []string{"todo", "doing", "review", "done"})
		}
		return a.set(pick(a.r, ids), field, value)
	}
}

func (a *actor) ids() []string { return slices.Sorted(maps.Keys(a.tasks)) }

func (a *actor) set(id, field, value string) error {
	_, err := a.change("task_set", map[string]any{"task": id, field: value})
	switch err {
	case nil:
		a.tasks[id][field] = []string{value}
	case errCut:
		a.tasks[id][field] = append(a.tasks[id][field], value)
	}
	return err
}

// change makes a call, again where somebody else had the branch, and keeps the
// commit.
func (a *actor) change(tool string, input map[string]any) (string, error) {
	for {
		a.s.calls.RLock()
		text, commit, err := a.call(tool, input)
		a.s.calls.RUnlock()
		if err != nil && err != errCut && held(err) {
			continue
		}
		if err == nil && commit != "" {
			var id [20]byte
			if _, err := hex.Decode(id[:], []byte(commit)); err != nil {
				return "", err
			}
			a.acked = append(a.acked, id)
		}
		return text, err
	}
}

// checkCommits: whatever the actor was told of is on the branch, by the actor;
// nothing else is but what was cut off.
func (a *actor) checkCommits(authors map[string]string) {
	for _, id := range a.acked {
		if got := authors[hex.EncodeToString(id[:])]; got != a.name {
			a.s.t.Errorf("%s was told of commit %x; its author is %q", a.name, id, got)
		}
	}
	n := 0
	for _, author := range authors {
		if author == a.name {
			n++
		}
	}
	if n < len(a.acked) || n > len(a.acked)+a.cut {
		a.s.t.Errorf("%s was told of %d commits and not answered %d times; %d are there", a.name, len(a.acked), a.cut, n)
	}
}

// checkTasks: every task of the actor is as it was told.
func (a *actor) checkTasks(book *records.Book) {
	for id, want := range a.tasks {
		task, err := book.Task(id)
		if err != nil || task == nil {
			a.s.t.Errorf("%s of %s is not there: %v", id, a.name, err)
			continue
		}
		for field, got := range map[string]string{"note": task.Note, "status": string(task.Status)} {
			if !slices.Contains(want[field], got) {
				a.s.t.Errorf("%s: %s is %q, want one of %q", id, field, got, want[field])
			}
		}
		if task.Created.By != a.name {
			a.s.t.Errorf("%s was made by %q, want %q", id, task.Created.By, a.name)
		}
	}
}

// direct calls in this process.
func (a *actor) direct(tool string, input map[string]any) (text, commit string, err error) {
	who, err := a.s.store.Caller(tools.Who{Person: a.name})
	if err != nil {
		return "", "", err
	}
	data, err := json.Marshal(input)
	if err != nil {
		return "", "", err
	}
	answer, err := tools.Call(a.s.t.Context(), a.s.store, who, tool, data)
	return answer.Text, answer.Commit, err
}

// overHTTP calls the host. What is not a refusal of it may have been carried out.
func (a *actor) overHTTP(tool string, input map[string]any) (text, commit string, err error) {
	a.s.hosts.RLock()
	h := a.s.host
	a.s.hosts.RUnlock()
	if h == nil {
		return "", "", errors.New("there is no host")
	}
	if a.http == nil || a.http.url != h.url {
		a.http = newClient(h.url, 1)
	}
	text, commit, err = a.http.ask(a.s.t.Context(), a.name, tool, input)
	var said refusal
	if err != nil && !errors.As(err, &said) {
		err = errCut
	}
	return text, commit, err
}

// asProcess calls through a process of its own, which asks the host where one
// runs.
func (a *actor) asProcess(tool string, input map[string]any) (text, commit string, err error) {
	data, err := json.Marshal(input)
	if err != nil {
		return "", "", err
	}
	out, err := a.s.b.run(a.s.t.Context(), a.s.b.tasks(a.s.dir, "--json", "--as", a.name, "call", tool, string(data))...)
	if err != nil && strings.Contains(err.Error(), `"code":"unreachable"`) {
		return "", "", errCut
	}
	if err != nil {
		return "", "", err
	}
	var answer struct {
		Records []struct{ ID string }
		Commit  string
	}
	if err := json.Unmarshal([]byte(out), &answer); err != nil || len(answer.Records) != 1 {
		return "", "", fmt.Errorf("%s printed %q: %w", tool, out, err)
	}
	return answer.Records[0].ID, answer.Commit, nil
}
