package repo

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-git/go-git/v5/plumbing"
)

// packed makes a bare repository of n texts that resemble each other, packed as
// git does it with the settings given, and gives its folder of packs.
func packed(t *testing.T, n int, settings ...string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	var in bytes.Buffer
	in.WriteString("commit refs/heads/main\ncommitter a <a@example.org> 1790000000 +0000\ndata 0\n")
	for i := range n {
		text := strings.Repeat(fmt.Sprintf("line %d of many that are alike\n", i%7), 1+i%90) + fmt.Sprint(i)
		if i == n/2 {
			text = strings.Repeat("a long text ", 100_000)
		}
		fmt.Fprintf(&in, "M 100644 inline tasks/%d/%d.md\ndata %d\n%s\n", i%13, i, len(text), text)
	}
	gitIn(t, dir, nil, "init", "-q", "--bare", "-b", "main")
	gitIn(t, dir, in.Bytes(), "fast-import", "--quiet")
	gitIn(t, dir, nil, append(settings, "repack", "-adfq", "--depth=50", "--window=20")...)
	return dir
}

func gitIn(t *testing.T, dir string, in []byte, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir, cmd.Stdin = dir, bytes.NewReader(in)
	cmd.Env = append(os.Environ(), "HOME="+dir, "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=/dev/null", "GIT_DIR="+dir)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return string(out)
}

// stored is every object as git tells it: id, kind and length.
func stored(t *testing.T, dir string) map[ID]object {
	t.Helper()
	all := map[ID]object{}
	list := gitIn(t, dir, nil, "cat-file", "--batch-all-objects", "--batch-check")
	for line := range strings.Lines(list) {
		var id, kind string
		var size int
		if _, err := fmt.Sscan(line, &id, &kind, &size); err != nil {
			t.Fatal(err)
		}
		k, err := plumbing.ParseObjectType(kind)
		if err != nil {
			t.Fatal(err)
		}
		all[ID(plumbing.NewHash(id))] = object{k, make([]byte, size)}
	}
	return all
}

// reindex has git write offsets as those of a pack of gigabytes.
func reindex(t *testing.T, dir string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "objects", "pack", "*.pack"))
	if err != nil || len(files) != 1 {
		t.Fatal(files, err)
	}
	idx := strings.TrimSuffix(files[0], ".pack") + ".idx"
	if err := os.Remove(idx); err != nil {
		t.Fatal(err)
	}
	gitIn(t, dir, nil, "index-pack", "--index-version=2,0x100", "-o", idx, files[0])
}

func openPacksOf(t *testing.T, dir string) *packs {
	t.Helper()
	o := &objects{dir: dir}
	p := openPacks(filepath.Join(dir, "objects", "pack"), o.packNames())
	t.Cleanup(p.close)
	return p
}

// Every object of a pack is read, whatever it is a delta of, with the length
// that git tells; what is not there is not found.
func TestPacksReadWhatGitPacked(t *testing.T) {
	t.Parallel()
	for name, settings := range map[string][]string{
		"by place": nil, "by id": {"-c", "repack.useDeltaBaseOffset=false"}, "long offsets": nil,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := packed(t, 3000, settings...)
			if name == "long offsets" {
				reindex(t, dir)
			}
			p := openPacksOf(t, dir)
			all := stored(t, dir)
			for id, want := range all {
				size, err := p.size(id)
				if err != nil || size != int64(len(want.data)) {
					t.Fatalf("%s %s has %d bytes, %v, want %d", want.kind, id, size, err, len(want.data))
				}
				data, err := p.read(want.kind, id)
				if err != nil || len(data) != len(want.data) {
					t.Fatalf("%s %s: %v", want.kind, id, err)
				}
				other := id
				other[19]++
				if _, there := all[other]; there {
					continue
				}
				if _, err := p.read(want.kind, other); err == nil {
					t.Fatalf("%s was read and is not there", other)
				}
			}
		})
	}
}

// A pack that is damaged anywhere gives an object as it was or none: go-git and
// git have the words for it.
func TestP11DamagedPackGivesNoWrongObject(t *testing.T) {
	t.Parallel()
	dir := packed(t, 200)
	all := stored(t, dir)
	rnd := rand.New(rand.NewPCG(11, 7))
	files, err := filepath.Glob(filepath.Join(dir, "objects", "pack", "*.[pi][ad][cx]*"))
	if err != nil || len(files) != 2 {
		t.Fatal(files, err)
	}
	lost := 0
	for range 60 {
		file := files[rnd.IntN(2)]
		whole, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		broken := bytes.Clone(whole)
		if rnd.IntN(4) == 0 {
			broken = broken[:rnd.IntN(len(broken))]
		} else {
			for range 1 + rnd.IntN(200) {
				broken[rnd.IntN(len(broken))] = byte(rnd.IntN(256))
			}
		}
		replace(t, file, broken)
		p := openPacksOf(t, dir)
		for id, want := range all {
			_ = guard(func() error {
				_, err := p.size(id)
				return err
			})
			err := guard(func() error {
				data, err := p.read(want.kind, id)
				if err == nil && (object{want.kind, data}).id() != id {
					t.Fatalf("%s was read as something else", id)
				}
				return err
			})
			if err != nil {
				lost++
			}
		}
		replace(t, file, whole)
	}
	if lost == 0 {
		t.Error("no damage was ever met")
	}
}

func replace(t *testing.T, file string, data []byte) {
	t.Helper()
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, data, 0o600); err != nil {
		t.Fatal(err)
	}
}

// FuzzDelta applies any bytes to any base: what comes out is as long as it says.
func FuzzDelta(f *testing.F) {
	f.Add([]byte("hello"), []byte("\x05\x08\x90\x05\x03 ok"))
	f.Add([]byte(""), []byte("\x00\x00"))
	f.Fuzz(func(t *testing.T, base, delta []byte) {
		out, err := applyDelta(base, delta)
		if err != nil {
			return
		}
		_, rest := varint(delta)
		if size, _ := varint(rest); size != len(out) {
			t.Fatalf("%d bytes of %d", len(out), size)
		}
	})
}

// BenchmarkReadPacked is an object out of a pack, by this package and through
// go-git.
func BenchmarkReadPacked(b *testing.B) {
	dir := filepath.Join(b.TempDir(), "list.git")
	if _, err := Init(dir); err != nil {
		b.Fatal(err)
	}
	text := []byte(strings.Repeat("a text of some length\n", 40))
	blob := object{plumbing.BlobObject, text}
	var in bytes.Buffer
	fmt.Fprintf(&in, "blob\ndata %d\n%s\n", len(text), text)
	cmd := exec.Command("git", "-c", "fastimport.unpackLimit=0", "--git-dir="+dir, "fast-import", "--quiet")
	cmd.Stdin = &in
	if out, err := cmd.CombinedOutput(); err != nil {
		b.Fatalf("%v %s", err, out)
	}
	o := &objects{dir: dir}
	defer o.close()
	p := openPacks(filepath.Join(dir, "objects", "pack"), o.packNames())
	defer p.close()
	for name, read := range map[string]func() ([]byte, error){
		"ours":   func() ([]byte, error) { return p.read(plumbing.BlobObject, blob.id()) },
		"go-git": func() ([]byte, error) { return readVerified(o.open(), plumbing.BlobObject, blob.id()) },
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if data, err := read(); err != nil || !bytes.Equal(data, text) {
					b.Fatal(err)
				}
			}
		})
	}
}
