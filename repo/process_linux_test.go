package repo

import (
	"os/exec"
	"syscall"
	"testing"
)

// A process that has ended holds nothing any more, also while nobody has waited for
// it: else its lock would stand for as long as its parent lives.
func TestP1AProcessThatEndedIsNotAliveBeforeItIsWaitedFor(t *testing.T) {
	t.Parallel()
	cmd := exec.Command("cat")
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer cmd.Wait()
	start, _ := startOf(cmd.Process.Pid)
	p := process{cmd.Process.Pid, start}
	if !p.alive() || start == 0 {
		t.Errorf("%v is not alive", p)
	}
	in.Close() // it ends
	const byPID = 1
	if _, _, failed := syscall.Syscall6(syscall.SYS_WAITID, byPID, uintptr(p.pid), 0, syscall.WEXITED|syscall.WNOWAIT, 0, 0); failed != 0 {
		t.Fatal(failed)
	}
	if again, ended := startOf(p.pid); p.alive() || again != start || !ended {
		t.Errorf("alive %v, ended %v, started at %d, and now at %d", p.alive(), ended, start, again)
	}
}
