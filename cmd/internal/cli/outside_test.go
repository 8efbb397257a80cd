package cli_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// programOf is a copy of this program that is git-tasks by its name, in a folder
// that every user can reach.
func programOf(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	program := filepath.Join(dir, "git-tasks")
	self, err := os.Executable()
	if err == nil {
		err = copyFile(self, program)
	}
	if err == nil {
		err = os.Chmod(filepath.Dir(dir), 0o755) // of this test alone
	}
	if err != nil {
		t.Fatal(err)
	}
	return program
}

// outside types the example where the process itself is in trouble: there is no
// git to be found, or nothing may be written.
func (n *newcomer) outside(program string) {
	if strings.Contains(n.help, " COMMAND [ARGUMENTS]") {
		return
	}
	if n.path[0] != "serve" { // which runs well then, and does not end
		n.section("no git on PATH")
		n.runs(program, "PATH="+n.env.Dir, nil)
	}
	n.section("nothing may be written")
	if os.Geteuid() != 0 { // root may write everywhere, so it has nobody do it
		if err := exec.CommandContext(n.t.Context(), "chmod", "-R", "a-w", n.env.Dir).Run(); err != nil {
			n.t.Fatal(err)
		}
		n.t.Cleanup(func() { exec.Command("chmod", "-R", "u+w", n.env.Dir).Run() })
		n.runs(program, "PATH="+os.Getenv("PATH"), nil)
		return
	}
	if err := os.Chmod(filepath.Dir(n.env.Dir), 0o755); err != nil { // of this test alone
		n.t.Fatal(err)
	}
	n.runs(program, "PATH="+os.Getenv("PATH"), &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}})
}

// runs types the example at the program.
func (n *newcomer) runs(program, path string, as *syscall.SysProcAttr) {
	n.t.Helper()
	ctx, stop := context.WithTimeout(n.t.Context(), time.Minute)
	defer stop()
	cmd := exec.CommandContext(ctx, program, n.example...)
	cmd.Dir, cmd.SysProcAttr = n.env.Dir, as
	cmd.Env = append(append([]string{}, n.env.Environ...), path, "TEST_NOW=2026-10-18T10:00:00Z", "GORACE=atexit_sleep_ms=0")
	out, err := cmd.CombinedOutput()
	var ended *exec.ExitError
	switch {
	case errors.Is(err, fs.ErrPermission):
		n.t.Skipf("this root may not become another user, or that user not reach %s: %v", program, err)
	case err != nil && !errors.As(err, &ended):
		n.t.Fatal(err)
	}
	n.write(n.env.Dir, n.example, strings.ReplaceAll(string(out), program, "/usr/bin/git-tasks"), cmd.ProcessState.ExitCode())
}

// golden holds what was got to a file, or writes the file.
func golden(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		t.Fatalf("%s is not there: write it with -update, and read it as somebody who is new here", file)
	}
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s is\n%s\nand the answers are\n%s", file, want, got)
	}
}
