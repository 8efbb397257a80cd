package repo

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// FuzzPack: git takes a batch's pack and index for its own, strictly, finds every
// object in them, and makes the same index.
func FuzzPack(f *testing.F) {
	f.Add([]byte{}, uint8(1))
	f.Add([]byte("abcabcabc"), uint8(40))
	f.Add(bytes.Repeat([]byte{0, 1, 2, 3, 200, 255, 7}, 40), uint8(3))
	f.Fuzz(func(t *testing.T, seed []byte, names uint8) {
		dir := filepath.Join(t.TempDir(), "r.git")
		if _, err := Init(dir); err != nil {
			t.Fatal(err)
		}
		r, err := Open(dir, Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		b := fuzzedBatch(t, r, seed, int(names))
		p, err := b.packer.finish(b)
		if err != nil {
			t.Fatal(err)
		}
		at := filepath.Join(t.TempDir(), "p")
		for ext, data := range map[string][]byte{".pack": p.pack, ".idx": p.idx} {
			if err := os.WriteFile(at+ext, data, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		runGit(t, dir, nil, "verify-pack", at+".idx")
		runGit(t, dir, nil, "index-pack", "--strict", "-o", at+".git", at+".pack")
		if idx, err := os.ReadFile(at + ".git"); err != nil || !bytes.Equal(idx, p.idx) {
			t.Errorf("git makes another index of the pack, %v", err)
		}
		for ext, data := range map[string][]byte{".pack": p.pack, ".idx": p.idx} {
			if err := os.WriteFile(filepath.Join(dir, "objects/pack", p.base+ext), data, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		var ids, want strings.Builder
		for _, id := range b.order {
			fmt.Fprintln(&ids, id)
			fmt.Fprintf(&want, "%s %s %d\n%s\n", id, b.objs[id].kind, len(b.objs[id].data), b.objs[id].data)
		}
		if got := runGit(t, dir, strings.NewReader(ids.String()), "cat-file", "--batch"); got != want.String() {
			t.Errorf("git reads %q, want %q", got, want.String())
		}
		for _, id := range b.order {
			if data, err := r.objects.read(b.objs[id].kind, id); err != nil || !bytes.Equal(data, b.objs[id].data) {
				t.Errorf("%s is read as %q, %v", id, data, err)
			}
		}
	})
}

// fuzzedBatch makes a commit of every byte: it puts, changes or removes a file in
// one of a few folders.
func fuzzedBatch(t *testing.T, r *Repo, seed []byte, names int) *batch {
	t.Helper()
	b := newBatch(&Snapshot{reader: reader{stored: r.objects}})
	for i, c := range append([]byte{1}, seed...) {
		f := File{Path: fmt.Sprintf("d%d/%03d", c%3, int(c)*31%(names+1)), Data: bytes.Repeat([]byte{c, 'x'}, i*int(c)%700)}
		if c%11 == 0 {
			f.Data = nil
		}
		if _, err := r.commit(b, Proposal{Author: Person{Name: "ana"}, Files: []File{f}}); err != nil {
			t.Fatal(err)
		}
		b.lay(&r.packers)
	}
	return b
}

func runGit(t *testing.T, dir string, in *strings.Reader, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", append([]string{"--git-dir=" + dir}, args...)...)
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1")
	if in != nil {
		cmd.Stdin = in
	}
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %q: %v: %s", args, err, out)
	}
	return string(out)
}
