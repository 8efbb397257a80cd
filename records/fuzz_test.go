package records

import (
	"reflect"
	"strings"
	"testing"
)

// FuzzParse reads any bytes without a panic. What is a record comes back the
// same from a Splice that changes nothing, a Splice that changes one field, and
// from the canonical form.
func FuzzParse(f *testing.F) {
	for _, s := range sampleTasks {
		f.Add(string(sample(f, s.name)))
	}
	for _, front := range []string{"title: a: b", "title: [x]", "labels: [a, 'b' , \"c\"]", "note: >-\n  a\n  b #c", "created: {at: 2026-10-18, by: x, own: [1]}", "metadata:\n  ? a\n  : b", "{own: yes}"} {
		f.Add("---\nid: t7\nstatus: todo\ntitle: x\n" + front + "\n---\n\nBody\n")
	}
	f.Fuzz(func(t *testing.T, text string) {
		data := []byte(text)
		r, had, err := readLoose(TaskKind, data)
		if err != nil {
			return
		}
		task := r.task
		same, err := Splice(data, task)
		if err != nil || string(same) != text {
			t.Fatalf("a change of nothing: %v\n%q\n%q", err, same, text)
		}
		if again, page, err := readLoose(TaskKind, task.Encode()); err != nil || !reflect.DeepEqual(page, had) {
			t.Fatalf("canonical form: %v\n%+v\n%+v", err, again, task)
		}
		task.Note, task.Labels = "set", append(task.Labels, "set")
		if strings.Contains(text, "? ") || len(data) > MaxRecord-100 || len(r.sheet.front()) > maxFrontmatter-100 {
			return
		}
		changed, err := Splice(data, task)
		if err != nil {
			if !strings.Contains(err.Error(), "keys in its frontmatter") {
				t.Fatalf("a change of two fields: %v\n%q", err, text)
			}
			return
		}
		if again, _, err := readLoose(TaskKind, changed); err != nil || again.task.Note != "set" ||
			!reflect.DeepEqual(again.task.Labels, task.Labels) || again.task.Title != task.Title || again.task.Body != task.Body {
			t.Fatalf("a change of two fields reads as %+v, %v\n%q\n%q", again.task, err, changed, text)
		}
	})
}

// FuzzSplit cuts any bytes: what is cut is the file again when put together.
func FuzzSplit(f *testing.F) {
	for _, text := range []string{"", "---\n---\n", "\uFEFF---\r\na: b\r\n...\r\n\r\nc\r\n", "\n\n---\na\n---", "---\n--- x\n---\n---\n", "<<<<<<< a\n---\n"} {
		f.Add(text, "body\n")
	}
	f.Fuzz(func(t *testing.T, text, body string) {
		s, reason, line := cut([]byte(text))
		if reason != "" {
			if line < 0 || line > strings.Count(text, "\n")+1 {
				t.Fatalf("line %d of %q", line, text)
			}
			return
		}
		if s.open > s.shut || s.shut > s.rest || s.rest > len(text) || strings.Count(text[:s.open], "\n")+1 != s.line {
			t.Fatalf("%+v of %q", s, text)
		}
		if !strings.HasSuffix(text[:s.rest], "\n") {
			return
		}
		again, _, _ := cut([]byte(text[:s.rest] + bodyText(body, s.eol())))
		if again.body() != body {
			t.Fatalf("body %q came back %q", body, again.body())
		}
	})
}
