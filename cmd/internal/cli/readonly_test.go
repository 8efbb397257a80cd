package cli_test

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// nobody is a user that owns nothing.
const nobody = 65534

// TestReadOnlyList plays a list that may not be written. Root may write
// everywhere, so there it is nobody who plays it, in a copy of this program.
func TestReadOnlyList(t *testing.T) {
	t.Parallel()
	const scripts = "testdata/readonly"
	if os.Geteuid() != 0 {
		play(t, scripts)
		return
	}
	dir := t.TempDir()
	program := filepath.Join(dir, "program")
	self, err := os.Executable()
	if err == nil {
		err = copyFile(self, program)
	}
	if err == nil {
		err = os.CopyFS(filepath.Join(dir, scripts), os.DirFS(scripts))
	}
	if err == nil {
		err = os.Chmod(filepath.Dir(dir), 0o755) // of this test alone
	}
	if err == nil {
		err = giveAway(dir, nobody)
	}
	if err != nil {
		t.Fatal(err)
	}
	args := []string{"-test.run=^TestReadOnlyList$", "-test.v"}
	if testing.CoverMode() != "" {
		args = append(args, "-test.gocoverdir="+dir) // which a program that counts nothing refuses
	}
	cmd := exec.CommandContext(t.Context(), program, args...)
	cmd.Dir, cmd.Env = dir, []string{"PATH=" + os.Getenv("PATH"), "HOME=" + dir, "TMPDIR=" + dir}
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	out, err := cmd.CombinedOutput()
	if errors.Is(err, fs.ErrPermission) {
		t.Skipf("this root may not become another user, or that user not reach %s: %v", dir, err)
	}
	if err != nil || !strings.Contains(string(out), "--- PASS: TestReadOnlyList/readonly") {
		t.Errorf("nobody's run ended with %v:\n%s", err, out)
	}
}

// copyFile leaves the copying to cp: while this process had the file open for
// writing, so had every child of another test between its fork and its exec, and
// the system starts no program that is being written.
func copyFile(from, to string) error { return exec.Command("cp", from, to).Run() }

// giveAway makes a folder and what is in it another user's.
func giveAway(dir string, user int) error {
	return filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return os.Chown(path, user, user)
	})
}
