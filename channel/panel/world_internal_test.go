package panel

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"charm.land/lipgloss/v2"

	"github.com/git-tasks/git-tasks/records"
)

// noon is the time at which the tests look.
var noon = time.Date(2026, 10, 18, 12, 0, 0, 0, time.UTC)

// at is a stamp, so long before noon.
func at(key string, before time.Duration) string {
	return fmt.Sprintf("%s:\n  at: %s\n  by: ana\n", key, noon.Add(-before).Format("2006-01-02T15:04:05.000Z"))
}

// bookOf is a Book of tasks, each "<title> <status>" and lines of its frontmatter, and
// of the plan p1.
func bookOf(tasks ...string) *records.Book {
	files := fstest.MapFS{"plans/p1.md": {Data: []byte("---\nid: p1\ntitle: Ship it\nstatus: active\nscope:\n  kind: bot\n  bot: b\n---\n")}}
	for i, task := range tasks {
		first, more, _ := strings.Cut(task, "\n")
		title, status := first[:strings.LastIndexByte(first, ' ')], first[strings.LastIndexByte(first, ' ')+1:]
		text := fmt.Sprintf("---\nid: t%d\ntitle: %q\nstatus: %s\n%s\n---\n", i+1, title, status, strings.TrimSuffix(more, "\n"))
		files[records.PathOf(fmt.Sprint("t", i+1))] = &fstest.MapFile{Data: []byte(strings.ReplaceAll(text, "\n\n", "\n"))}
	}
	return records.NewBook(files)
}

// brokenBook is a Book of one task, of files that cannot be read and of a draft.
func brokenBook(broken int) *records.Book {
	files := fstest.MapFS{"tasks/t1.md": {Data: []byte("---\nid: t1\ntitle: A\nstatus: todo\n---\n")}, "tasks/a-draft.md": {Data: []byte("---\ntitle: B\n---\n")}}
	for i := range broken {
		files[records.PathOf(fmt.Sprint("t", i+2))] = &fstest.MapFile{Data: []byte("---\nid: t0\ntitle: a: b\n---\n")}
	}
	return records.NewBook(files)
}

// texts are the lines that a panel draws.
func texts(t *testing.T, p *Panel, width, height int) []string {
	t.Helper()
	lines, _, err := p.screen(size{width, height}, noon)
	if err != nil {
		t.Fatal(err)
	}
	all := make([]string, len(lines))
	for i, l := range lines {
		all[i] = l.text
		if w := lipgloss.Width(l.text); w > width {
			t.Errorf("a line of %d columns on a terminal of %d: %q", w, width, l.text)
		}
	}
	if len(all) > height {
		t.Errorf("%d lines on a terminal of %d", len(all), height)
	}
	return all
}

// ids are the tasks that have a row, in order; "*" ahead of the one with the cursor.
func ids(t *testing.T, p *Panel, width, height int) string {
	t.Helper()
	var shown []string
	for _, text := range texts(t, p, width, height) {
		fields := strings.Fields(text)
		here := ""
		if len(fields) > 0 && fields[0] == strings.TrimSpace(pointer) {
			here, fields = "*", fields[1:]
		}
		if len(fields) > 0 && (fields[0] == "▾" || fields[0] == "▸") {
			fields = fields[1:]
		}
		if len(fields) > 1 {
			if kind, _, ok := records.ParseID(fields[1]); ok && kind == records.TaskKind {
				shown = append(shown, here+fields[1])
			}
		}
	}
	return strings.Join(shown, " ")
}

// presses presses keys, one after the other, on a terminal of 80 by 24.
func presses(p *Panel, keys ...string) (asked act) {
	for _, key := range keys {
		text := ""
		if len(key) == 1 {
			text = key
		}
		asked = p.press(key, text, size{80, 24}, noon)
	}
	return asked
}
