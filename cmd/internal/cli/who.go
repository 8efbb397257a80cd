package cli

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"time"

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
	who := tools.Who{Session: session, Folder: f.env.Dir, Agent: f.env.get("GIT_TASKS_AGENT")}
	named, ok := f.env.lookup("GIT_TASKS_AS")
	if c.IsSet("as") {
		named, ok = c.String("as"), true
	}
	token := f.env.get(tokenVariable)
	switch {
	case ok:
		who.Person = named
	case what == reads || what == serves:
	case token != "" && len(settings.Users) > 0:
		if who.Person, ok = settings.Person(token); !ok {
			return who, withHint(&tools.Error{Code: tools.Unauthenticated, Message: tokenVariable + " is no user's token"},
				"git tasks token list shows who has one; --as NAME goes without")
		}
	default:
		var err error
		who.Person, err = f.person(c)
		return who, err
	}
	return who, nil
}

// person asks git with the person's own settings, which are those of the
// working folder too.
func (f *front) person(c *urfave.Context) (string, error) {
	out, err := f.askGit(c.Context, "config", "user.name")
	switch name := repo.CleanName(strings.TrimSuffix(out, "\n")); {
	case err == nil && name != "":
		return name, nil
	case errors.Is(err, errGitHangs):
		return "", withHint(err, "--as NAME says who you are, and git is not asked")
	}
	return repo.CleanName(f.env.User()), nil
}

// gitWait is how long git may take to say what it knows without a look at any
// repository's objects.
const gitWait = 5 * time.Second

var errGitHangs = fmt.Errorf("git did not answer within %v", gitWait)

// askGit gives what git prints, as it runs for the person.
func (f *front) askGit(ctx context.Context, args ...string) (string, error) {
	limited, stop := context.WithTimeout(ctx, gitWait)
	defer stop()
	cmd := exec.CommandContext(limited, "git", args...)
	cmd.Dir, cmd.Env, cmd.WaitDelay = f.env.Dir, f.env.Environ, time.Second
	out, err := cmd.Output()
	if err != nil && limited.Err() != nil && ctx.Err() == nil {
		err = errGitHangs
	}
	return string(out), err
}
