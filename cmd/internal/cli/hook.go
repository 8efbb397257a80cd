package cli

import (
	"encoding/json"

	urfave "github.com/urfave/cli/v2"

	"github.com/git-tasks/git-tasks/tools"
)

func (f *front) hookCommand() *urfave.Command {
	return &urfave.Command{
		Name: "hook", Usage: "what harnesses run", Hidden: true,
		Description: `echo '{"session":"one","owner":"ana"}' | git tasks hook session`,
		Subcommands: append([]*urfave.Command{{
			Name: "session", Usage: "remember a session: {session, owner?, bot?, title?, ended?} on standard input",
			Description: `echo '{"session":"one","owner":"ana"}' | git tasks hook session`,
			Action: func(c *urfave.Context) error {
				if err := arguments(c, 0, 0); err != nil {
					return err
				}
				text, err := f.stdin()
				if err != nil {
					return err
				}
				var report tools.Session
				if err := json.Unmarshal([]byte(text), &report); err != nil {
					return usage("standard input must be a JSON object {session, owner?, bot?, title?, ended?}")
				}
				return f.with(c, writes, func(o *opened) error { return o.store.ReportSession(c.Context, report) })
			},
		}, f.preCommitCommand(), f.preRebaseCommand(), f.pushHook("pre-receive", "say whether git may store a push", (*front).preReceive),
			f.pushHook("proc-receive", "land a push", (*front).procReceive)}, f.harnessHooks()...),
	}
}
