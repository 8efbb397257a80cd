package repo

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// leftOver reports whether a file that names a process in this way belongs to
// a try that is over. The advisory lock is held, so a file of our own process,
// but for the one in use, is left over too: its removal had failed.
func (r *Repo) leftOver(name string) bool {
	p, _, ok := parseProcess(name)
	return ok && (p == r.me || !p.alive())
}

// clearRefFiles unlinks what tries that are over left of their ref files, and
// the lock of whatever branch it was, where it is the same file. inUse is left
// alone.
func (r *Repo) clearRefFiles(inUse string) {
	entries, err := os.ReadDir(r.own(""))
	if err != nil {
		return
	}
	for _, e := range entries {
		path := r.own(e.Name())
		if mark, ok := strings.CutPrefix(e.Name(), keepName); ok {
			if p, _, ok := parseProcess(mark); ok && p != r.me && !p.alive() {
				r.disk.remove(path)
			}
			continue
		}
		mark, ok := strings.CutPrefix(e.Name(), "ref.")
		if !ok || path == inUse || !r.leftOver(mark) {
			continue
		}
		// The ref file goes last: without it nobody could tell whose the lock is.
		if lock := r.lockOf(path); lock != "" && r.disk.remove(lock) != nil {
			continue
		}
		r.disk.remove(path)
	}
}

// lockOf finds the ref's lock that is the same file as a ref file of ours; ""
// when there is none: the ref had not been locked yet, or had moved already.
func (r *Repo) lockOf(own string) string {
	found := ""
	filepath.WalkDir(r.path("refs"), func(path string, d fs.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(path, ".lock") && same(own, path) {
			found = path
			return fs.SkipAll
		}
		return nil // a folder that went away meanwhile holds none
	})
	return found
}

func same(a, b string) bool {
	ai, aerr := os.Lstat(a)
	bi, berr := os.Lstat(b)
	return aerr == nil && berr == nil && os.SameFile(ai, bi)
}

// clearPacks removes the unfinished packs of tries that are over, the .keep
// files that name one, and an index whose pack is gone: whoever was removing both
// did not get on. A finished pack stays, held by a ref or not.
func (r *Repo) clearPacks() {
	folder := r.path("objects", "pack")
	names := namesIn(folder)
	for _, name := range names {
		path := folder + string(filepath.Separator) + name
		if mark, isTemp := strings.CutPrefix(name, tempMark); isTemp {
			if r.leftOver(mark) {
				r.disk.remove(path)
			}
			continue
		}
		// Not so of the names that git gives to what is not complete yet.
		if of, isIndex := strings.CutSuffix(name, ".idx"); isIndex && strings.HasPrefix(name, "pack-") {
			// Only one whose pack was not listed need be looked at.
			if _, listed := slices.BinarySearch(names, of+".pack"); !listed && !exists(filepath.Join(folder, of+".pack")) {
				r.removeStored(filepath.Join(folder, of))
			}
			continue
		}
		base, isKeep := strings.CutSuffix(path, ".keep")
		if !isKeep {
			continue
		}
		data, err := os.ReadFile(path)
		mark, ours := strings.CutPrefix(string(data), keepMark)
		if err != nil || !ours || !r.leftOver(mark) {
			continue
		}
		// The .keep goes last: it alone says whose the half pack is.
		if !exists(base+".pack") || !exists(base+".idx") {
			if r.removePack(base) != nil {
				continue
			}
		}
		r.disk.remove(path)
	}
}

// removePack removes what there is of a pack and its index, the pack first: an
// index alone disturbs nobody.
func (r *Repo) removePack(base string) error {
	for _, ext := range []string{".pack", ".idx"} {
		if err := r.disk.remove(base + ext); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// clearSide unlinks the new text of files in a folder beside the repository whose
// writers are gone. The lock of EditSide is held, so one of our own process is left
// over too.
func (r *Repo) clearSide(folder string) {
	for path, p := range r.sideTexts(folder) {
		if p == r.me || !p.alive() {
			r.disk.remove(path)
		}
	}
}

// sideTexts gives the files that EditSide writes before they take another's
// place, and whose they are: <name>.<pid>.<start>.<n>, in a folder beside the
// repository or below it.
func (r *Repo) sideTexts(folder string) map[string]process {
	texts := map[string]process{}
	refs := r.own("ref.") // named alike, and held by the lock of the branch
	filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasPrefix(path, refs) {
			return nil // a folder that went away meanwhile holds none
		}
		words := strings.Split(d.Name(), ".")
		if len(words) < 4 {
			return nil
		}
		if p, _, ok := parseProcess(strings.Join(words[len(words)-3:], ".")); ok {
			texts[path] = p
		}
		return nil
	})
	return texts
}
