package cli

import (
	"net"
	"net/url"
	"path/filepath"
	"strings"

	urfave "github.com/urfave/cli/v2"

	"github.com/git-tasks/git-tasks/cmd/internal/install"
)

func (f *front) mcpConfigCommand() *urfave.Command {
	return &urfave.Command{
		Name: "config", Usage: "print what the settings of an MCP client need",
		Description: "git tasks mcp config --client claude-code --as pilot",
		Flags: []urfave.Flag{
			&urfave.StringFlag{Name: "client", Usage: "`NAME` " + strings.Join(clientNames(), ", ")},
			&urfave.StringFlag{Name: "url", Usage: "`URL` the MCP address of a host, instead of this program"},
			toolsFlag(),
		},
		Action: func(c *urfave.Context) error {
			if err := arguments(c, 0, 0); err != nil {
				return err
			}
			return f.mcpConfig(c)
		},
	}
}

func (f *front) mcpConfig(c *urfave.Context) error {
	client := clientNamed(c.String("client"))
	if client == nil {
		return withHint(usage("--client must be one of %s", strings.Join(clientNames(), ", ")), "example: "+c.Command.Description)
	}
	entries, err := f.entries(c, client)
	if err != nil {
		return err
	}
	text, err := client.text(entries)
	if err != nil {
		return err
	}
	if f.json {
		return f.document(map[string]string{"client": client.name, "file": client.files(), "text": text})
	}
	f.printf("%s", text)
	if err := f.flush(); err != nil {
		return err
	}
	f.note("this belongs into " + client.files())
	f.note("git tasks install " + client.name + " puts it there")
	return nil
}

// entries are what a client's settings need, with whatever the person should know
// of it said beside.
func (f *front) entries(c *urfave.Context, client *mcpClient) ([]install.Entry, error) {
	if err := knownTools(c); err != nil {
		return nil, err
	}
	if !c.IsSet("url") {
		args, err := f.mcpArgs(c)
		if err != nil {
			return nil, err
		}
		if c.String("tools") == coreTools {
			args = append(args, "--tools", coreTools)
		}
		if f.isPassing() {
			f.note(passing)
		}
		return client.stdio(f.env.Program, args), nil
	}
	if c.IsSet("tools") {
		return nil, usage("--tools is not for an address: a host offers every tool")
	}
	where, err := url.Parse(c.String("url"))
	if err != nil || where.Scheme != "http" && where.Scheme != "https" || where.Host == "" || where.User != nil {
		return nil, usage("--url must be an address like http://127.0.0.1:7433/mcp, without a name or a password")
	}
	settings, err := f.settings(c)
	if err != nil {
		return nil, err
	}
	as, _ := f.asNamed(c)
	near := isLoopback(where.Hostname())
	if near && len(settings.Users) == 0 {
		if strings.ContainsFunc(as, func(r rune) bool { return r < ' ' || r > '~' }) {
			return nil, usage("--as goes into a header there, which takes letters of ASCII alone")
		}
		return client.http(where.String(), false, as), nil
	}
	if c.IsSet("as") {
		f.note("--as says nothing there: the token does")
	}
	f.note("the token is read from GIT_TASKS_TOKEN, or asked for; git tasks token add makes one on the host")
	if !near && where.Scheme == "http" {
		f.note("http:// to another machine shows the token to everyone between; use https://")
	}
	return client.http(where.String(), true, ""), nil
}

// passing says that a client could not start this program later.
const passing = "this program is a build of go run, which is removed; go install ./cmd/git-tasks makes one that stays"

func (f *front) isPassing() bool { return strings.Contains(f.env.Program, "go-build") }

func isLoopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// mcpArgs are the arguments that serve the list which this command line names:
// a client starts the program elsewhere, and in another environment.
func (f *front) mcpArgs(c *urfave.Context) ([]string, error) {
	args := []string{"mcp"}
	for _, flag := range []struct {
		name, variable string
		isPath         bool
	}{{"repo", "GIT_TASKS_REPO", true}, {"branch", "GIT_TASKS_BRANCH", false}, {"config", "GIT_TASKS_CONFIG", true}} {
		value, named, err := f.named(c, flag.name, flag.variable)
		if err != nil {
			return nil, err
		}
		if flag.isPath {
			value = f.abs(value)
		}
		if named {
			args = append(args, "--"+flag.name, value)
		}
	}
	if as, named := f.asNamed(c); named {
		args = append(args, "--as="+as) // in one word, since it may be empty
	}
	for i, arg := range args {
		if i > 0 && filepath.IsAbs(arg) {
			args[i] = filepath.Clean(arg)
		}
	}
	return args, nil
}

// asNamed gives who is to call, and whether anyone said so, be it nobody.
func (f *front) asNamed(c *urfave.Context) (as string, named bool) {
	if c.IsSet("as") {
		return c.String("as"), true
	}
	return f.env.lookup("GIT_TASKS_AS")
}
