package tools

import (
	"context"
	"iter"
	"slices"

	"github.com/git-tasks/git-tasks/records"
	"github.com/git-tasks/git-tasks/repo"
)

// Move is one step of the branch: what a commit did, against its first parent.
// It tells what the trees say, whoever made the commit: what counts for readers
// until the door has judged a foreign commit is [Store.Book]'s to say.
type Move struct {
	Event
	At      repo.ID          // the commit, zero where the branch is gone; a feed may go on from it
	Before  *records.Book    // of the commit that the feed was at
	Book    *records.Book    // of this one
	Changes []records.Change // none where the commit is about other files
	// Jump says that the branch did not get here commit by commit: history was
	// rewritten, or the commits between came by another parent of a merge. The
	// Changes are then what differs between the two trees.
	Jump bool
	// More says that the next move is at hand: whoever tells of several at once
	// may wait for it.
	More bool
}

// Feed tells of the moves of the branch from a commit on. The commit is all it
// has to remember, so it cannot disagree with the list, and whoever knows the
// last commit that was told goes on from there, in another process too, without
// loss or repeat. It is not safe for concurrent use.
type Feed struct {
	store *Store
	at    repo.ID
	book  *records.Book
}

// Feed gives a feed that starts behind a commit, the zero ID being the time
// before the first. The error says that the repository does not have it.
func (s *Store) Feed(from repo.ID) (*Feed, error) {
	at, err := s.repo.At(from)
	if err != nil {
		return nil, AsError(err)
	}
	book, err := new(shelf).advance(at, &s.read)
	if err != nil {
		return nil, AsError(err)
	}
	return &Feed{s, from, book}, nil
}

// At gives the commit that the feed is at, and its Book.
func (f *Feed) At() (repo.ID, *records.Book) { return f.at, f.book }

// Moves gives what has happened since, oldest first, up to the tip. A move that
// was taken is not given again. An error ends it; the feed is then where it was,
// and the next Moves tells of what this one could not.
func (f *Feed) Moves() iter.Seq2[Move, error] {
	return func(yield func(Move, error) bool) {
		tip, steps, jump, err := f.ahead()
		if err != nil {
			yield(Move{}, AsError(err))
			return
		}
		for i, commit := range steps {
			m, err := f.step(tip, commit)
			if err != nil {
				yield(Move{}, AsError(err))
				return
			}
			m.Jump, m.More = jump, i < len(steps)-1
			if !yield(m, nil) {
				return
			}
		}
	}
}

// Follow gives what has happened since, and then what happens, until ctx ends.
// Unlike [Feed.Moves] it goes on after an error, with the next move of the
// branch. The error is one of the system, which will not tell of moves.
func (f *Feed) Follow(ctx context.Context) (iter.Seq2[Move, error], error) {
	moved, err := f.store.Moved(ctx)
	if err != nil {
		return nil, err
	}
	return func(yield func(Move, error) bool) {
		for ok := true; ok; _, ok = <-moved {
			for m, err := range f.Moves() {
				if ctx.Err() != nil || !yield(m, err) {
					return
				}
			}
		}
	}, nil
}

// ahead gives the commits from where the feed is to the tip along first parents,
// oldest first. Where the feed's commit is not on that way it gives the tip
// alone, as a jump. Both ways back are walked in turn: how long that takes grows
// with what is new, not with all of history.
func (f *Feed) ahead() (tip *repo.Snapshot, steps []repo.Commit, jump bool, err error) {
	tip, err = f.store.tip()
	if err != nil || tip.ID() == f.at {
		return nil, nil, false, err
	}
	was, stop := iter.Pull2(f.behind())
	defer stop()
	passed, old := map[repo.ID]bool{}, map[repo.ID]bool{}
	for commit, err := range tip.Log() {
		switch {
		case err != nil:
			return nil, nil, false, err
		case commit.ID == f.at:
			slices.Reverse(steps)
			return tip, steps, false, nil
		case old[commit.ID]:
			return tip, steps[:min(1, len(steps))], true, nil
		}
		steps, passed[commit.ID] = append(steps, commit), true
		if one, err, ok := was(); ok && err == nil {
			if old[one.ID] = true; passed[one.ID] {
				return tip, steps[:1], true, nil
			}
		}
	}
	if len(steps) == 0 { // the branch is gone
		return tip, []repo.Commit{{}}, true, nil
	}
	if f.at.IsZero() {
		slices.Reverse(steps)
		return tip, steps, false, nil
	}
	return tip, steps[:1], true, nil
}

// behind walks back from the feed's own commit, as far as it is still there.
func (f *Feed) behind() iter.Seq2[repo.Commit, error] {
	at, err := f.store.repo.At(f.at)
	if err != nil {
		return func(func(repo.Commit, error) bool) {}
	}
	return at.Log()
}

// step goes to a commit: one behind the feed's, or the tip.
func (f *Feed) step(tip *repo.Snapshot, commit repo.Commit) (Move, error) {
	to, err := tip, error(nil)
	if commit.ID != tip.ID() {
		if to, err = f.store.repo.At(commit.ID); err != nil {
			return Move{}, err
		}
	}
	paths, gone := to.Changed(f.at)
	var next *records.Book
	if to == tip { // the readers' own Book, so that both share their records
		next, err = f.store.read.advance(tip, &f.store.growing)
	} else if err = gone; err == nil {
		next = f.book.Advance(to.FS(), paths)
	}
	if err == nil && gone != nil { // git has pruned what the branch left
		paths, err = allPaths(f.book, tip)
	}
	if err != nil {
		return Move{}, err
	}
	m := Move{At: commit.ID, Before: f.book, Book: next}
	if !commit.ID.IsZero() {
		m.Event = eventOf(commit)
	}
	if m.Changes, err = records.Changes(f.book, next, paths); err != nil {
		return Move{}, err
	}
	f.at, f.book = commit.ID, next
	return m, nil
}

// allPaths gives the files of all that a Book or a tree has.
func allPaths(book *records.Book, tip *repo.Snapshot) ([]string, error) {
	paths, err := tip.Changed(repo.ID{})
	if err != nil {
		return nil, err
	}
	tasks, err := book.Tasks()
	if err != nil {
		return nil, err
	}
	for t := range tasks {
		paths = append(paths, records.PathOf(t.ID))
	}
	plans, err := book.Plans()
	if err != nil {
		return nil, err
	}
	for p := range plans {
		paths = append(paths, records.PathOf(p.ID))
	}
	return paths, nil
}
