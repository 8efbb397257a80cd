package repo_test

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/git-tasks/git-tasks/repo"
	"github.com/git-tasks/git-tasks/repo/repotest"
)

// signed makes a repository with a key and one signed commit.
func signed(t *testing.T) (dir string, r *repo.Repo, line string) {
	t.Helper()
	dir = repotest.New(t)
	r = repotest.Open(t, dir, repo.Options{})
	if made, err := r.MakeKey(t.Context()); err != nil || !made {
		t.Fatalf("making a key: %v, %v", made, err)
	}
	mustPut(t, r, "a", "one\n")
	key, err := r.PublicKey()
	if err != nil {
		t.Fatal(err)
	}
	return dir, r, "git-tasks@localhost " + key
}

func signers(t *testing.T, data string) repo.Signers {
	t.Helper()
	s, err := repo.ParseSigners([]byte(data))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// tipSigned reports whether the tip carries a signature that counts, and whether
// it carries any.
func tipSigned(t *testing.T, r *repo.Repo, by repo.Signers) (counts, any bool) {
	t.Helper()
	tip, err := r.Tip()
	if err != nil {
		t.Fatal(err)
	}
	for c, err := range tip.Log() {
		if err != nil {
			t.Fatal(err)
		}
		counts, err := tip.SignedBy(c, by)
		if err != nil {
			t.Fatal(err)
		}
		return counts, c.Signed
	}
	return false, false
}

func TestSignaturesAreGits(t *testing.T) {
	t.Parallel()
	dir, r, line := signed(t)
	if counts, _ := tipSigned(t, r, signers(t, "# hosts\n\n"+line+"\n")); !counts {
		t.Error("our own signature does not count")
	}
	file := filepath.Join(t.TempDir(), "allowed")
	if err := os.WriteFile(file, []byte(line+"\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if out, err := repotest.TryGit(t, dir, "", "-c", "gpg.ssh.allowedSignersFile="+file, "verify-commit", "main"); err != nil {
		t.Errorf("git does not verify the commit: %s, %v", out, err)
	}
	info, err := os.Stat(filepath.Join(r.Side(), "key"))
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the key's file: %v, %v", info, err)
	}
}

// What git itself signs counts too, where its key is listed.
func TestSignatureOfGit(t *testing.T) {
	t.Parallel()
	dir, r, line := signed(t)
	clone := filepath.Join(t.TempDir(), "clone")
	repotest.Git(t, filepath.Dir(clone), "clone", "-q", dir, clone)
	repotest.Git(t, clone, "-c", "gpg.format=ssh", "-c", "user.signingKey="+filepath.Join(r.Side(), "key"),
		"commit", "-q", "--allow-empty", "-S", "-m", "by git")
	repotest.Git(t, clone, "push", "-q", "origin", "HEAD:main")
	if counts, _ := tipSigned(t, r, signers(t, line)); !counts {
		t.Error("git's signature by the same key does not count")
	}
}

// Every way in which a commit can look like a signed one and not be it.
func TestSignaturesThatDoNotCount(t *testing.T) {
	t.Parallel()
	dir, r, line := signed(t)
	by := signers(t, line)
	original := repotest.Git(t, dir, "cat-file", "commit", "main") + "\n"
	_, other, _ := signed(t)
	mustPut(t, other, "b", "two\n")
	_, stranger := tipSigned(t, other, by)
	if counts, _ := tipSigned(t, other, by); counts || !stranger {
		t.Errorf("signed by a stranger: counts %v, signed %v", counts, stranger)
	}
	armour := original[strings.Index(original, "gpgsig "):strings.Index(original, "\n\n")]
	for name, forged := range map[string]string{
		"another message": original[:strings.Index(original, "\n\n")] + "\n\nput b\n",
		"another author":  strings.Replace(original, "author ana <", "author bob <", 1),
		"another date":    strings.Replace(original, " +0000\ncommitter", " +0100\ncommitter", 1),
		"a parent":        strings.Replace(original, "author ", "parent "+repotest.Git(t, dir, "rev-parse", "main")+"\nauthor ", 1),
		"two signatures":  strings.Replace(original, "\n\n", "\n"+armour+"\n\n", 1),
		"a header more":   strings.Replace(original, "\n\n", "\nx-more: yes\n\n", 1),
		"cut short":       strings.Replace(original, "-----END", "=\n -----END", 1),
		"no signature":    strings.Replace(original, "\n"+armour, "", 1),
	} {
		id, err := repotest.TryGit(t, dir, forged, "hash-object", "-t", "commit", "-w", "--stdin", "--literally")
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if forged == original {
			t.Fatalf("%s: nothing was changed", name)
		}
		repotest.Git(t, dir, "update-ref", "refs/heads/main", id)
		if counts, _ := tipSigned(t, r, by); counts {
			t.Errorf("%s: counts as signed", name)
		}
	}
	if counts, _ := tipSigned(t, r, repo.Signers{}); counts {
		t.Error("nobody's signature counts")
	}
}

func TestParseSigners(t *testing.T) {
	t.Parallel()
	_, r, line := signed(t)
	for _, ok := range []string{line, "a@b,c@d namespaces=\"git\" " + strings.SplitN(line, " ", 2)[1] + " comment"} {
		if counts, _ := tipSigned(t, r, signers(t, ok)); !counts {
			t.Errorf("%q: the key is not believed", ok)
		}
	}
	for _, bad := range []string{"nonsense", "a@b ssh-ed25519 AAAA", "a@b namespaces=\"file\" " + strings.SplitN(line, " ", 2)[1],
		"a@b cert-authority " + strings.SplitN(line, " ", 2)[1]} {
		s, err := repo.ParseSigners([]byte("\n" + bad + "\n" + line))
		if err == nil || !strings.Contains(err.Error(), "line 2") {
			t.Errorf("%q: %v", bad, err)
		}
		if counts, _ := tipSigned(t, r, s); !counts {
			t.Errorf("%q: the good line beside it is not believed", bad)
		}
	}
}

func TestMakeKeyOnce(t *testing.T) {
	t.Parallel()
	dir := repotest.New(t)
	var made atomic.Int32
	var all sync.WaitGroup
	for range 8 {
		r := repotest.Open(t, dir, repo.Options{})
		all.Go(func() {
			new, err := r.MakeKey(t.Context())
			if err != nil {
				t.Error(err)
			}
			if new {
				made.Add(1)
			}
		})
	}
	all.Wait()
	if left, err := filepath.Glob(filepath.Join(dir, "git-tasks", "key*")); err != nil || len(left) != 1 || made.Load() != 1 {
		t.Errorf("made %d times, left %v, %v", made.Load(), left, err)
	}
}

// A key that cannot be used stops writes: what goes unsigned would not count.
func TestDamagedKeyStopsWrites(t *testing.T) {
	t.Parallel()
	dir, _, _ := signed(t)
	if err := os.WriteFile(filepath.Join(dir, "git-tasks", "key"), []byte("torn"), 0o600); err != nil {
		t.Fatal(err)
	}
	r := repotest.Open(t, dir, repo.Options{})
	if _, err := r.Update(t.Context(), put("ana", "b", "x")); err == nil || !strings.Contains(err.Error(), "key") {
		t.Errorf("writing with a torn key: %v", err)
	}
}
