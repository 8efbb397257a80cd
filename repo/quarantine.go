package repo

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/go-git/go-billy/v5"
	"github.com/go-git/go-billy/v5/osfs"
	"github.com/go-git/go-git/v5/plumbing/cache"
	"github.com/go-git/go-git/v5/storage/filesystem"
)

// quarantine opens the folder in which git keeps the objects of a push until
// its pre-receive hook has said yes: laid out like objects/, beside it.
func quarantine(dir string) *filesystem.ObjectStorage {
	root := packsWithIndex{objectsAt{osfs.New(dir)}}
	return &filesystem.NewStorageWithOptions(root, cache.NewObjectLRU(32*cache.MiByte),
		filesystem.Options{KeepDescriptors: true, LargeObjectThreshold: maxObject}).ObjectStorage
}

// objectsAt is a folder of objects seen as the git directory above it.
type objectsAt struct{ billy.Filesystem }

func within(path string) string {
	if path == "objects" {
		return "."
	}
	return strings.TrimPrefix(filepath.ToSlash(path), "objects/")
}

func (o objectsAt) Open(name string) (billy.File, error) { return o.Filesystem.Open(within(name)) }

func (o objectsAt) OpenFile(name string, flag int, perm os.FileMode) (billy.File, error) {
	return o.Filesystem.OpenFile(within(name), flag, perm)
}

func (o objectsAt) Stat(name string) (os.FileInfo, error)  { return o.Filesystem.Stat(within(name)) }
func (o objectsAt) Lstat(name string) (os.FileInfo, error) { return o.Filesystem.Lstat(within(name)) }

func (o objectsAt) ReadDir(path string) ([]os.FileInfo, error) {
	return o.Filesystem.ReadDir(within(path))
}
