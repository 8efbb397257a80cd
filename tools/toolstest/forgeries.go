package toolstest

import (
	"slices"
	"strings"
)

// Forgery is one way to put or change what is the host's.
type Forgery struct {
	Name string
	Do   func(*Forger)
	// Gate is a part of what the gate says of it, "" where it need not, or no push
	// can carry it.
	Gate string
}

// rewind begins the names of forgeries that leave commits of the door behind: what
// those said is gone with them.
const rewind = "rewound: "

// Rewinds reports whether the forgery leaves commits of the door behind.
func (f Forgery) Rewinds() bool { return strings.HasPrefix(f.Name, rewind) }

const approval = "approved:\n  at: 2026-10-18T10:00:00.000Z\n  by: bob\n"

// approve puts a forged approval into t1.
func approve(s string) string { return strings.Replace(s, "created:", approval+"created:", 1) }

func replace(old, next string) func(string) string {
	return func(s string) string { return strings.Replace(s, old, next, 1) }
}

func text(s string) func(string) string { return func(string) string { return s } }

// Forgeries gives every way that somebody with a clone, or with the files, could
// think of to put or change a stamp, an author, an id, an owner, a lease, the key or
// .highest.
func Forgeries() []Forgery { return slices.Clone(forgeries) }

var forgeries = []Forgery{
	{"an approval of another", func(c *Forger) { c.edit("tasks/t1.md", approve); c.commit(false) }, "approved is a stamp"},
	{"one's own approval", func(c *Forger) {
		c.edit("tasks/t1.md", replace("created:", strings.Replace(approval, "bob", "eve", 1)+"created:"))
		c.commit(false)
	}, "approved is a stamp"},
	{"an approval under the door's name and date", func(c *Forger) { c.edit("tasks/t1.md", approve); c.commit(true) }, "approved is a stamp"},
	{"an approval under a signature of another commit", func(c *Forger) {
		c.edit("tasks/t1.md", approve)
		c.commit(true)
		c.borrowSignature()
	}, "approved is a stamp"},
	{"an approval under a key of one's own", func(c *Forger) {
		c.edit("tasks/t1.md", approve)
		c.commit(true)
		c.sign()
	}, "approved is a stamp"},
	{rewind + "a host's commit replayed on another parent", func(c *Forger) {
		c.git("checkout", "-q", "main~2")
		c.edit("notes.md", text("beside\n"))
		c.commit(false)
		c.git("cherry-pick", "main~1", "main")
		c.edit("tasks/t1.md", approve)
		c.commit(true, "--amend")
		c.git("checkout", "-q", "-B", "main")
	}, ""},
	{rewind + "a host's commit amended", func(c *Forger) {
		c.edit("tasks/t1.md", approve)
		c.commit(true, "--amend")
	}, ""},
	{rewind + "a host's commit with a message of its own", func(c *Forger) {
		c.commit(true, "--amend", "--allow-empty")
		c.edit("tasks/t1.md", approve)
		c.commit(false)
	}, ""},
	{"a merge that brings a forged side", func(c *Forger) {
		c.git("checkout", "-q", "-b", "side")
		c.edit("tasks/t1.md", approve)
		c.commit(true)
		c.git("checkout", "-q", "main")
		c.edit("notes.md", text("beside\n"))
		c.commit(false)
		c.git("merge", "-q", "--no-ff", "--no-edit", "side")
	}, "approved is a stamp"},
	{"a forged side that is older than the key", func(c *Forger) {
		c.git("checkout", "-q", "--orphan", "side")
		c.git("rm", "-rfq", "--cached", ".")
		c.edit("notes.md", text("beside\n"))
		c.git("checkout", "-q", "main", "--", "tasks", ".git-tasks")
		c.edit("tasks/t1.md", approve)
		c.commit(true)
		c.git("checkout", "-q", "-f", "main")
		c.git("merge", "-q", "--no-edit", "--allow-unrelated-histories", "-X", "theirs", "side")
	}, "approved is a stamp"},
	{rewind + "a forged merge of a host's side", func(c *Forger) {
		c.git("checkout", "-q", "-b", "side", "main~1")
		c.edit("notes.md", text("beside\n"))
		c.commit(false)
		c.git("merge", "-q", "--no-commit", "--no-ff", "main")
		c.edit("tasks/t1.md", approve)
		c.commit(true)
		c.git("branch", "-f", "main", "side")
		c.git("checkout", "-q", "main")
	}, "approved is a stamp"},
	{"broken, and mended with an approval", func(c *Forger) {
		c.edit("tasks/t1.md", replace("status: todo", "status: [x]"))
		c.commit(false)
		if !c.Land() {
			return
		}
		c.Call("ana", "task_add", `{"title":"between"}`)
		c.git("pull", "-q", "--ff-only", "origin", "main")
		c.edit("tasks/t1.md", func(s string) string { return approve(strings.Replace(s, "status: [x]", "status: todo", 1)) })
		c.commit(false)
	}, ""},
	{"removed, and made again with an approval", func(c *Forger) {
		c.edit("tasks/t1.md", text(""))
		c.commit(false)
		if !c.Land() {
			return
		}
		c.Call("ana", "task_add", `{"title":"between"}`)
		c.git("pull", "-q", "--ff-only", "origin", "main")
		c.git("checkout", "-q", "main~2", "--", "tasks/t1.md")
		c.edit("tasks/t1.md", approve)
		c.commit(false)
	}, "was used once"},
	{"moved to a wrong folder with an approval", func(c *Forger) {
		c.git("mv", "-k", "tasks/t1.md", "tasks/t1.md.off")
		c.edit("tasks/odd/t1.md", func(string) string { return approve(c.file("tasks/t1.md")) })
		c.edit("tasks/t1.md.off", text(""))
		c.commit(false)
	}, ""},
	{"a new record with an approval", func(c *Forger) {
		c.edit("tasks/t1.md", text(""))
		c.edit("tasks/t9.md", func(string) string {
			return approve(strings.Replace(c.file("tasks/t1.md"), "id: t1", "id: t9", 1))
		})
		c.commit(false)
	}, "approved is a stamp"},
	{"a draft with an approval", func(c *Forger) {
		c.edit("tasks/t1.md", text(""))
		c.edit("tasks/mine.md", func(string) string {
			return approve(strings.Replace(c.file("tasks/t1.md"), "id: t1\n", "", 1))
		})
		c.commit(false)
	}, "approved is a stamp"},
	{"a new record in another's name, reviewed by a third", func(c *Forger) {
		c.edit("tasks/t1.md", text(""))
		c.edit("tasks/t9.md", text("---\nid: t9\ntitle: Nine\nstatus: done\ncreated: {at: 2026-10-18, by: ana}\n"+
			"reviewed: {at: 2026-10-18, by: bob, verdict: approved}\n---\n"))
		c.commit(false)
	}, "created is a stamp"},
	{"far above the highest, in an odd folder, with an approval", func(c *Forger) {
		c.edit("tasks/t1.md", text(""))
		c.edit("tasks/odd/t900000.md", func(string) string {
			return approve(strings.Replace(c.file("tasks/t1.md"), "id: t1", "id: t900000", 1))
		})
		c.commit(false)
	}, ""},
	{"an approval taken out", func(c *Forger) { c.edit("tasks/t2.md", cutOut("approved:")); c.commit(false) }, "approved is a stamp"},
	{"an approval given to another", func(c *Forger) { c.edit("tasks/t2.md", replace("by: bob", "by: eve")); c.commit(true) }, "approved is a stamp"},
	{"a creation moved back", func(c *Forger) { c.edit("tasks/t2.md", replace("at: 2026", "at: 2020")); c.commit(true) }, "is a stamp"},
	{"a creator exchanged", func(c *Forger) { c.edit("tasks/t1.md", replace("by: ana", "by: eve")); c.commit(true) }, "created is a stamp"},
	{"a creator exchanged under one's own name", func(c *Forger) {
		c.edit("tasks/t1.md", replace("by: ana", "by: eve"))
		c.commit(false)
	}, "created is a stamp"},
	{"an approver exchanged under one's own name", func(c *Forger) {
		c.edit("tasks/t2.md", replace("by: bob", "by: eve"))
		c.commit(false)
	}, "approved is a stamp"},
	{"a start set back", func(c *Forger) {
		c.edit("tasks/t3.md", func(s string) string {
			head, tail, _ := strings.Cut(s, "started:")
			return head + "started:" + strings.Replace(tail, "2026", "2025", 1)
		})
		c.commit(true)
	}, "started is a stamp"},
	{"an end written", func(c *Forger) {
		c.edit("tasks/t3.md", func(s string) string {
			return strings.TrimSuffix(s, "---\n") + "finished:\n  at: 2026-10-18T10:00:00.000Z\n  by: bob\n---\n"
		})
		c.commit(true)
	}, "finished is a stamp"},
	{"a review written", func(c *Forger) {
		c.edit("tasks/t3.md", func(s string) string {
			return strings.TrimSuffix(s, "---\n") + "reviewed:\n  at: 2026-10-18T10:00:00.000Z\n  by: bob\n  verdict: approved\n---\n"
		})
		c.commit(true)
	}, "reviewed is a stamp"},
	{"a lease taken", func(c *Forger) {
		c.edit("tasks/t3.md", replace("created:", "lease: {at: 2026-10-18T10:00:00.000Z, by: eve, until: 2099-01-01T00:00:00.000Z}\ncreated:"))
		c.commit(true)
	}, "lease is the host's"},
	{"an owner of a task that another does", func(c *Forger) {
		c.edit("tasks/t3.md", replace("created:", "owner: eve\ncreated:"))
		c.commit(true)
	}, "owner is the host's"},
	{"a session exchanged", func(c *Forger) {
		c.edit("tasks/t1.md", replace("  by: ana", "  by: ana\n  in: ahp-session:/eves"))
		c.commit(true)
	}, "created is a stamp"},
	{"a key of one's own on the list", func(c *Forger) {
		c.edit(".git-tasks/allowed_signers", func(s string) string { return s + "git-tasks@localhost " + NewKey(c).Public + "\n" })
		c.commit(true)
	}, "holds the keys of the hosts"},
	{"a key of one's own on the list, and a commit signed with it", func(c *Forger) {
		key := NewKey(c)
		c.edit(".git-tasks/allowed_signers", func(s string) string { return s + "git-tasks@localhost " + key.Public + "\n" })
		c.commit(true)
		c.edit("tasks/t1.md", approve)
		c.commit(true)
		c.signWith(key)
	}, "holds the keys of the hosts"},
	{"a list of nobody but oneself", func(c *Forger) {
		key := NewKey(c)
		c.edit(".git-tasks/allowed_signers", text("git-tasks@localhost "+key.Public+"\n"))
		c.edit("tasks/t1.md", approve)
		c.commit(true)
		c.signWith(key)
	}, "holds the keys of the hosts"},
	{"no list at all", func(c *Forger) {
		c.edit(".git-tasks/allowed_signers", text(""))
		c.edit("tasks/t1.md", approve)
		c.commit(true)
	}, "holds the keys of the hosts"},
	{rewind + "a history without signatures", func(c *Forger) {
		c.git("checkout", "-q", "--orphan", "other")
		c.edit("tasks/t1.md", approve)
		c.commit(true)
		c.git("branch", "-f", "main", "other")
		c.git("checkout", "-q", "main")
	}, ""},
	{rewind + "a history of one's own, key and all", func(c *Forger) {
		key := NewKey(c)
		c.git("checkout", "-q", "--orphan", "other")
		c.edit(".git-tasks/allowed_signers", text("git-tasks@localhost "+key.Public+"\n"))
		c.edit("tasks/t1.md", approve)
		c.commit(true)
		c.signWith(key)
		c.git("branch", "-f", "main", "HEAD")
		c.git("checkout", "-q", "main")
	}, ""},
	{"the highest id lowered", func(c *Forger) {
		c.edit("tasks/.highest", text("t1\n"))
		c.commit(true)
	}, ""},
	{"another id in the file", func(c *Forger) { c.edit("tasks/t1.md", replace("id: t1", "id: t2")); c.commit(true) }, "id"},
	{"the id of another file", func(c *Forger) {
		c.edit("tasks/t1.md", text(""))
		c.edit("tasks/odd/t2.md", func(string) string { return approve(strings.Replace(c.file("tasks/t1.md"), "id: t1", "id: t2", 1)) })
		c.commit(true)
	}, "t2"},
}

func cutOut(key string) func(string) string {
	return func(s string) string {
		head, tail, _ := strings.Cut(s, key+"\n")
		for strings.HasPrefix(tail, "  ") {
			_, tail, _ = strings.Cut(tail, "\n")
		}
		return head + tail
	}
}
