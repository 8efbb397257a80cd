package repo_test

import (
	"crypto/sha256"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/git-tasks/git-tasks/repo"
	"github.com/git-tasks/git-tasks/repo/repotest"
)

// personsOwn is every file of a working folder and its .git, by path: mode and
// content. Left out is what the write door is for: objects, the folder
// git-tasks, and the branch tasks with its log.
func personsOwn(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel := strings.TrimPrefix(path, dir+"/")
		switch rel {
		case ".git/objects", ".git/git-tasks":
			return fs.SkipDir
		case ".git/refs/heads/tasks", ".git/logs/refs/heads/tasks":
			return nil
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		all[rel] = info.Mode().String()
		if d.Type().IsRegular() {
			data, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			all[rel] += fmt.Sprintf(" %x", sha256.Sum256(data))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// TestP6PersonsFolderUntouched commits beside a person's work in the middle of
// everything git can be in the middle of (A13).
func TestP6PersonsFolderUntouched(t *testing.T) {
	t.Parallel()
	for name, begin := range map[string]func(t *testing.T, dir string){
		"clean": func(*testing.T, string) {},
		"dirty": func(t *testing.T, dir string) {
			writeFiles(t, dir, "mine", "staged", ".env", "secret", "sub/.gitignore", "*\n", "sub/ignored", "x")
			repotest.Git(t, dir, "add", "mine")
			writeFiles(t, dir, "mine", "changed after", ".git/hooks/post-commit", "#!/bin/sh\ntouch hook-ran\n",
				".git/hooks/reference-transaction", "#!/bin/sh\ntouch hook-ran\n")
		},
		"merge":  func(t *testing.T, dir string) { stopped(t, dir, "merge", "other") },
		"rebase": func(t *testing.T, dir string) { stopped(t, dir, "rebase", "other") },
		"pick":   func(t *testing.T, dir string) { stopped(t, dir, "cherry-pick", "other") },
		"bisect": func(t *testing.T, dir string) {
			first := repotest.Git(t, dir, "rev-list", "--max-parents=0", "main")
			for i := range 4 {
				repotest.Git(t, dir, "commit", "-q", "--allow-empty", "-m", fmt.Sprint(i))
			}
			repotest.Git(t, dir, "bisect", "start", "main", first)
		},
		"detached": func(t *testing.T, dir string) { repotest.Git(t, dir, "checkout", "-q", "--detach") },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir, r := beside(t)
			begin(t, dir)
			status := repotest.Git(t, dir, "--no-optional-locks", "status", "--porcelain=v2")
			before := personsOwn(t, dir)
			n := tenth(1000)
			if name != "clean" && name != "dirty" {
				n = tenth(200)
			}
			for i := range n {
				mustPut(t, r, fmt.Sprintf("tasks/t%d.md", i%50), fmt.Sprint(i))
			}
			if err := r.Close(); err != nil {
				t.Error(err)
			}
			after := personsOwn(t, dir)
			if !maps.Equal(before, after) {
				for _, path := range slices.Sorted(maps.Keys(merged(before, after))) {
					if before[path] != after[path] {
						t.Errorf("%s was %q and is %q", path, before[path], after[path])
					}
				}
			}
			if got := repotest.Git(t, dir, "--no-optional-locks", "status", "--porcelain=v2"); got != status {
				t.Errorf("git status was\n%s\nand is\n%s", status, got)
			}
			for line := range strings.SplitSeq(repotest.Git(t, dir, "log", "--name-only", "--format=", "tasks"), "\n") {
				if !strings.HasPrefix(line, "tasks/t") {
					t.Errorf("a commit of ours holds %q", line)
				}
			}
		})
	}
}

func merged(a, b map[string]string) map[string]string {
	all := maps.Clone(a)
	maps.Copy(all, b)
	return all
}

// writeFiles writes files given as path, content, path, content; hooks can be run.
func writeFiles(t *testing.T, dir string, pairs ...string) {
	t.Helper()
	for i := 0; i < len(pairs); i += 2 {
		path := filepath.Join(dir, filepath.FromSlash(pairs[i]))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(pairs[i+1]), 0o755); err != nil {
			t.Fatal(err)
		}
	}
}

// stopped leaves a repository in the middle of a conflict.
func stopped(t *testing.T, dir string, command ...string) {
	t.Helper()
	repotest.Git(t, dir, "checkout", "-q", "-b", "other")
	writeFiles(t, dir, "main.go", "package other\n")
	repotest.Git(t, dir, "commit", "-q", "-a", "-m", "other")
	repotest.Git(t, dir, "checkout", "-q", "main")
	writeFiles(t, dir, "main.go", "package third\n")
	repotest.Git(t, dir, "commit", "-q", "-a", "-m", "third")
	if out, err := repotest.TryGit(t, dir, "", command...); err == nil {
		t.Fatalf("git %q met no conflict: %s", command, out)
	}
}

// TestP6CheckedOutRefused names the places in which a branch can be checked
// out, or be about to be again: nothing may move it there.
func TestP6CheckedOutRefused(t *testing.T) {
	t.Parallel()
	for name, begin := range map[string]func(t *testing.T, dir string) string{
		"HEAD": func(*testing.T, string) string { return "main" },
		"worktree": func(t *testing.T, dir string) string {
			repotest.Git(t, dir, "worktree", "add", "-q", filepath.Join(t.TempDir(), "other"), "tasks")
			return "tasks"
		},
		"rebase": func(t *testing.T, dir string) string { stopped(t, dir, "rebase", "other"); return "main" },
		"bisect": func(t *testing.T, dir string) string {
			first := repotest.Git(t, dir, "rev-parse", "main")
			for i := range 4 {
				repotest.Git(t, dir, "commit", "-q", "--allow-empty", "-m", fmt.Sprint(i))
			}
			repotest.Git(t, dir, "bisect", "start", "main", first)
			return "main"
		},
		"rebase in a worktree": func(t *testing.T, dir string) string {
			repotest.Git(t, dir, "branch", "side")
			other := filepath.Join(t.TempDir(), "other")
			repotest.Git(t, dir, "worktree", "add", "-q", other, "side")
			writeFiles(t, other, "main.go", "package side\n")
			repotest.Git(t, other, "commit", "-q", "-a", "-m", "side")
			writeFiles(t, dir, "main.go", "package third\n")
			repotest.Git(t, dir, "commit", "-q", "-a", "-m", "third")
			if out, err := repotest.TryGit(t, other, "", "rebase", "main"); err == nil {
				t.Fatalf("the rebase met no conflict: %s", out)
			}
			return "side"
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir, _ := beside(t)
			branch := begin(t, dir)
			before := repotest.Git(t, dir, "rev-parse", branch)
			_, err := repo.Open(dir, repo.Options{Branch: branch})
			if !repo.IsKind(err, repo.CheckedOut) || !strings.Contains(err.Error(), "refs/heads/"+branch+" is checked out in /") {
				t.Errorf("opening: %v", err)
			}
			if got := repotest.Git(t, dir, "rev-parse", branch); got != before {
				t.Errorf("%s moved", branch)
			}
		})
	}
}

// TestP6CheckedOutLater has a person check our branch out while we have it open.
func TestP6CheckedOutLater(t *testing.T) {
	t.Parallel()
	dir, r := beside(t)
	repotest.Git(t, dir, "checkout", "-q", "tasks")
	if _, err := r.Update(t.Context(), put("ana", "tasks/t1.md", "x")); !repo.IsKind(err, repo.CheckedOut) {
		t.Errorf("a change while the branch is checked out: %v", err)
	}
	if status := repotest.Git(t, dir, "status", "--porcelain"); status != "" {
		t.Errorf("git status says %q", status)
	}
	repotest.Git(t, dir, "checkout", "-q", "main")
	mustPut(t, r, "tasks/t1.md", "x")
}
