package clone_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/git-tasks/git-tasks/cmd/internal/clone"
)

// A record is typed as one types, and mended before it is pushed.
func Example() {
	dir, err := os.MkdirTemp("", "clone-")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	ctx := context.Background()
	os.Mkdir(filepath.Join(dir, "tasks"), 0o755)
	os.WriteFile(filepath.Join(dir, "tasks", "login.md"), []byte("---\ntitle: Fix: the login\n---\n"), 0o644)
	if err := exec.Command("git", "init", "-q", dir).Run(); err != nil {
		fmt.Println(err)
		return
	}
	c, err := clone.FindList(ctx, dir, os.Environ())
	if err != nil {
		fmt.Println(err)
		return
	}
	changed, err := c.Changed(ctx)
	if err != nil {
		fmt.Println(err)
		return
	}
	done, err := c.Format(changed, true)
	fmt.Println(done.Mended, done.Left, err)
	// Output: [tasks/login.md:2: put title in quotes] [] <nil>
}
