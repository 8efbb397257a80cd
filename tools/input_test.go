package tools_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/git-tasks/git-tasks/tools"
	"github.com/git-tasks/git-tasks/tools/toolstest"
)

var longName = strings.Repeat("n", 5000)

func quoted(s string) string {
	data, _ := json.Marshal(s)
	return string(data)
}

func containsAny(s string, parts ...string) bool {
	for _, p := range parts {
		if strings.Contains(s, p) {
			return true
		}
	}
	return false
}

// wrong gives, for a form, values that it does not take and what a refusal
// says they must be.
func wrong(f tools.Field) (values []string, must string) {
	switch f.Form {
	case tools.Text:
		return []string{`1`, `true`, `[]`, `["x"]`, `{}`}, "a string"
	case tools.Named, tools.Title, tools.TaskID, tools.PlanID:
		return []string{`1`, `true`, `[]`, `{}`, `""`, `" \t\n"`}, "a non-empty string"
	case tools.Objects:
		return []string{`1`, `"[]"`, `true`, `{}`, `null`, `"x"`}, "an array of objects"
	case tools.Flag:
		return []string{`1`, `"true"`, `""`, `[]`, `{}`}, "a boolean"
	case tools.Texts:
		return []string{`"x"`, `""`, `"[\"a\",\"b\"]"`, `1`, `true`, `{}`, `["a",1]`, `[null]`, `[["a"]]`}, "an array of strings"
	case tools.Key:
		return []string{`1`, `""`, `" "`, `" a"`, `"a\nb"`, `true`, `[]`, `{}`}, "one line of at most 200 bytes"
	case tools.Pairs:
		return []string{`1`, `"x"`, `true`, `[]`, `{"a":1}`, `{"a":null}`, `{"a":["b"]}`}, "an object of strings"
	case tools.Time:
		return []string{`1`, `""`, `"yesterday"`, `"2026-13-01"`, `[]`, `{}`, `true`}, "an ISO-8601 timestamp"
	case tools.Choice:
		values = []string{`1`, `true`, `[]`, `{}`, `"waiting"`, `"` + strings.ToUpper(f.Choices[0]) + `"`, `" ` + f.Choices[0] + `"`}
		if !f.Clears {
			values = append(values, `""`)
		}
		last := len(f.Choices) - 1
		comma := ","
		if last == 1 {
			comma = ""
		}
		return values, strings.Join(f.Choices[:last], ", ") + comma + " or " + f.Choices[last]
	case tools.Count:
		return []string{`0`, `-1`, `1.5`, `"5"`, `""`, `true`, `[]`, `{}`}, "a whole number from 1"
	case tools.Until:
		return []string{`-1`, `1.5`, `"soon"`, `""`, `true`, `[]`, `{}`, `9e20`}, "an ISO-8601 timestamp, or 0 for none"
	case tools.Span:
		return []string{`30`, `"30"`, `""`, `"0s"`, `"-1m"`, `"9999h"`, `true`, `[]`, `{}`}, "a length of time such as 30m"
	case tools.Packet:
		return []string{`1`, `"x"`, `""`, `true`, `[]`}, "an object"
	case tools.ScopeRef:
		return []string{`1`, `"one"`, `[]`, `{}`, `{"kind":"folder"}`, `{"kind":"x","folder":"/y"}`, `{"kind":"bot","bot":""}`,
			`{"kind":"bot","bot":"a","folder":"/b"}`, `{"kind":"session","session":7}`, `{"kind":"session","session":"ahp-session:/"}`,
			`{"folder":"/x"}`}, "a folder, bot, or session scope"
	}
	panic(fmt.Sprintf("no wrong values for form %d of %s", f.Form, f.Name))
}

// input is an input of a tool with every required field, and one more.
func input(t *tools.Tool, field, value string) string {
	fields := map[string]json.RawMessage{}
	for _, f := range t.Fields {
		switch f.Form {
		case tools.Named:
			fields[f.Name] = json.RawMessage(`"A"`)
		case tools.Objects:
			fields[f.Name] = json.RawMessage(`[]`)
		case tools.TaskID:
			fields[f.Name] = json.RawMessage(`"t1"`)
		case tools.PlanID:
			fields[f.Name] = json.RawMessage(`"p1"`)
		}
	}
	if field != "" {
		fields[field] = json.RawMessage(value)
	}
	data, err := json.Marshal(fields)
	if err != nil {
		panic(err)
	}
	return string(data)
}

// TestA19RefusalWords refuses each wrong value of each field of each tool in
// the words fixed for it, and writes nothing.
func TestA19RefusalWords(t *testing.T) {
	t.Parallel()
	s := toolstest.New(t)
	ana := tools.Who{Person: "ana", Folder: "/srv/work"}
	toolstest.Direct(t, toolstest.List{Store: s}, ana, "task_add", `{"title":"A"}`)
	toolstest.Direct(t, toolstest.List{Store: s}, ana, "plan_create", `{"title":"P"}`)
	_, before, err := s.Book()
	if err != nil {
		t.Fatal(err)
	}
	for _, tool := range tools.All() {
		refuses := func(in, want string) {
			t.Helper()
			got := toolstest.Direct(t, toolstest.List{Store: s}, ana, tool.Name, in)
			if want = "Invalid " + tool.Name + " input: " + want; got.Text != want || got.Code != tools.Invalid {
				t.Errorf("%s %s\n got %q %s\nwant %q", tool.Name, in, got.Text, got.Code, want)
			}
		}
		for _, in := range []string{`[]`, `"x"`, `1`, `true`, `{`, `{"a":}`, `[{}]`, `null`, `{} {}`} {
			refuses(in, "expected an object.")
		}
		for _, f := range tool.Fields {
			values, must := wrong(f)
			for _, value := range values {
				refuses(input(tool, f.Name, value), f.Name+" must be "+must+".")
			}
			switch f.Form {
			case tools.Named, tools.TaskID, tools.PlanID:
				refuses(input(tool, f.Name, `null`), f.Name+" must be a non-empty string.")
				refuses(`{}`, f.Name+" must be a non-empty string.")
			}
		}
	}
	if _, after, _ := s.Book(); after != before {
		t.Errorf("refusals moved the branch from %s to %s", before, after)
	}
}

// TestNullIsNotNamed: null in an optional field, and a field that nobody
// knows, are as if they were not there.
func TestNullIsNotNamed(t *testing.T) {
	t.Parallel()
	s := toolstest.New(t)
	ana := tools.Who{Person: "ana", Session: "one", Folder: "/srv/work"}
	toolstest.Direct(t, toolstest.List{Store: s}, ana, "task_add", `{"title":"A"}`)
	toolstest.Direct(t, toolstest.List{Store: s}, ana, "plan_create", `{"title":"P"}`)
	for _, tool := range tools.All() {
		fields := map[string]json.RawMessage{}
		if err := json.Unmarshal([]byte(input(tool, "nobody-knows", `{"at":"x"}`)), &fields); err != nil {
			t.Fatal(err)
		}
		for _, f := range tool.Fields {
			if fields[f.Name] == nil {
				fields[f.Name] = json.RawMessage(`null`)
			}
		}
		in, err := json.Marshal(fields)
		if err != nil {
			t.Fatal(err)
		}
		if got := toolstest.Direct(t, toolstest.List{Store: s}, ana, tool.Name, string(in)); got.Code != "" {
			t.Errorf("%s %s: %q", tool.Name, in, got.Text)
		}
	}
	if got := toolstest.Direct(t, toolstest.List{Store: s}, ana, "task_eat\x1b", `{}`); got.Code != tools.NotFound || got.Text != `there is no tool task_eat\x1b.` {
		t.Errorf("an unknown tool gave %q %s", got.Text, got.Code)
	}
	if got := toolstest.Direct(t, toolstest.List{Store: s}, ana, "task_list", ``); got.Code != "" {
		t.Errorf("no input at all was refused: %q", got.Text)
	}
}

// TestSizes: what is too large is refused by the name of the field that is.
func TestSizes(t *testing.T) {
	t.Parallel()
	s := toolstest.New(t)
	ana := tools.Who{Person: "ana", Folder: "/srv/work"}
	const limit = " must be shorter: a record is at most 1 MiB, its frontmatter 64 KiB."
	for _, c := range []struct{ field, value, want string }{
		{"title", quoted(strings.Repeat("x", 257)), "title must be one line of at most 256 bytes."},
		{"body", quoted(strings.Repeat("x", 1<<20)), "body" + limit},
		{"note", quoted(strings.Repeat("x", 64<<10)), "note" + limit},
		{"labels", `["` + strings.Repeat("x", 64<<10) + `"]`, "labels" + limit},
		{"topic", `"a\u0085b"`, "topic must be one line."},
		{"active", `"a\rb"`, "active must be one line."}, {"note", `"a\u2029b"`, "note must be one line."},
		{"title", `"a\u007fb"`, "title must be one line of at most 256 bytes."},
	} {
		got := toolstest.Direct(t, toolstest.List{Store: s}, ana, "task_add", `{"title":"A",`+quoted(c.field)+`:`+c.value+`}`)
		if c.field == "title" {
			got = toolstest.Direct(t, toolstest.List{Store: s}, ana, "task_add", `{"title":`+c.value+`}`)
		}
		if got.Text != "Invalid task_add input: "+c.want {
			t.Errorf("%s: %.200q", c.field, got.Text)
		}
	}
	body := strings.Repeat("x", 1<<20-400)
	if got := toolstest.Direct(t, toolstest.List{Store: s}, ana, "task_add", `{"title":"large","body":"`+body+`"}`); got.Code != "" {
		t.Errorf("a body just under the limit: %q", got.Text)
	}
}
