package inbox

import (
	"strings"
	"testing"

	"github.com/git-tasks/git-tasks/repo/repotest"
	"github.com/git-tasks/git-tasks/tools"
)

// Files may name each other as drafts do, whichever comes first, in one drop or after
// it.
func TestFilesThatNameEachOther(t *testing.T) {
	t.Parallel()
	b := newBox(t, tools.Config{})
	waits := func(title, blockers string) string {
		return "---\ntitle: " + title + "\nblockedBy: [" + blockers + "]\n---\n"
	}
	b.put("a.md", waits("last", "b, c.md"))
	b.put("b.md", waits("second", "c"))
	b.put("c.md", "first\n")
	b.passes(0)
	b.tasks("t1 todo medium first", "t2 todo medium second", "t3 todo medium last")
	if got := repotest.Git(t, b.store.Dir(), "show", "main:tasks/t3.md"); !strings.Contains(got, "blockedBy: [t2, t1]\n") {
		t.Errorf("the last waits for\n%s", got)
	}
	b.put("d.md", "---\ntitle: behind\nparent: a\n---\n")
	b.passes(0)
	b.has()
	if got := repotest.Git(t, b.store.Dir(), "show", "main:tasks/t4.md"); !strings.Contains(got, "parent: t3\n") {
		t.Errorf("the part of the last is\n%s", got)
	}

	b.put("e.md", waits("waits", "f"))
	b.put("f.md", "not whole")
	b.passes(still)
	b.has("e.md", "f.md")
	b.clock = b.clock.Add(still)
	b.passes(0)
	b.has()
	b.refused()

	b.put("g.md", waits("one", "h"))
	b.put("h.md", waits("other", "g"))
	b.put("i.md", waits("broken", "j"))
	b.put("j.md", "---\n")
	b.passes(0)
	b.has()
	b.refused("g.md", "g.md.txt", "h.md", "h.md.txt", "i.md", "i.md.txt", "j.md", "j.md.txt")
	b.tasks("t1 todo medium first", "t2 todo medium second", "t3 todo medium last", "t4 todo medium behind", "t5 todo medium not whole", "t6 todo medium waits")
}

// TestANameIsTheNewestFiles: a file that comes takes its name from the one before it,
// also where nothing becomes of it.
func TestANameIsTheNewestFiles(t *testing.T) {
	t.Parallel()
	b := newBox(t, tools.Config{})
	waits := "---\ntitle: waits\nblockedBy: [c]\n---\n"
	b.put("c.md", "old\n")
	b.passes(0)
	b.put("a.md", waits)
	b.put("c.md", "new\n")
	b.passes(0)
	b.tasks("t1 todo medium old", "t2 todo medium new", "t3 todo medium waits")
	if got := repotest.Git(t, b.store.Dir(), "show", "main:tasks/t3.md"); !strings.Contains(got, "blockedBy: [t2]\n") {
		t.Errorf("it waits for\n%s", got)
	}
	b.put("b.md", waits)
	b.put("c.md", "---\n")
	b.put("d.md", "---\ntitle: waits\nparent: e\n---\n")
	b.put("e.md", "---\ntitle: waits\nparent: d\n---\n")
	b.passes(0)
	b.has()
	b.refused("b.md", "b.md.txt", "c.md", "c.md.txt", "d.md", "d.md.txt", "e.md", "e.md.txt")
}

// TestFilesNameWhatAnEarlierHostTook: by what history says of it, the last one of a name;
// and what a host that was killed had taken.
func TestFilesNameWhatAnEarlierHostTook(t *testing.T) {
	t.Parallel()
	b := newBox(t, tools.Config{})
	for _, text := range []string{"first\n", "second\n"} {
		b.put("c.md", text)
		b.passes(0)
	}
	b.put("d.md", "killed\n")
	b.step = func(step string) error {
		if strings.HasPrefix(step, "remove") {
			return errKilled
		}
		return nil
	}
	b.pass(t.Context())
	b.reopen(b.store, b.dir)
	b.put("e.md", "---\ntitle: waits\nparent: c\nblockedBy: [d.md]\n---\n")
	b.put("f.md", "---\ntitle: waits\nblockedBy: [nothing]\n---\n")
	b.passes(0)
	b.tasks("t1 todo medium first", "t2 todo medium second", "t3 todo medium killed", "t4 todo medium waits")
	if got := repotest.Git(t, b.store.Dir(), "show", "main:tasks/t4.md"); !strings.Contains(got, "blockedBy: [t3]\n") || !strings.Contains(got, "parent: t2\n") {
		t.Errorf("it waits for\n%s", got)
	}
	b.refused("f.md", "f.md.txt")
}
