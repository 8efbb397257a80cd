package tools

import (
	"context"
	"io/fs"
	"strings"
	"sync"
	"time"

	"github.com/git-tasks/git-tasks/records"
	"github.com/git-tasks/git-tasks/repo"
)

const (
	// signersFile lists, in git's own form, the keys that the door signs with.
	signersFile = records.SignersFile
	// maxProven bounds how many commits a store knows to be proven.
	maxProven = 1 << 16
	// listWait bounds how long git may look for the first list of keys: of a million
	// commits it takes some ten seconds on an idle machine.
	listWait = 10 * time.Minute
)

// proof tells the door's commits from those that others made. Where the
// repository has no key that is a matter of convention: the committer's name and
// a Tool trailer. Where it has one, it takes a signature by that key, or by one
// that the list of keys names as a believed key wrote it.
type proof struct {
	mu     sync.Mutex
	proven map[repo.ID]bool
	trust  *trust
}

// trust is whom a store believes, as far as a history shows.
type trust struct {
	tip     repo.ID // of the history
	list    string  // the believed lines of all lists
	signers repo.Signers
	since   repo.ID // the first commit that one of them signed; zero for none
	before  map[repo.ID]bool
}

// looksOurs reports whether a commit says that the write door made it.
func looksOurs(c repo.Commit) bool {
	_, ok := c.Trailer("Tool")
	return ok && c.Committer.Name == committer
}

// ofTheDoor reports whether the write door made a commit of the history of tip.
func (s *Store) ofTheDoor(tip *repo.Snapshot, c repo.Commit) (bool, error) {
	if !looksOurs(c) {
		return false, nil
	}
	line := s.ownKey()
	if line == "" || s.repo.SignedHere(c.ID) {
		return true, nil
	}
	p := &s.proof
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.proven[c.ID] {
		return true, nil
	}
	own, err := repo.ParseSigners([]byte(line))
	if err != nil {
		return false, err
	}
	ok, err := tip.SignedBy(c, own)
	if err == nil && !ok {
		ok, err = s.vouchedFor(tip, c, line)
	}
	if ok && c.Signed {
		if p.proven == nil || len(p.proven) >= maxProven {
			p.proven = map[repo.ID]bool{}
		}
		p.proven[c.ID] = true
	}
	return ok, err
}

// known tells the door's commits of the history of tip where no error can be told;
// one that cannot be read is not the door's.
func (s *Store) known(tip *repo.Snapshot) func(repo.Commit) bool {
	return func(c repo.Commit) bool {
		ours, err := s.ofTheDoor(tip, c)
		return ours && err == nil
	}
}

// ownKey gives the line of the list that names the repository's own key, "" where
// it has none that can be read: whoever may not read it goes by convention.
func (s *Store) ownKey() string {
	key, err := s.repo.PublicKey()
	if err != nil || key == "" {
		return ""
	}
	return committer + "@" + s.host + " " + key + "\n"
}

// vouchedFor judges a commit that the own key did not sign: by the keys that the
// list names, and where it carries no signature by whether it is from before the
// first that does.
func (s *Store) vouchedFor(tip *repo.Snapshot, c repo.Commit, own string) (bool, error) {
	p := &s.proof
	if p.trust == nil {
		var err error
		if p.trust, err = s.believed(tip, own); err != nil {
			return false, err
		}
	}
	ok, err := p.trust.made(tip, c)
	if ok && !p.trust.since.IsZero() || err != nil || p.trust.tip == tip.ID() {
		return ok, err
	}
	// What was believed then may be out of date.
	if p.trust, err = s.believed(tip, own); err != nil {
		return false, err
	}
	return p.trust.made(tip, c)
}

func (t *trust) made(s *repo.Snapshot, c repo.Commit) (bool, error) {
	if c.Signed {
		return s.SignedBy(c, t.signers)
	}
	return t.since.IsZero() || t.before[c.ID], nil
}

// listing is a commit that wrote the list of keys.
type listing struct {
	commit repo.Commit
	text   string
}

// believed works out from the branch, step by step, whose signatures are believed:
// the own key's, and those of the keys in a list that a believed key's commit
// wrote. A repository whose key wrote none yet (a clone, a key that was replaced)
// believes what the first list of its history begins with, unless that history
// is another than the one it signed.
func (s *Store) believed(tip *repo.Snapshot, own string) (*trust, error) {
	t := &trust{tip: tip.ID()}
	t.add(own)
	pin, err := s.signedSince()
	if err != nil {
		return nil, err
	}
	if pin.IsZero() && s.neverListed(tip) {
		return t, nil
	}
	var lists []listing
	var signed []repo.Commit
	pinned := pin.IsZero()
	var last *listing
	for c, err := range tip.Log() {
		if err != nil {
			return nil, err
		}
		pinned = pinned || c.ID == pin
		if c.Signed {
			signed = append(signed, c)
		}
		at, err := s.repo.At(c.ID)
		if err != nil {
			return nil, err
		}
		text := signersOf(at)
		if last != nil && last.text != text {
			lists = append(lists, *last)
		}
		last = &listing{c, text}
	}
	if last != nil && last.text != "" {
		lists = append(lists, *last)
	}
	if err := t.learn(tip, lists, pinned); err != nil {
		return nil, err
	}
	for _, c := range signed { // newest first
		if ok, err := tip.SignedBy(c, t.signers); err != nil {
			return nil, err
		} else if ok {
			t.since = c.ID
		}
	}
	if !pin.IsZero() {
		t.since = pin
	}
	return t, s.findBefore(t)
}

// unlistedFile names, beside the repository, a commit of which it is known that none
// it descends from wrote a list of keys. It may be taken away: then git looks again.
const unlistedFile = "unlisted"

// neverListed reports whether no commit of the branch ever had a list of keys. Then
// nobody signed any as the door, whose first signature is on the list. git looks for
// that: step by step it would take minutes where a long history becomes a host's.
// What it found is kept, since a host may have been killed between making its key
// and listing it: until there is a host again every process comes by here.
func (s *Store) neverListed(tip *repo.Snapshot) bool {
	ctx, stop := context.WithTimeout(context.Background(), listWait)
	defer stop()
	data, _ := s.repo.ReadSide(unlistedFile) // one that cannot be read tells nothing
	known, err := repo.ParseID(strings.TrimSpace(string(data)))
	if err == nil && !known.IsZero() {
		if wrote, err := s.repo.Wrote(ctx, tip, known, signersFile); err == nil {
			return !wrote
		}
	}
	wrote, err := s.repo.Wrote(ctx, tip, repo.ID{}, signersFile)
	if err != nil || wrote {
		return false
	}
	// Whoever may not write there looks again the next time.
	_ = s.repo.EditSide(ctx, unlistedFile, func([]byte) ([]byte, error) { return []byte(tip.ID().String() + "\n"), nil })
	return true
}

// learn adds the keys of every list that a believed key wrote, until no more come
// of it. first says that the first list may be where the belief begins.
func (t *trust) learn(tip *repo.Snapshot, lists []listing, first bool) error {
	for grown := true; grown; {
		grown = false
		for i, l := range lists {
			if l.text == "" {
				continue
			}
			ok, err := tip.SignedBy(l.commit, t.signers)
			if err != nil {
				return err
			}
			if ok {
				first, grown = false, true
				t.add(l.text)
				lists[i].text = ""
			}
		}
		if !grown && first && len(lists) > 0 {
			first = false
			oldest := lists[len(lists)-1]
			named, _ := repo.ParseSigners([]byte(oldest.text))
			ok, err := tip.SignedBy(oldest.commit, named)
			if err != nil {
				return err
			}
			if ok {
				grown = true
				t.add(oldest.text)
			}
		}
	}
	return nil
}

// add believes the keys of a list; lines that name none say nothing.
func (t *trust) add(list string) {
	t.list += strings.TrimSuffix(list, "\n") + "\n"
	t.signers, _ = repo.ParseSigners([]byte(t.list))
}

// findBefore finds what came before the first signed commit: it stands as it is.
func (s *Store) findBefore(t *trust) error {
	t.before = map[repo.ID]bool{}
	if t.since.IsZero() {
		return nil
	}
	at, err := s.repo.At(t.since)
	if err != nil {
		return nil // it is gone, and with it whatever came before
	}
	older, err := at.History(nil)
	if err != nil {
		return err
	}
	for _, c := range older {
		if c.ID != t.since {
			t.before[c.ID] = true
		}
	}
	return nil
}

// signersOf gives the list of keys as a snapshot has it, "" for none.
func signersOf(at *repo.Snapshot) string {
	if at.ID().IsZero() {
		return ""
	}
	info, err := fs.Lstat(at.FS(), signersFile)
	if err != nil || !info.Mode().IsRegular() || info.Size() > records.MaxRecord {
		return ""
	}
	data, err := fs.ReadFile(at.FS(), signersFile)
	if err != nil {
		return ""
	}
	return string(data)
}
