package repo

import (
	"context"
	"encoding/hex"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Health is what a look at a repository finds beside its history. Looking writes
// nothing and waits for no lock.
type Health struct {
	// Own says that Init made the repository. Nothing is added to another.
	Own bool
	// Lacking are the settings that Init adds and the repository does not name,
	// "gc.auto = 0".
	Lacking []string
	// Locks are git's lock files that are there at the moment.
	Locks []Lock
	// LeftOver are the files of tries that are over, their processes gone: paths
	// from the git directory. The next writer removes them.
	LeftOver []string
	// Packs counts the packs that a roll-up may take, Due says that one is due.
	// Bytes is what all packs take, with their indexes.
	Packs int
	Due   bool
	Bytes int64
	// Loose counts the objects that have a file of their own: this package makes
	// none, pushes and other programs do.
	Loose int
}

// Lock is one lock file of git's.
type Lock struct {
	Path string        // from the git directory
	Age  time.Duration // since it was made, by this machine's clock
	// PID is the process of ours that made it, 0 for another program.
	PID int
	// Left says that the process of ours is gone: the next writer removes it.
	Left bool
}

// Health looks at the repository.
func (r *Repo) Health() (Health, error) {
	cfg, err := readConfig(r.dir)
	if err != nil {
		return Health{}, err
	}
	h := Health{Own: isOwn(cfg), Packs: r.Packs(), Bytes: r.PackBytes(), Loose: r.countLoose()}
	if h.Own {
		for _, s := range settings {
			if !cfg.Section(s.section).HasOption(s.key) {
				h.Lacking = append(h.Lacking, s.section+"."+s.key+" = "+s.value)
			}
		}
	}
	h.Due = h.Packs-r.packsLeft() >= rollUpAt
	refFiles := r.refFiles()
	h.Locks = r.locks(refFiles)
	for name, p := range refFiles {
		if !p.alive() {
			h.LeftOver = append(h.LeftOver, "git-tasks/"+name)
		}
	}
	for path, p := range r.sideTexts(r.own("")) {
		if rel, err := filepath.Rel(r.dir, path); err == nil && !p.alive() {
			h.LeftOver = append(h.LeftOver, filepath.ToSlash(rel))
		}
	}
	h.LeftOver = append(h.LeftOver, r.leftPacks()...)
	slices.Sort(h.LeftOver)
	return h, nil
}

// Mend does what the next writer would do, and what Init adds: it removes what
// dead processes of ours left, names the settings that lack in a repository of
// our own, and rolls packs up where that is due.
func (r *Repo) Mend(ctx context.Context) error {
	h, err := r.Health()
	if err != nil {
		return err
	}
	err = r.withLock(ctx, func() error {
		r.clearRefFiles("")
		r.clearPacks()
		side, err := flock(ctx, r.own("side"))
		if err != nil {
			return err
		}
		defer unlock(side)
		r.clearSide(r.own(""))
		return nil
	})
	if err == nil && len(h.Lacking) > 0 {
		err = extendConfig(r.dir, settings)
	}
	if err == nil {
		err = r.rollUpDue()
	}
	return err
}

// PackBytes is what the packs take on disk, with their indexes and whatever else
// lies beside them. It is zero where their folder cannot be read.
func (r *Repo) PackBytes() (bytes int64) {
	entries, err := os.ReadDir(r.path("objects", "pack"))
	if err != nil {
		return 0
	}
	for _, e := range entries {
		if info, err := e.Info(); err == nil { // else it has gone meanwhile
			bytes += info.Size()
		}
	}
	return bytes
}

// refFiles gives the ref files beside the repository and whose they are.
func (r *Repo) refFiles() map[string]process {
	files := map[string]process{}
	entries, err := os.ReadDir(r.own(""))
	if err != nil {
		return files
	}
	for _, e := range entries {
		if mark, ok := strings.CutPrefix(e.Name(), "ref."); ok {
			if p, _, ok := parseProcess(mark); ok {
				files[e.Name()] = p
			}
		}
	}
	return files
}

// locks finds git's lock files where they can be in the way of a writer of refs
// or settings.
func (r *Repo) locks(refFiles map[string]process) []Lock {
	var found []Lock
	look := func(path string) {
		info, err := os.Lstat(path)
		if err != nil {
			return
		}
		rel, err := filepath.Rel(r.dir, path)
		if err != nil {
			rel = path
		}
		l := Lock{Path: filepath.ToSlash(rel), Age: time.Since(info.ModTime())}
		for name, p := range refFiles {
			if same(r.own(name), path) {
				l.PID, l.Left = p.pid, !p.alive()
			}
		}
		found = append(found, l)
	}
	for _, name := range []string{"HEAD.lock", "config.lock", "index.lock", "packed-refs.lock"} {
		look(r.path(name))
	}
	filepath.WalkDir(r.path("refs"), func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && strings.HasSuffix(path, ".lock") {
			look(path)
		}
		return nil // a folder that went away meanwhile holds none
	})
	return found
}

// leftPacks gives the unfinished packs and the .keep files of processes of ours
// that are gone.
func (r *Repo) leftPacks() []string {
	entries, err := os.ReadDir(r.path("objects", "pack"))
	if err != nil {
		return nil
	}
	var left []string
	for _, e := range entries {
		mark, found := strings.CutPrefix(e.Name(), tempMark)
		if strings.HasSuffix(e.Name(), ".keep") {
			data, err := os.ReadFile(r.path("objects", "pack", e.Name()))
			mark, found = strings.CutPrefix(string(data), keepMark)
			found = found && err == nil
		}
		if p, _, ok := parseProcess(mark); found && ok && !p.alive() {
			left = append(left, "objects/pack/"+e.Name())
		}
	}
	return left
}

// countLoose counts the objects that lie in the folders of their first byte.
func (r *Repo) countLoose() int {
	n := 0
	for i := range 256 {
		entries, err := os.ReadDir(r.path("objects", hex.EncodeToString([]byte{byte(i)})))
		if err != nil {
			continue
		}
		n += len(entries)
	}
	return n
}
