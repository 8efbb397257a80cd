package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	urfave "github.com/urfave/cli/v2"

	"github.com/git-tasks/git-tasks/cmd/internal/install"
	"github.com/git-tasks/git-tasks/tools"
)

func (f *front) installCommand() *urfave.Command {
	return &urfave.Command{
		Name: "install", Category: upkeep, ArgsUsage: "CLIENT", Usage: "let an MCP client start this program, by its settings file",
		Description: "git tasks install claude-code --as pilot",
		Flags: append(installFlags(),
			&urfave.StringFlag{Name: "url", Usage: "`URL` the MCP address of a host, instead of this program"},
			&urfave.BoolFlag{Name: "force", Usage: "replace an entry that says something else"}),
		Action: func(c *urfave.Context) error {
			switch {
			case c.NArg() == 1 && c.Args().First() == cloneName:
				return f.installClone(c)
			case c.NArg() == 1 && c.Args().First() == hooksName:
				return f.installHooks(c)
			}
			client, settings, err := f.clientSettings(c)
			if err != nil {
				return err
			}
			return f.install(c, client, settings)
		},
	}
}

// installFlags are those that install and uninstall share.
func installFlags() []urfave.Flag {
	return []urfave.Flag{
		&urfave.BoolFlag{Name: "project", Usage: "the settings of the project around this folder, not the person's"},
		&urfave.BoolFlag{Name: "dry-run", Usage: "print what would change in the file, and change nothing"},
	}
}

// clientSettings gives the client that is named, and its file.
func (f *front) clientSettings(c *urfave.Context) (*mcpClient, install.Settings, error) {
	var none install.Settings
	if err := arguments(c, 1, 1); err != nil {
		hint := "CLIENT is one of " + strings.Join(clientNames(), ", ") + ", clone for the clone you are in, or hooks for those of the list"
		return nil, none, withHint(err, hint)
	}
	name := c.Args().First()
	client := clientNamed(name)
	if client == nil {
		err := usage("there is no client %q; the clients are %s, clone is the clone you are in, and hooks are those of the list", name, strings.Join(clientNames(), ", "))
		if near := nearest(name, append(clientNames(), cloneName, hooksName)); near != "" {
			return nil, none, withHint(err, `did you mean "`+near+`"?`)
		}
		return nil, none, err
	}
	if c.Bool("project") {
		if f.env.Dir == "" {
			return nil, none, usage("--project is about the folder that this is typed in, and there is none any more")
		}
		top := projectTop(f.env.Dir)
		return client, install.Settings{Path: filepath.Join(top, client.project), Base: top}, nil
	}
	if dir := f.env.get(client.user.variable); filepath.IsAbs(dir) {
		return client, install.Settings{Path: filepath.Join(dir, client.user.inVariable), Base: filepath.Clean(dir), Private: true}, nil
	}
	home := f.env.get("HOME")
	if !filepath.IsAbs(home) {
		return nil, none, usage("HOME must name a folder by an absolute path; the settings of %s are below it", client.called)
	}
	return client, install.Settings{Path: filepath.Join(home, client.user.inHome), Base: filepath.Clean(home), Private: true}, nil
}

// projectTop is the top of the working tree around a folder, else the folder.
func projectTop(dir string) string {
	for at := dir; ; at = filepath.Dir(at) {
		if _, err := os.Lstat(filepath.Join(at, ".git")); err == nil {
			return at
		}
		if at == filepath.Dir(at) {
			return dir
		}
	}
}

func (f *front) install(c *urfave.Context, client *mcpClient, settings install.Settings) error {
	entries, err := f.entries(c, client)
	if err != nil {
		return err
	}
	if !c.IsSet("url") {
		if err := f.startable(c, client); err != nil {
			return err
		}
	}
	did := "added"
	e, err := edit(c, settings, func(file []byte) ([]byte, error) {
		did = "added"
		for i, e := range entries {
			found, err := client.format.Find(file, e)
			if err != nil {
				return nil, err
			}
			switch {
			case found == nil:
			case i > 0: // what the client asks is the person's to word
				continue
			case found.Says(e):
				did = "kept"
			case !c.Bool("force"):
				return nil, f.differs(settings, found)
			default:
				did = "replaced"
			}
			if file, err = client.format.Add(file, e); err != nil {
				return nil, f.byHand(client, e, err)
			}
		}
		return file, nil
	})
	if err != nil {
		return err
	}
	if did == "kept" && e.Changes() {
		did = "added"
	}
	return f.installed(c, client, e, did)
}

// startable refuses an entry that would start nothing: nobody sees why when a
// client says only that a server failed.
func (f *front) startable(c *urfave.Context, client *mcpClient) error {
	if f.isPassing() && !c.Bool("dry-run") {
		return usage("%s would keep an entry that starts nothing", client.called)
	}
	if _, err := f.settings(c); err != nil {
		return err
	}
	if _, named, err := f.repository(c); err != nil || !named {
		return err // the default one is made when it is first needed
	}
	_, done, err := f.open(c, reads)
	if err == nil {
		done()
	}
	return err
}

// edit makes a change, or only looks what it would be.
func edit(c *urfave.Context, settings install.Settings, change func([]byte) ([]byte, error)) (*install.Edit, error) {
	if c.Bool("dry-run") {
		return settings.Try(change)
	}
	return settings.Change(change)
}

// differs refuses to replace an entry.
func (f *front) differs(settings install.Settings, found *install.Found) error {
	what := "says something else than it would"
	if !f.isOurs(found) {
		what = "is another server's (" + toldApart(found) + ")"
	}
	err := &tools.Error{Code: tools.Conflict,
		Message: fmt.Sprintf("%s:%d: %s is there and %s; it stays as it is", settings.Path, found.Line, serverName, what)}
	return withHint(err, "--force replaces it, --force --dry-run only shows how")
}

// byHand gives the line for a file that an entry cannot be put into.
func (f *front) byHand(client *mcpClient, e install.Entry, err error) error {
	text, terr := client.format.Add(nil, e)
	if terr != nil {
		return err
	}
	return withHint(err, "what it must say, as a table of its own:\n"+strings.TrimSuffix(string(text), "\n"))
}

// installed says what was done to which file, and what is next.
func (f *front) installed(c *urfave.Context, client *mcpClient, e *install.Edit, did string) error {
	if err := f.did(c, client, e, did); err != nil || f.json || c.Bool("dry-run") {
		return err
	}
	next := client.look
	if c.Bool("project") && client.projectAsks != "" {
		next += "; " + client.projectAsks
	}
	f.note(next)
	if client.ownList != "" {
		f.note(client.ownList)
	}
	return nil
}

// did prints what became of a file.
func (f *front) did(c *urfave.Context, client *mcpClient, e *install.Edit, did string) error {
	dry := c.Bool("dry-run")
	if f.json {
		document := map[string]any{"client": client.name, "file": e.Path, "did": did}
		if dry {
			document["diff"] = e.Diff()
		}
		return f.document(document)
	}
	words := map[string]string{
		"added": "added %s to %s\n", "replaced": "replaced %s in %s\n", "removed": "removed %s from %s\n",
		"kept": "%s stands in %s already\n", "absent": "%s is not in %s\n",
	}
	if !dry || !e.Changes() {
		f.printf(words[did], serverName, visibleText(e.Path))
		return f.flush()
	}
	diff := e.Diff()
	if f.env.Width > 0 {
		diff = visibleText(diff)
	}
	f.printf("%s", diff)
	if err := f.flush(); err != nil {
		return err
	}
	f.note("nothing was changed (--dry-run)")
	return nil
}
