package clone

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"

	"github.com/git-tasks/git-tasks/records"
)

// Versions names the three versions of a file that git hands to a merge driver,
// files all of them, and the path that it has in the tree.
type Versions struct{ Base, Ours, Theirs, Path string }

// Merging is what Merge came to.
type Merging struct {
	// Said has a line for each thing that the person should know.
	Said []string
	// Left is what keeps the file from being merged; it holds git's own marks then.
	Left []records.Fault
	// Apart is the file in which the person's record waits as a draft, where both
	// sides added one of a name. The merge stops for it, so that it is not forgotten.
	Apart string
	// Gone is the record that one side took out and the other changed, and that git
	// took for the one that is merged; waits is the file in which it is as it was
	// changed. The merge stops for it as well.
	Gone  string
	waits string
}

// Merge merges one file field by field, as git's merge driver: the result takes
// the place of ours. The person's side is the one that is not on the remote,
// whichever of the two git calls ours, so that a merge and a rebase come to the
// same.
func (c *Clone) Merge(ctx context.Context, v Versions) (Merging, error) {
	var done Merging
	var texts [3][]byte
	for i, name := range []string{v.Base, v.Ours, v.Theirs} {
		data, err := os.ReadFile(c.at(name))
		if err != nil {
			return done, err
		}
		texts[i] = data
	}
	branch, pushed := texts[1], texts[2]
	if c.oursIsPushed(ctx) {
		branch, pushed = pushed, branch
	}
	if s, ok := records.FindStrayed(v.Path, texts[0], branch, pushed); ok {
		return c.keep(v, s)
	}
	m := records.Merge(v.Path, texts[0], branch, pushed)
	for _, o := range m.Overruled {
		done.Said = append(done.Said, o.String())
	}
	if len(m.Faults) > 0 {
		done.Left = m.Faults
		return done, c.mark(ctx, v)
	}
	if err := os.WriteFile(c.at(v.Ours), m.Data, 0o666); err != nil {
		return done, err
	}
	if m.Apart == nil {
		return done, nil
	}
	var err error
	done.Apart, err = c.setApart(v.Path, m.Apart)
	return done, err
}

// keep undoes what git took for a rename: the file that is merged stays as it was
// added, and the record that was taken out waits in a folder of its own, from where
// Format moves it to its place. That place git may still be about to clear.
func (c *Clone) keep(v Versions, s records.Strayed) (Merging, error) {
	done := Merging{Gone: s.Path}
	if err := os.WriteFile(c.at(v.Ours), s.Kept, 0o666); err != nil {
		return done, err
	}
	top, _, _ := strings.Cut(s.Path, "/")
	for folder, i := "kept", 2; ; folder, i = fmt.Sprintf("kept-%d", i), i+1 {
		var err error
		done.waits, err = c.writeNew(path.Join(top, folder, path.Base(s.Path)), s.Data)
		if !errors.Is(err, fs.ErrExist) {
			return done, err
		}
	}
}

// at is where a file lies that git names from the top.
func (c *Clone) at(name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(c.top, name)
}

// mark leaves the file as git's own merge would.
func (c *Clone) mark(ctx context.Context, v Versions) error {
	_, err := c.git(ctx, "merge-file", "-q", "-L", "ours", "-L", "base", "-L", "theirs", v.Ours, v.Base, v.Theirs)
	if exit, ok := errors.AsType[*exec.ExitError](err); ok && exit.ExitCode() > 0 && exit.ExitCode() < 128 {
		return nil // it counts the conflicts
	}
	return err
}

// setApart writes a draft beside a file, under a name that nothing has.
func (c *Clone) setApart(file string, draft []byte) (string, error) {
	stem := strings.TrimSuffix(file, ".md")
	for i := 2; ; i++ {
		name, err := c.writeNew(fmt.Sprintf("%s-%d.md", stem, i), draft)
		if !errors.Is(err, fs.ErrExist) {
			return name, err
		}
	}
}

// writeNew makes a file of the working tree, where there is none.
func (c *Clone) writeNew(name string, data []byte) (string, error) {
	at := filepath.Join(c.top, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(at), 0o777); err != nil {
		return "", err
	}
	f, err := os.OpenFile(at, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return "", err
	}
	_, err = f.Write(data)
	return name, errors.Join(err, f.Close())
}

// oursIsPushed reports whether the side that git calls ours is the one that a
// person brings: the other one is on the remote, and it is not. Where neither is,
// or both are, what comes in is taken for the person's.
func (c *Clone) oursIsPushed(ctx context.Context) bool {
	ours, theirs := c.sides()
	return theirs != "" && c.onRemote(ctx, theirs) && !c.onRemote(ctx, ours)
}

// sides gives the commits that are being merged, theirs "" where git does not tell.
// A merge names its commits to the driver, a rebase in a file of its own; ours are
// the commit that is checked out, and in a rebase the one that all goes on top of:
// what is rewritten of the person's own stands on it and is nowhere else yet.
func (c *Clone) sides() (ours, theirs string) {
	rebase := filepath.Join(c.dir, "rebase-merge")
	if done, err := os.ReadFile(filepath.Join(rebase, "done")); err == nil {
		onto, err := os.ReadFile(filepath.Join(rebase, "onto"))
		lines := strings.Split(strings.TrimSpace(string(done)), "\n")
		if words := strings.Fields(lines[len(lines)-1]); err == nil && len(words) > 1 && isCommit(words[1]) {
			return strings.TrimSpace(string(onto)), words[1]
		}
		return "HEAD", ""
	}
	for _, variable := range c.environ {
		name, _, _ := strings.Cut(variable, "=")
		if id, ok := strings.CutPrefix(name, "GITHEAD_"); ok && isCommit(id) {
			theirs = id
		}
	}
	return "HEAD", theirs
}

// isCommit reports whether a word is an id of git, short ones included.
func isCommit(word string) bool {
	return len(word) >= 4 && strings.Trim(word, "0123456789abcdef") == ""
}

// onRemote reports whether a commit is on a branch of a remote, as far as the
// clone knows.
func (c *Clone) onRemote(ctx context.Context, commit string) bool {
	out, err := c.git(ctx, "for-each-ref", "--count=1", "--format=%(refname)", "--contains="+commit, "refs/remotes")
	return err == nil && len(out) > 0
}

// SetApart says where the person's record is, and what to do.
func (m Merging) SetApart(file string) string {
	return fmt.Sprintf("%s is another record on the remote; yours waits in %s, without an id: add both and go on; "+
		"what of yours names %s means the other one", file, m.Apart, strings.TrimSuffix(path.Base(file), ".md"))
}

// Strayed says which record waits where, and what to do.
func (m Merging) Strayed(file string) string {
	return fmt.Sprintf("%s was taken out on one side and changed on the other, and git took %s for it, which is another record; "+
		"the first waits as it was changed: git tasks fmt %s puts it back, if it is to stay; add what there is and go on", m.Gone, file, m.waits)
}
