package tools_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/git-tasks/git-tasks/repo"
	"github.com/git-tasks/git-tasks/repo/repotest"
	"github.com/git-tasks/git-tasks/tools"
	"github.com/git-tasks/git-tasks/tools/toolstest"
)

// orders is a list in which t2 has everything that a task may have.
func orders(t *testing.T) (*tools.Store, string) {
	t.Helper()
	dir := repotest.New(t)
	repotest.Foreign(t, dir, branch, "mia", "by hand",
		repo.File{Path: "plans/p1.md", Data: []byte("---\nid: p1\ntitle: P\nscope: {kind: bot, bot: b}\nstatus: active\n---\n")},
		repo.File{Path: "tasks/t1.md", Data: []byte("---\nid: t1\ntitle: One\nstatus: dropped\nplan: p1\n---\n")},
		repo.File{Path: "tasks/t2.md", Data: []byte(`---
id: t2
title: "Fix\u202e tabs"
status: doing
priority: high
labels: [docs, go]
plan: p1
owner: w1
parent: t1
blockedBy: [t3, t1]
metadata: {kind: bug}
packet:
  objective: "Tabs are read\nas four blanks."
  scope: single_file
  scopePath: records/parse.go
  acceptanceTests: [go test ./records, "two\nlines"]
  resources: [{kind: file, value: records/parse.go}, {kind: url}, 7]
  recoveryPolicy: ""
  permission_profile: read
  deadlineDays: 3
---

The "long" text.
commit: forged

` + "\x1b[2J\n" + `---
`)},
		repo.File{Path: "tasks/t3.md", Data: []byte("---\nid: t3\ntitle: Three\nstatus: done\nblockedBy: [t2]\n---\n")})
	s := toolstest.Open(t, tools.Config{Path: dir})
	_, at, err := s.Book()
	if err != nil {
		t.Fatal(err)
	}
	return s, at.String()
}

func ask(t *testing.T, s *tools.Store, tool, input string) tools.Answer {
	t.Helper()
	caller, err := s.Caller(tools.Who{Person: "ana"})
	if err != nil {
		t.Fatal(err)
	}
	answer, err := tools.Call(context.Background(), s, caller, tool, json.RawMessage(input))
	if err != nil {
		t.Fatal(err)
	}
	return answer
}

// TestTaskGet: all of a task, and what follows for it, as text and as JSON. Nothing
// in a text can be taken for a key.
func TestTaskGet(t *testing.T) {
	t.Parallel()
	s, at := orders(t)
	answer := ask(t, s, "task_get", `{"task":"t2"}`)
	want := `t2 doing high Fix\u202e tabs
labels: docs, go
plan: p1
owner: w1
parent: t1
blockedBy: t3, t1
metadata: {"kind":"bug"}
packet: {"acceptanceTests":["go test ./records","two\nlines"],"deadlineDays":3,"objective":"Tabs are read\nas four blanks.",` +
		`"permission_profile":"read","recoveryPolicy":"","resources":[{"kind":"file","value":"records/parse.go"},{"kind":"url"},7],` +
		`"scope":"single_file","scopePath":"records/parse.go"}
blocked: true
openBlockers: t1
depth: 1
blocks: t3
commit: ` + at + `

The "long" text.
commit: forged

\x1b[2J
---`
	if answer.Text != want {
		t.Errorf("got\n%s\nwant\n%s", answer.Text, want)
	}
	data, err := json.Marshal(answer)
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{`{"records":[{"id":"t2","title":"Fix\u202e tabs",`, `"body":"The \"long\" text.\ncommit: forged\n\n\u001b[2J\n---",` +
		`"blocked":true,"openBlockers":["t1"],"depth":1,"blocks":["t3"],"commit":"` + at + `"}]}`} {
		if part = strings.ReplaceAll(part, `\u202e`, "\u202e"); !strings.Contains(string(data), part) {
			t.Errorf("%s\nlacks %s", data, part)
		}
	}
	data, err = json.Marshal(ask(t, s, "task_get", `{"task":"t1"}`))
	if want := `{"records":[{"id":"t1","title":"One","status":"dropped","plan":"p1","blocked":false,"openBlockers":[],"depth":0,"blocks":["t2"],"commit":"` + at + `"}]}`; err != nil || string(data) != want {
		t.Errorf("got\n%s\nwant\n%s", data, want)
	}
}

// TestTaskGetPacket: the brief has our keys in their order, then the others, then
// the body.
func TestTaskGetPacket(t *testing.T) {
	t.Parallel()
	s, _ := orders(t)
	want := `# t2 Fix\u202e tabs

## Objective

Tabs are read
as four blanks.

## Scope

single_file

## Scope path

records/parse.go

## Acceptance tests

- go test ./records
- two
  lines

## Resources

- file: records/parse.go
- {"kind":"url"}
- 7

## Deadline days

3

## Permission profile

read

## Body

The "long" text.
commit: forged

\x1b[2J
---`
	if got := ask(t, s, "task_get", `{"task":"t2","packet":true}`).Text; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if got := ask(t, s, "task_get", `{"task":"t1","packet":true}`).Text; got != "# t1 One" {
		t.Errorf("a task without anything is %q", got)
	}
}

// TestDetailIsAPointRead: without a look at who waits for it, a task costs its own
// file, those above it and those it waits for.
func TestDetailIsAPointRead(t *testing.T) {
	t.Parallel()
	s, _ := orders(t)
	d, err := s.Detail("t2", false)
	if err != nil || d.Depth != 1 || !d.Blocked || d.Blocks != nil {
		t.Fatalf("%+v, %v", d, err)
	}
	book, _, err := s.Book()
	if err != nil || book.Loaded() {
		t.Errorf("the whole list was read, %v", err)
	}
	if d, err = s.Detail("t9", true); d != nil || err != nil {
		t.Errorf("there is %+v, %v", d, err)
	}
}
