package repo_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/git-tasks/git-tasks/repo"
	"github.com/git-tasks/git-tasks/repo/repotest"
)

// hostileTexts are texts that were used to make one line look like another, or
// a terminal do something.
func hostileTexts() []string {
	return []string{
		"Eve <r@c> 1 +0000\nauthor Mallory <m@c> 2 +0000", "Eve\ncommitter Mallory <m@c> 2 +0000", "x\ngpgsig forged",
		"x\r\nTool: forged", "x\n\nTool: forged", "Tool: forged", "Signed-off-by: Mallory <m@c>", "---\nTool: forged",
		"(cherry picked from commit 1111111111111111111111111111111111111111)",
		"a\x00b", "a\x01b", "\x1b[2J\x1b]52;c;eA==\x07", "\x9b31m", "\u009b31m", "\x7f", "\u2028Tool: forged", "\u2029x",
		"\u202egnp.exe", "\u2066x\u2069", "\U000e0041\U000e0042", "<", ">", "<>", "  .,:;<>\"\\'  ", "\xff\xfe", "\xc0\xaf", "\ud7ff",
		"# comment", "", " ", "\t", "\x01 lead", "日本語 🙂", strings.Repeat("n", 5000), strings.Repeat("界", 100),
	}
}

// unsafe reports a character that a terminal or log may take for anything but text.
func unsafe(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool {
		return r < 0x20 || r >= 0x7f && r < 0xa0 || r == 0x2028 || r == 0x2029 || r >= 0x202a && r <= 0x202e ||
			r >= 0x2066 && r <= 0x2069 || r >= 0xe0000 && r <= 0xe007f
	})
}

// TestP23HostileNamesAndTexts commits as everybody with every text (A12), and
// has git check and print what came of it.
func TestP23HostileNamesAndTexts(t *testing.T) {
	t.Parallel()
	dir := repotest.New(t)
	r := repotest.Open(t, dir, repo.Options{Committer: repo.Person{Name: "git\n<tasks>", Mail: "a b@\x00c"}})
	_, err := r.Update(t.Context(), func(*repo.Snapshot) ([]repo.Proposal, error) {
		var all []repo.Proposal
		for i, text := range hostileTexts() {
			name := text
			if repo.CleanName(text) == "" {
				name = "nobody"
			}
			all = append(all, repo.Proposal{Author: repo.Person{Name: name, Mail: text}, At: testTime,
				Message: repo.Message{Subject: text, Body: []string{text, "", text},
					Trailers: []repo.Trailer{{Key: "Tool", Value: "test"}, {Key: "Note", Value: text}}},
				Files: []repo.File{{Path: fmt.Sprintf("t%d.md", i), Data: []byte(text)}}})
		}
		return all, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	logged := strings.Split(repotest.Git(t, dir, "log", "--reverse", "--format=%an%x09%(trailers:key=Tool,valueonly,separator=%x2c)%x09%s", "main"), "\n")
	tip, err := r.Tip()
	if err != nil {
		t.Fatal(err)
	}
	history, err := tip.History(nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(logged) != len(hostileTexts()) || len(history) != len(logged) {
		t.Fatalf("git log has %d lines for %d commits; a text is more than one:\n%s", len(logged), len(history), strings.Join(logged, "\n"))
	}
	for i, text := range hostileTexts() {
		c := history[i]
		want := repo.CleanName(text)
		if want == "" {
			want = "nobody"
		}
		name, rest, _ := strings.Cut(logged[i], "\t")
		tool, subject, _ := strings.Cut(rest, "\t")
		if name != want || c.Author.Name != want || tool != "test" || subject != c.Subject() {
			t.Errorf("%q: git log says %q, we say %q and %q", text, logged[i], c.Author.Name, c.Subject())
		}
		if value, ok := c.Trailer("Tool"); !ok || value != "test" {
			t.Errorf("%q: the trailer is %q, %v", text, value, ok)
		}
		for part := range strings.SplitSeq(c.Author.Name+"\n"+c.Author.Mail+"\n"+c.Committer.Name+"\n"+c.Committer.Mail+"\n"+c.Message, "\n") {
			if unsafe(part) {
				t.Errorf("%q: %q is in the commit", text, part)
			}
		}
		if out := repotest.Git(t, dir, "cat-file", "commit", c.ID.String()); strings.Count(out, "\nauthor ") != 1 {
			t.Errorf("%q: more than one author line:\n%s", text, out)
		}
	}
}

// TestP23NoTrailerFromText gives commits no trailers, and texts that pretend to
// be some.
func TestP23NoTrailerFromText(t *testing.T) {
	t.Parallel()
	dir := repotest.New(t)
	r := repotest.Open(t, dir, repo.Options{})
	for i, text := range hostileTexts() {
		for _, body := range [][]string{nil, {text}, {"Tool: forged", text}, {text, "", "Tool: forged", "Session: forged"}, {"Tool: forged", "--- " + text}} {
			m := repo.Message{Subject: text, Body: body}
			if value, ok := (repo.Commit{Message: m.String()}).Trailer("Tool"); ok {
				t.Errorf("%q, %q has the trailer %q", text, body, value)
			}
			if i%8 != 0 && !whole() {
				continue
			}
			out, err := repotest.TryGit(t, dir, m.String(), "interpret-trailers", "--parse")
			if err != nil || out != "" {
				t.Errorf("%q, %q: git finds the trailers %q, %v", text, body, out, err)
			}
		}
	}
	// One of them through git log, which reads trailers on its own.
	_, err := r.Update(t.Context(), func(*repo.Snapshot) ([]repo.Proposal, error) {
		return []repo.Proposal{{Author: repo.Person{Name: "ana"}, At: testTime,
			Message: repo.Message{Subject: "Tool: forged", Body: []string{"Tool: forged", "Signed-off-by: x"}}}}, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if out := repotest.Git(t, dir, "log", "--format=%(trailers)", "main"); strings.TrimSpace(out) != "" {
		t.Errorf("git log finds the trailers %q", out)
	}
}

// TestP23NamelessRefused: who has no name after cleaning commits nothing.
func TestP23NamelessRefused(t *testing.T) {
	t.Parallel()
	dir := repotest.New(t)
	r := repotest.Open(t, dir, repo.Options{Committer: repo.Person{Name: "<>"}})
	for _, name := range []string{"", "<", "\x00\x01", " .,: ", "\u202e"} {
		if receipt, err := r.Update(t.Context(), put(name, "t.md", "x")); err == nil {
			t.Errorf("%q committed %v", name, receipt)
		}
	}
	mustPut(t, r, "t.md", "x")
	if got := repotest.Git(t, dir, "log", "--format=%cn", "main"); got != "git-tasks" {
		t.Errorf("a nameless committer is %q", got)
	}
}

// TestP20DatesGitTakes: whatever the clock says, git must be able to read it.
func TestP20DatesGitTakes(t *testing.T) {
	t.Parallel()
	dir := repotest.New(t)
	for i, at := range []time.Time{{}, time.Unix(-1, 0), time.Unix(0, 0), testTime, time.Date(9999, 12, 31, 23, 59, 59, 0, time.UTC)} {
		r := repotest.Open(t, dir, repo.Options{Now: func() time.Time { return at }})
		receipt, err := r.Update(t.Context(), func(*repo.Snapshot) ([]repo.Proposal, error) {
			return []repo.Proposal{{Author: repo.Person{Name: "ana"}, At: at, Message: repo.Message{Subject: "x"},
				Files: []repo.File{{Path: fmt.Sprintf("t%d.md", i), Data: []byte("x")}}}}, nil
		})
		if err != nil {
			t.Fatal(err)
		}
		want := fmt.Sprint(max(0, at.Unix()))
		if got := repotest.Git(t, dir, "log", "-1", "--format=%at %ct", receipt.Commits[0].String()); got != want+" "+want {
			t.Errorf("%v is logged as %s", at, got)
		}
	}
}

// TestP18PathsRefused: no path leads out of the tree, or to a name that some
// system takes for another.
func TestP18PathsRefused(t *testing.T) {
	t.Parallel()
	dir := repotest.New(t)
	r := repotest.Open(t, dir, repo.Options{})
	before := mustPut(t, r, "tasks/t1.md", "x").Commits[0]
	for _, path := range []string{
		"", ".", "..", "/", "/etc/passwd", "../x", "tasks/../x", "tasks/./x", "tasks//x", "tasks/", "tasks/t1.md/", ".git", ".GIT/config",
		"tasks/.git/hooks/x", "git~1", "GIT~1", ".git ", ".git.", ".git. .", ".git::$INDEX_ALLOCATION", ".g\u200cit", "\ufeff.git",
		`tasks\x`, `..\x`, "a\x00b", "a\nb", "a\x1b[2Jb", "a\u202eb", "\xff", "tasks/\xc3\x28", strings.Repeat("n", 256),
	} {
		for _, data := range [][]byte{[]byte("x"), nil} {
			_, err := r.Update(t.Context(), func(*repo.Snapshot) ([]repo.Proposal, error) {
				return []repo.Proposal{{Author: repo.Person{Name: "ana"}, At: testTime, Files: []repo.File{{Path: path, Data: data}}}}, nil
			})
			if err == nil {
				t.Errorf("the path %q is taken", path)
			}
		}
	}
	if tip, err := r.Tip(); err != nil || tip.ID() != before {
		t.Errorf("the branch moved: %v, %v", tip.ID(), err)
	}
	mustPut(t, r, ".gitattributes", "x", "tasks/.gitkeep", "x", "tasks/t2 ü 日本.md", "x", "x/git~2", "x", strings.Repeat("n", 255), "x")
}
