package cli

import (
	"fmt"
	"io"

	urfave "github.com/urfave/cli/v2"

	"github.com/git-tasks/git-tasks/cmd/internal/serve"
	"github.com/git-tasks/git-tasks/hooks"
	"github.com/git-tasks/git-tasks/tools"
)

// pushHook is a command that git runs by a script of ours, in the git directory.
// Which list it is about the script says: what steers the commands of whoever
// pushes does not steer it.
func (f *front) pushHook(name, does string, do func(*front, *urfave.Context, *tools.Store) error) *urfave.Command {
	return &urfave.Command{
		Name: name, Usage: does, Description: "git tasks --repo . --branch main hook " + name,
		Action: func(c *urfave.Context) error {
			if err := arguments(c, 0, 1); err != nil { // scripts of before do not say where they lie
				return err
			}
			if !c.IsSet("repo") || !c.IsSet("branch") {
				return usage("hook %s is run by the script that git tasks init writes", name)
			}
			f.plain = true
			settings, err := f.settings(c)
			if err != nil {
				return err
			}
			store, done, err := f.openStore(c, serves, tools.Config{Branch: c.String("branch"), Host: f.env.Host,
				Settings: settings, Environ: f.env.Environ, Now: f.env.Now, Log: f.log(), Incoming: f.env.get("GIT_QUARANTINE_PATH")})
			if err != nil {
				return err
			}
			defer done()
			defer store.Close()
			return do(f, c, store)
		},
	}
}

// preReceive judges a push that git has not stored yet.
func (f *front) preReceive(c *urfave.Context, store *tools.Store) error {
	pusher, err := serve.Pusher(c.Context, store, f.env.get("XDG_RUNTIME_DIR"), f.env.get(serve.PushSecret))
	if err != nil {
		return err
	}
	refs, err := io.ReadAll(f.env.Stdin)
	if err != nil {
		return fmt.Errorf("reading the refs of a push: %w", err)
	}
	push := hooks.Push{Refs: refs, Say: f.env.Stderr, Environ: f.env.Environ}
	if c.NArg() > 0 {
		push.Script = f.abs(c.Args().First())
	}
	return hooks.PreReceive(c.Context, push, func(l tools.Landing) error {
		l.Pusher = pusher
		return store.Judge(l)
	})
}

// procReceive lands a push.
func (f *front) procReceive(c *urfave.Context, store *tools.Store) error {
	return hooks.ProcReceive(f.env.Stdin, f.env.Stdout, func(l tools.Landing) (tools.Landed, error) {
		return serve.Land(c.Context, store, f.env.get("XDG_RUNTIME_DIR"), f.env.get(serve.PushSecret), l)
	}, func(line string) { fmt.Fprintln(f.env.Stderr, visibleText(line)) })
}

// equip gives a repository of ours the hooks that pushes to it go through; any
// other is left alone.
func (f *front) equip(dir string) error {
	return hooks.Install(dir, hooks.Script{Program: f.env.Program, Flags: []string{"--repo", ".", "--branch", "main"},
		Mend: "git-tasks init " + quoted(dir)})
}
