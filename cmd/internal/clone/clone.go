package clone

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/git-tasks/git-tasks/records"
	"github.com/git-tasks/git-tasks/tools"
)

// Clone is a working tree in which a person edits records.
type Clone struct {
	top     string // of the working tree, as git spells it
	dir     string // git directory of this working tree
	common  string // git directory that all working trees of the clone share
	environ []string
}

// Find gives the clone that a folder lies in. environ is what git is run with. A
// folder outside of every working tree is refused in words.
func Find(ctx context.Context, folder string, environ []string) (*Clone, error) {
	c := &Clone{top: folder, environ: environ}
	out, err := c.git(ctx, "rev-parse", "--path-format=absolute", "--show-toplevel", "--git-dir", "--git-common-dir")
	if errors.Is(err, exec.ErrNotFound) {
		return nil, err
	}
	lines := strings.Split(strings.TrimSuffix(string(out), "\n"), "\n")
	if err != nil || len(lines) != 3 {
		return nil, refused("%s is in no clone: git finds no working tree around it", folder)
	}
	c.top, c.dir, c.common = filepath.FromSlash(lines[0]), filepath.FromSlash(lines[1]), filepath.FromSlash(lines[2])
	return c, nil
}

// FindList gives the clone of a list that a folder lies in. A working tree
// without tasks and plans is none, and is refused in words.
func FindList(ctx context.Context, folder string, environ []string) (*Clone, error) {
	c, err := Find(ctx, folder, environ)
	if err != nil {
		return nil, err
	}
	for _, dir := range []string{records.TaskDir, records.PlanDir} {
		if info, err := os.Lstat(filepath.Join(c.top, dir)); err == nil && info.IsDir() {
			return c, nil
		}
	}
	return nil, refused("%s is no clone of a list: it has neither %s/ nor %s/", c.top, records.TaskDir, records.PlanDir)
}

// refused is a refusal of what was asked.
func refused(format string, args ...any) error {
	return &tools.Error{Code: tools.Invalid, Message: fmt.Sprintf(format, args...)}
}

// git runs git at the top of the working tree, and gives what it prints.
func (c *Clone) git(ctx context.Context, args ...string) ([]byte, error) {
	return c.gitWith(ctx, nil, args...)
}

// gitWith runs git with a text on standard input.
func (c *Clone) gitWith(ctx context.Context, stdin []byte, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, "git", args...)
	var said bytes.Buffer
	cmd.Dir, cmd.Env, cmd.Stdin, cmd.Stderr = c.top, c.environ, bytes.NewReader(stdin), &said
	cmd.WaitDelay = time.Second // what git started may hold its output open
	out, err := cmd.Output()
	if err != nil {
		words := strings.TrimSpace(said.String())
		if words == "" {
			return out, fmt.Errorf("git %s: %w", args[0], err)
		}
		return out, fmt.Errorf("git %s: %w: %s", args[0], err, words)
	}
	return out, nil
}

// names reads a list of paths that git ends with NUL.
func names(out []byte) []string {
	return strings.FieldsFunc(string(out), func(r rune) bool { return r == 0 })
}
