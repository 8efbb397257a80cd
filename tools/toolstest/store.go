package toolstest

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/git-tasks/git-tasks/records"
	"github.com/git-tasks/git-tasks/repo/repotest"
	"github.com/git-tasks/git-tasks/tools"
)

// start is when every [Clock] begins.
var start = time.Date(2026, 10, 18, 10, 0, 0, 0, time.UTC)

// Clock is a clock that stands still until it is moved.
type Clock struct {
	mu sync.Mutex
	at time.Time
}

// NewClock gives a clock at 2026-10-18 10:00 UTC.
func NewClock() *Clock { return &Clock{at: start} }

// Now gives the time it shows.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.at
}

// Pass moves it on.
func (c *Clock) Pass(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = c.at.Add(d)
}

// New gives an empty list in a repository of its own, checked when the test
// ends.
func New(t testing.TB) *tools.Store {
	t.Helper()
	return Open(t, tools.Config{Path: repotest.New(t)})
}

// Open opens a list; when the test ends it is checked and closed.
func Open(t testing.TB, cfg tools.Config) *tools.Store {
	t.Helper()
	s := Again(t, cfg)
	t.Cleanup(func() { Check(t, s) })
	return s
}

// Again opens a list that is open already, or checked by somebody else; when
// the test ends it is closed.
func Again(t testing.TB, cfg tools.Config) *tools.Store {
	t.Helper()
	s, err := tools.Open(cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// Settings are those of a settings file of these bytes.
func Settings(t testing.TB, data []byte) *tools.Settings {
	t.Helper()
	file := filepath.Join(t.TempDir(), "config.json")
	err := os.WriteFile(file, data, 0o600)
	var st *tools.Settings
	if err == nil {
		st, err = tools.LoadSettings(file)
	}
	if err != nil {
		t.Fatal(err)
	}
	return st
}

// Check fails the test where the list, its history or the repository has a
// problem. Files that the list itself reports as unreadable are none: tests
// put them there.
func Check(t testing.TB, s *tools.Store) {
	t.Helper()
	for _, problem := range Problems(t, s) {
		t.Errorf("check: %s", problem)
	}
}

// Problems gives what Check would name.
func Problems(t testing.TB, s *tools.Store) []string {
	t.Helper()
	book, _, err := s.Book()
	if err != nil {
		t.Errorf("reading the list to check it: %v", err)
		return nil
	}
	report, err := s.Check(context.Background()) // the test's own context has ended
	if err != nil {
		t.Errorf("checking the list: %v", err)
	}
	return slices.DeleteFunc(report.Problems, func(problem string) bool {
		return slices.ContainsFunc(book.Faults(), func(f records.Fault) bool { return strings.HasPrefix(problem, f.String()) })
	})
}
