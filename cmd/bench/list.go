package main

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/git-tasks/git-tasks/repo"
)

// list is a made list: the repository, never written to again, and what is in it.
type list struct {
	*shape
	dir string
	tip string // the commit that main is at

	finals []task // see all
}

// listOf gives the list of a size from the cache folder, and makes it where it
// is not there. It appears whole or not at all.
func (b *bench) listOf(ctx context.Context, size int) (*list, error) {
	if l := b.lists[size]; l != nil {
		return l, nil
	}
	l := &list{shape: newShape(b.seed, size)}
	l.dir = filepath.Join(b.cache, fmt.Sprintf("v%d-%d-%d.git", shapeVersion, b.seed, size))
	if _, err := os.Stat(l.dir); err != nil {
		b.logf("making a list of %d tasks and about %d commits: %s", size, size*changes, l.dir)
		if err := b.makeList(ctx, l); err != nil {
			return nil, err
		}
	}
	var err error
	if l.tip, err = b.git(ctx, l.dir, "rev-parse", "main"); err != nil {
		return nil, err
	}
	b.lists[size] = l
	return l, nil
}

// smaller gives the list that a larger one is held to.
func (b *bench) smaller(ctx context.Context, size int) (*list, error) {
	if b.quick {
		size = 50
	}
	return b.listOf(ctx, size)
}

func (b *bench) makeList(ctx context.Context, l *list) error {
	temp, err := os.MkdirTemp(b.cache, "new-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temp)
	dir := filepath.Join(temp, "records.git")
	if _, err := repo.Init(dir); err != nil {
		return err
	}
	if err := fastImport(ctx, dir, b.environ, l.shape); err != nil {
		return err
	}
	err = os.Rename(dir, l.dir)
	if _, serr := os.Stat(l.dir); serr == nil {
		return nil // somebody else may have made it meanwhile
	}
	return err
}

// copy gives a repository of the same list to write to. Packs are never changed
// in place, by git or by us, so the two share them.
func (b *bench) copy(l *list) (string, error) {
	dir, err := os.MkdirTemp(b.scratch, "list-")
	if err != nil {
		return "", err
	}
	err = filepath.WalkDir(l.dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(l.dir, path)
		if err != nil {
			return err
		}
		to := filepath.Join(dir, rel)
		switch {
		case d.IsDir():
			return os.MkdirAll(to, 0o755)
		case strings.HasPrefix(filepath.ToSlash(rel), "objects/pack/"):
			return os.Link(path, to)
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(to, data, 0o644)
	})
	return dir, err
}

// sound checks what was written on top of a made list: every pack that is new,
// and that whatever the new commits name is there. A small list is checked
// whole.
func (b *bench) sound(ctx context.Context, l *list, dir string) error {
	if l.tasks <= 1000 {
		out, err := b.git(ctx, dir, "fsck", "--strict", "--no-dangling", "--no-progress")
		if err != nil {
			return err
		}
		return b.same("git fsck", out, "")
	}
	made, err := filepath.Glob(filepath.Join(l.dir, "objects", "pack", "*.idx"))
	if err != nil {
		return err
	}
	old := map[string]bool{}
	for _, path := range made {
		old[filepath.Base(path)] = true
	}
	packs, err := filepath.Glob(filepath.Join(dir, "objects", "pack", "*.idx"))
	if err != nil {
		return err
	}
	for _, path := range packs {
		if old[filepath.Base(path)] {
			continue
		}
		if _, err := b.git(ctx, dir, "verify-pack", path); err != nil {
			return err
		}
	}
	_, err = b.git(ctx, dir, "rev-list", "--objects", "--quiet", "main", "^"+l.tip)
	return err
}
