package cli

import (
	"strings"

	urfave "github.com/urfave/cli/v2"
)

// arguments refuses more or fewer arguments than a command takes.
func arguments(c *urfave.Context, least, most int) error {
	name, takes := c.Command.Name, c.Command.ArgsUsage
	switch n := c.NArg(); {
	case n < least:
		return withHint(usage("%s needs %s", name, takes), "example: "+c.Command.Description)
	case n <= most:
		return nil
	case most == 0:
		return usage("%s takes no argument", name)
	case most == 1 && takes == "TITLE":
		return withHint(usage("%s takes one TITLE, not %d arguments", name, n),
			`put the title in quotes: "`+strings.Join(c.Args().Slice(), " ")+`"`)
	default:
		return usage("%s takes %s, not %d arguments", name, takes, n)
	}
}
