package inbox

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"os/user"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/git-tasks/git-tasks/records"
	"github.com/git-tasks/git-tasks/repo/repotest"
	"github.com/git-tasks/git-tasks/tools"
)

func TestFilesBecomeTasks(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("é", 200)
	for name, c := range map[string]struct{ text, line, has, lacks string }{
		"frontmatter": {"---\n# by hand\ntitle: \"Fix: tabs\"\npriority: high\nx-mine: 1\n---\n\nLong.\n", "t1 todo high Fix: tabs",
			"---\nid: t1\n# by hand\ntitle: \"Fix: tabs\"\n", "\n---\n\nLong.\n\n"},
		"a status": {"---\ntitle: x\nstatus: doing\n---\n", "t1 doing medium x", "\nstarted:\n  at: ", "finished"},
		"an owner": {"---\ntitle: x\nowner: root\nstatus: doing\n---\n", "t1 doing medium x", "\nowner: root\n", "lease"},
		"stamps": {"---\ntitle: x\napproved:\n  at: 2020-01-01T00:00:00.000Z\n  by: bob\nlease:\n  at: 2020-01-01T00:00:00.000Z\n  by: bob\n" +
			"created:\n  at: 2020-01-01T00:00:00.000Z\n  by: bob\n---\n", "t1 todo medium x", "created:\n", "bob"},
		"heading":     {"# Fix it #\n\nThe parser.\n\n## How\n", "t1 todo medium Fix it", "---\n\nThe parser.\n\n## How", "Fix it #"},
		"underlined":  {"\nFix it\n======\nThe parser.\n", "t1 todo medium Fix it", "---\n\nThe parser.", "=="},
		"a line":      {"Fix #12: it\r\nnow\r\n", "t1 todo medium Fix #12: it", "\nnow", "\r"},
		"no heading":  {"#12 is wrong\n", "t1 todo medium #12 is wrong", "---\n", "Body"},
		"a long line": {long + "\nmore\n", "t1 todo medium " + long[:256] + "…", "---\n\n" + long + "\nmore", "Body"},
		"a mark":      {"\ufeff# Fix\n", "t1 todo medium Fix", "title: Fix\n", "\ufeff"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBox(t, tools.Config{})
			b.put("fix.md", c.text)
			b.passes(0)
			b.tasks(c.line)
			b.has()
			b.refused()
			file := repotest.Git(t, b.store.Dir(), "show", "main:tasks/t1.md")
			if !strings.Contains(file, c.has) || strings.Contains(file, c.lacks) {
				t.Errorf("the record is\n%s\nwant %q in it, and not %q", file, c.has, c.lacks)
			}
		})
	}
}

func TestACommitIsOfTheOwnerOfTheFile(t *testing.T) {
	t.Parallel()
	b := newBox(t, tools.Config{})
	b.put("fix it.md", "Fix\n")
	b.passes(0)
	me, err := user.Current()
	if err != nil {
		t.Fatal(err)
	}
	got := repotest.Git(t, b.store.Dir(), "log", "-1", "--format=%an%n%B", "main")
	if me.Username == nobody {
		me.Username = "host"
	}
	want := me.Username + "\nt1 add: Fix\n\nTool: inbox\nInbox: "
	if !strings.HasPrefix(got, want) || !strings.HasSuffix(got, " fix it.md\n") || strings.Count(got, "\n") != 5 {
		t.Errorf("the commit is\n%s\nwant\n%s", got, want)
	}
	if by := b.caller("").By() + " " + b.caller("bob").By(); by != "host bob" {
		t.Errorf("a file of nobody and one of bob are of %s", by)
	}
}

func TestWhatIsNoRecordIsRefused(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		text, reason string
		rules        tools.Options
	}{
		"broken":      {"---\ntitle: a: b\n---\n", "fix.md:2: title holds a colon and a blank, which YAML takes for another key: quote it\n    mend: title: \"a: b\"", tools.Options{}},
		"cut short":   {"---\ntitle: Fix #12\n---\n", "fix.md:2: ", tools.Options{}},
		"no title":    {"---\npriority: high\n---\nx\n", "fix.md:1: title must be a non-empty string.", tools.Options{}},
		"an id":       {"---\nid: t7\ntitle: x\nstatus: todo\n---\n", "fix.md:2: id is t7 in a file of another name\n    mend: take the id out: it is minted", tools.Options{}},
		"not closed":  {"---\ntitle: x\n", "fix.md:1: has frontmatter that is never closed", tools.Options{}},
		"no plan":     {"---\ntitle: x\nplan: p9\n---\n", "plan must match the id of a known plan (see plan_list).", tools.Options{}},
		"no blocker":  {"---\ntitle: x\nblockedBy: [t9]\n---\n", "blockedBy must match the id of a known task (see task_list).", tools.Options{}},
		"no parent":   {"---\ntitle: x\nparent: t9\n---\n", "parent must match the id of a known task (see task_list).", tools.Options{}},
		"unapproved":  {"---\ntitle: x\nstatus: doing\n---\n", "status must not be doing until the task is approved (see task_approve).", tools.Options{RequireApproval: true}},
		"blanks":      {" \n\n", "fix.md: is empty", tools.Options{}},
		"bytes":       {"Fix \xff\n", "fix.md:1: is not UTF-8", tools.Options{}},
		"escapes":     {"Fix \x1b[2J\n", "title must be one line of at most 256 bytes.", tools.Options{}},
		"huge":        {"Fix\n" + strings.Repeat("x", records.MaxRecord), "fix.md has 1048580 bytes: a record is at most 1 MiB", tools.Options{}},
		"just huge":   {"F\n" + strings.Repeat("x", records.MaxRecord-3) + "\n", "body must be shorter", tools.Options{}},
		"a conflict":  {"---\ntitle: x\n---\n\n<<<<<<< a\n=======\n>>>>>>> b\n", "fix.md:5: ", tools.Options{}},
		"a long name": {"---\ntitle: " + strings.Repeat("x", 257) + "\n---\n", "title must be one line of at most 256 bytes.", tools.Options{}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBox(t, tools.Config{Settings: &tools.Settings{Options: c.rules}})
			b.put("fix.md", c.text)
			b.passes(0)
			b.has()
			b.refused("fix.md", "fix.md.txt")
			b.tasks()
			if got := b.reason("fix.md"); !strings.HasPrefix(got, c.reason) {
				t.Errorf("the reason is %q, want %q", got, c.reason)
			}
			if data, err := os.ReadFile(filepath.Join(b.dir, refused, "fix.md")); err != nil || string(data) != c.text {
				t.Errorf("the file is not as it was: %v", err)
			}
			b.put("fix.md", "---\n")
			b.passes(0)
			b.refused("fix-2.md", "fix-2.md.txt", "fix.md", "fix.md.txt")
		})
	}
}

// What is no file is never opened: a pipe would hold the host up for ever.
func TestLinksPipesAndSocketsAreRefused(t *testing.T) {
	t.Parallel()
	b := newBox(t, tools.Config{})
	at := func(name string) string { return filepath.Join(b.dir, name) }
	secret := filepath.Join(t.TempDir(), "secret")
	socket, err := net.Listen("unix", at("d.md"))
	if err != nil {
		t.Fatal(err)
	}
	defer socket.Close()
	for _, err := range []error{os.WriteFile(secret, []byte("secret\n"), 0o600), os.Symlink(secret, at("a.md")),
		os.Symlink("nowhere", at("b.md")), syscall.Mkfifo(at("c.md"), 0o600), os.Mkdir(at("e.md"), 0o700)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	b.passes(0)
	b.tasks()
	b.has("e.md")
	b.refused("a.md", "a.md.txt", "b.md", "b.md.txt", "c.md", "c.md.txt", "d.md", "d.md.txt")
	if got, want := b.reason("a.md")+"; "+b.reason("c.md"), "a.md is a symbolic link: put the file itself here; c.md is a pipe: put the file itself here"; got != want {
		t.Errorf("the reasons are %q, want %q", got, want)
	}
	if data, err := os.ReadFile(secret); err != nil || string(data) != "secret\n" {
		t.Errorf("what the link leads to is %q, %v", data, err)
	}
}

func TestALinkInThePlaceOfRefusedIsNotFollowed(t *testing.T) {
	t.Parallel()
	b := newBox(t, tools.Config{})
	elsewhere := t.TempDir()
	if err := os.Symlink(elsewhere, filepath.Join(b.dir, refused)); err != nil {
		t.Fatal(err)
	}
	b.put("fix.md", "---\n")
	for range 2 {
		b.passes(0)
	}
	b.has("fix.md")
	b.lies(elsewhere, nil)
	if n := strings.Count(b.log.String(), "cannot be put aside"); n != 1 {
		t.Errorf("it is said %d times, want once:\n%s", n, b.log)
	}
}

func TestNamesOfOthersAreLeft(t *testing.T) {
	t.Parallel()
	b := newBox(t, tools.Config{})
	names := []string{"#fix.md#", ".#fix.md", ".fix.md.swp", "4913", "fix.md.part", "fix.md~", "fix.txt", "~$fix.md"}
	for _, name := range names {
		b.put(name, "Fix\n")
	}
	b.passes(0)
	b.tasks()
	b.has(names...)
	if err := os.Rename(filepath.Join(b.dir, "fix.md.part"), filepath.Join(b.dir, "fix.MD")); err != nil {
		t.Fatal(err)
	}
	b.passes(0)
	b.tasks("t1 todo medium Fix")
}

func TestAFileIsTakenOnceItIsWhole(t *testing.T) {
	t.Parallel()
	b := newBox(t, tools.Config{})
	b.put("fix.md", "Fix th")
	b.passes(still)
	b.clock = b.clock.Add(still - 1)
	b.passes(1)
	b.tasks()
	b.put("fix.md", "Fix the log")
	b.passes(still) // another look begins anew
	b.clock = b.clock.Add(still)
	b.passes(0)
	b.tasks("t1 todo medium Fix the log")

	b.put("gone.md", "x")
	b.passes(still)
	if err := os.Remove(filepath.Join(b.dir, "gone.md")); err != nil {
		t.Fatal(err)
	}
	b.passes(0)
	if len(b.waiting) > 0 {
		t.Errorf("still waits for %v", b.waiting)
	}
}

// A file that is open for writing is not whole, however it ends.
func TestAFileThatIsOpenIsLeft(t *testing.T) {
	t.Parallel()
	b := newBox(t, tools.Config{})
	f, err := os.Create(filepath.Join(b.dir, "fix.md"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if busy, sure := beingWritten(f); !sure && !busy {
		t.Skip("this system, or the file system of the test, does not tell who has a file open")
	}
	for _, line := range []string{"Fix\n", "\n", "it\n"} {
		if _, err := f.WriteString(line); err != nil {
			t.Fatal(err)
		}
		b.passes(still)
		b.clock = b.clock.Add(10 * still)
		b.passes(still)
		b.tasks()
	}
	f.Close()
	for b.pass(t.Context()) > 0 { // until no process that was just started has it any more
		runtime.Gosched()
	}
	b.tasks("t1 todo medium Fix")
	if got := repotest.Git(t, b.store.Dir(), "show", "main:tasks/t1.md"); !strings.HasSuffix(got, "---\n\nit") {
		t.Errorf("the record is\n%s", got)
	}
}

// Run takes what lay there, and what comes by a rename, until it is told to end.
func TestRunTakesWhatComes(t *testing.T) {
	t.Parallel()
	b := newBox(t, tools.Config{})
	ctx, stop := context.WithTimeout(t.Context(), time.Minute)
	defer stop()
	_, from, err := b.store.Book()
	if err != nil {
		t.Fatal(err)
	}
	feed, err := b.store.Feed(from)
	if err != nil {
		t.Fatal(err)
	}
	moves, err := feed.Follow(ctx)
	if err != nil {
		t.Fatal(err)
	}
	b.put("one.md", "one\n")
	b.put("two.part", "two\n")
	ended := make(chan struct{})
	go func() { defer close(ended); b.Inbox.Run(ctx) }()
	var said []string
	for m, err := range moves {
		if err != nil {
			t.Fatal(err)
		}
		said = append(said, m.What)
		if len(said) == 2 {
			break
		}
		if err := os.Rename(filepath.Join(b.dir, "two.part"), filepath.Join(b.dir, "two.md")); err != nil {
			t.Fatal(err)
		}
	}
	stop()
	<-ended
	if got := strings.Join(said, ", "); got != "t1 add: one, t2 add: two" {
		t.Errorf("was told of %s", got)
	}
}

func TestOpenRefusesWhatIsNoFolder(t *testing.T) {
	t.Parallel()
	b := newBox(t, tools.Config{})
	file := filepath.Join(b.dir, "file")
	b.put("file", "x")
	for _, dir := range []string{file, filepath.Join(file, "in")} {
		if _, err := Open(b.store, dir); err == nil || tools.AsError(err).Code != tools.Invalid {
			t.Errorf("opening %s: %v", dir, err)
		}
	}
	if _, err := json.Marshal(take{}); err != nil {
		t.Error(err)
	}
}

// Where nothing can be removed nothing is taken: it would be taken again and again.
func TestAFolderThatMayNotBeWrittenTo(t *testing.T) {
	t.Parallel()
	if os.Geteuid() == 0 {
		t.Skip("root may write everywhere")
	}
	b := newBox(t, tools.Config{})
	b.put("fix.md", "Fix\n")
	if err := os.Chmod(b.dir, 0o500); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		b.passes(0)
	}
	b.tasks()
	if n := strings.Count(b.log.String(), "nothing is taken"); n != 1 {
		t.Errorf("it is said %d times, want once:\n%s", n, b.log)
	}
	if err := os.Chmod(b.dir, 0o700); err != nil {
		t.Fatal(err)
	}
	b.passes(0)
	b.tasks("t1 todo medium Fix")
}

// A folder that is made again under its name is the inbox from then on, and while
// there is none that is said, once.
func TestTheFolderIsReplaced(t *testing.T) {
	t.Parallel()
	b := newBox(t, tools.Config{})
	made := "level=INFO msg=\"the inbox was not there, and was made\" inbox=" + b.dir
	if !strings.Contains(b.log.String(), made) {
		t.Errorf("the log does not say that the folder was made: %s", b.log)
	}
	b.put("a.md", "first\n")
	b.passes(0)
	for n := range 2 {
		if err := os.RemoveAll(b.dir); err != nil {
			t.Fatal(err)
		}
		b.passes(retry)
		b.passes(retry)
		if got := b.Fault(); !strings.HasPrefix(got, "the inbox cannot be read: ") || strings.Count(b.log.String(), "the inbox cannot be read") != n+1 {
			t.Errorf("of a folder that is away is said %q, and logged\n%s", got, b.log)
		}
		if err := os.Mkdir(b.dir, 0o700); err != nil {
			t.Fatal(err)
		}
		b.put("b.md", fmt.Sprintf("then %d\n", n))
		b.passes(0)
		b.has()
		if got := b.Fault(); got != "" || strings.Count(b.log.String(), "opened anew") != n+1 {
			t.Errorf("of a folder that is back is said %q, and logged\n%s", got, b.log)
		}
	}
	b.tasks("t1 todo medium first", "t2 todo medium then 0", "t3 todo medium then 1")
}
