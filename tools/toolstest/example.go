package toolstest

import (
	"github.com/git-tasks/git-tasks/repo/repotest"
	"github.com/git-tasks/git-tasks/tools"
)

// OpenExample opens an empty list in a folder of its own, for an example, which has
// no test to make it. done closes it and removes the folder, also after an error.
func OpenExample(cfg tools.Config) (s *tools.Store, done func(), err error) {
	dir, remove, err := repotest.InitExample()
	if err != nil {
		return nil, remove, err
	}
	cfg.Path = dir
	if s, err = tools.Open(cfg); err != nil {
		return nil, remove, err
	}
	return s, func() { s.Close(); remove() }, nil
}
