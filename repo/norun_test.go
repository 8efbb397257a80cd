package repo_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-tasks/git-tasks/repo"
	"github.com/git-tasks/git-tasks/repo/repotest"
)

// TestP19NothingOfTheRepositoryRuns gives a repository every hook and setting
// that makes git run a command, and goes through all that we do with it, git's
// own repack and fsck included.
func TestP19NothingOfTheRepositoryRuns(t *testing.T) {
	t.Parallel()
	dir := repotest.New(t)
	marks := t.TempDir()
	script := func(name string) string {
		path := filepath.Join(t.TempDir(), "run")
		text := fmt.Sprintf("#!/bin/sh\ntouch '%s/%s'\ncat\n", marks, name)
		if err := os.WriteFile(path, []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
		return path
	}
	hooks := filepath.Join(dir, "hooks")
	if err := os.MkdirAll(hooks, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, hook := range []string{"pre-commit", "post-commit", "reference-transaction", "update", "pre-receive",
		"post-receive", "proc-receive", "pre-auto-gc", "post-rewrite", "post-index-change", "fsmonitor-watchman"} {
		if err := os.Symlink(script("hook-"+hook), filepath.Join(hooks, hook)); err != nil {
			t.Fatal(err)
		}
	}
	for _, key := range []string{"core.fsmonitor", "core.sshCommand", "core.editor", "core.pager", "core.askPass",
		"core.alternateRefsCommand", "core.gitProxy", "diff.external", "diff.x.textconv", "filter.x.clean", "filter.x.smudge",
		"filter.x.process", "merge.x.driver", "gpg.program", "credential.helper", "uploadpack.packObjectsHook",
		"sequence.editor", "alias.repack", "alias.fsck"} {
		value := script("key-" + key)
		if strings.HasPrefix(key, "alias.") || key == "credential.helper" {
			value = "!" + value
		}
		repotest.Git(t, dir, "config", key, value)
	}
	if err := os.MkdirAll(filepath.Join(dir, "info"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "info", "attributes"), []byte("* filter=x diff=x merge=x\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	r := repotest.Open(t, dir, repo.Options{})
	for i := range 40 {
		mustPut(t, r, fmt.Sprintf("tasks/t%d.md", i+1), "x\n", ".gitattributes", "* filter=x diff=x merge=x\n")
	}
	if err := r.Fsck(t.Context()); err != nil {
		t.Error(err)
	}
	if err := r.Close(); err != nil {
		t.Error(err)
	}
	if packs, err := filepath.Glob(filepath.Join(dir, "objects", "pack", "*.pack")); err != nil || len(packs) >= 40 {
		t.Errorf("no roll-up ran: %d packs, %v", len(packs), err)
	}
	ran, err := os.ReadDir(marks)
	if err != nil {
		t.Fatal(err)
	}
	for _, mark := range ran {
		t.Errorf("%s ran", mark.Name())
	}
}
