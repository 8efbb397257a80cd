package tools

import (
	"fmt"
	"slices"

	"github.com/git-tasks/git-tasks/records"
	"github.com/git-tasks/git-tasks/repo"
)

// nextChange mends whatever others did to what is the door's, while none of its
// commits is on top.
const nextChange = "the next change of the list puts it back; until then it counts for nothing"

// Proof is what a history proves: how many of its commits the door made, and how
// many of the stamps that stand one of those wrote.
type Proof struct {
	Commits int `json:"commits"` // all that led to the tip
	Signed  int `json:"signed"`  // of these, the door's, proven by a signature
	Named   int `json:"named"`   // the door's by its name alone: from before its key, or of a list without one
	Others  int `json:"others"`  // of people and other programs
	Stamps  int `json:"stamps"`  // that stand at the tip
	Proven  int `json:"proven"`  // of these, written by the door
	// Unproven names each of the others: the record, the stamp, the commit that
	// brought it and its author.
	Unproven []string `json:"unproven"`
}

// proofs gathers a Proof.
type proofs struct {
	Proof
	writers map[stampOf]writer
}

// stampOf is a stamp of a record.
type stampOf struct {
	id string
	namedStamp
}

// writer is the commit that wrote a stamp: the first of the door that did, else
// the last of others.
type writer struct {
	ours   bool
	commit repo.ID
	author string
}

func newProofs() *proofs { return &proofs{writers: map[stampOf]writer{}} }

func (p *proofs) commit(c repo.Commit, ours bool) {
	p.Commits++
	switch {
	case !ours:
		p.Others++
	case c.Signed:
		p.Signed++
	default:
		p.Named++
	}
}

// wrote notes that a commit holds a stamp. A door's commit that finds it there and
// lets it stand has not written it: those of others come first in history.
// A draft takes its stamps along when it gets its id.
func (p *proofs) wrote(id string, s namedStamp, c repo.Commit, ours, moved bool) {
	at := stampOf{id, s}
	if _, known := p.writers[at]; known {
		return
	}
	w, drafted := p.writers[stampOf{"", s}]
	if !moved || !drafted {
		w = writer{ours, c.ID, c.Author.Name}
	}
	p.writers[at] = w
}

// report holds the stamps that stand to who wrote them.
func (p *proofs) report(book *records.Book) (Proof, error) {
	p.Unproven = []string{}
	look := func(r records.Record) {
		id, _ := r.Name()
		for name, stamp := range r.Stamps() {
			p.Stamps++
			w := p.writers[stampOf{id, namedStamp{name, *stamp}}]
			if w.ours {
				p.Proven++
				continue
			}
			p.Unproven = append(p.Unproven, fmt.Sprintf("%s: %s, at %s by %s, came with commit %s by %s", id, name,
				records.Visible(stamp.At), records.Visible(stamp.By), w.commit.Short(), records.Visible(w.author)))
		}
	}
	plans, err := book.Plans()
	if err != nil {
		return Proof{}, err
	}
	for plan := range plans {
		look(plan)
	}
	tasks, err := book.Tasks()
	if err != nil {
		return Proof{}, err
	}
	for task := range tasks {
		look(task)
	}
	return p.Proof, nil
}

// findPending finds what the next change mends, and the commits that only say
// that the door made them.
func (a *audit) findPending() error {
	if !a.keyed {
		return nil
	}
	a.pending = map[repo.ID]bool{}
	foreign, _, err := a.store.foreignCommits(a.tip)
	for _, c := range foreign {
		a.pending[c.ID] = true
	}
	return err
}

// foreignKeys names a commit that says it is the door's and is not signed as one,
// and one of somebody else that changes the list of keys.
func (a *audit) foreignKeys(c repo.Commit, paths []string) {
	if a.ours || !a.keyed {
		return
	}
	if looksOurs(c) {
		a.note(c, "by its name it is git-tasks' own, and no key of the list signed it: it counts as one of somebody else, %s",
			records.Visible(c.Author.Name))
	}
	if !slices.Contains(paths, signersFile) {
		return
	}
	f := a.problem(c, "%s was changed by %s: no key is believed that git-tasks did not list", signersFile, records.Visible(c.Author.Name))
	a.mendable(f, signersFile, func(record) bool { return a.pending[c.ID] }, nextChange)
}
