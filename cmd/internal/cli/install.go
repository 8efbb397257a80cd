package cli

import (
	"bytes"
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
			toolsFlag(),
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
	if c.Bool("project") && f.env.Dir == "" {
		return nil, none, usage("--project is about the folder that this is typed in, and there is none any more")
	}
	settings := f.settingsAt(c, client.user, client.project)
	if !filepath.IsAbs(settings.Path) {
		return nil, none, usage("HOME must name a folder by an absolute path; the settings of %s are below it", client.called)
	}
	return client, settings, nil
}

// settingsAt is a settings file of the person, or of the project around this folder.
func (f *front) settingsAt(c *urfave.Context, user place, project string) install.Settings {
	if c.Bool("project") {
		top := projectTop(f.env.Dir)
		return install.Settings{Path: filepath.Join(top, project), Base: top}
	}
	if dir := f.env.get(user.variable); filepath.IsAbs(dir) {
		return install.Settings{Path: filepath.Join(dir, user.inVariable), Base: filepath.Clean(dir), Private: true}
	}
	home := f.env.get("HOME")
	return install.Settings{Path: filepath.Join(home, user.inHome), Base: filepath.Clean(home), Private: true}
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
	own := func(file []byte) (_ []byte, err error) {
		before := file
		if file, did, err = f.addEntries(c, client, settings, file, entries); err == nil && did == "kept" && !bytes.Equal(before, file) {
			did = "added"
		}
		return file, err
	}
	h := f.hooksOf(c, client)
	if h != nil {
		if _, err := h.settings.Try(h.add); err != nil {
			return err // before anything is changed
		}
	}
	e, he, err := editBoth(c, settings, own, h, func(file []byte) ([]byte, error) {
		file, err := own(file)
		if err != nil {
			return nil, err
		}
		return h.add(file)
	})
	if err != nil {
		return err
	}
	return f.installed(c, client, partsOf(part{serverName, did, e}, h, he))
}

// addEntries puts a client's entries into a file, the server's own first, and says
// what became of that.
func (f *front) addEntries(c *urfave.Context, client *mcpClient, settings install.Settings, file []byte, entries []install.Entry) (_ []byte, did string, err error) {
	did = "added"
	for i, e := range entries {
		found, err := client.format.Find(file, e)
		if err != nil {
			return nil, "", err
		}
		switch {
		case found == nil:
		case i > 0: // what the client asks is the person's to word
			continue
		case found.Says(e):
			did = "kept"
		case !c.Bool("force"):
			return nil, "", f.differs(settings, found)
		default:
			did = "replaced"
		}
		if file, err = client.format.Add(file, e); err != nil {
			return nil, "", f.byHand(client, e, err)
		}
	}
	return file, did, nil
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
func (f *front) installed(c *urfave.Context, client *mcpClient, parts []part) error {
	if err := f.did(c, client, parts); err != nil || f.json || c.Bool("dry-run") {
		return err
	}
	next := client.look
	if c.Bool("project") && client.projectAsks != "" {
		next += "; " + client.projectAsks
	}
	f.note(next)
	if len(parts) > 1 && client.hooks.look != "" {
		f.note(client.hooks.look)
	}
	if client.ownList != "" {
		f.note(client.ownList)
	}
	return nil
}

// part is what became of one thing that stands in a client's settings.
type part struct {
	what string
	did  string
	edit *install.Edit
}

// sentence says so in a line.
func (p part) sentence() string {
	words := map[string]string{
		"added": "added %s to %s\n", "replaced": "replaced %s in %s\n", "removed": "removed %s from %s\n",
		"kept": "%s stands in %s already\n", "absent": "%s is not in %s\n",
	}
	if p.what == ownHooks {
		words["stays"] = "%s in %s stay\n"
		words["kept"], words["absent"] = "%s stand in %s already\n", "%s are not in %s\n"
	}
	return fmt.Sprintf(words[p.did], p.what, visibleText(p.edit.Path))
}

// document is the same for a program.
func (p part) document(dry bool) map[string]any {
	said := map[string]any{"file": p.edit.Path, "did": p.did}
	if dry {
		said["diff"] = p.edit.Diff()
	}
	return said
}

// did prints what became of a client's files.
func (f *front) did(c *urfave.Context, client *mcpClient, parts []part) error {
	dry := c.Bool("dry-run")
	if f.json {
		document := parts[0].document(dry)
		document["client"] = client.name
		for _, p := range parts[1:] {
			document[p.what] = p.document(dry)
		}
		return f.document(document)
	}
	changes := false
	for i, p := range parts {
		if !dry || !p.edit.Changes() {
			f.printf("%s", p.sentence())
			continue
		}
		changes = true
		if i > 0 && p.edit == parts[i-1].edit {
			continue // both stand in one file
		}
		diff := p.edit.Diff()
		if f.env.Width > 0 {
			diff = visibleText(diff)
		}
		f.printf("%s", diff)
	}
	if err := f.flush(); err != nil {
		return err
	}
	if changes {
		f.note("nothing was changed (--dry-run)")
	}
	return nil
}
