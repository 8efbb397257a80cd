package cli

import (
	"os/exec"
	"strings"

	urfave "github.com/urfave/cli/v2"

	"github.com/git-tasks/git-tasks/repo"
	"github.com/git-tasks/git-tasks/tools"
)

// who tells whoever calls: the person named, "" among them for nobody, else the
// user whose token the environment has, where the settings have users, else the
// one git knows, else the user of this machine. A command that only reads asks
// for no name.
func (f *front) who(c *urfave.Context, what access, settings *tools.Settings) (tools.Who, error) {
	session := f.env.get("GIT_TASKS_SESSION")
	if c.IsSet("session") {
		session = c.String("session")
	}
	who := tools.Who{Session: session, Folder: f.env.Dir}
	named, ok := f.env.lookup("GIT_TASKS_AS")
	if c.IsSet("as") {
		named, ok = c.String("as"), true
	}
	token := f.env.get(tokenVariable)
	switch {
	case ok:
		who.Person = named
	case what != writes:
	case token != "" && len(settings.Users) > 0:
		if who.Person, ok = settings.Person(token); !ok {
			return who, withHint(&tools.Error{Code: tools.Denied, Message: tokenVariable + " is no user's token"},
				"git tasks token list shows who has one; --as NAME goes without")
		}
	default:
		who.Person = f.person(c)
	}
	return who, nil
}

// person asks git with the person's own settings, which are those of the
// working folder too.
func (f *front) person(c *urfave.Context) string {
	cmd := exec.CommandContext(c.Context, "git", "config", "user.name")
	cmd.Dir, cmd.Env = f.env.Dir, f.env.Environ
	if out, err := cmd.Output(); err == nil {
		if name := repo.CleanName(strings.TrimSuffix(string(out), "\n")); name != "" {
			return name
		}
	}
	return repo.CleanName(f.env.User())
}
