package records_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/git-tasks/git-tasks/records"
)

// follow makes the follow-ups of one foreign commit a path, by its author, and
// checks that each passes the gate.
func follow(t *testing.T, before, tip tree, commits ...records.Foreign) (tree, []records.FollowUp) {
	t.Helper()
	b := tip.book()
	ups, err := b.FollowUps(before.book(), commits)
	if err != nil {
		t.Fatal(err)
	}
	at := b
	for _, up := range ups {
		if faults, err := records.CheckMove(at, up.Book, pathsOf(up.Files)); err != nil || len(faults) > 0 {
			t.Errorf("the gate says %q, %v of %q", texts(faults), err, pathsOf(up.Files))
		}
		tip, at = tip.with(up.Files), up.Book
	}
	return tip, ups
}

func TestFollowUpsMintDrafts(t *testing.T) {
	t.Parallel()
	before := tree{"tasks/t1.md": taskFile("t1", "todo"), "tasks/t2.md": "---\nid: t2\ntitle: Two # keep\nstatus: todo\nblockedBy: [fix-login.md, t1] # why\n---\n"}
	tip := before.with([]records.File{
		{Path: "tasks/web/colour.md", Data: []byte("---\ntitle: 'Colour'   # a comment\r\nkey: x\r\nblockedBy: [fix-login, tasks/fix-login.md]\nplan: big\nparent: fix-login\n---\nBody\n")},
		{Path: "tasks/fix-login.md", Data: []byte("---\nstatus: doing\ntitle: Fix\n---\n")},
		{Path: "plans/big.md", Data: []byte("---\ntitle: Big\nscope:\n  kind: bot\n  bot: pilot\n---\nGoal\n")},
	})
	got, ups := follow(t, before, tip,
		records.Foreign{Author: "ana", Paths: []string{"tasks/web/colour.md"}},
		records.Foreign{Author: "bob", Paths: []string{"tasks/fix-login.md"}},
		records.Foreign{Author: "ana", Paths: []string{"plans/big.md", "tasks/fix-login.md"}})
	if len(ups) != 2 || ups[0].Author != "ana" || ups[1].Author != "bob" {
		t.Fatalf("follow-ups %+v", ups)
	}
	// Each draft is that of who made it: bob's first commit made the fix.
	wantList(t, "ana's", ups[0].IDs, "t3", "p1")
	wantList(t, "bob's", ups[1].IDs, "t4")
	wantList(t, "ana's files", pathsOf(ups[0].Files), "plans/big.md", "plans/p1.md", "tasks/t3.md", "tasks/web/colour.md")
	wantList(t, "bob's files", pathsOf(ups[1].Files), "tasks/fix-login.md", "tasks/t2.md", "tasks/t4.md")
	wanted := tree{
		"tasks/t4.md": "---\nid: t4\nstatus: doing\ntitle: Fix\n---\n",
		"tasks/t2.md": "---\nid: t2\ntitle: Two # keep\nstatus: todo\nblockedBy: [t4, t1] # why\n---\n",
	}
	for path, want := range wanted {
		if got[path] != want {
			t.Errorf("%s is\n%q, want\n%q", path, got[path], want)
		}
	}
	for _, part := range []string{"---\nid: t3", "title: 'Colour'   # a comment\r\n", "key: x\r\n", "status: todo", "plan: p1", "parent: t4", "Body\n"} {
		if !strings.Contains(got["tasks/t3.md"], part) {
			t.Errorf("t3 lacks %q:\n%q", part, got["tasks/t3.md"])
		}
	}
	b := got.book()
	wantList(t, "tasks", taskIDs(t, b), "t1", "t2", "t3", "t4")
	wantList(t, "drafts", b.Drafts())
	task, err := b.Task("t3")
	if err != nil || len(task.BlockedBy) != 1 || task.BlockedBy[0] != "t4" {
		t.Errorf("t3 waits for %q, %v", task.BlockedBy, err)
	}
	if plan, err := b.Plan("p1"); err != nil || plan.Status != records.Draft || plan.Goal != "Goal" {
		t.Errorf("p1 is %+v, %v", plan, err)
	}
}

// What YAML drops of a file was dropped before the follow-up, which changes no
// word of it: the gate must not hold it against the move, wherever the file goes
// and whichever references are turned into ids on the way.
func TestFollowUpsPassTheGateWithTextThatIsLost(t *testing.T) {
	t.Parallel()
	var many strings.Builder
	for i := range 50 {
		fmt.Fprintf(&many, "- a #%d\n", i)
	}
	for name, text := range map[string]string{
		"a title":            "title: Theirs # x\nplan: big\nblockedBy:\n- x\n- t9\n",
		"a tag":              "title: !x Theirs\nplan: big\nblockedBy: [!y z,x]\n",
		"an anchor":          "title: &v Theirs\nplan: &z big\nparent: &w x # c\n",
		"a further line":     "title: Theirs\n  go # on\nplan: big # y\n",
		"more than is named": "title: Theirs\nplan: &z big\nlabels:\n" + many.String(),
		"CR LF":              "title: Theirs # x\r\nplan: big\r\n",
		"markers":            "title: Theirs\nplan: big\n---\n" + markers,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if !strings.Contains(text, "---") {
				text += "---\n"
			}
			before := tree{"tasks/t2.md": "---\nid: t2\nstatus: todo\n" + text}
			tip := before.with([]records.File{
				{Path: "tasks/x.md", Data: []byte("---\n" + text)}, {Path: "tasks/web/y.md", Data: []byte("---\n" + text)},
				{Path: "plans/big.md", Data: []byte("---\ntitle: Big # x\nscope: {kind: bot, bot: b}\n---\n")},
			})
			if faults := tip.book().Faults(); len(faults) > 0 {
				t.Fatalf("faults %q", texts(faults))
			}
			got, ups := follow(t, before, tip,
				records.Foreign{Author: "ana", Paths: []string{"tasks/x.md", "tasks/t2.md"}},
				records.Foreign{Author: "bob", Paths: []string{"tasks/web/y.md", "plans/big.md"}})
			if len(ups) != 2 {
				t.Fatalf("follow-ups %+v", ups)
			}
			b := got.book()
			wantList(t, "tasks", taskIDs(t, b), "t2", "t3", "t4")
			if task, err := b.Task("t2"); err != nil || task.Plan != "p1" {
				t.Errorf("t2 is %+v, %v", task, err)
			}
			wantFault(t, warningsOf(t, b), "tasks/t3.md", "")
		})
	}
}

func TestFollowUpsKeepHighest(t *testing.T) {
	t.Parallel()
	draft := "---\ntitle: Draft\n---\n"
	ten := tree{"tasks/.highest": "t9\n", "tasks/t10.md": taskFile("t10", "todo"), "tasks/t3.md": taskFile("t3", "todo")}
	with := func(path, text string) tree { return ten.with([]records.File{{Path: path, Data: []byte(text)}}) }
	without := func(paths ...string) tree {
		next := ten.with(nil)
		for _, path := range paths {
			delete(next, path)
		}
		return next
	}
	for name, c := range map[string]struct {
		tip     tree
		paths   []string
		highest string // "" where none is to be written
		next    int
	}{
		"nothing":             {ten, []string{"tasks/t3.md", "README.md"}, "", 11},
		"an edit":             {with("tasks/t3.md", taskFile("t3", "done")), []string{"tasks/t3.md"}, "", 11},
		"lower one removed":   {without("tasks/t3.md"), []string{"tasks/t3.md"}, "", 11},
		"highest removed":     {without("tasks/t10.md"), []string{"tasks/t10.md"}, "t10\n", 11},
		"all removed":         {tree{}, []string{"tasks/t10.md", "tasks/t3.md", "tasks/.highest"}, "t10\n", 11},
		".highest removed":    {without("tasks/.highest"), []string{"tasks/.highest"}, "", 11},
		".highest broken":     {with("tasks/.highest", "x\n"), []string{"tasks/.highest"}, "t10\n", 11},
		"came and went":       {ten, []string{"tasks/t40.md"}, "t40\n", 41},
		"misplaced":           {with("tasks/web/t40.md", taskFile("t40", "todo")), []string{"tasks/web/t40.md"}, "t40\n", 41},
		"in its own folder":   {with("tasks/t40.md", taskFile("t40", "todo")), []string{"tasks/t40.md"}, "", 41},
		"far, in its place":   {with("tasks/1/23/t12345.md", taskFile("t12345", "todo")), []string{"tasks/1/23/t12345.md"}, "t12345\n", 12346},
		"far already, draft":  {with("tasks/x.md", draft).with([]records.File{{Path: "tasks/.highest", Data: []byte("t10099\n")}}), []string{"tasks/x.md", "tasks/.highest"}, "t10100\n", 10101},
		"far one gone, draft": {with("tasks/x.md", draft), []string{"tasks/x.md", "tasks/50/t5000.md"}, "t5000\n", 5002},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, ups := follow(t, ten, c.tip, records.Foreign{Author: "bob", Paths: c.paths})
			if c.highest != "" && got["tasks/.highest"] != c.highest || c.highest == "" && len(ups) > 0 {
				t.Errorf("follow-ups %+v, .highest %q", ups, got["tasks/.highest"])
			}
			if len(ups) > 0 && (ups[0].Author == "") != (len(ups[0].IDs) == 0) {
				t.Errorf("authored %q with ids %q", ups[0].Author, ups[0].IDs)
			}
			if n, err := got.book().Next(records.TaskKind); err != nil || n != c.next {
				t.Errorf("next is %d, %v, want %d", n, err, c.next)
			}
		})
	}
}

func TestFollowUpsWithoutAnEarlierCommitOfOurs(t *testing.T) {
	t.Parallel()
	tip := tree{"tasks/x.md": "---\ntitle: X\n---\n", "tasks/t8.md": taskFile("t8", "todo", "blockedBy: [x]")}
	ups, err := tip.book().FollowUps(nil, []records.Foreign{
		{Author: "ana", Paths: []string{"tasks/x.md", "tasks/t8.md", "tasks/t20.md"}}})
	if err != nil || len(ups) != 1 || ups[0].IDs[0] != "t21" {
		t.Fatalf("follow-ups %+v, %v", ups, err)
	}
	if task, err := ups[0].Book.Task("t8"); err != nil || task.BlockedBy[0] != "t21" {
		t.Errorf("t8 waits for %q, %v", task.BlockedBy, err)
	}
}

func TestDraftNamesThatMeanSeveralFiles(t *testing.T) {
	t.Parallel()
	draft := "---\ntitle: Draft\n---\n"
	tip := tree{
		"tasks/a/x.md": draft, "tasks/b/x.md": draft, "tasks/b/y.md": "---\ntitle: Y\nblockedBy: [x]\n---\n",
		"tasks/t1.md": taskFile("t1", "todo", "blockedBy: [x, tasks/a/x]", "plan: x", "parent: t1"),
	}
	got, ups := follow(t, tree{}, tip, records.Foreign{Author: "ana", Paths: []string{"tasks/a/x.md", "tasks/b/x.md", "tasks/b/y.md", "tasks/t1.md"}})
	wantList(t, "minted", ups[0].IDs, "t2", "t3", "t4")
	b := got.book()
	for id, want := range map[string][]string{"t4": {"t3"}, "t1": {"x", "t2"}} {
		task, err := b.Task(id)
		if err != nil {
			t.Fatal(err)
		}
		wantList(t, id, task.BlockedBy, want...)
	}
}

func TestDraftsThatNobodyTouchedStay(t *testing.T) {
	t.Parallel()
	tip := tree{"tasks/x.md": "---\ntitle: X\n---\n", "tasks/bad.md": "---\ntitle: [x\n---\n"}
	_, ups := follow(t, tip, tip, records.Foreign{Author: "ana", Paths: []string{"tasks/bad.md"}})
	if len(ups) > 0 {
		t.Errorf("follow-ups %+v", ups)
	}
}

// Several commits touched one task: the stamp is of the one that moved it, as far
// as the trees between are known, else of the last.
func TestFollowUpsStampWhoMoved(t *testing.T) {
	t.Parallel()
	before := tree{"tasks/t1.md": taskFile("t1", "todo"), "tasks/t2.md": taskFile("t2", "todo")}
	moved := before.with([]records.File{{Path: "tasks/t1.md", Data: []byte(taskFile("t1", "doing"))}})
	tip := moved.with([]records.File{{Path: "tasks/t1.md", Data: []byte(taskFile("t1", "doing", "note: x"))}, {Path: "tasks/t2.md", Data: []byte(taskFile("t2", "dropped"))}})
	for trees, want := range map[bool]string{true: "ana", false: "bob"} {
		commits := []records.Foreign{
			{Author: "ana", Paths: []string{"tasks/t1.md"}, Mark: records.Mark{By: "ana", At: noon}, Tree: moved.fs()},
			{Author: "bob", Paths: []string{"tasks/t1.md", "tasks/t2.md"}, Mark: records.Mark{By: "bob", At: noon.Add(1)}, Tree: tip.fs()},
		}
		if !trees {
			commits[0].Tree, commits[1].Tree = nil, nil
		}
		got, ups := follow(t, before, tip, commits...)
		b := got.book()
		one, err := b.Task("t1")
		if err != nil || one.Started == nil || one.Started.By != want || one.Note != "x" {
			t.Errorf("t1 is %+v, %v", one, err)
		}
		if two, err := b.Task("t2"); err != nil || two.Finished == nil || two.Finished.By != "bob" {
			t.Errorf("t2 is %+v, %v", two, err)
		}
		last := ups[len(ups)-1]
		if last.Author != "bob" || !last.At.Equal(noon.Add(1)) || trees && (last.Moved != records.Dropped || len(ups) != 2) {
			t.Errorf("follow-ups %+v", ups)
		}
		wantList(t, "minted", last.IDs)
		if _, again := follow(t, got, got, commits...); len(again) > 0 {
			t.Errorf("a second time %+v", again)
		}
	}
}

// What a broken file said of stamps is not known from the tree: mended, it keeps
// those that it has.
func TestFollowUpsLeaveTheStampsOfAMendedFile(t *testing.T) {
	t.Parallel()
	mended := tree{"tasks/t1.md": taskFile("t1", "done", "approved: {at: 2026-10-18, by: ana}")}
	_, ups := follow(t, tree{"tasks/t1.md": "broken"}, mended,
		records.Foreign{Author: "bob", Paths: []string{"tasks/t1.md"}, Mark: records.Mark{By: "bob", At: noon}})
	if len(ups) > 0 {
		t.Errorf("follow-ups %+v", ups)
	}
}

// A record that one commit made by hand and a later one moved is stamped as of the
// later; what the first gave it as stamps stands, but an approval.
func TestFollowUpsStampAMoveOfWhatWasMadeByHand(t *testing.T) {
	t.Parallel()
	made := tree{"tasks/t1.md": taskFile("t1", "todo", "created: {at: 2026-10-01, by: mia}", "approved: {at: 2026-10-01, by: mia}")}
	moved := tree{"tasks/t1.md": strings.Replace(strings.Replace(made["tasks/t1.md"], "todo", "done", 1), "2026-10-01, by: mia", "2020-10-01, by: eve", 1)}
	path := []string{"tasks/t1.md"}
	got, _ := follow(t, tree{}, moved,
		records.Foreign{Author: "mia", Paths: path, Mark: records.Mark{By: "mia", At: noon}, Tree: made.fs()},
		records.Foreign{Author: "bob", Paths: path, Mark: records.Mark{By: "bob", At: noon.Add(1)}, Tree: moved.fs()})
	task, err := got.book().Task("t1")
	if err != nil || task.Finished == nil || task.Finished.By != "bob" || task.Approved != nil || task.Created.By != "mia" {
		t.Errorf("t1 is %+v, %v", task, err)
	}
}
