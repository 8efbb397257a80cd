package repo

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// growth is how many times the objects of all smaller packs together a pack must
// hold to be left as it is.
const growth = 2

// gcLimit is how long a git gc may take before git takes it for dead.
const gcLimit = 12 * time.Hour

// storedPack is a pack that git can see, by its path without ".pack".
type storedPack struct {
	base    string
	objects uint32
}

// rollUpPacks makes one pack of the small ones and removes those. The new one
// holds every object that they hold, whatever else holds it too: git repack
// --geometric leaves out what a larger pack has, and when another program's git
// repack -a removes that pack at the same time, having left out what it found
// under a .keep of ours, the object is nowhere. So git is told the objects, and
// does not walk through all of history for them, as it does for names of packs.
//
// What is loose stays loose, a pack that its owner marked (kept, promised, cruft)
// stays as it is, and nothing is done while somebody's git gc is at work. It gives
// how many packs it removed.
func (r *Repo) rollUpPacks(ctx context.Context, lock *os.File) (gone int, err error) {
	if r.collecting() {
		return gone, nil
	}
	packs, err := r.storedPacks()
	if err != nil {
		return gone, err
	}
	small := tooSmall(packs)
	if len(small) < 2 {
		return gone, nil
	}
	made, err := r.packAgain(ctx, lock, small)
	if err != nil {
		return gone, err
	}
	name := r.path("objects", "pack", "pack-"+strings.TrimSpace(made))
	if !exists(name+".pack") || !exists(name+".idx") {
		return gone, fmt.Errorf("git pack-objects says it made %s, and it is not there", filepath.Base(name))
	}
	if err := r.disk.syncDir(r.path("objects", "pack")); err != nil {
		return gone, err
	}
	if r.collecting() { // it has begun meanwhile
		return gone, nil
	}
	if err := r.clearMultiPackIndex(); err != nil {
		return gone, err
	}
	for _, p := range small {
		if p.base == name || marked(p.base) {
			continue
		}
		if err := r.removeStored(p.base); err != nil {
			return gone, err
		}
		gone++
	}
	return gone, nil
}

// packAgain has git put all that some packs hold into a new one, and gives the sum
// in its name.
func (r *Repo) packAgain(ctx context.Context, lock *os.File, packs []storedPack) (string, error) {
	list, told := io.Pipe()
	go func() {
		out := bufio.NewWriter(told)
		var err error
		for _, p := range packs {
			if err == nil {
				err = listPack(out, p.base, &r.hints)
			}
		}
		if err == nil {
			err = out.Flush()
		}
		told.CloseWithError(err)
	}()
	made, err := r.gitTold(ctx, lock, list, "pack-objects", "--delta-base-offset", "-q", r.path("objects", "pack", "pack"))
	list.Close() // git may have ended before it read all
	return made, err
}

// storedPacks lists the packs that a roll-up may take, the smallest first.
func (r *Repo) storedPacks() ([]storedPack, error) {
	indexes, err := filepath.Glob(r.path("objects", "pack", "pack-*.idx"))
	if err != nil {
		return nil, err
	}
	var packs []storedPack
	for _, idx := range indexes {
		base := strings.TrimSuffix(idx, ".idx")
		if marked(base) {
			continue
		}
		if !exists(base + ".pack") {
			continue // another program took it away
		}
		f, err := openPackFile(base)
		if err != nil {
			continue // an index of git's first version, or gone by now
		}
		f.close()
		packs = append(packs, storedPack{base, uint32(f.objects)})
	}
	slices.SortFunc(packs, func(a, b storedPack) int {
		if a.objects != b.objects {
			return int(int64(a.objects) - int64(b.objects))
		}
		return strings.Compare(a.base, b.base)
	})
	return packs, nil
}

// marked reports whether a pack is one that may not be replaced.
func marked(base string) bool {
	return exists(base+".keep") || exists(base+".promisor") || exists(base+".mtimes")
}

// tooSmall gives the packs to put together, of those sorted by size: all up to
// the largest that does not hold growth times what is below it.
func tooSmall(packs []storedPack) []storedPack {
	last := 0
	var below uint64
	for i, p := range packs {
		if i > 0 && uint64(p.objects) < growth*below {
			last = i + 1
		}
		below += uint64(p.objects)
	}
	return packs[:last]
}

// removeStored removes a pack whose objects lie elsewhere, and what belongs to it.
// The index goes last: should this end halfway, an index without a pack tells the
// next writer so, and nobody else minds it.
func (r *Repo) removeStored(base string) error {
	for _, suffix := range []string{".pack", ".rev", ".bitmap", ".idx"} {
		if err := r.disk.remove(base + suffix); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// clearMultiPackIndex removes git's index over several packs, as git does itself
// when it removes one of them. It is a cache; git makes it anew where wanted.
func (r *Repo) clearMultiPackIndex() error {
	files, err := filepath.Glob(r.path("objects", "pack", "multi-pack-index*"))
	if err != nil {
		return err
	}
	for _, file := range files {
		if err := r.disk.remove(file); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// collecting reports whether somebody's git gc is at work: it would end in an
// error where packs that it has seen go away. It names itself, "<pid> <host>", in
// gc.pid, which a killed one leaves behind; so after gcLimit git itself no
// longer believes it.
func (r *Repo) collecting() bool {
	info, err := os.Stat(r.path("gc.pid"))
	if err != nil || time.Since(info.ModTime()) > gcLimit {
		return false
	}
	data, err := os.ReadFile(r.path("gc.pid"))
	if err != nil {
		return false
	}
	name, host, _ := strings.Cut(strings.TrimSpace(string(data)), " ")
	pid, err := strconv.Atoi(name)
	here, herr := os.Hostname()
	if err != nil || pid <= 0 || herr == nil && host != here {
		return err == nil && pid > 0 // on another machine: nobody here can tell
	}
	return process{pid: pid}.alive()
}
