package repo_test

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/git-tasks/git-tasks/repo"
	"github.com/git-tasks/git-tasks/repo/repotest"
)

var killRounds = flag.Int("rounds", 0, "kill rounds of TestP1KilledWriter; 0 is what the run asks for, 5000 is a soak")

// childRole is the variable that makes this test binary one of the processes
// the tests start and kill.
const childRole = "GIT_TASKS_TEST_CHILD"

func TestMain(m *testing.M) {
	role := os.Getenv(childRole)
	if role == "" {
		os.Exit(m.Run())
	}
	if err := runChild(role, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

func runChild(role string, args []string) error {
	switch role {
	case "writers":
		return childWriters(args[0], args[1])
	case "step":
		return childStep(args[0], args[1], args[2], args[3], args[4])
	case "batch":
		return childBatch(args[0], args[1])
	case "update":
		return childUpdate(args[0], args[1], args[2])
	case "series":
		return childSeries(args[0], args[1], args[2])
	case "reader":
		return childReader(args[0], args[1])
	case "init":
		made, err := repo.Init(args[0])
		fmt.Println(made)
		return err
	case "hold":
		return childHold(args[0])
	}
	return fmt.Errorf("no child does %q", role)
}

// child is this binary in a role.
func child(t testing.TB, role string, args ...string) *exec.Cmd {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(exe, args...)
	cmd.Env = append(repotest.Env(t), childRole+"="+role)
	return cmd
}

// childWriters commits from eight goroutines until it is killed, and says of
// each commit where its file is, after the answer.
func childWriters(dir, prefix string) error {
	r, err := repo.Open(dir, repo.Options{})
	if err != nil {
		return err
	}
	fmt.Println("ready")
	var all sync.WaitGroup
	failed := make(chan error, 8)
	for k := range 8 {
		all.Go(func() {
			for n := 0; ; n++ {
				path := fmt.Sprintf("%s/g%d/%d.md", prefix, k, n)
				receipt, err := r.Update(noContext(), put("ana", path, path))
				if err != nil {
					failed <- err
					return
				}
				fmt.Printf("%s %s\n", path, receipt.Commits[0])
			}
		})
	}
	all.Wait()
	return <-failed
}

// childStep makes one of the changes and kills itself before file call n of it.
func childStep(dir, branch, name, pushed, n string) error {
	last, err := strconv.Atoi(n)
	if err != nil {
		return err
	}
	brought, err := repo.ParseID(pushed)
	if err != nil {
		return err
	}
	at := slices.IndexFunc(changes, func(c change) bool { return c.name == name })
	if at < 0 {
		return fmt.Errorf("no change is called %q", name)
	}
	calls := 0
	r, err := repo.Open(dir, repo.Options{Branch: branch, Fault: func(string, string) error {
		if calls++; calls == last {
			syscall.Kill(os.Getpid(), syscall.SIGKILL)
			select {}
		}
		return nil
	}})
	if err != nil {
		return err
	}
	return sayAnswer(r.Update(noContext(), changes[at].edit(brought)))
}

func childUpdate(dir, branch, path string) error {
	r, err := repo.Open(dir, repo.Options{Branch: branch})
	if err != nil {
		return err
	}
	if err := sayAnswer(r.Update(noContext(), put("ana", path, path))); err != nil {
		return err
	}
	return r.Close()
}

// sayAnswer writes what a caller would be told, in one piece.
func sayAnswer(receipt repo.Receipt, err error) error {
	text := "refused"
	switch {
	case err == nil:
		text = "answered " + receipt.Commits[0].String()
	case repo.IsKind(err, repo.Unconfirmed):
		text = "unconfirmed"
	}
	if err != nil {
		text += " " + err.Error()
	}
	_, err = io.WriteString(os.Stdout, text+"\n")
	return err
}

func childSeries(dir, prefix, count string) error {
	n, err := strconv.Atoi(count)
	if err != nil {
		return err
	}
	r, err := repo.Open(dir, repo.Options{})
	if err != nil {
		return err
	}
	for i := range n {
		path := fmt.Sprintf("%s/%d.md", prefix, i)
		if _, err := r.Update(noContext(), put("ana", path, path)); err != nil {
			return err
		}
	}
	return r.Close()
}

// childReader reads the whole tip again and again, until its input ends, and
// says how often.
func childReader(dir, branch string) error {
	r, err := repo.Open(dir, repo.Options{Branch: branch})
	if err != nil {
		return err
	}
	defer r.Close()
	stop := make(chan struct{})
	go func() {
		io.Copy(io.Discard, os.Stdin)
		close(stop)
	}()
	for n := 0; ; n++ {
		select {
		case <-stop:
			fmt.Println(n)
			return nil
		default:
		}
		if _, err := readAll(r); err != nil {
			return fmt.Errorf("read %d: %w", n, err)
		}
	}
}

// childHold makes a file and holds it until its input ends.
func childHold(path string) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	defer f.Close()
	fmt.Println("held")
	_, err = io.Copy(io.Discard, os.Stdin)
	return errors.Join(err, os.Remove(path))
}

// whole reports whether the heavy suites run whole.
func whole() bool { return os.Getenv("GIT_TASKS_TEST_FULL") == "1" }

// tenth is n in a whole run, and a tenth of it in a plain one.
func tenth(n int) int {
	if whole() {
		return n
	}
	return max(1, n/10)
}

// lines reads a child's output to its end.
func lines(r io.Reader) []string {
	var all []string
	for s := bufio.NewScanner(r); s.Scan(); {
		all = append(all, s.Text())
	}
	return all
}

// noLeftovers wants a git directory to be clean after a write. A roll-up that is
// still at work removes packs in two steps and is waited for.
func noLeftovers(t testing.TB, dir, what string) {
	t.Helper()
	limit := time.After(20 * time.Second)
	for left := leftovers(t, dir); len(left) > 0; left = leftovers(t, dir) {
		select {
		case <-limit:
			t.Fatalf("%s: there are still %q", what, left)
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// leftovers lists what a try may leave behind in a git directory and should not.
func leftovers(t testing.TB, dir string) []string {
	t.Helper()
	var left []string
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil {
			if errors.Is(err, fs.ErrNotExist) { // a roll-up took it away
				return nil
			}
			return err
		}
		name := d.Name()
		inPack := filepath.Base(filepath.Dir(path)) == "pack"
		base, isIndex := strings.CutSuffix(path, ".idx")
		_, noPack := os.Lstat(base + ".pack")
		base, isPack := strings.CutSuffix(path, ".pack")
		_, noIndex := os.Lstat(base + ".idx")
		if strings.HasPrefix(name, "ref.") || strings.HasSuffix(name, ".lock") || strings.HasSuffix(name, ".keep") ||
			inPack && strings.HasPrefix(name, "git-tasks.") || isIndex && noPack != nil || isPack && noIndex != nil {
			left = append(left, strings.TrimPrefix(path, dir+"/"))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return left
}
