package repo_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/git-tasks/git-tasks/repo"
	"github.com/git-tasks/git-tasks/repo/repotest"
)

// smallDisk gives the folder of a file system of 2 MiB.
func smallDisk(t *testing.T) string {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("a file system can be mounted by root alone")
	}
	dir := filepath.Join(t.TempDir(), "disk")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("mount", "-t", "tmpfs", "-o", "size=2m", "git-tasks-test", dir).CombinedOutput(); err != nil {
		t.Skipf("no file system can be mounted here: %s", out)
	}
	t.Cleanup(func() {
		if out, err := exec.Command("umount", "-l", dir).CombinedOutput(); err != nil {
			t.Errorf("umount: %v: %s", err, out)
		}
	})
	return dir
}

// fill writes to path until the disk is full and gives the file's size.
func fill(t *testing.T, path string) int64 {
	t.Helper()
	f, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o644)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for size := int64(0); ; {
		n, err := f.Write(make([]byte, 4096))
		size += int64(n)
		if errors.Is(err, syscall.ENOSPC) {
			return size
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// TestP7DiskFull fills the disk and frees it page by page (A16).
func TestP7DiskFull(t *testing.T) {
	t.Parallel()
	disk := smallDisk(t)
	dir := filepath.Join(disk, "records.git")
	if _, err := repo.Init(dir); err != nil {
		t.Fatal(err)
	}
	r := repotest.Open(t, dir, repo.Options{})
	want := map[string]string{}
	change := func(path string) error {
		_, err := r.Update(t.Context(), put("ana", path, path))
		if err == nil {
			want[path] = path
		}
		files, rerr := readAll(r)
		if rerr != nil {
			t.Fatalf("reading after %s (%v): %v", path, err, rerr)
		}
		if len(files) != len(want) {
			t.Fatalf("after %s (%v) there are %d files, want %d", path, err, len(files), len(want))
		}
		return err
	}
	if err := change("first.md"); err != nil {
		t.Fatal(err)
	}
	filler := filepath.Join(disk, "filler")
	size := fill(t, filler)
	failed := 0
	for pages := range 24 {
		if err := os.Truncate(filler, size-int64(pages)*4096); err != nil {
			t.Fatal(err)
		}
		for i := range 3 {
			if err := change(fmt.Sprintf("full/%d-%d.md", pages, i)); err != nil {
				failed++
				if !errors.Is(err, syscall.ENOSPC) || !strings.Contains(err.Error(), "no space left") {
					t.Errorf("with %d pages free: %v", pages, err)
				}
			}
		}
	}
	if failed == 0 {
		t.Error("no call failed: nothing was tried")
	}
	if err := r.Fsck(t.Context()); err != nil {
		t.Error(err)
	}
	if err := os.Remove(filler); err != nil {
		t.Fatal(err)
	}
	if err := change("after.md"); err != nil {
		t.Errorf("with space again, the same process: %v", err)
	}
	if left := leftovers(t, dir); len(left) > 0 {
		t.Errorf("there are still %q", left)
	}
	if err := r.Fsck(t.Context()); err != nil {
		t.Error(err)
	}
}

// TestP7ReadOnly remounts the disk so that nothing can be written.
func TestP7ReadOnly(t *testing.T) {
	t.Parallel()
	disk := smallDisk(t)
	dir := filepath.Join(disk, "records.git")
	if _, err := repo.Init(dir); err != nil {
		t.Fatal(err)
	}
	r := repotest.Open(t, dir, repo.Options{})
	mustPut(t, r, "first.md", "x")
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	remount := func(how string) {
		if out, err := exec.Command("mount", "-o", "remount,"+how, disk).CombinedOutput(); err != nil {
			t.Fatalf("remounting %s: %s", how, out)
		}
	}
	remount("ro")
	if _, err := r.Update(t.Context(), put("ana", "second.md", "x")); !errors.Is(err, syscall.EROFS) {
		t.Errorf("a change on a read-only disk: %v", err)
	}
	if files, err := readAll(repotest.Open(t, dir, repo.Options{})); err != nil || len(files) != 1 {
		t.Errorf("reading a read-only disk: %v, %v", files, err)
	}
	remount("rw")
	mustPut(t, r, "second.md", "x")
}
