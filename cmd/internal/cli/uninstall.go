package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	urfave "github.com/urfave/cli/v2"

	"github.com/git-tasks/git-tasks/cmd/internal/install"
	"github.com/git-tasks/git-tasks/tools"
)

func (f *front) uninstallCommand() *urfave.Command {
	return &urfave.Command{
		Name: "uninstall", Category: upkeep, ArgsUsage: "CLIENT", Usage: "take what install added out of a client's settings file",
		Description: "git tasks uninstall claude-code",
		Flags:       append(installFlags(), &urfave.BoolFlag{Name: "force", Usage: "take the entry out whatever it says"}),
		Action: func(c *urfave.Context) error {
			switch {
			case c.NArg() == 1 && c.Args().First() == cloneName:
				return f.uninstallClone(c)
			case c.NArg() == 1 && c.Args().First() == hooksName:
				return f.uninstallHooks(c)
			}
			client, settings, err := f.clientSettings(c)
			if err != nil {
				return err
			}
			return f.uninstall(c, client, settings)
		},
	}
}

func (f *front) uninstall(c *urfave.Context, client *mcpClient, settings install.Settings) error {
	var more []string
	var asks bool
	did := "absent"
	own := func(file []byte) ([]byte, error) {
		entry := client.entry(server{})
		found, err := client.format.Find(file, entry)
		if err != nil {
			return nil, err
		}
		if more, did = nil, "absent"; found != nil {
			if !c.Bool("force") && !f.isOurs(found) {
				err := &tools.Error{Code: tools.Conflict, Message: fmt.Sprintf("%s:%d: %s is another server's (%s); it stays as it is",
					settings.Path, found.Line, serverName, toldApart(found))}
				return nil, withHint(err, "--force takes it out all the same, --force --dry-run only shows how")
			}
			more, did = moreThanOurs(found), "removed"
		}
		before := file
		if file, asks, err = client.without(file, entry); err == nil && !bytes.Equal(before, file) {
			did = "removed"
		}
		return file, err
	}
	h := f.hooksOf(c, client)
	if h != nil {
		h.change = h.remove
	}
	e, he, err := editBoth(c, settings, own, h, func(file []byte) ([]byte, error) {
		file, err := h.remove(file) // they came last
		if err != nil {
			return nil, err
		}
		return own(file)
	})
	if err != nil {
		return err
	}
	if err := f.did(c, client, partsOf(part{serverName, did, e}, h, he)); err != nil {
		return err
	}
	if h != nil {
		h.noteStays()
	}
	if len(more) > 0 {
		f.note("the entry held more than install writes, which goes with it: " + strings.Join(more, ", "))
	}
	if asks && did == "removed" {
		f.note("the input " + inputID + " stays: it says something else than install writes, or another server needs it")
	}
	return nil
}

// without takes the entries out of a file, the last one first, as they came. What
// the client asks stays where it is not as install words it, or another server is
// asked for it; asks says that it does.
func (m *mcpClient) without(file []byte, entry install.Entry) (rest []byte, asks bool, err error) {
	rest, err = m.format.Remove(file, entry)
	if err != nil || !m.asks() {
		return rest, false, err
	}
	asked, err := m.format.Find(file, m.question())
	switch {
	case err != nil:
		return nil, false, err
	case asked == nil:
		return rest, false, nil
	case !asked.Says(m.question()) || bytes.Contains(rest, []byte("${input:"+inputID+"}")):
		return rest, true, nil
	}
	if file, err = m.format.Remove(file, m.question()); err != nil {
		return nil, false, err
	}
	rest, err = m.format.Remove(file, entry)
	return rest, false, err
}

// decoded is what an entry says, whoever wrote it.
func decoded(found *install.Found) (s server, fields map[string]json.RawMessage) {
	// What has other types than ours is none of ours, and stays empty here.
	if json.Unmarshal(found.Value, &fields) != nil || json.Unmarshal(found.Value, &s) != nil {
		return server{}, fields
	}
	return s, fields
}

// isOurs reports whether an entry starts this program, by whatever path, or names
// the address of a host.
func (f *front) isOurs(found *install.Found) bool {
	s, _ := decoded(found)
	if program := s.Command.program; program != "" {
		args := append(s.Command.args, s.Args...)
		return f.isOurProgram(program) || strings.TrimSuffix(filepath.Base(program), ".exe") == "git" && len(args) > 0 && args[0] == "tasks"
	}
	address := s.URL + s.HTTPURL
	if address == "" {
		return false
	}
	authorization := s.Headers["Authorization"] + s.Bearer
	where, err := url.Parse(address)
	return strings.Contains(authorization, tokenVariable) || strings.Contains(authorization, inputID) ||
		s.Headers[headerAs]+s.HTTPHeaders[headerAs] != "" ||
		err == nil && isLoopback(where.Hostname()) && strings.HasSuffix(where.Path, "/mcp")
}

// toldApart is what shows whose an entry is.
func toldApart(found *install.Found) string {
	s, _ := decoded(found)
	switch {
	case s.Command.program != "":
		return "command " + quoted(s.Command.program)
	case s.URL+s.HTTPURL != "":
		return "another address" // which may hold a secret
	}
	return "neither a command nor an address"
}

// moreThanOurs gives the keys of an entry that install never writes.
func moreThanOurs(found *install.Found) []string {
	_, fields := decoded(found)
	for _, key := range []string{"type", "command", "args", "url", "httpUrl", "headers", "bearer_token_env_var", "http_headers", "enabled"} {
		delete(fields, key)
	}
	return slices.Sorted(maps.Keys(fields))
}
