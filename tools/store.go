package tools

import (
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/git-tasks/git-tasks/records"
	"github.com/git-tasks/git-tasks/repo"
)

// Config says which list a [Store] is and how it is kept.
type Config struct {
	Path     string                      // the repository
	Branch   string                      // "" is main
	Host     string                      // this machine's name, in mail addresses; "" is localhost
	Settings *Settings                   // nil: nobody is asked for a grant, nothing is swept; see Store.Use
	Now      func() time.Time            // nil is [time.Now]
	Log      *slog.Logger                // nil logs nothing
	Fault    func(op, path string) error // for tests, see repo.Options
}

// Store is the list: a branch seen as Books, and the one way to change it. It
// is safe for concurrent use, and so are several on one repository.
type Store struct {
	repo     *repo.Repo
	host     string
	settings atomic.Pointer[Settings] // never nil; what it points to never changes
	now      func() time.Time
	log      *slog.Logger

	read    shelf // what readers got last
	growing shelf // what the write door got last; perhaps never to be on the branch
}

// Open opens the list of an existing repository. The errors are those of
// repo.Open, as [Error].
func Open(cfg Config) (*Store, error) {
	s := &Store{host: repo.CleanMail(cfg.Host), now: cfg.Now, log: cfg.Log}
	if s.host == "" {
		s.host = "localhost"
	}
	if s.now == nil {
		s.now = time.Now
	}
	if s.log == nil {
		s.log = slog.New(slog.DiscardHandler)
	}
	if cfg.Settings == nil {
		cfg.Settings = &Settings{}
	}
	s.Use(cfg.Settings)
	var err error
	s.repo, err = repo.Open(cfg.Path, repo.Options{Branch: cfg.Branch, Now: s.now, Fault: cfg.Fault,
		Committer: repo.Person{Name: committer, Mail: committer + "@" + s.host}})
	if err != nil {
		return nil, AsError(err)
	}
	return s, nil
}

// Dir gives the git directory that the list is kept in.
func (s *Store) Dir() string { return s.repo.Dir() }

// Close waits for upkeep that is due after an answer, and lets go of files.
func (s *Store) Close() error {
	err := s.repo.Close()
	if err != nil {
		s.log.Warn("packs were not rolled up", "error", err)
	}
	return err
}

// Settings gives the settings in force. Whoever decides several things of one
// request by them asks once: the next moment they may be others. They are
// shared, and not to be changed.
func (s *Store) Settings() *Settings { return s.settings.Load() }

// Use puts other settings in force. A call that is being carried out goes on by
// those that it met, or by the new ones.
func (s *Store) Use(st *Settings) {
	for _, unknown := range st.unknownRoles() {
		s.log.Warn("a user has a role that is not defined; it gives nothing", "user", unknown)
	}
	s.settings.Store(st)
}

// Options gives what the settings in force ask of this list.
func (s *Store) Options() Options { return s.Settings().Options }

// Ref gives the full name of the branch: refs/heads/main.
func (s *Store) Ref() string { return s.repo.Ref() }

// Side gives the folder beside the repository for what is never in history. It
// need not be there: whoever writes to it makes it.
func (s *Store) Side() string { return s.repo.Side() }

// Packs gives the number of packs that a roll-up may touch.
func (s *Store) Packs() int { return s.repo.Packs() }

// Log gives the log that everything about this list goes to; it is never nil.
func (s *Store) Log() *slog.Logger { return s.log }

// Now gives the time that a stamp would get at this moment. Whoever compares
// with stamps asks here and not the system.
func (s *Store) Now() time.Time { return s.now() }

// Book gives all records as the branch has them now, and the commit they are
// of. Where the branch is damaged, a store that has read it before gives what it
// last read, and logs the reason.
func (s *Store) Book() (*records.Book, repo.ID, error) {
	tip, err := s.repo.Tip()
	if err == nil {
		var book *records.Book
		if book, err = s.read.advance(tip, nil); err == nil {
			return book, tip.ID(), nil
		}
	}
	if book, id := s.read.last(); book != nil && repo.IsKind(err, repo.Damaged) {
		s.log.Error("the list cannot be read; answering from what was read last", "commit", id.Short(), "error", err)
		return book, id, nil
	}
	return nil, repo.ID{}, AsError(err)
}

// shelf holds one Book and moves it on from commit to commit by the files that
// differ between them.
type shelf struct {
	mu   sync.Mutex
	id   repo.ID
	book *records.Book
}

func (s *shelf) last() (*records.Book, repo.ID) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.book, s.id
}

// advance gives the Book at a snapshot. It moves on from the Book the shelf
// holds, else from that of other, else it starts anew: what a shelf holds may
// be of a commit that never came to be.
func (s *shelf) advance(to *repo.Snapshot, other *shelf) (*records.Book, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.book != nil && s.id == to.ID() {
		return s.book, nil
	}
	book, ok := moveOn(s.book, s.id, to)
	if !ok && other != nil {
		from, id := other.last()
		book, ok = moveOn(from, id, to)
	}
	if !ok {
		book = records.NewBook(to.FS())
	}
	s.id, s.book = to.ID(), book
	return book, nil
}

func moveOn(from *records.Book, id repo.ID, to *repo.Snapshot) (*records.Book, bool) {
	if from == nil {
		return nil, false
	}
	if id == to.ID() {
		return from, true
	}
	paths, err := to.Changed(id)
	if err != nil {
		return nil, false
	}
	return from.Advance(to.FS(), paths), true
}
