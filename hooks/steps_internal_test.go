package hooks

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

const theirs = "#!/bin/sh\n# theirs\n"

// asked is the call at which the process is killed and the folder, for that process.
const asked = "GIT_TASKS_TEST_KILLED"

// TestAnInstallThatStops: at whichever file call one fails, or is killed, a push meets
// the hook of somebody else or ours, which asks that one; the next install goes on.
func TestAnInstallThatStops(t *testing.T) {
	if at, folder, ok := strings.Cut(os.Getenv(asked), " "); ok {
		beKilled(t, len(at), folder)
		return
	}
	t.Parallel()
	for name, stops := range map[string]func(n int, folder string) (over bool, err error){"fails": fail, "killed": kill} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for n := 0; ; n++ {
				folder := t.TempDir()
				if err := os.WriteFile(filepath.Join(folder, chained), []byte(theirs), 0o755); err != nil {
					t.Fatal(err)
				}
				over, err := stops(n, folder)
				if err != nil {
					t.Fatalf("call %d: %v", n+1, err)
				}
				meets(t, folder, n+1)
				if err := Write(folder, Script{Program: "/bin/sh"}); err != nil {
					t.Errorf("after call %d: %v", n+1, err)
				}
				if whose := meets(t, folder, n+1); whose != ours {
					t.Errorf("after call %d, and again, %s is not ours", n+1, chained)
				}
				if over { // it makes no more calls than that
					if n < 12 {
						t.Errorf("it makes %d file calls", n)
					}
					return
				}
			}
		})
	}
}

// meets holds what a push meets, and says whose it is.
func meets(t *testing.T, folder string, call int) kind {
	t.Helper()
	file := filepath.Join(folder, chained)
	before := file
	whose, err := look(file)
	if whose == ours {
		before = file + aside
	}
	text, err2 := os.ReadFile(before)
	if err := errors.Join(err, err2); err != nil || string(text) != theirs || !isRunnable(file) || !isRunnable(before) {
		t.Errorf("call %d: theirs is %q, and what a push meets runs: %v; %v", call, text, isRunnable(file), err)
	}
	second := filepath.Join(folder, scripts[1])
	if whose, err := look(second); err != nil || whose != none && (whose != ours || !isRunnable(second)) {
		t.Errorf("call %d: %s is half: %v, %v", call, scripts[1], whose, err)
	}
	return whose
}

var errStop = errors.New("no space left on device")

// fail makes a file call of an install fail; it is over where there is none so late.
func fail(n int, folder string) (over bool, err error) {
	over = true
	s := Script{Program: "/bin/sh", fault: func(string, string) error {
		if n--; n < 0 && over {
			over = false
			return errStop
		}
		return nil
	}}
	if err := Write(folder, s); over != (err == nil) {
		return over, err
	}
	files, err := filepath.Glob(filepath.Join(folder, ".*"))
	if len(files) > 0 {
		err = errors.New("it left " + strings.Join(files, " "))
	}
	return over, err
}

// kill has a process that installs killed at a file call.
func kill(n int, folder string) (over bool, err error) {
	cmd := exec.Command(os.Args[0], "-test.run=^TestAnInstallThatStops$")
	cmd.Env = append(os.Environ(), asked+"="+strings.Repeat("x", n)+" "+folder)
	err = cmd.Run()
	if status, ok := cmd.ProcessState.Sys().(syscall.WaitStatus); ok && status.Signal() == syscall.SIGKILL {
		return false, nil
	}
	return true, err
}

func beKilled(t *testing.T, n int, folder string) {
	s := Script{Program: "/bin/sh", fault: func(string, string) error {
		if n--; n < 0 {
			syscall.Kill(os.Getpid(), syscall.SIGKILL)
			select {}
		}
		return nil
	}}
	if err := Write(folder, s); err != nil {
		t.Fatal(err)
	}
}
