package records

import (
	"strings"
	"testing"
)

// TestBody is what of a file is its body.
func TestBody(t *testing.T) {
	t.Parallel()
	const front = "---\nid: t7\nstatus: todo\ntitle: a\n---"
	for _, c := range []struct{ rest, body string }{
		{"", ""}, {"\n", ""}, {"\n\n", ""}, {"\n\n\n", ""}, {"\n\n\n\n", "\n"},
		{"\nabc", "abc"}, {"\n\nabc", "abc"}, {"\n\nabc\n", "abc"}, {"\n\nabc\n\n", "abc\n"}, {"\n\n\nabc", "\nabc"},
		{"\n---\nid: t1\n---\n", "---\nid: t1\n---"}, {" \t\nabc", "abc"}, {"\n \nabc\n", " \nabc"},
		{"\n\nabc\r\n", "abc\r"}, {"\n\na\r\nb\r\n", "a\r\nb\r"},
	} {
		p := Parse("tasks/t7.md", []byte(front+c.rest))
		if p.Task == nil || p.Task.Body != c.body {
			t.Errorf("%q: %+v", c.rest, p)
		}
		dots := strings.TrimSuffix(front, "---") + "..."
		if p = Parse("tasks/t7.md", []byte(dots+c.rest)); p.Task == nil || p.Task.Body != c.body {
			t.Errorf("dots, %q: %+v", c.rest, p)
		}
	}
	crlf := strings.ReplaceAll(front, "\n", "\r\n")
	for rest, body := range map[string]string{"\r\n": "", "\r\n\r\nabc\r\n": "abc", "\r\n\r\na\r\nb\r\n\r\n": "a\r\nb\r\n", "\r\nabc\n": "abc", "\r\n\nabc": "abc"} {
		p := Parse("tasks/t7.md", []byte(byteOrderMark+crlf+rest))
		if p.Task == nil || p.Task.Body != body {
			t.Errorf("CR LF, %q: %+v", rest, p)
		}
	}
}

// TestFences is where frontmatter begins and ends.
func TestFences(t *testing.T) {
	t.Parallel()
	for data, front := range map[string]string{
		"---\na: b\n---\n":                   "a: b\n",
		"---\n---\n":                         "",
		"---\n---":                           "",
		"\uFEFF---\na: b\n---":               "a: b\n",
		"\n \n\r\n---\na: b\n...\n":          "a: b\n",
		"\uFEFF\n--- \t\r\na: b\r\n---  ":    "a: b\r\n",
		"---\na: |\n  ---\n ---\n---\nb\n":   "a: |\n  ---\n ---\n",
		"---\na: b\n----\n--- x\n---\n---\n": "a: b\n----\n--- x\n",
	} {
		s, reason, _ := cut([]byte(data))
		if reason != "" || string(s.front()) != front {
			t.Errorf("%q: %q, %s", data, s.front(), reason)
		}
	}
}

// TestCase18Bodies are bodies that a splitter gets wrong.
func TestCase18Bodies(t *testing.T) {
	t.Parallel()
	for _, body := range []string{"", "abc", "abc\n", "abc\n\n", "\nabc", "\n", "\r\n", "abc\r", "\r", "---", "---\n", "a\n---\nb", "...", "---\nid: t1\n---\n\nx",
		"\uFEFF", " ", "\t\n", "\x00\x1b", "<<<<<<< x", "\r\nabc\r\n"} {
		for _, old := range []string{"", "---\r\nid: t7\r\ntitle: a\r\nstatus: todo\r\n---\r\nold", "---\nid: t7\ntitle: a\nstatus: todo\n..."} {
			task := &Task{ID: "t7", Title: "a", Status: Todo, Body: body}
			data := task.Encode()
			if old != "" {
				var err error
				if data, err = Splice([]byte(old), task); err != nil {
					t.Errorf("%q into %q: %v", body, old, err)
				}
			}
			if p := Parse("tasks/t7.md", data); p.Task == nil || p.Task.Body != body {
				t.Errorf("%q: %q, %+v", body, data, p)
			}
		}
	}
}
