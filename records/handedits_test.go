package records_test

import (
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/git-tasks/git-tasks/records"
)

// handEdit is one thing that a person does to files: what is said at a push, and
// what happens where it got in past the gate.
type handEdit struct {
	files tree // "" for a removed one
	// refused is a part of the one fault at a push, "" for an edit that is accepted,
	// mend a part of the line as it should be.
	refused, mend string
	// reported and warned is a part of what Check says then, "" for nothing.
	reported, warned string
	// follow is what the follow-up writes, with parts of the text, "-" for a file
	// that goes; notes what it says of it.
	follow tree
	notes  []string
}

// A person approves a task in the file, which only the host can: the push is
// refused, with what to do.
func ExampleCheckPush() {
	file := "---\nid: t1\ntitle: Read the plan\nstatus: todo\n---\n"
	book := func(text string) *records.Book {
		return records.NewBook(fstest.MapFS{"tasks/t1.md": {Data: []byte(text)}})
	}
	pushed := strings.Replace(file, "todo\n", "done\napproved: {at: 2026-10-18, by: bob}\n", 1)
	faults, err := records.CheckPush(book(file), book(pushed), []string{"tasks/t1.md"}, records.Push{By: "bob", At: time.Now()})
	for _, f := range faults {
		fmt.Println(f)
		fmt.Println(f.Mend)
	}
	fmt.Println(err)
	// Output:
	// tasks/t1.md:5: approved is a stamp, and stamps are the host's: task_approve writes it
	// take approved out
	// <nil>
}

// created is the stamp of what bob adds.
const created = "created:\n  at: 2026-10-18T12:00:00.000Z\n  by: bob\n"

const stamps = "created:\n  at: 2026-10-18T10:00:00.000Z\n  by: ana\napproved:\n  at: 2026-10-18T10:30:00.000Z\n  by: cleo\nstarted:\n  at: 2026-10-18T11:00:00.000Z\n  by: ana\n"

// shelf is the tree that hand edits start from: t1 in doing with stamps, t2 todo, t3
// under ana's lease, t4 a lease that ran out.
func shelf() tree {
	lease := func(until string) string {
		return "owner: ana\nlease:\n  at: 2026-10-18T11:00:00.000Z\n  by: ana\n  until: 2026-10-18T" + until + ":00.000Z"
	}
	return tree{
		"tasks/.highest": "t12\n", "README.md": "top\n", "tasks/t1.md": "---\nid: t1\ntitle: One\nstatus: doing\nactive: Reading\n" + stamps + "---\n",
		"tasks/t2.md": taskFile("t2", "todo"), "tasks/t3.md": taskFile("t3", "doing", lease("13:00")), "tasks/t4.md": taskFile("t4", "doing", lease("12:00")),
		"plans/p1.md": planFile("p1", "active"),
	}
}

// t1 is the task of that id with a part of its file replaced; t2 is one with a line
// more.
func t1(old, new string) tree {
	return tree{"tasks/t1.md": strings.Replace(shelf()["tasks/t1.md"], old, new, 1)}
}
func t2(line string) tree { return tree{"tasks/t2.md": taskFile("t2", "todo", line)} }
func titled(title string) tree {
	return tree{"tasks/t2.md": strings.Replace(taskFile("t2", "todo"), "Task t2", title, 1)}
}

func handEdits() map[string]handEdit {
	rows := map[string]handEdit{
		// Text that YAML takes for something else.
		"colon":       {files: titled("a: b"), refused: "t2.md:3: title holds a colon", mend: `title: "a: b"`, reported: "t2.md:3: title"},
		"at":          {files: titled("@x"), refused: "t2.md:3: title begins with @", mend: `title: "@x"`, reported: "t2.md:3"},
		"backtick":    {files: titled("`x`"), refused: "t2.md:3: title begins with `", mend: "title: \"`x`\"", reported: "t2.md:3"},
		"bracket":     {files: titled("[WIP] x"), refused: "t2.md:3: title begins with [", mend: `title: "[WIP] x"`, reported: "t2.md:3"},
		"star":        {files: titled("*x*"), refused: "t2.md:3: ", mend: `title: "*x*"`, reported: "t2.md:3"},
		"tag":         {files: titled("!x"), refused: "t2.md:3: title", mend: `title: "!x"`, reported: "t2.md:3"},
		"tag, text":   {files: titled("!x y"), refused: "t2.md:3: title loses !x", mend: `title: "!x y"`, warned: "title loses !x"},
		"anchor":      {files: titled("&x y"), refused: "t2.md:3: title loses &x", mend: `title: "&x y"`, warned: "title loses &x"},
		"apostrophe":  {files: titled("'user's next'"), refused: "t2.md:3: title has quotes", mend: `title: "user's next"`, reported: "t2.md:3"},
		"comment":     {files: titled("Fix #12"), refused: "t2.md:3: title loses #12", mend: `title: "Fix #12"`, warned: "title loses #12"},
		"comment, in": {files: t2("labels: [a #1]"), refused: "t2.md:5: ", mend: "", reported: "t2.md:5"},
		"yes":         {files: titled("yes"), follow: tree{}},
		"number":      {files: titled("12")},
		"date":        {files: titled("2026-10-18")},
		"hex":         {files: titled("0x10")},
		"float":       {files: titled("1.0")},
		// Files that are no record.
		"duplicate key":      {files: t2("note: a\nnote: b"), refused: "t2.md:6: duplicate key note", mend: "take one of the two lines out", reported: "t2.md:6"},
		"tab":                {files: t2("metadata:\n\ta: b"), refused: "t2.md:6: is indented with a tab", mend: "  a: b", reported: "t2.md:6"},
		"control character":  {files: t2("note: a\x01b"), refused: "t2.md:5: holds the control character", mend: `note: "a\x01b"`, reported: "t2.md:5"},
		"latin-1":            {files: t2("note: Caf\xe9"), refused: "t2.md:5: is not UTF-8: byte 0xe9 at column 10", mend: "save the file as UTF-8", reported: "t2.md:5"},
		"unclosed":           {files: tree{"tasks/t2.md": "---\nid: t2\ntitle: x\nstatus: todo\n"}, refused: "never closed", reported: "never closed"},
		"empty":              {files: tree{"tasks/t2.md": "\n"}, refused: "is empty", mend: "---", reported: "is empty"},
		"second document":    {files: t2("--- x\nnote: a"), refused: "t2.md:5: a second document", reported: "t2.md:5"},
		"alias":              {files: t2("note: &a x\ntopic: *a"), refused: "t2.md:6: *a is a YAML alias", mend: `topic: "*a"`, reported: "t2.md:6"},
		"core tag":           {files: t2("note: !!str x"), refused: "t2.md:5: !!str is a YAML tag", mend: "note: x", reported: "t2.md:5"},
		"depth":              {files: t2("own: " + strings.Repeat("[", 40) + strings.Repeat("]", 40)), refused: "more than 32 deep", reported: "more than 32 deep"},
		"over 1 MiB":         {files: tree{"tasks/t2.md": taskFile("t2", "todo") + strings.Repeat("x\n", 1<<19)}, refused: "larger than 1 MiB", reported: "larger than 1 MiB"},
		"unknown status":     {files: tree{"tasks/t2.md": taskFile("t2", "waiting")}, refused: "t2.md:4: status must be todo, doing,", reported: "t2.md:4"},
		"unknown priority":   {files: t2("priority: urgent"), refused: "t2.md:5: priority must be high, medium, or low.", reported: "t2.md:5"},
		"wrong case":         {files: t2("priority: High"), refused: "t2.md:5: priority must be", mend: "priority: high", reported: "t2.md:5"},
		"wrong type":         {files: t2("labels: docs"), refused: "t2.md:5: labels must be an array of strings.", mend: "labels: [docs]", reported: "t2.md:5"},
		"A9 markers":         {files: t2("<<<<<<< x\nnote: a\n=======\nnote: b\n>>>>>>> y"), refused: "t2.md:5: holds conflict markers", reported: "t2.md:5"},
		"markers below":      {files: tree{"tasks/t2.md": taskFile("t2", "todo") + "\n" + markers}, refused: "t2.md:7: holds conflict markers", mend: "indent", warned: "holds conflict markers"},
		"no frontmatter":     {files: tree{"tasks/web/x.md": "# Do it\n"}, refused: "has no frontmatter: add a `---` block with title:", mend: "---\ntitle:", reported: "has no frontmatter"},
		"no Markdown":        {files: tree{"tasks/x.txt": "x"}, refused: "ends in .md", reported: "ends in .md"},
		"kept byte for byte": {files: tree{"tasks/t2.md": "\uFEFF\r\n---  \r\n# c\r\nown:   {a: 1}   \r\nlabels: [ a,b ]  \r\ntitle: x  \r\nstatus: todo\r\nid: t2\r\n---\r\n\r\nx\r\n"}},
		// Ids and places.
		"id changed":          {files: tree{"tasks/t2.md": taskFile("t99", "todo")}, refused: "t2.md:2: id is t99 where the file's name says t2", mend: "id: t2", reported: "t2.md:2"},
		"id taken out":        {files: tree{"tasks/t2.md": "---\ntitle: Task t2\nstatus: todo\n---\n"}, refused: "id is missing", mend: "id: t2", reported: "id is missing"},
		"renamed":             {files: tree{"tasks/t2.md": "", "tasks/two.md": taskFile("t2", "todo")}, refused: "two.md:2: id is t2 in a file of another name", mend: "tasks/t2.md", reported: "two.md:2"},
		"A4 two files":        {files: tree{"tasks/x/t2.md": taskFile("t2", "done")}, refused: "x/t2.md: id t2 is held by tasks/t2.md", reported: "x/t2.md: id t2 is held"},
		"wrong folder":        {files: tree{"tasks/t100.md": taskFile("t100", "todo")}, refused: "lies in the wrong folder", mend: "tasks/1/t100.md", warned: "tasks/t100.md: lies in the wrong folder", follow: tree{"tasks/.highest": "t100\n"}},
		"unused id":           {files: tree{"tasks/10/t1012.md": taskFile("t1012", "todo")}, follow: tree{"tasks/10/t1012.md": created}},
		"far id":              {files: tree{"tasks/10/t1013.md": taskFile("t1013", "todo")}, refused: "more than 1000 above the highest id, t12; leave the id out", mend: "take the id line out", follow: tree{"tasks/10/t1013.md": created}},
		"used id":             {files: tree{"tasks/t9.md": taskFile("t9", "todo")}, refused: "t9 was used once; leave the id out", mend: "take the id line out", follow: tree{"tasks/t9.md": created}},
		"removed":             {files: tree{"tasks/t2.md": ""}},
		".highest lowered":    {files: tree{"tasks/.highest": "t4\n"}, refused: ".highest:1: must not be lowered from t12", mend: "t12", follow: tree{"tasks/.highest": "t12\n"}},
		".highest removed":    {files: tree{"tasks/.highest": ""}, refused: ".highest: must not be removed", mend: "t12", follow: tree{"tasks/.highest": "t12\n"}},
		"P16 .highest raised": {files: tree{"tasks/.highest": "t40\n"}},
		"draft":               {files: tree{"tasks/web/fix-login.md": "---\ntitle: Fix\n---\n", "tasks/t2.md": taskFile("t2", "todo", "blockedBy: [fix-login]")}, follow: tree{"tasks/web/fix-login.md": "-", "tasks/t13.md": "id: t13\ntitle: Fix\nstatus: todo\n" + created, "tasks/t2.md": "blockedBy: [t13]"}},
		"outside":             {files: tree{"README.md": "x", "tasks/README.md": "x", "notes/t1.md": "<<<<<<< x\n"}},
		"keys of the hosts":   {files: tree{".git-tasks/allowed_signers": "x"}, refused: "allowed_signers: holds the keys of the hosts"},
	}
	maps.Copy(rows, hostEdits())
	return rows
}

// hostEdits are those of what the host alone writes.
func hostEdits() map[string]handEdit {
	bob := "\n  at: 2026-10-18T12:00:00.000Z\n  by: bob\n"
	forged := "\n  at: 2026-10-01\n  by: bob\n"
	return map[string]handEdit{
		"status moved":       {files: tree{"tasks/t2.md": taskFile("t2", "doing")}, follow: tree{"tasks/t2.md": "started:" + bob}},
		"active left behind": {files: t1("doing", "done"), follow: tree{"tasks/t1.md": "status: done\ncreated:"}},
		"moved and finished": {files: t1("doing", "review"), follow: tree{"tasks/t1.md": "finished:" + bob}},
		"started stays":      {files: t1("active: Reading\n", "note: x\n")},
		"plan done":          {files: tree{"plans/p1.md": planFile("p1", "done")}, follow: tree{"plans/p1.md": "finished:" + bob}},
		"P21 approved added": {files: t2("approved:" + forged[:len(forged)-1]), refused: "t2.md:5: approved is a stamp, and stamps are the host's: task_approve writes it", mend: "take approved out",
			follow: tree{"tasks/t2.md": taskFile("t2", "todo")}, notes: []string{"took approved out of t2: no tool wrote it"}},
		"P21 created changed": {files: t1("by: ana", "by: bob"), refused: "t1.md:6: created is a stamp, and stamps are the host's: task_add writes it", mend: "created:\n  at: 2026-10-18T10:00:00.000Z\n  by: ana",
			follow: tree{"tasks/t1.md": stamps}, notes: []string{"put created of t1 back as it was: no tool changed it"}},
		"P21 stamps removed": {files: t1(stamps[strings.Index(stamps, "started"):], ""), refused: "t1.md:1: started is a stamp", mend: "---\nstarted:\n  at: 2026-10-18T11:00:00.000Z\n  by: ana",
			follow: tree{"tasks/t1.md": stamps}, notes: []string{"put started of t1 back as it was: no tool changed it"}},
		"P21 finished forged": {files: t1("created:", "finished:"+forged+"created:"), refused: "finished is a stamp, and stamps are the host's: task_set writes it",
			follow: tree{"tasks/t1.md": "active: Reading\n" + stamps}, notes: []string{"took finished out of t1: no tool wrote it"}},
		"plan approved": {files: tree{"plans/p1.md": strings.Replace(planFile("p1", "active"), "status", "approved:"+forged+"status", 1)}, refused: "plan_approve writes it",
			follow: tree{"plans/p1.md": planFile("p1", "active")}, notes: []string{"took approved out of p1: no tool wrote it"}},
		"new, with stamps": {files: tree{"tasks/t13.md": taskFile("t13", "todo", "approved:"+forged+"started:"+forged[:len(forged)-1])}, refused: "t13.md:",
			follow: tree{"tasks/t13.md": "started:" + forged + "---"}, notes: []string{"took approved out of t13: no tool wrote it"}},
		"made doing":          {files: tree{"tasks/t13.md": taskFile("t13", "doing")}, follow: tree{"tasks/t13.md": created + "started:" + bob}},
		"made in review":      {files: tree{"tasks/t13.md": taskFile("t13", "review")}, follow: tree{"tasks/t13.md": created + "finished:" + bob}},
		"draft, done":         {files: tree{"tasks/x.md": "---\ntitle: x\nstatus: done\n---\n"}, follow: tree{"tasks/x.md": "-", "tasks/t13.md": created + "finished:" + bob}},
		"plan made":           {files: tree{"plans/p2.md": planFile("p2", "dropped")}, follow: tree{"plans/p2.md": created + "finished:" + bob}},
		"plan drafted":        {files: tree{"plans/x.md": "---\ntitle: x\nscope: {kind: bot, bot: b}\n---\n"}, follow: tree{"plans/x.md": "-", "plans/p2.md": "status: draft\n" + created}},
		"new, with a creator": {files: tree{"tasks/t13.md": taskFile("t13", "todo", "created:"+strings.TrimSuffix(forged, "\n"))}, refused: "t13.md:5: created is a stamp, and stamps are the host's: task_add writes it"},
		"draft, approved": {files: tree{"tasks/x.md": "---\ntitle: x\napproved:" + forged + "---\n"}, refused: "x.md:3: approved is a stamp",
			follow: tree{"tasks/x.md": "-", "tasks/t13.md": "---\nid: t13\ntitle: x\nstatus: todo\n" + created + "---\n"}, notes: []string{"took approved out of t13: no tool wrote it"}},
		"lease made": {files: t2("lease:" + forged[:len(forged)-1]), refused: "t2.md:5: lease is the host's: task_claim writes it", mend: "take lease out",
			follow: tree{"tasks/t2.md": taskFile("t2", "todo")}, notes: []string{"took lease out of t2: no tool wrote it"}},
		"lease that ran out": {files: tree{"tasks/t4.md": strings.Replace(shelf()["tasks/t4.md"], "Task t4", "Four", 1)}},
		"lease, left doing":  {files: tree{"tasks/t4.md": strings.Replace(shelf()["tasks/t4.md"], "doing", "todo", 1)}, follow: tree{"tasks/t4.md": taskFile("t4", "todo")}},
		"held":               {files: tree{"tasks/t3.md": strings.Replace(shelf()["tasks/t3.md"], "Task t3", "Three", 1)}, refused: "t3 is held by ana until 2026-10-18T13:00:00.000Z"},
		"held, removed":      {files: tree{"tasks/t3.md": ""}, refused: "t3 is held by ana"},
		"held, note":         {files: tree{"tasks/t3.md": strings.Replace(shelf()["tasks/t3.md"], "owner", "note: hi\nowner", 1)}},
		"assignment":         {files: t2("owner: bob")},
		"claim":              {files: tree{"tasks/t2.md": taskFile("t2", "doing", "owner: bob")}, refused: "t2.md:5: owner is the host's while the task is doing: task_claim writes it", follow: tree{"tasks/t2.md": "started:" + bob}},
	}
}

func TestHandEdits(t *testing.T) {
	t.Parallel()
	for name, c := range handEdits() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			from, to := shelf(), shelf()
			for path, text := range c.files {
				if to[path] = text; text == "" {
					delete(to, path)
				}
			}
			paths := slices.Sorted(maps.Keys(c.files))
			faults, err := records.CheckPush(from.book(), to.book(), paths, records.Push{By: "bob", At: noon})
			if err != nil {
				t.Fatal(err)
			}
			wantPart(t, "at a push", faults, c.refused)
			if c.mend != "" && len(faults) > 0 && !strings.HasPrefix(faults[0].Mend, c.mend) && !strings.Contains(faults[0].Mend, c.mend) {
				t.Errorf("the mend is %q, want %q", faults[0].Mend, c.mend)
			}
			reported, warned, err := to.book().Check()
			if err != nil {
				t.Fatal(err)
			}
			wantPart(t, "reported", reported, c.reported)
			wantPart(t, "warned", warned, c.warned)
			got, ups := follow(t, from, to, records.Foreign{Author: "bob", Paths: paths, Mark: records.Mark{By: "bob", At: noon}})
			var notes []string
			for _, up := range ups {
				notes = append(notes, up.Notes...)
			}
			wantList(t, "notes", notes, c.notes...)
			for path, part := range c.follow {
				if part == "-" && got[path] != "" || part != "-" && !strings.Contains(got[path], part) {
					t.Errorf("the follow-up makes of %s\n%s\nwant %q", path, got[path], part)
				}
			}
			if len(c.follow) == 0 && len(ups) > 0 {
				t.Errorf("a follow-up of %q", pathsOf(ups[0].Files))
			}
		})
	}
}

// wantPart asks for a fault with a text in it, all others being of the same file;
// for none where the text is "".
func wantPart(t *testing.T, what string, faults []records.Fault, part string) {
	t.Helper()
	has := slices.ContainsFunc(faults, func(f records.Fault) bool { return strings.Contains(f.String(), part) })
	if part == "" && len(faults) > 0 || part != "" && !has {
		t.Errorf("%s: %q, want %q", what, texts(faults), part)
	}
}

func TestHandEditsOfWhatIsNoPlainFile(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		mode fs.FileMode
		want string
	}{
		"symbolic link": {fs.ModeSymlink, "is a symbolic link"}, "submodule": {fs.ModeIrregular, "is a submodule"}, "executable": {0o755, "is executable"},
	} {
		next := shelf().fs().(fstest.MapFS)
		next["tasks/t2.md"] = &fstest.MapFile{Data: []byte("t1.md"), Mode: c.mode}
		faults, err := records.CheckPush(shelf().book(), records.NewBook(next), []string{"tasks/t2.md"}, records.Push{By: "bob", At: noon})
		if err != nil {
			t.Fatal(err)
		}
		wantPart(t, name, faults, c.want)
		wantPart(t, name, records.NewBook(next).Faults(), c.want)
	}
}

// What a tool may do, and what stood before, is nothing a push is refused for.
func TestPushesThatTheGateAccepts(t *testing.T) {
	t.Parallel()
	broken := shelf()
	broken["tasks/t1.md"] = strings.Replace(broken["tasks/t1.md"], "One", "One: two", 1)
	broken["tasks/t150.md"] = taskFile("t150", "todo", strings.TrimSuffix(stamps, "\n"))
	broken["tasks/.highest"] = "t150\n"
	gone := shelf()
	delete(gone, "tasks/t1.md")
	for name, c := range map[string]struct {
		from  tree
		files tree
		by    string
		back  []string
	}{
		"its holder":                  {shelf(), tree{"tasks/t3.md": strings.Replace(shelf()["tasks/t3.md"], "Task t3", "Three", 1)}, "ana", nil},
		"one that could not be read":  {broken, tree{"tasks/t1.md": shelf()["tasks/t1.md"]}, "bob", nil},
		"moved to its folder":         {broken, tree{"tasks/t150.md": "", "tasks/1/t150.md": broken["tasks/t150.md"]}, "bob", nil},
		"brought back by a merge":     {gone, tree{"tasks/t1.md": shelf()["tasks/t1.md"]}, "bob", []string{"t1"}},
		"a stamp in other words":      {shelf(), t1("by: ana", "by:   'ana' # her"), "bob", nil},
		"the same markers as before":  {shelf().with([]records.File{{Path: "tasks/t2.md", Data: []byte(taskFile("t2", "todo") + markers)}}), tree{"tasks/t2.md": taskFile("t2", "done") + markers}, "bob", nil},
		"a status under no one's eye": {shelf(), tree{"tasks/t2.md": taskFile("t2", "done")}, "", nil},
	} {
		next := c.from.with(nil)
		for path, text := range c.files {
			if next[path] = text; text == "" {
				delete(next, path)
			}
		}
		faults, err := records.CheckPush(c.from.book(), next.book(), slices.Sorted(maps.Keys(c.files)), records.Push{By: c.by, At: noon, Restored: c.back})
		if err != nil {
			t.Fatal(err)
		}
		wantList(t, name, texts(faults))
	}
}
