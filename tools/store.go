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
	Incoming string                      // what git holds back of a push that is judged, see repo.Options
	Environ  []string                    // what git finds where it is run, see repo.Options
	Now      func() time.Time            // nil is [time.Now]
	Log      *slog.Logger                // nil logs nothing
	Fault    func(op, path string) error // for tests, see repo.Options
}

// Store is the list: a branch seen as Books, and the one way to change it. It
// is safe for concurrent use, and so are several on one repository.
type Store struct {
	repo     *repo.Repo
	host     string
	here     func() string            // where process numbers mean what they mean to us: the machine, and on it the container or sandbox
	settings atomic.Pointer[Settings] // never nil; what it points to never changes
	now      func() time.Time
	log      *slog.Logger

	read    shelf // what readers got last
	growing shelf // what the write door got last; perhaps never to be on the branch
	proof   proof
	judged  judged // what readers judge by where others' commits are on top
	tidings tidings
	counted counted
	heard   heard
	claimed chan struct{} // a claim was made here
}

// Open opens the list of an existing repository. The errors are those of
// repo.Open, as [Error].
func Open(cfg Config) (*Store, error) {
	s := &Store{host: repo.CleanMail(cfg.Host), log: cfg.Log, claimed: make(chan struct{}, 1)}
	if s.host == "" {
		s.host = "localhost"
	}
	s.here = sync.OnceValue(func() string { return s.host + repo.ProcessSpace() }) // asked for every claim of every read
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	s.now = func() time.Time { return cfg.Now().Round(0) } // by the wall's clock alone: the other one stands still while a machine sleeps
	if s.log == nil {
		s.log = slog.New(slog.DiscardHandler)
	}
	if cfg.Settings == nil {
		cfg.Settings = &Settings{}
	}
	s.Use(cfg.Settings)
	var err error
	s.repo, err = repo.Open(cfg.Path, repo.Options{Branch: cfg.Branch, Incoming: cfg.Incoming, Environ: cfg.Environ, Now: s.now, Fault: cfg.Fault,
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

// PackBytes is what the packs take on disk, with their indexes.
func (s *Store) PackBytes() int64 { return s.repo.PackBytes() }

// Log gives the log that everything about this list goes to; it is never nil.
func (s *Store) Log() *slog.Logger { return s.log }

// Now gives the time that a stamp would get at this moment. Whoever compares
// with stamps asks here and not the system.
func (s *Store) Now() time.Time { return s.now() }

// Book gives all records as the branch has them now, and the commit they are of;
// where a claim is over, its task is todo and nobody's, whether or not that is
// written yet. Where the branch is damaged, a store that has read it before gives what
// it last read, and logs the reason.
func (s *Store) Book() (*records.Book, repo.ID, error) {
	book, id, err := s.written()
	if err != nil {
		return nil, repo.ID{}, AsError(err)
	}
	return s.asOfNow(book), id, nil
}

// written is the Book as the branch has it.
func (s *Store) written() (*records.Book, repo.ID, error) {
	tip, err := s.tip()
	if err == nil {
		var book *records.Book
		if book, err = s.read.advance(tip, &s.growing); err == nil {
			book, err = s.believable(tip, book)
		}
		if err == nil {
			return book, tip.ID(), nil
		}
	}
	if book, id := s.read.last(); book != nil && repo.IsKind(err, repo.Damaged) {
		s.log.Error("the list cannot be read; answering from what was read last", "commit", id.Short(), "error", err)
		return book, id, nil
	}
	return nil, repo.ID{}, err
}

// shelf holds one Book and moves it on from commit to commit by the files that
// differ between them.
type shelf struct {
	mu   sync.Mutex
	id   repo.ID
	book *records.Book
}

// last is what the shelf holds; nil for nothing yet, or no shelf.
func (s *shelf) last() (*records.Book, repo.ID) {
	if s == nil {
		return nil, repo.ID{}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.book, s.id
}

// advance gives the Book at a snapshot, made from the Book of this shelf or the
// other one, else anew. What a shelf holds may be of a commit that never came to
// be.
func (s *shelf) advance(to *repo.Snapshot, other *shelf) (*records.Book, error) {
	theirs, id := other.last()
	s.mu.Lock()
	defer s.mu.Unlock()
	// A Book that was read as a whole is worth more than one that is near.
	near := func(b *records.Book, at repo.ID) int {
		score := 0
		if b != nil && b.Loaded() {
			score += 2
		}
		if b != nil && at == to.ID() {
			score++
		}
		return score
	}
	first, second := moving{s.book, s.id}, moving{theirs, id}
	if near(theirs, id) > near(s.book, s.id) {
		first, second = second, first
	}
	book, ok := first.on(to)
	if !ok {
		book, ok = second.on(to)
	}
	if !ok {
		book = records.NewBook(to.FS())
	}
	s.id, s.book = to.ID(), book
	return book, nil
}

// put makes book what the shelf holds: the Book of a snapshot, however it was
// come by.
func (s *shelf) put(at *repo.Snapshot, book *records.Book) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.id, s.book = at.ID(), book.Advance(at.FS(), nil)
}

// moving is a Book and the commit it is of.
type moving struct {
	book *records.Book // nil for none
	id   repo.ID
}

// on gives the Book at another commit, where that can be told from this one.
func (m moving) on(to *repo.Snapshot) (*records.Book, bool) {
	if m.book == nil {
		return nil, false
	}
	if m.id == to.ID() {
		return m.book, true
	}
	paths, err := to.Changed(m.id)
	if err != nil {
		return nil, false
	}
	return m.book.Advance(to.FS(), paths), true
}
