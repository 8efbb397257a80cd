package install_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/git-tasks/git-tasks/cmd/internal/install"
	"github.com/git-tasks/git-tasks/tools"
)

func add(file []byte) ([]byte, error)    { return install.JSON.Add(file, server()) }
func remove(file []byte) ([]byte, error) { return install.JSON.Remove(file, server()) }

// at is a settings file two folders below one that stays.
func at(t *testing.T) install.Settings {
	t.Helper()
	base := t.TempDir()
	return install.Settings{Path: filepath.Join(base, "a", "b", "settings.json"), Base: base, Private: true}
}

func write(t *testing.T, path, text string, mode fs.FileMode) {
	t.Helper()
	err := os.MkdirAll(filepath.Dir(path), 0o755)
	if err == nil {
		err = os.WriteFile(path, []byte(text), mode)
	}
	if err == nil {
		err = os.Chmod(path, mode)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func change(t *testing.T, s install.Settings, by func([]byte) ([]byte, error)) *install.Edit {
	t.Helper()
	e, err := s.Change(by)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// tree lists what is below a folder: names, kinds, modes, and what files say.
func tree(t *testing.T, dir string) string {
	t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || path == dir {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		fmt.Fprintf(&b, "%s %s", strings.TrimPrefix(path, dir), info.Mode())
		if d.Type().IsRegular() {
			text, err := os.ReadFile(path)
			fmt.Fprintf(&b, " %q %v", text, err)
		}
		b.WriteByte('\n')
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestFilesComeBack: what is on disk is the same behind an uninstall, links and
// modes among it, and twice is as once.
func TestFilesComeBack(t *testing.T) {
	t.Parallel()
	for name, prepare := range map[string]func(t *testing.T, s install.Settings){
		"nothing": func(*testing.T, install.Settings) {},
		"a folder with another file": func(t *testing.T, s install.Settings) {
			write(t, filepath.Join(s.Base, "a", "other"), "x", 0o600)
		},
		"an empty file":  func(t *testing.T, s install.Settings) { write(t, s.Path, "", 0o644) },
		"a file for all": func(t *testing.T, s install.Settings) { write(t, s.Path, "{}\r\n", 0o666) },
		"a link": func(t *testing.T, s install.Settings) {
			write(t, filepath.Join(s.Base, "dots", "real.json"), `{"a":1}`, 0o640)
			write(t, filepath.Join(s.Base, "a", "b", "x"), "", 0o600)
			symlink(t, "../../dots/real.json", s.Path)
		},
		"a link to nothing": func(t *testing.T, s install.Settings) {
			write(t, filepath.Join(s.Base, "dots", "x"), "", 0o600)
			write(t, filepath.Join(s.Base, "a", "b", "x"), "", 0o600)
			symlink(t, "two.json", filepath.Join(s.Base, "dots", "one.json"))
			symlink(t, filepath.Join(s.Base, "dots", "one.json"), s.Path)
		},
		"a folder that is a link": func(t *testing.T, s install.Settings) {
			write(t, filepath.Join(s.Base, "dots", "b", "x"), "", 0o600)
			symlink(t, "dots", filepath.Join(s.Base, "a"))
		},
		"a folder that is a link to an empty one": func(t *testing.T, s install.Settings) {
			write(t, filepath.Join(s.Base, "dots", "x"), "", 0o600)
			symlink(t, "dots", filepath.Join(s.Base, "a"))
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := at(t)
			prepare(t, s)
			before := tree(t, s.Base)
			if e, err := s.Try(add); err != nil || !e.Changes() || tree(t, s.Base) != before {
				t.Errorf("a try gave %v, and left\n%s", err, tree(t, s.Base))
			}
			if e := change(t, s, add); !e.Changes() || e.Path != filepath.Clean(e.Path) {
				t.Errorf("the change of %s is %v", e.Path, e.Changes())
			}
			during := tree(t, s.Base)
			if e := change(t, s, add); e.Changes() || tree(t, s.Base) != during {
				t.Errorf("a second time changed\n%s\nto\n%s", during, tree(t, s.Base))
			}
			if !strings.Contains(during, "tasks") || strings.Contains(during, ".new-") {
				t.Errorf("it became\n%s", during)
			}
			change(t, s, remove)
			if got := tree(t, s.Base); got != before {
				t.Errorf("it was\n%s\nand is\n%s", before, got)
			}
			if e := change(t, s, remove); e.Changes() {
				t.Error("it went twice")
			}
		})
	}
}

func symlink(t *testing.T, to, path string) {
	t.Helper()
	if err := os.Symlink(to, path); err != nil {
		t.Fatal(err)
	}
}

// TestFilesThatStay: what cannot be replaced by a file like it is refused, and so
// is what is no file.
func TestFilesThatStay(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		prepare func(t *testing.T, s install.Settings)
		says    string
	}{
		"read-only": {func(t *testing.T, s install.Settings) { write(t, s.Path, "{}", 0o400) }, "its owner may not write it (mode 0400)"},
		"two names": {func(t *testing.T, s install.Settings) {
			write(t, s.Path, "{}", 0o600)
			if err := os.Link(s.Path, s.Path+"2"); err != nil {
				t.Fatal(err)
			}
		}, "it has 2 names"},
		"a folder": {func(t *testing.T, s install.Settings) { write(t, filepath.Join(s.Path, "x"), "", 0o600) }, "no file but a folder"},
		"a pipe": {func(t *testing.T, s install.Settings) {
			write(t, filepath.Join(s.Base, "a", "b", "x"), "", 0o600)
			if err := syscall.Mkfifo(s.Path, 0o600); err != nil {
				t.Fatal(err)
			}
		}, "no file but a pipe"},
		"a device": {func(t *testing.T, s install.Settings) {
			write(t, filepath.Join(s.Base, "a", "b", "x"), "", 0o600)
			symlink(t, "/dev/null", s.Path)
		}, "no file but a device"},
		"a file for a folder": {func(t *testing.T, s install.Settings) { write(t, filepath.Join(s.Base, "a"), "x", 0o600) }, "not a directory"},
		"a ring of links": {func(t *testing.T, s install.Settings) {
			write(t, filepath.Join(s.Base, "a", "b", "x"), "", 0o600)
			symlink(t, "settings.json", s.Path)
		}, "too many links"},
		"too long": {func(t *testing.T, s install.Settings) {
			write(t, s.Path, "", 0o600)
			if err := os.Truncate(s.Path, 32<<20+1); err != nil {
				t.Fatal(err)
			}
		}, "longer than 32 MiB"},
		"a link into a folder that is not there, below a file": {func(t *testing.T, s install.Settings) {
			write(t, filepath.Join(s.Base, "a", "b", "x"), "", 0o600)
			symlink(t, "x/settings.json", s.Path)
		}, "not a directory"},
		"a link into a folder that is not there": {func(t *testing.T, s install.Settings) {
			write(t, filepath.Join(s.Base, "a", "b", "x"), "", 0o600)
			symlink(t, "../../dots/settings.json", s.Path)
		}, "there is no folder"},
		"a folder that is a link to nothing": {func(t *testing.T, s install.Settings) {
			symlink(t, "dots", filepath.Join(s.Base, "a"))
		}, "stays as it was"},
		"no JSON": {func(t *testing.T, s install.Settings) { write(t, s.Path, "{\n\n  a}", 0o600) }, "settings.json:3: must be JSON"},
		"not its own": {func(t *testing.T, s install.Settings) {
			write(t, s.Path, "[]", 0o600)
		}, "settings.json:1: the document must be an object"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := at(t)
			c.prepare(t, s)
			before := ""
			if name != "too long" {
				before = tree(t, s.Base)
			}
			if _, err := s.Change(add); err == nil || !strings.Contains(err.Error(), c.says) {
				t.Errorf("it said %v, not %s", err, c.says)
			}
			if name != "too long" && tree(t, s.Base) != before {
				t.Errorf("it was\n%s\nand is\n%s", before, tree(t, s.Base))
			}
		})
	}
}

// TestMeanwhile has another program change the file, make it and take it away
// between the look and the change: what it did stays, and so does the entry.
func TestMeanwhile(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ before, meanwhile string }{
		"changed": {`{"a": 1}`, `{"a": 1, "b": 2}`}, "made": {"", `{"b": 2}`}, "gone": {`{"b": 1}`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := at(t)
			if c.before != "" {
				write(t, s.Path, c.before, 0o644)
			}
			var once sync.Once
			change(t, s, func(file []byte) ([]byte, error) {
				once.Do(func() {
					if os.Remove(s.Path); c.meanwhile != "" {
						write(t, s.Path, c.meanwhile, 0o644)
					}
				})
				return add(file)
			})
			change(t, s, remove)
			if got, err := os.ReadFile(s.Path); string(got) != c.meanwhile || (c.meanwhile == "") != errors.Is(err, fs.ErrNotExist) {
				t.Errorf("it says %q, %v", got, err)
			}
		})
	}
	s := at(t)
	n := 0
	_, err := s.Change(func(file []byte) ([]byte, error) {
		n++
		write(t, s.Path, fmt.Sprintf(`{"n": %d}`, n), 0o644)
		return add(file)
	})
	if err == nil || tools.AsError(err).Code != tools.Conflict {
		t.Errorf("against a program that never rests it said %v", err)
	}
}

// TestManyAtOnce: none of many changes at the same time is lost, and the file goes
// with the last one.
func TestManyAtOnce(t *testing.T) {
	t.Parallel()
	s := at(t)
	each := func(by func(install.Entry) func([]byte) ([]byte, error)) {
		var wg sync.WaitGroup
		for i := range 16 {
			e := install.Entry{Path: []string{"mcpServers", fmt.Sprint("s", i)}, Value: json.RawMessage(`{"command":"x"}`)}
			wg.Go(func() {
				if _, err := s.Change(by(e)); err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
	}
	each(func(e install.Entry) func([]byte) ([]byte, error) {
		return func(file []byte) ([]byte, error) { return install.JSON.Add(file, e) }
	})
	text, err := os.ReadFile(s.Path)
	if err != nil || bytes.Count(text, []byte(`"command"`)) != 16 {
		t.Errorf("%v:\n%s", err, text)
	}
	each(func(e install.Entry) func([]byte) ([]byte, error) {
		return func(file []byte) ([]byte, error) { return install.JSON.Remove(file, e) }
	})
	if got := tree(t, s.Base); got != "" {
		t.Errorf("it left\n%s", got)
	}
}

// TestAnotherUsersFile: root gives a file back to whoever it belongs to, and what
// it makes to whoever has the folder.
func TestAnotherUsersFile(t *testing.T) {
	t.Parallel()
	if os.Geteuid() != 0 {
		t.Skip("only root can make a file that belongs to somebody else")
	}
	belongs := func(path string, uid, gid uint32) {
		t.Helper()
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		if stat := info.Sys().(*syscall.Stat_t); stat.Uid != uid || stat.Gid != gid {
			t.Errorf("%s belongs to %d and %d", path, stat.Uid, stat.Gid)
		}
	}
	s := at(t)
	if err := os.Chown(s.Base, 65534, 65532); err != nil {
		t.Fatal(err)
	}
	change(t, s, add)
	belongs(s.Path, 65534, 65532)
	belongs(filepath.Dir(s.Path), 65534, 65532)
	if err := os.Chown(s.Path, 65533, 65531); err != nil {
		t.Fatal(err)
	}
	change(t, s, func(file []byte) ([]byte, error) { return install.JSON.Add(file, small()) })
	belongs(s.Path, 65533, 65531)
}
