package clone

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/git-tasks/git-tasks/records"
)

// Committing is what BeforeCommit came to.
type Committing struct {
	// Mended has a line for each thing that was mended in the index and in the
	// working tree.
	Mended []string
	// Waiting is the files that could be mended, but were not: what is about to be
	// committed is not what lies in the working tree, or git commits single files.
	Waiting []string
	// Left is why a push of this would be refused.
	Left []records.Fault
}

// BeforeCommit looks at the records that are about to be committed, as the gate of
// the list will look at them: what Format mends is mended in the index and in the
// working tree, where both have the same text; what is left is told. by is who
// commits, at is now.
//
// What is judged is the staged files against the last commit that the remote has
// too, so that what an earlier commit said and a later one took back is not held
// against anybody; in a merge against the side that is on the remote.
func (c *Clone) BeforeCommit(ctx context.Context, by string, at time.Time) (done Committing, err error) {
	texts, err := c.openTexts(ctx)
	if err != nil {
		return done, err
	}
	defer func() { err = errors.Join(err, texts.close()) }()
	old, err := c.treeOf(ctx, c.judgedFrom(ctx), texts)
	if err != nil {
		return done, err
	}
	next, err := c.treeOf(ctx, "", texts)
	if err != nil {
		return done, err
	}
	staged, err := c.staged(ctx)
	if err != nil || len(staged) == 0 {
		return done, err
	}
	moved := false
	for _, name := range staged {
		mended, err := c.mendStaged(ctx, &done, next, name)
		if err != nil {
			return done, err
		}
		moved = moved || mended
	}
	if moved {
		if next, err = c.treeOf(ctx, "", texts); err != nil {
			return done, err
		}
		if staged, err = c.staged(ctx); err != nil {
			return done, err
		}
	}
	done.Left, err = records.CheckPush(records.NewBook(old), records.NewBook(next), staged, records.Push{By: by, At: at})
	return done, err
}

// judgedFrom gives the commit that what is staged is compared with.
func (c *Clone) judgedFrom(ctx context.Context) string {
	if heads, err := os.ReadFile(filepath.Join(c.dir, "MERGE_HEAD")); err == nil {
		for _, head := range strings.Fields(string(heads)) {
			if c.onRemote(ctx, head) {
				return head
			}
		}
	}
	return c.published(ctx)
}

// staged gives the records that differ between the last commit and the index.
func (c *Clone) staged(ctx context.Context) ([]string, error) {
	head := "HEAD"
	if _, err := c.git(ctx, "rev-parse", "-q", "--verify", "HEAD^{commit}"); err != nil {
		head = emptyTree
	}
	out, err := c.git(ctx, append(append([]string{"diff-index", "--cached", "-z", "--name-only", "--no-renames", head}, ours...), ".git-tasks")...)
	return names(out), err
}

// mendStaged mends one file, and reports whether the index changed.
func (c *Clone) mendStaged(ctx context.Context, done *Committing, next *tree, name string) (bool, error) {
	o, ok := next.files[name]
	if !ok || !next.mode(name).IsRegular() {
		return false, nil
	}
	data, err := next.ReadFile(name)
	if err != nil || len(data) > records.MaxRecord {
		return false, err
	}
	f := records.Format(name, data)
	if _, taken := next.files[f.Path]; taken && f.Path != name {
		f.Path, f.Notes = name, f.Notes[:len(f.Notes)-1]
	}
	if len(f.Notes) == 0 {
		return false, nil
	}
	root, err := os.OpenRoot(c.top)
	if err != nil {
		return false, err
	}
	defer root.Close()
	at := filepath.FromSlash(name)
	here, err := root.ReadFile(at)
	if err != nil || !bytes.Equal(here, data) || c.commitsSome() || f.Path != name && there(root, f.Path) {
		done.Waiting = append(done.Waiting, name)
		return false, nil
	}
	info, err := root.Lstat(at)
	if err != nil || !info.Mode().IsRegular() {
		done.Waiting = append(done.Waiting, name)
		return false, err
	}
	if err := c.stage(ctx, name, o, f); err != nil {
		return false, err
	}
	done.Mended = append(done.Mended, f.Notes...)
	return true, put(root, name, f, info.Mode().Perm())
}

func there(root *os.Root, name string) bool {
	_, err := root.Lstat(filepath.FromSlash(name))
	return !errors.Is(err, fs.ErrNotExist)
}

// commitsSome reports whether git commits files that were named, from an index
// that it makes for that alone: what is changed there would come back as undone.
func (c *Clone) commitsSome() bool {
	for _, variable := range slices.Backward(c.environ) {
		if file, ok := strings.CutPrefix(variable, "GIT_INDEX_FILE="); ok {
			return strings.HasPrefix(path.Base(filepath.ToSlash(file)), "next-index-")
		}
	}
	return false
}

// stage puts a mended file into the index.
func (c *Clone) stage(ctx context.Context, name string, o object, f records.Formatted) error {
	id, err := c.gitWith(ctx, f.Data, "hash-object", "-w", "--stdin")
	if err != nil {
		return err
	}
	var change bytes.Buffer
	if f.Path != name {
		fmt.Fprintf(&change, "0 %s\t%s\x00", strings.Repeat("0", len(o.id)), name)
	}
	fmt.Fprintf(&change, "%s %s\t%s\x00", o.mode, strings.TrimSpace(string(id)), f.Path)
	_, err = c.gitWith(ctx, change.Bytes(), "update-index", "-z", "--index-info")
	return err
}
