package records

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"time"
)

// Push is what the gate has to know of a push beside the trees.
type Push struct {
	// By is the person who pushes, named as stamps name people.
	By string
	// In is the session that they are in, "" for none: a claim may be the session's.
	In string
	// At is when, which decides whose lease is live.
	At time.Time
	// Rules is what a move has to keep to, whoever makes it.
	Rules Rules
	// Restored is the ids that a merge brings back, from TreeMerge.
	Restored []string
	// Apart says that the branch has moved on since the base that is judged from, and
	// that the merge is judged from there: whose a task is, and whether it is
	// approved, is asked of that alone.
	Apart bool
}

// CheckPush is the gate for what a person brings: all that CheckMove asks, and
// that the move leaves alone what is not a person's to write. Stamps and leases
// are the host's, and so is the owner of a task in doing: a push never makes a
// claim, while an owner on a todo task is an assignment. A task in doing under
// another's live lease is nobody else's to change or remove, but for its note.
// Where the rules ask for it, a task is begun only once it is approved, and its owner is
// a known user. The file of the public keys must not be touched, and conflict markers
// in a body are refused where they are new.
//
// Of a file that could not be read before, nobody knows which stamps it had: they
// are let pass, and history alone tells which a tool wrote. A push to a
// branch that moved on is judged twice, from its base as it was made (Apart), and from
// the branch as it was merged.
func CheckPush(old, next *Book, paths []string, p Push) ([]Fault, error) {
	faults, err := CheckRestore(old, next, paths, p.Restored)
	if err != nil {
		return nil, err
	}
	m := &pushed{move: &move{old: old, next: next, faults: faults}, Push: p}
	seen := map[string]bool{}
	for _, path := range paths {
		if strings.EqualFold(path, SignersFile) || strings.EqualFold(path, ".git-tasks") {
			m.add(Fault{Path: path, Reason: "holds the keys of the hosts, which a push must not touch", Mend: "leave it as it is on the branch"})
		}
		if !ours(path) {
			continue
		}
		if path = reach(path); !seen[path] {
			seen[path] = true
			if err := m.check(path); err != nil {
				return nil, err
			}
		}
	}
	sortFaults(m.faults)
	return m.faults, nil
}

// pushed is one push being judged.
type pushed struct {
	*move
	Push
}

func (m *pushed) check(path string) error {
	c, err := m.at(path)
	if err != nil {
		return err
	}
	was, err := m.before(c)
	if err != nil {
		return err
	}
	if !m.Apart {
		m.checkHeld(path, was, c.is)
	}
	if c.is == nil || len(c.is.faults) > 0 || recordOf(c.is.task, c.is.plan) == nil {
		return nil
	}
	m.checkMarkers(c)
	if err := m.checkOwner(path, was, c.is); err != nil {
		return err
	}
	if err := m.checkApproved(path, was, c.is); err != nil {
		return err
	}
	id := idOfPath(path)
	if was != nil && len(was.faults) > 0 || id != "" && slices.Contains(m.Restored, id) {
		return nil
	}
	return m.checkHosts(path, was, c.is)
}

// before gives what a file was, wherever it lay: nil for a new one.
func (m *pushed) before(c change) (*leaf, error) {
	if c.was != nil || c.is == nil || c.is.record() == nil {
		return c.was, nil
	}
	return m.old.holder(kindOfPath(c.path), c.is.number, false)
}

func (m *pushed) checkMarkers(c change) {
	for _, w := range c.is.warnings {
		if w.Reason == conflictReason && !c.was.warns(w) {
			w.Mend = "indent them where they are meant"
			m.add(w)
		}
	}
}

// checkApproved refuses to begin a task that has to be approved first.
func (m *pushed) checkApproved(path string, was, is *leaf) error {
	t, before := is.task, Todo
	if was != nil && was.task != nil {
		before = was.task.Status
	}
	if m.Apart || !m.Rules.RequireApproval || t == nil || t.Status != Doing || before == Doing || t.Approved != nil {
		return nil
	}
	data, err := fs.ReadFile(m.next.fsys, path)
	if err != nil {
		return fmt.Errorf("read %s: %w", path, err)
	}
	m.add(Fault{Path: path, Field: "status", Line: lineOfKey(data, "status"), Reason: "status " + mustBeApproved, Mend: "status: " + string(before)})
	return nil
}

// checkOwner refuses a new owner whom the user directory does not know.
func (m *pushed) checkOwner(path string, was, is *leaf) error {
	before := ""
	if was != nil && was.task != nil {
		before = was.task.Owner
	}
	known := m.Rules.KnownUser
	if is.task == nil || is.task.Owner == "" || is.task.Owner == before || known == nil || known(is.task.Owner) {
		return nil
	}
	data, err := fs.ReadFile(m.next.fsys, path)
	if err != nil {
		return fmt.Errorf("read %s: %w", path, err)
	}
	mend := "take owner out"
	if before != "" {
		mend = "owner: " + before
	}
	m.add(Fault{Path: path, Field: "owner", Line: lineOfKey(data, "owner"), Reason: "owner " + mustBeUser, Mend: mend})
	return nil
}

// checkHosts refuses to change the keys that the host alone writes.
func (m *pushed) checkHosts(path string, was, is *leaf) error {
	now := recordOf(is.task, is.plan).page()
	before := page{entries: make([]entry, len(now.entries))}
	if was != nil {
		before = recordOf(was.task, was.plan).page()
	}
	for i, e := range now.entries {
		tool := hostKey(now.kind, e.key)
		if e.key == "owner" && is.task.Status == Doing && e.value.form != absent {
			tool = "task_claim"
		}
		if tool == "" || sameValue(before.entries[i].value, e.value) {
			continue
		}
		if err := m.hostFault(path, e.key, tool, before.entries[i].value, e.value); err != nil {
			return err
		}
	}
	return nil
}

// sameValue compares two values by what they are shown as; a time is what it was
// typed as.
func sameValue(a, b value) bool { return a.form == b.form && textOf(a) == textOf(b) }

// hostKey gives the tools that write a key which is the host's, "" for any other.
func hostKey(k Kind, key string) string {
	switch key {
	case "created":
		if k == PlanKind {
			return "plan_create"
		}
		return "task_add"
	case "approved":
		return k.noun() + "_approve"
	case "started", "finished":
		return k.noun() + "_set"
	case "reviewed":
		return "task_review"
	case "lease":
		return "task_claim"
	}
	return ""
}

// hostFault refuses one key, with the lines that it had.
func (m *pushed) hostFault(path, key, tool string, was, is value) error {
	data, err := fs.ReadFile(m.next.fsys, path)
	if err != nil {
		return fmt.Errorf("read %s: %w", path, err)
	}
	f := Fault{Path: path, Field: key, Line: lineOfKey(data, key), Reason: key + " is the host's"}
	switch key {
	case "owner":
		f.Reason += " while the task is doing"
	case "lease":
	default:
		f.Reason = key + " is a stamp, and stamps are the host's"
	}
	f.Reason += ": " + tool + " writes it"
	had := strings.Join(blockLines(entry{key, was}, 0), "\n")
	switch {
	case was.form == absent:
		f.Mend = "take " + key + " out"
	case is.form == absent:
		f.Mend = "---\n" + had
	default:
		f.Mend = had
	}
	m.add(f)
	return nil
}

// lineOfKey gives the line of a file that a key at the top stands on, that of the
// opening fence where it has none.
func lineOfKey(data []byte, key string) int {
	s, _, _ := cut(data)
	for i, line := range splitLines(s.front()) {
		if keyOf(chomp(line)) == key && strings.IndexByte(" \t-", line[0]) < 0 {
			return s.line + i
		}
	}
	return s.line - 1
}

// checkHeld refuses to change or remove a task in doing under another's live
// lease, by the rule that a tool's change meets. Its note is open to all.
func (m *pushed) checkHeld(path string, was, is *leaf) {
	if was == nil || was.task == nil || was.record() == nil {
		return
	}
	if _, err := was.task.guard(nil, Mark{By: m.By, In: m.In, At: m.At}, m.Rules, false); err == nil {
		return
	}
	if is != nil && is.task != nil {
		now, before := *is.task, *was.task
		now.Note, before.Note = "", ""
		if same(&now, &before) {
			return
		}
	}
	if is == nil || is.task != nil {
		m.add(Fault{Path: path, Field: "lease", Reason: was.task.heldBy() + ": only its holder may change or remove it",
			Mend: "leave it as it is, or ask for it", Held: true})
	}
}
