package panel

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"charm.land/lipgloss/v2"
	"pgregory.net/rapid"
)

// TestMarks: each status has its own, and so has what waits for others.
func TestMarks(t *testing.T) {
	t.Parallel()
	p := New(bookOf("A todo", "B doing", "C review", "D done", "E dropped", "F blocked", "G todo\nblockedBy: [t1, t4, t5]"), "")
	p.Tree = true
	for i, want := range []string{"○ t1 A", "◐ t2 B", "◑ t3 C", "● t4 D", "× t5 E", "⊘ t6 F", "⊘ t7 G  waits for t1, t5"} {
		if got := strings.Join(strings.Fields(texts(t, p, 80, 24)[2+i]), " "); got != strings.Join(strings.Fields(want), " ") {
			t.Errorf("row %d is %q, want %q", i, got, want)
		}
	}
}

// TestWho: the owner, else who made the claim, else who started; with what they do.
func TestWho(t *testing.T) {
	t.Parallel()
	lease := "lease:\n  at: 2026-10-18T10:00:00.000Z\n  by: pilot\n"
	p := New(bookOf("A doing\nowner: mia\nactive: Reading\n"+lease, "B doing\nactive: Writing\n"+lease, "C doing\n"+at("started", time.Hour),
		"D todo\nowner: bob", "E doing\nactive: Thinking", "F done\nowner: mia\nactive: Over"), "")
	p.Tree = true
	for i, want := range []string{"mia: Reading", "pilot: Writing", "ana", "bob", "Thinking", "mia"} {
		if got := texts(t, p, 80, 24)[2+i]; !strings.HasSuffix(got, "  "+want) {
			t.Errorf("row %d is %q, want %q at its end", i, got, want)
		}
	}
}

// TestLease: what is left is told to the minute, and drawn anew when it is another.
func TestLease(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		left, next time.Duration
		want       string
	}{
		{2*time.Hour + 4*time.Minute + time.Second, time.Second, "2h05m left"}, {10 * time.Minute, time.Minute, "10m left"},
		{90 * time.Second, 30 * time.Second, "2m left"}, {59 * time.Second, 59 * time.Second, "1m left"},
		{time.Millisecond, time.Millisecond, "1m left"}, {0, 0, ""}, {-time.Hour, 0, ""},
	} {
		lease := fmt.Sprintf("lease:\n  at: 2026-10-18T10:00:00.000Z\n  by: pilot\n  until: %s", noon.Add(c.left).Format("2006-01-02T15:04:05.000Z"))
		p := New(bookOf("A doing\n"+lease), "")
		want := "  ◐ t1 A  pilot  " + c.want
		if c.want == "" { // the claim is over
			want = "  ○ t1 A"
		}
		if got := texts(t, p, 80, 24)[2]; got != want {
			t.Errorf("with %v left the row is %q", c.left, got)
		}
		_, next, err := p.screen(size{80, 24}, noon)
		if c.next == 0 && next.IsZero() {
			continue
		}
		if wait := next.Sub(noon); err != nil || wait != c.next {
			t.Errorf("with %v left it is drawn anew after %v, want %v: %v", c.left, wait, c.next, err)
		}
	}
	p := New(bookOf("A done\n"+at("finished", 10*time.Second)), "")
	if _, next, _ := p.screen(size{80, 24}, noon); next.Sub(noon) != 20*time.Second {
		t.Errorf("a finished task is drawn anew at %v", next)
	}
}

// TestWideTitles: columns stand one below the other, whatever the titles hold, and
// nothing in them steers a terminal.
func TestWideTitles(t *testing.T) {
	t.Parallel()
	p := New(bookOf("日本語の題 doing\nowner: ana", "plain doing\nowner: bob", "é accent doing\nowner: eve", strings.Repeat("日本語", 40)+" doing\nowner: mia",
		"\x1b[2Jclear\u202eback doing\nowner: joe"), "")
	lines := texts(t, p, 60, 24)
	for i, name := range []string{"ana", "bob", "eve", "mia", "joe"} {
		before, _, ok := strings.Cut(lines[2+i], name)
		if w := lipgloss.Width(before); !ok || w != 57 {
			t.Errorf("the row of %s is %q, and begins at %d", name, lines[2+i], w)
		}
	}
	if strings.ContainsAny(strings.Join(lines, ""), "\x1b\u202e") || !strings.Contains(lines[6], `\x1b[2Jclear\u202eback`) {
		t.Errorf("a hostile title is shown as %q", lines[6])
	}
	if !strings.Contains(lines[5], "…") {
		t.Errorf("a long title is shown as %q", lines[5])
	}
}

// TestAnySize: whatever tasks there are, whatever keys are pressed and however small
// the terminal is, no line is wider and no screen longer than it.
func TestAnySize(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		var tasks []string
		for i := range rapid.IntRange(0, 12).Draw(r, "tasks") {
			title := strings.Map(func(c rune) rune {
				if c == '"' || c == '\\' || c == '\n' {
					return '_'
				}
				return c
			}, rapid.StringN(1, 60, -1).Draw(r, "title"))
			status := rapid.SampledFrom([]string{"todo", "doing", "blocked", "review", "done", "dropped"}).Draw(r, "status")
			more := ""
			if i > 0 && rapid.Bool().Draw(r, "under") {
				more = fmt.Sprintf("\nparent: t%d\nblockedBy: [t%d]\nowner: someone with a name", rapid.IntRange(1, i).Draw(r, "parent"), i)
			}
			tasks = append(tasks, title+"x "+status+more)
		}
		p := New(bookOf(tasks...), "")
		at := size{rapid.IntRange(0, 120).Draw(r, "width"), rapid.IntRange(0, 60).Draw(r, "height")}
		for _, key := range rapid.SliceOf(rapid.SampledFrom([]string{"up", "down", "left", "right", "space", "t", "pgdown", "pgup", "g", "G", "/", "enter", "esc", "x", "backspace"})).Draw(r, "keys") {
			p.press(key, strings.TrimPrefix(key, "space"), at, noon)
			lines, _, err := p.screen(at, noon)
			anew := *p
			anew.seen = nil
			if same, _, err := anew.screen(at, noon); err != nil || !slices.Equal(same, lines) {
				r.Fatalf("what was kept is shown as %v, and made anew it is %v: %v", lines, same, err)
			}
			if err != nil || len(lines) > at.height {
				r.Fatalf("%d lines on %v: %v", len(lines), at, err)
			}
			for _, l := range lines {
				if w := lipgloss.Width(l.text); w > at.width {
					r.Fatalf("a line of %d columns on %v: %q", w, at, l.text)
				}
			}
		}
	})
}
