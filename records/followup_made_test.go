package records_test

import (
	"fmt"
	"maps"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/git-tasks/git-tasks/records"
)

// Whoever adds a record by hand made it, whoever moved it later: each is stamped by
// their own follow-up, whichever of the two comes first on the branch.
func TestFollowUpsStampWhoAddedAndWhoMoved(t *testing.T) {
	t.Parallel()
	for _, path := range []string{"tasks/t13.md", "tasks/web/x.md"} {
		file := func(status, more string) string {
			if id := idOf(path); id != "" {
				return taskFile(id, status, more)
			}
			return "---\ntitle: x\nstatus: " + status + "\n" + more + "\n---\n"
		}
		put := func(from tree, path, text string) tree {
			return from.with([]records.File{{Path: path, Data: []byte(text)}})
		}
		first := put(shelf(), "README.md", "bob was here first\n")
		made := put(first, path, file("doing", "key: 1"))
		forged := put(made, path, file("doing", "created: {at: 2020-10-01, by: eve}\nkey: 1"))
		moved := put(forged, path, file("done", "created: {at: 2020-10-01, by: eve}\nkey: 2"))
		commits := []records.Foreign{
			{Author: "bob", Paths: []string{"README.md"}, Mark: records.Mark{By: "bob", At: noon}, Tree: first.fs()},
			{Author: "ana", Paths: []string{path}, Mark: records.Mark{By: "ana", At: noon.Add(time.Hour)}, Tree: made.fs()},
			{Author: "eve", Paths: []string{path}, Mark: records.Mark{By: "eve", At: noon.Add(time.Hour)}, Tree: forged.fs()},
			{Author: "bob", Paths: []string{path}, Mark: records.Mark{By: "bob", At: noon}, Tree: moved.fs()},
		}
		for i, order := range []string{"bob ana", "ana bob"} {
			got, ups := follow(t, shelf(), moved, commits[i:]...)
			var authors []string
			for _, up := range ups {
				authors = append(authors, up.Author)
				if !up.At.Equal(noon.Add(time.Hour)) {
					t.Errorf("%s, %s: %s's is of %v", path, order, up.Author, up.At)
				}
			}
			if strings.Join(authors, " ") != order {
				t.Errorf("%s: follow-ups by %q, want %s", path, authors, order)
			}
			task, err := got.book().Task("t13")
			if err != nil {
				t.Fatal(err)
			}
			at := "2026-10-18T13:00:00.000Z"
			for key, want := range map[string]string{"created": "ana", "started": "ana", "finished": "bob"} {
				stamps := map[string]*records.Stamp{"created": task.Created, "started": task.Started, "finished": task.Finished}
				if s := stamps[key]; s == nil || s.By != want || s.At != at || s.In != "" {
					t.Errorf("%s, %s: %s is %+v, want %s at %s", path, order, key, s, want, at)
				}
			}
			if !strings.Contains(got["tasks/t13.md"], "key: 2\n") {
				t.Errorf("%s, %s: it is\n%s", path, order, got["tasks/t13.md"])
			}
		}
	}
}

// What one author's follow-up wrote into a record stays, when that of another, who
// moved it, comes behind.
func TestFollowUpsKeepWhatTheOneBeforeWrote(t *testing.T) {
	t.Parallel()
	before := tree{"tasks/t1.md": taskFile("t1", "todo")}
	drafted := before.with([]records.File{{Path: "tasks/x.md", Data: []byte("---\ntitle: X\n---\n")}})
	moved := drafted.with([]records.File{{Path: "tasks/t1.md", Data: []byte(taskFile("t1", "doing", "blockedBy: [x]"))}})
	got, _ := follow(t, before, moved,
		records.Foreign{Author: "ana", Paths: []string{"tasks/x.md"}, Mark: records.Mark{By: "ana", At: noon}, Tree: drafted.fs()},
		records.Foreign{Author: "bob", Paths: []string{"tasks/t1.md"}, Mark: records.Mark{By: "bob", At: noon}, Tree: moved.fs()})
	if task, err := got.book().Task("t1"); err != nil || fmt.Sprint(task.BlockedBy) != "[t2]" || task.Started == nil {
		t.Errorf("t1 is %+v, %v", task, err)
	}
}

// hand is what people did to one file, and whom its stamps are to name.
type hand struct {
	there        bool
	status, made string // as it is, and as it was added
	mover, adder string // who gave it the status that it has, and who added it
	isCreated    bool   // it was added with the stamp of somebody
	isReviewed   bool   // somebody put a review in later
}

// TestFollowUpsStampAsToolsWould has people add, edit, move and remove records by
// hand, and forge stamps: each record that is there has the stamps of a task_add by
// whoever added it and of a task_set by whoever moved it, each in a commit of the
// author and the time that it says, and nothing is left to be done behind that.
func TestFollowUpsStampAsToolsWould(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		before := tree{"tasks/.highest": "t12\n"}
		tip, commits, hands := before, []records.Foreign(nil), map[string]*hand{}
		for i := range rapid.IntRange(1, 12).Draw(t, "commits") {
			author := rapid.SampledFrom([]string{"ana", "bob", "cleo"}).Draw(t, "author")
			path := rapid.SampledFrom([]string{"tasks/t13.md", "tasks/t14.md", "tasks/x.md", "tasks/web/y.md"}).Draw(t, "path")
			h := hands[path]
			if h == nil {
				h = &hand{}
				hands[path] = h
			}
			mark := records.Mark{By: author, At: noon.Add(time.Duration(i) * time.Minute)}
			tip = h.edit(t, mark, path, tip)
			commits = append(commits, records.Foreign{Author: author, Paths: []string{path}, Tree: tip.fs(), Mark: mark})
		}
		got := wroteTheirStamps(t, before, tip, commits)
		for path, h := range hands {
			if h.there {
				h.wantStamps(t, path, got)
			}
		}
	})
}

// edit is one commit.
func (h *hand) edit(t *rapid.T, mark records.Mark, path string, tip tree) tree {
	status := rapid.SampledFrom([]string{"todo", "doing", "blocked", "review", "done", "dropped"}).Draw(t, "status")
	forged := rapid.Bool().Draw(t, "forged")
	switch {
	case !h.there:
		*h = hand{there: true, status: status, made: status, adder: mark.By, mover: mark.By, isCreated: forged}
	case forged && status == "dropped":
		*h = hand{}
		next := tip.with(nil)
		delete(next, path)
		return next
	default:
		h.isReviewed = forged
		if status != h.status {
			h.status, h.mover = status, mark.By
		}
	}
	text := fmt.Sprintf("---\ntitle: %s\nstatus: %s\nnote: At %v\n", path, h.status, mark.At)
	if id := idOf(path); id != "" {
		text = strings.Replace(text, "---\n", "---\nid: "+id+"\n", 1)
	}
	if h.isCreated {
		text += "created: {at: 2026-10-01, by: zoe}\n"
	}
	if h.isReviewed {
		text += "reviewed: {at: 2026-10-01, by: zoe}\n"
	}
	return tip.with([]records.File{{Path: path, Data: []byte(text + "---\n")}})
}

// wroteTheirStamps gives the Book after the follow-ups. No author has two, each
// passes the gate, and writes no stamp but its author's, of its own time; what
// somebody was believed to have stamped already stays as it is.
func wroteTheirStamps(t *rapid.T, before, tip tree, commits []records.Foreign) tree {
	ups, err := tip.book().FollowUps(before.book(), commits)
	if err != nil {
		t.Fatal(err)
	}
	at, authors := tip.book(), map[string]bool{}
	for _, up := range ups {
		if authors[up.Author] {
			t.Fatalf("a second follow-up by %s", up.Author)
		}
		authors[up.Author] = true
		if faults, err := records.CheckMove(at, up.Book, pathsOf(up.Files)); err != nil || len(faults) > 0 {
			t.Fatalf("the gate says %q, %v", texts(faults), err)
		}
		was := stampsIn(tip)
		tip = tip.with(up.Files)
		for key, s := range stampsIn(tip) {
			if _, known := was[key]; !known && s.By != "zoe" && (s.By != up.Author || s.At != records.FormatTime(up.At)) {
				t.Fatalf("%s's follow-up of %v writes %s %+v", up.Author, up.At, key, s)
			}
		}
		at = up.Book
	}
	return tip
}

// stampsIn gives every stamp of every task and draft, by title and key.
func stampsIn(files tree) map[string]records.Stamp {
	all := map[string]records.Stamp{}
	for path, text := range files {
		if task := records.Parse(path, []byte(text)).Task; task != nil {
			for key, s := range task.Stamps() {
				all[task.Title+" "+key] = *s
			}
		}
	}
	return all
}

// wantStamps holds a record to what was done by hand.
func (h *hand) wantStamps(t *rapid.T, path string, files tree) {
	want := map[string]string{"created": h.adder}
	if h.isCreated {
		want["created"] = "zoe"
	}
	move := func(to, by string) {
		key := map[string]string{"doing": "started", "review": "finished", "done": "finished", "dropped": "finished"}[to]
		if key != "" && want[key] == "" {
			want[key] = by
		}
	}
	move(h.made, h.adder)
	if h.made != h.status {
		move(h.status, h.mover)
	}
	got, stamps := map[string]string{}, stampsIn(files)
	for _, key := range []string{"created", "approved", "started", "finished", "reviewed"} {
		if s, ok := stamps[path+" "+key]; ok {
			got[key] = s.By
			if s.By != "zoe" && s.At < stamps[path+" created"].At {
				t.Fatalf("%s: %s is earlier than created: %+v", path, key, stamps)
			}
		}
	}
	if !maps.Equal(got, want) {
		t.Fatalf("%s, made %s by %s, %s by %s, is stamped %v, want %v", path, h.made, h.adder, h.status, h.mover, got, want)
	}
}
