package cli

import (
	"fmt"

	urfave "github.com/urfave/cli/v2"

	"github.com/git-tasks/git-tasks/cmd/internal/serve"
	"github.com/git-tasks/git-tasks/tools"
)

// hostTold is what became of telling the host that the settings were changed.
type hostTold struct {
	address string // "" where no host serves the list
	told    bool   // it goes by them
	reason  string // why it does not
}

// tellHost has the host of the list, where one runs, go by what a settings file says
// now. Whoever changes users need not have a list: then there is no host of it.
func (f *front) tellHost(c *urfave.Context, file string) hostTold {
	path, _, err := f.repository(c)
	if err != nil {
		return hostTold{}
	}
	branch, _, err := f.named(c, "branch", "GIT_TASKS_BRANCH")
	if err != nil {
		return hostTold{}
	}
	store, err := tools.Open(tools.Config{Path: path, Branch: branch, Host: f.env.Host, Environ: f.env.Environ, Now: f.env.Now, Log: f.log()})
	if err != nil {
		return hostTold{}
	}
	defer store.Close()
	holder, runs := serve.Running(store)
	if !runs {
		return hostTold{}
	}
	at := hostTold{address: holder.Address}
	switch ok, err := serve.Reload(c.Context, store, f.env.get("XDG_RUNTIME_DIR"), file); {
	case err != nil:
		at.reason = tools.AsError(err).Message
	case !ok:
		at.reason = fmt.Sprintf("it does not answer by its socket; a SIGHUP to process %d has it read them", holder.PID)
	default:
		at.told = true
	}
	return at
}

// warn says that a host goes by other users than the settings have now.
func (h hostTold) warn(f *front) {
	if h.address != "" && !h.told {
		f.note("the host at " + h.address + " goes by its old settings: " + h.reason)
	}
}
