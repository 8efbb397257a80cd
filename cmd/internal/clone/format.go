package clone

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-tasks/git-tasks/records"
)

// Formatting is what Format came to.
type Formatting struct {
	// Mended has a line for each thing that was mended, or would be.
	Mended []string
	// Left is what keeps a file from being a record and needs a person.
	Left []records.Fault
	// Warned is what reads well enough, but should be looked at.
	Warned []records.Fault
}

// ours are the folders that records lie in, as git is asked for them.
var ours = []string{"--", records.TaskDir, records.PlanDir}

// Changed gives the files below the folders of the records that differ from what
// is on the remote, as far as the clone knows, and those that git does not know,
// sorted. Without a remote branch they are those that are not committed.
func (c *Clone) Changed(ctx context.Context) ([]string, error) {
	base := c.published(ctx)
	changed, err := c.git(ctx, append([]string{"diff-index", "-z", "--name-only", "--no-renames", base}, ours...)...)
	if err != nil {
		return nil, err
	}
	fresh, err := c.git(ctx, append([]string{"ls-files", "-z", "--others", "--exclude-standard"}, ours...)...)
	if err != nil {
		return nil, err
	}
	list := append(names(changed), names(fresh)...)
	slices.Sort(list)
	return slices.Compact(list), nil
}

// emptyTree is what git calls a tree without files, in every repository of SHA-1.
const emptyTree = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"

// published gives the last commit of the branch that the remote has too, the one
// that is checked out where the branch follows none, a tree without files before
// the first commit.
func (c *Clone) published(ctx context.Context) string {
	for _, question := range [][]string{{"merge-base", "HEAD", "@{upstream}"}, {"rev-parse", "-q", "--verify", "HEAD^{commit}"}} {
		if out, err := c.git(ctx, question...); err == nil {
			return strings.TrimSpace(string(out))
		}
	}
	return emptyTree
}

// Named gives the files that paths name, a folder standing for all records in it:
// from the top of the clone, sorted. A path that is not there, and one that is no
// place of records, is refused.
func (c *Clone) Named(paths []string) ([]string, error) {
	var list []string
	for _, p := range paths {
		info, err := os.Lstat(p)
		if errors.Is(err, fs.ErrNotExist) {
			return nil, refused("there is no file %s", p)
		}
		if err != nil {
			return nil, err
		}
		name, err := c.inside(p)
		if err != nil {
			return nil, err
		}
		if !info.IsDir() {
			list = append(list, name)
			continue
		}
		found, err := c.walk(name)
		if err != nil {
			return nil, err
		}
		list = append(list, found...)
	}
	slices.Sort(list)
	return slices.Compact(list), nil
}

// inside gives a path from the top, with slashes.
func (c *Clone) inside(p string) (string, error) {
	folder, err := filepath.EvalSymlinks(filepath.Dir(p))
	if err != nil {
		return "", err
	}
	name, err := filepath.Rel(c.top, filepath.Join(folder, filepath.Base(p)))
	if err != nil {
		return "", err
	}
	name = filepath.ToSlash(name)
	top, _, _ := strings.Cut(name, "/")
	if top != records.TaskDir && top != records.PlanDir && name != "." {
		return "", refused("%s is not in %s/ or %s/ of the clone %s", p, records.TaskDir, records.PlanDir, c.top)
	}
	return name, nil
}

// All gives every file of the clone that records are read from, sorted.
func (c *Clone) All() ([]string, error) { return c.walk(".") }

func (c *Clone) walk(from string) ([]string, error) {
	var list []string
	err := fs.WalkDir(os.DirFS(c.top), from, func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && from == "." && name != "." && !strings.Contains(name, "/") && name != records.TaskDir && name != records.PlanDir:
			return fs.SkipDir
		case !d.IsDir() && strings.Contains(name, "/") && path.Ext(name) == ".md":
			list = append(list, name)
		}
		return nil
	})
	return list, err
}

// Format mends the files of the working tree that records.Format mends, moves
// records to where they belong, and says what is left. Every other byte of a file
// stays, and so does its mode. Without write it only looks. What is not there any
// more, and what is no plain file, is passed over.
func (c *Clone) Format(files []string, write bool) (Formatting, error) {
	var done Formatting
	root, err := os.OpenRoot(c.top)
	if err != nil {
		return done, err
	}
	defer root.Close()
	for _, name := range files {
		if err := done.file(root, name, write); err != nil {
			return done, fmt.Errorf("format %s: %w", name, err)
		}
	}
	return done, nil
}

func (d *Formatting) file(root *os.Root, name string, write bool) error {
	at := filepath.FromSlash(name)
	info, err := root.Lstat(at)
	if errors.Is(err, fs.ErrNotExist) || err == nil && (!info.Mode().IsRegular() || info.Size() > records.MaxRecord) {
		return nil
	}
	if err != nil {
		return err
	}
	data, err := root.ReadFile(at)
	if err != nil {
		return err
	}
	f := records.Format(name, data)
	if f.Path != name {
		switch _, err := root.Lstat(filepath.FromSlash(f.Path)); {
		case err == nil:
			d.Left = append(d.Left, records.Fault{Path: name, Reason: "belongs at " + f.Path + ", where another file is"})
			f.Path, f.Notes = name, f.Notes[:len(f.Notes)-1]
		case !errors.Is(err, fs.ErrNotExist):
			return err
		}
	}
	d.Mended = append(d.Mended, f.Notes...)
	left := records.Parse(f.Path, f.Data)
	d.Left, d.Warned = append(d.Left, left.Faults...), append(d.Warned, left.Warnings...)
	if !write || len(f.Notes) == 0 {
		return nil
	}
	return put(root, name, f, info.Mode().Perm())
}

// put writes a file anew, and moves it where it belongs.
func put(root *os.Root, name string, f records.Formatted, mode fs.FileMode) error {
	to := filepath.FromSlash(f.Path)
	if err := root.MkdirAll(filepath.Dir(to), 0o777); err != nil {
		return err
	}
	temp := filepath.Join(filepath.Dir(to), fmt.Sprintf(".%s.new-%d", filepath.Base(to), os.Getpid()))
	if err := root.WriteFile(temp, f.Data, mode); err != nil {
		return err
	}
	defer root.Remove(temp) // where it is still there
	if err := root.Chmod(temp, mode); err != nil {
		return err
	}
	if err := root.Rename(temp, to); err != nil {
		return err
	}
	if f.Path == name {
		return nil
	}
	if err := root.Remove(filepath.FromSlash(name)); err != nil {
		return err
	}
	for dir := path.Dir(name); strings.Contains(dir, "/"); dir = path.Dir(dir) {
		if root.Remove(filepath.FromSlash(dir)) != nil {
			break // it holds other files
		}
	}
	return nil
}
