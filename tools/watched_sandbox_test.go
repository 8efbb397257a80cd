package tools_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/git-tasks/git-tasks/tools"
)

// watcherVariable names the list in which the test binary watches session s1, until
// its standard input ends, and the time behind a line feed.
const watcherVariable = "GIT_TASKS_TEST_WATCHER"

func watchInASandbox(job string) error {
	dir, at, _ := strings.Cut(job, "\n")
	now, err := time.Parse(time.RFC3339, at)
	if err != nil {
		return err
	}
	s, err := tools.Open(tools.Config{Path: dir, Now: func() time.Time { return now }})
	if err != nil {
		return err
	}
	defer s.Close()
	if err := s.WatchSession(context.Background(), "s1", os.Getpid()); err != nil {
		return err
	}
	fmt.Println("watching")
	_, err = io.Copy(io.Discard, os.Stdin)
	return err
}

// TestQueueASandboxCountsItsOwnProcesses: a process of a sandbox has a number that
// nobody has outside of it, and lives all the same.
func TestQueueASandboxCountsItsOwnProcesses(t *testing.T) {
	t.Parallel()
	sandbox := []string{"unshare", "--pid", "--fork", "--mount-proc"}
	if out, err := exec.Command(sandbox[0], append(sandbox[1:], "true")...).CombinedOutput(); err != nil {
		t.Skipf("processes cannot be counted anew here: %v %s", err, out)
	}
	s, clock, end := watchedClaim(t)
	cmd := exec.CommandContext(t.Context(), sandbox[0], append(sandbox[1:], os.Args[0])...)
	cmd.Env = append(os.Environ(), watcherVariable+"="+s.Dir()+"\n"+clock.Now().Format(time.RFC3339))
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(out).ReadString('\n'); line != "watching\n" {
		t.Fatalf("in the sandbox: %q, %v", line, err)
	}
	end() // the one outside, so that the sandbox's is the last
	clock.Pass(24 * time.Hour)
	othersSee(t, s, "while a process of a sandbox watches", "doing")
	in.Close()
	if err := cmd.Wait(); err != nil {
		t.Errorf("the sandbox ended with %v", err)
	}
	othersSee(t, s, "of which nobody outside can say whether it ended", "doing")
}
