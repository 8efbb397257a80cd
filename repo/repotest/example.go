package repotest

import (
	"os"
	"path/filepath"

	"github.com/git-tasks/git-tasks/repo"
)

// InitExample makes an empty repository in a folder of its own, for an example,
// which has no test to make it. remove takes the folder away, also after an error.
func InitExample() (dir string, remove func(), err error) {
	top, err := os.MkdirTemp("", "example")
	if err != nil {
		return "", func() {}, err
	}
	dir = filepath.Join(top, "records.git")
	_, err = repo.Init(dir)
	return dir, func() { os.RemoveAll(top) }, err
}
