package repotest

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-tasks/git-tasks/repo"
)

// Foreign commits files to a branch the way another program does: with
// commit-tree and update-ref, beside the write door and without any hook. by
// is the author's name. Nil Data removes a file. It starts again when the
// branch moves meanwhile, and gives the commit.
func Foreign(t testing.TB, dir, ref, by, subject string, files ...repo.File) string {
	t.Helper()
	env := append(Env(t), "GIT_INDEX_FILE="+filepath.Join(t.TempDir(), "index"),
		"GIT_AUTHOR_NAME="+by, "GIT_AUTHOR_EMAIL="+by+"@example.org", "GIT_DIR="+dir)
	git := func(stdin string, args ...string) (string, error) { return Run(dir, env, stdin, "git", args...) }
	for range 1000 {
		commit, err := foreignOnce(git, ref, subject, files)
		if err == nil {
			return commit
		}
		if !Transient(err) {
			t.Fatal(err)
		}
	}
	t.Fatalf("%s never held still for a foreign commit", ref)
	return ""
}

// Transient reports whether git failed because of what another git program did
// at the same moment, so that a person would just try again: it moved or locked
// the ref, removed an empty folder of objects that git was about to use, or was
// collecting garbage already.
func Transient(err error) bool {
	for _, said := range []string{"cannot lock ref", "but expected", "gc is already running", "unable to create temporary file: No such file"} {
		if strings.Contains(err.Error(), said) {
			return true
		}
	}
	return false
}

func foreignOnce(git func(stdin string, args ...string) (string, error), ref, subject string, files []repo.File) (string, error) {
	parent, _ := git("", "rev-parse", "--verify", "-q", ref)
	read := []string{"read-tree", "--empty"}
	if parent != "" {
		read = []string{"read-tree", parent}
	}
	if _, err := git("", read...); err != nil {
		return "", err
	}
	for _, f := range files {
		line := "0 " + strings.Repeat("0", 40) + "\t" + f.Path + "\n" // removes
		if f.Data != nil {
			blob, err := git(string(f.Data), "hash-object", "-w", "--stdin")
			if err != nil {
				return "", err
			}
			line = "100644 " + blob + "\t" + f.Path + "\n"
		}
		if _, err := git(line, "update-index", "--index-info"); err != nil {
			return "", err
		}
	}
	tree, err := git("", "write-tree")
	if err != nil {
		return "", err
	}
	args := []string{"commit-tree", tree, "-m", subject}
	if parent != "" {
		args = append(args, "-p", parent)
	} else {
		parent = strings.Repeat("0", 40)
	}
	commit, err := git("", args...)
	if err != nil {
		return "", err
	}
	if _, err := git("", "update-ref", ref, commit, parent); err != nil {
		return "", fmt.Errorf("moving %s: %w", ref, err)
	}
	return commit, nil
}
