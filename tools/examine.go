package tools

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/git-tasks/git-tasks/records"
	"github.com/git-tasks/git-tasks/repo"
)

// State says what a [Finding] asks for.
type State string

// The states; the list is closed.
const (
	Fine     State = "ok"
	Notable  State = "note" // worth knowing, nobody's hand is needed
	Mendable State = "mend" // [Store.Mend] does it
	ByHand   State = "hand" // somebody must do something
)

// Finding is one thing that was looked at.
type Finding struct {
	State State  `json:"state"`
	Topic string `json:"topic"` // a word: "locks"
	Text  string `json:"text"`  // what was found, one line
	Mend  string `json:"mend,omitempty"`
}

// maxLockAge is how long a lock of another program may stand before somebody
// should look: git holds one for moments.
const maxLockAge = time.Minute

// countWait bounds how long commits are counted: of a long history that nobody
// rolled up it takes git some seconds.
const countWait = 10 * time.Second

// Examine looks at what a list stands on, without a look at its whole history:
// that is [Store.Check]. It writes nothing.
func (s *Store) Examine() ([]Finding, error) {
	health, err := s.repo.Health()
	if err != nil {
		return nil, AsError(err)
	}
	found := []Finding{configFinding(health)}
	found = append(found, lockFindings(health)...)
	found = append(found, s.packFinding(health))
	keys, err := s.keyFindings(health.Own)
	if err != nil {
		return nil, AsError(err)
	}
	found = append(found, keys...)
	clock, err := s.clockFinding()
	if err != nil {
		return nil, AsError(err)
	}
	book, _, err := s.Book()
	if err != nil {
		return nil, err
	}
	return append(found, clock, recordFinding(book)), nil
}

// Mend does what is [Mendable]: only what is ours.
func (s *Store) Mend(ctx context.Context) error {
	if err := s.repo.Mend(ctx); err != nil {
		return AsError(err)
	}
	health, err := s.repo.Health()
	if err != nil {
		return AsError(err)
	}
	if health.Own {
		_, err = s.Enroll(ctx)
	}
	return err
}

func configFinding(h repo.Health) Finding {
	switch {
	case !h.Own:
		return Finding{Notable, "config", "the repository was not made by git-tasks; its configuration is left as it is", ""}
	case len(h.Lacking) > 0:
		return Finding{Mendable, "config", "the repository lacks " + strings.Join(h.Lacking, ", "), "adds them, and changes no other"}
	}
	return Finding{Fine, "config", "the repository has every setting that init gives it", ""}
}

// lockFindings names each lock, its age and whose it is.
func lockFindings(h repo.Health) []Finding {
	var found []Finding
	for _, l := range h.Locks {
		what := fmt.Sprintf("%s is %s old, ", records.Visible(l.Path), age(l.Age))
		switch {
		case l.Left:
			found = append(found, Finding{Mendable, "locks", fmt.Sprintf("%sof process %d of git-tasks, which is gone", what, l.PID),
				"removes it, as the next change would"})
		case l.PID != 0:
			found = append(found, Finding{Notable, "locks", fmt.Sprintf("%sof process %d of git-tasks, which is at work", what, l.PID), ""})
		case l.Path == "index.lock":
			found = append(found, Finding{Notable, "locks", what + "another program's; git-tasks uses no index", ""})
		case l.Age < maxLockAge:
			found = append(found, Finding{Notable, "locks", what + "another program's, which may be at work", ""})
		default:
			found = append(found, Finding{ByHand, "locks", what + "another program's",
				"if no git is at work there any more, take the file away; git-tasks never does"})
		}
	}
	if n := len(h.LeftOver); n > 0 {
		found = append(found, Finding{Mendable, "locks", "left by processes that are gone: " + strings.Join(h.LeftOver, ", "),
			"removes what belongs to no change any more"})
	}
	if found == nil {
		found = append(found, Finding{Fine, "locks", "none left behind", ""})
	}
	return found
}

// age is a time in its largest unit.
func age(d time.Duration) string {
	switch d = max(d, 0); {
	case d < time.Minute:
		return fmt.Sprintf("%d s", d/time.Second)
	case d < time.Hour:
		return fmt.Sprintf("%d min", d/time.Minute)
	case d < 48*time.Hour:
		return fmt.Sprintf("%d h", d/time.Hour)
	}
	return fmt.Sprintf("%d days", d/(24*time.Hour))
}

func (s *Store) packFinding(h repo.Health) Finding {
	text := fmt.Sprintf("packs: %d, %d MiB, loose objects: %d", h.Packs, (h.Bytes+1<<20-1)>>20, h.Loose)
	ctx, stop := context.WithTimeout(context.Background(), countWait)
	defer stop()
	if n, err := s.Commits(ctx); err == nil {
		text += fmt.Sprintf(", commits: %d", n)
	}
	if h.Due {
		return Finding{Mendable, "packs", text + "; a roll-up is due", "merges small packs, and drops nothing"}
	}
	return Finding{Fine, "packs", text, ""}
}

func recordFinding(book *records.Book) Finding {
	switch notes := Notes(book); {
	case len(book.Faults()) > 0:
		return Finding{ByHand, "records", strings.Join(notes, "; "), "git tasks check shows the lines as they should be"}
	case len(notes) > 0:
		return Finding{Notable, "records", strings.Join(notes, "; "), "the next change gives them their ids"}
	}
	return Finding{Fine, "records", "every one can be read", ""}
}
