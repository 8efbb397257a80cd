package inbox

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/git-tasks/git-tasks/records"
	"github.com/git-tasks/git-tasks/repo"
	"github.com/git-tasks/git-tasks/tools"
)

const (
	tool     = "inbox"
	markedBy = "Inbox" // the trailer with the mark and the name of the file
)

// take is a file whose task is made, or may be.
type take struct {
	Name  string `json:"name"`
	Dir   string `json:"dir"`
	Look  look   `json:"look"`
	Mark  string `json:"mark"`
	Since string `json:"since"` // the tip before its commit

	task string // the id, "" where it is not known whether the commit was made
}

func (t take) note() repo.Trailer {
	return repo.Trailer{Key: markedBy, Value: t.Mark + " " + records.Visible(t.Name)}
}

func (b *Inbox) takenAt(name string) int {
	return slices.IndexFunc(b.taken, func(t take) bool { return t.Name == name && t.Dir == b.dir })
}

// goOn deals with a file of a name that was taken. done says that nothing else is to
// be done to it now.
func (b *Inbox) goOn(i int, info os.FileInfo) (done bool, wait time.Duration) {
	t := b.taken[i]
	if !t.Look.isOf(lookOf(info)) {
		b.forget(t) // another file of that name
		return false, 0
	}
	if t.task == "" {
		since, _ := b.store.FindCommit(t.Since) // of a branch that lost it all of history is asked
		marks, ids, err := b.store.Noted(markedBy, since)
		if err != nil {
			b.sayOnce(t.Name, err.Error(), "it is not known whether a file was taken", "file", t.Name, "error", err)
			return true, retry
		}
		made := slices.IndexFunc(marks, func(m string) bool { return strings.HasPrefix(m, t.Mark+" ") })
		if made < 0 {
			b.forget(t)
			return false, 0
		}
		b.made(i, ids[made])
		t = b.taken[i]
	}
	return true, b.remove(t)
}

// take makes a task of a file that is whole, and removes the file.
func (b *Inbox) take(ctx context.Context, name string, f file, data []byte) time.Duration {
	if len(data) > records.MaxRecord {
		return b.refuse(name, fmt.Sprintf("%s has %d bytes: a record is at most 1 MiB", name, f.look.Size))
	}
	failed := func(err error) time.Duration {
		if ctx.Err() == nil {
			b.sayOnce(name, err.Error(), "a file is not taken yet", "file", name, "error", err)
		}
		return retry
	}
	t := take{Name: name, Dir: b.dir, Look: f.look, Mark: newMark()}
	_, tip, err := b.store.Book()
	if err != nil {
		return failed(err)
	}
	t.Since = tip.String()
	if err := b.note(t); err != nil {
		return failed(err)
	}
	if b.step("commit "+name) != nil {
		return 0
	}
	names := b.names()
	result, err := b.store.Update(ctx, b.caller(f.owner), tool, func(*records.Book) ([]tools.Step, error) {
		return []tools.Step{{Edit: records.AddTask{Of: &records.File{Path: name, Data: data}, Names: names}, Note: t.note()}}, nil
	})
	var refusal *records.Refusal
	if errors.As(err, &refusal) {
		b.forget(t)
		if b.mayCome(refusal.Given) {
			return later
		}
		if known, err := b.recall(refusal.Given); err != nil {
			return failed(err)
		} else if known {
			return b.take(ctx, name, f, data)
		}
		return b.refuse(name, refusal.Text)
	}
	if err != nil {
		return failed(err) // the next look asks history whether it was made
	}
	b.made(b.takenAt(name), result.IDs[0])
	t = b.taken[b.takenAt(name)]
	b.log.Info("a file became a task", "file", name, "task", t.task, "by", cmp.Or(f.owner, b.store.HostCaller().By()))
	if b.step("remove "+name) != nil {
		return 0
	}
	return b.remove(t)
}

// made notes which task was made of a file.
func (b *Inbox) made(i int, id string) {
	b.taken[i].task = id
	b.ids[stem(b.taken[i].Name)] = id
	delete(b.there, stem(b.taken[i].Name))
}

// names gives the ids of the tasks that may be named by their files: of those whose name
// a file of this pass has, none.
func (b *Inbox) names() map[string]string {
	names := maps.Clone(b.ids)
	for stem := range b.there {
		delete(names, stem)
	}
	return names
}

// mayCome reports whether a name that is no id is that of a file which may become a
// task.
func (b *Inbox) mayCome(name string) bool { return b.there[strings.TrimSuffix(name, ".md")] }

// recall reports whether a name that is no id is that of a file which an earlier host
// took. All of history is read for that, once.
func (b *Inbox) recall(name string) (known bool, err error) {
	if name == "" || b.history {
		return false, nil
	}
	marks, ids, err := b.store.Noted(markedBy, repo.ID{})
	if err != nil {
		return false, err
	}
	b.history = true
	for i, mark := range marks { // the newest first
		_, file, _ := strings.Cut(mark, " ")
		b.ids[stem(file)] = cmp.Or(b.ids[stem(file)], ids[i])
	}
	return b.names()[strings.TrimSuffix(name, ".md")] != "", nil
}

// caller is who puts a file here: the user whose it is.
func (b *Inbox) caller(owner string) tools.Caller {
	if owner != "" {
		if c, err := b.store.Caller(tools.Who{Person: owner}); err == nil {
			return c
		}
	}
	return b.store.HostCaller()
}

// remove takes a file away whose task is made. What was written to it since nobody
// has read: that goes to those that were refused.
func (b *Inbox) remove(t take) time.Duration {
	info, err := b.root.Lstat(t.Name)
	switch now := lookOf; {
	case errors.Is(err, os.ErrNotExist):
	case err == nil && now(info) == t.Look:
		if err = b.root.Remove(t.Name); errors.Is(err, os.ErrNotExist) {
			err = nil
		}
	case err == nil && now(info).isOf(t.Look):
		b.forget(t)
		return b.refuse(t.Name, fmt.Sprintf("%s was written to after it became %s: what it said before is there", t.Name, t.task))
	}
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		b.sayOnce(t.Name, err.Error(), "a file became a task and cannot be removed", "file", t.Name, "task", t.task, "error", err)
		return 0
	}
	delete(b.said, t.Name)
	b.forget(t)
	return 0
}

// newMark gives a mark that no other file ever had.
func newMark() string {
	var random [6]byte
	rand.Read(random[:])
	return hex.EncodeToString(random[:])
}
