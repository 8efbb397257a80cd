package install

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// steps are the changes that are stopped at each file call that they make.
var steps = []struct{ name, before, after string }{ // "" is no file
	{"made", "", `{"a": 1}`},
	{"replaced", `{"old": true}`, `{"a": 1}`},
	{"removed", `{"old": true}`, ""},
}

// stage is a settings file two folders below one that stays.
func stage(t *testing.T, base, text string) Settings {
	t.Helper()
	s := Settings{Path: filepath.Join(base, "a", "b", "settings.json"), Base: base, Private: true}
	if text == "" {
		return s
	}
	if err := errors.Join(os.MkdirAll(filepath.Dir(s.Path), 0o755), os.WriteFile(s.Path, []byte(text), 0o640)); err != nil {
		t.Fatal(err)
	}
	return s
}

// to makes a file a text.
func to(text string) func([]byte) ([]byte, error) {
	return func([]byte) ([]byte, error) {
		if text == "" {
			return nil, nil
		}
		return []byte(text), nil
	}
}

// found is what the file says, "" where it is not there, and what lies around it.
func found(t *testing.T, s Settings) (text string, around []string) {
	t.Helper()
	data, _, err := read(s.Path)
	if err != nil {
		t.Fatal(err)
	}
	err = filepath.WalkDir(s.Base, func(path string, _ os.DirEntry, err error) error {
		if path != s.Base && path != s.Path {
			around = append(around, strings.TrimPrefix(path, s.Base))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return string(data), around
}

var errStop = errors.New("no space left on device")

// TestAFileCallThatFails: whichever it is, the file is as it was where that is said, and
// else as it was to become; nothing is left beside it.
func TestAFileCallThatFails(t *testing.T) {
	t.Parallel()
	for _, step := range steps {
		for n := 0; ; n++ {
			s := stage(t, t.TempDir(), step.before)
			_, around := found(t, s)
			calls, op := 0, ""
			s.fault = func(o, _ string) error {
				if calls++; calls == n+1 {
					op = o
					return errStop
				}
				return nil
			}
			_, err := s.Change(to(step.after))
			want := step.after
			if err != nil {
				want = step.before
			}
			text, left := found(t, s)
			if text != want || err != nil && !slices.Equal(left, around) {
				t.Errorf("%s, call %d (%s) failed: %v, and it says %q among %q", step.name, n+1, op, err, text, left)
			}
			if op == "" { // it makes no more calls than that
				if n < 3 {
					t.Errorf("%s makes %d file calls", step.name, n)
				}
				break
			}
			s.fault = nil
			if _, err := s.Change(to(step.after)); err != nil {
				t.Errorf("%s, after call %d failed: %v", step.name, n+1, err)
			}
		}
	}
}

const killed = "GIT_TASKS_TEST_KILLED" // the change, the call and the folder, for the process that is killed

// TestAProcessThatIsKilled: at whichever file call that is, the file is the old one or
// the new one, and the same change can be made behind it.
func TestAProcessThatIsKilled(t *testing.T) {
	if asked := os.Getenv(killed); asked != "" {
		beKilled(t, strings.SplitN(asked, " ", 3))
		return
	}
	t.Parallel()
	for i, step := range steps {
		for n := 0; ; n++ {
			s := stage(t, t.TempDir(), step.before)
			cmd := exec.Command(os.Args[0], "-test.run=^TestAProcessThatIsKilled$")
			cmd.Env = append(os.Environ(), killed+"="+strconv.Itoa(i)+" "+strconv.Itoa(n)+" "+s.Base)
			out, err := cmd.CombinedOutput()
			if err == nil {
				if n < 3 {
					t.Errorf("%s makes %d file calls", step.name, n)
				}
				break // it makes no more calls than that
			}
			if status, ok := cmd.ProcessState.Sys().(syscall.WaitStatus); !ok || status.Signal() != syscall.SIGKILL {
				t.Fatalf("%v: %s", err, out)
			}
			text, around := found(t, s)
			for _, path := range around {
				if name := filepath.Base(path); name != "a" && name != "b" && !strings.HasPrefix(name, ".settings.json.new-") {
					t.Errorf("%s, killed at call %d: it left %s", step.name, n+1, path)
				}
			}
			if text != step.before && text != step.after {
				t.Errorf("%s, killed at call %d: it says %q", step.name, n+1, text)
			}
			if _, err := s.Change(to(step.after)); err != nil {
				t.Errorf("%s, killed at call %d: %v", step.name, n+1, err)
			}
			if text, _ := found(t, s); text != step.after {
				t.Errorf("%s, killed at call %d, and made again: it says %q", step.name, n+1, text)
			}
		}
	}
}

func beKilled(t *testing.T, asked []string) {
	i, err := strconv.Atoi(asked[0])
	at, err2 := strconv.Atoi(asked[1])
	if err := errors.Join(err, err2); err != nil {
		t.Fatal(err)
	}
	s := Settings{Path: filepath.Join(asked[2], "a", "b", "settings.json"), Base: asked[2], Private: true}
	s.fault = func(string, string) error {
		if at--; at < 0 {
			syscall.Kill(os.Getpid(), syscall.SIGKILL)
			select {}
		}
		return nil
	}
	if _, err := s.Change(to(steps[i].after)); err != nil {
		t.Fatal(err)
	}
}
