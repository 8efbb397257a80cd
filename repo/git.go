package repo

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"time"
)

// killWait is how long a git that was killed may be waited for: what it had
// started may live on and hold its output.
const killWait = 2 * time.Second

// GitEnviron gives what git is to find in its environment where nothing may steer
// it: the variables of environ ("NAME=value"), but none that is git's or ours
// (GIT_…); and that there are no settings of the user or the system, nobody to
// ask, and one language.
func GitEnviron(environ []string) []string {
	var own []string
	for _, v := range environ {
		if !strings.HasPrefix(v, "GIT_") && !strings.HasPrefix(v, "LC_ALL=") {
			own = append(own, v)
		}
	}
	return append(own, "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=/dev/null", "GIT_TERMINAL_PROMPT=0", "LC_ALL=C")
}

// git runs a git command on the repository and gives what it printed. Nothing
// inherited steers it: no GIT_ variable, no settings of the user or system, no
// hook, no file monitor, and no object that was put in another's place. It
// inherits the file held, where there is one, and with it the lock on it: should
// this process be killed, git still runs on.
func (r *Repo) git(ctx context.Context, held *os.File, args ...string) (string, error) {
	return r.gitTold(ctx, held, strings.NewReader(""), args...)
}

// gitTold is git with something on its standard input.
func (r *Repo) gitTold(ctx context.Context, held *os.File, input io.Reader, args ...string) (string, error) {
	name := args[0]
	args = append([]string{"--no-replace-objects", "-c", "core.hooksPath=/dev/null", "-c", "core.fsmonitor=false", "-c", "core.commitGraph=" + strconv.FormatBool(name != "fsck"),
		"-c", "core.fsync=all", "-c", "pack.packSizeLimit=0", "--git-dir=" + r.dir}, args...)
	cmd := exec.CommandContext(ctx, "git", args...)
	cmd.Env = append(slices.Clip(r.environ), "GIT_OPTIONAL_LOCKS=0")
	cmd.WaitDelay = killWait
	if r.incoming != "" {
		cmd.Env = append(cmd.Env, "GIT_ALTERNATE_OBJECT_DIRECTORIES="+strconv.Quote(r.incoming))
	}
	if held != nil {
		cmd.ExtraFiles = []*os.File{held}
	}
	var out, errs bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = input, &out, &errs
	if err := cmd.Run(); err != nil {
		said := strings.TrimSpace(out.String() + errs.String())
		if errors.Is(err, exec.ErrNotFound) {
			return "", errors.New("git is not on PATH")
		}
		return "", fmt.Errorf("git %s: %w: %s", name, err, said)
	}
	return out.String(), nil
}

// exitedWith reports whether git ended with an exit code.
func exitedWith(err error, code int) bool {
	var exit *exec.ExitError
	return errors.As(err, &exit) && exit.ExitCode() == code
}

// Fsck lets git check every object that the repository holds. A finding is an
// error with git's own words. What nothing refers to is no finding.
//
// The commit-graph, a cache, is left out as well: of a history that was rewritten
// and pruned it still names commits until git writes it again.
//
// It goes on beside writers: no roll-up of ours takes packs away meanwhile, the
// reflog is left out since it may name commits that came after git looked for
// them, and a finding counts when it is found twice.
func (r *Repo) Fsck(ctx context.Context) error {
	var held *os.File
	err := r.disk.mkdir(r.own(""))
	if err == nil {
		held, err = flock(ctx, r.own("rollup"))
	}
	switch {
	case err == nil:
		defer unlock(held)
	case ctx.Err() != nil:
		return err
	} // else the list is only read here, and looking twice has to do
	for range 2 {
		_, err = r.git(ctx, held, "fsck", "--strict", "--no-dangling", "--no-reflogs", "--no-progress")
		if err == nil || ctx.Err() != nil {
			return err
		}
	}
	return err
}
