package cli

import (
	"strings"

	urfave "github.com/urfave/cli/v2"
)

// arguments refuses more or fewer arguments than a command takes, and an id that
// is empty, as that of a variable that nobody set: no record is meant by it.
func arguments(c *urfave.Context, least, most int) error {
	name, takes := c.Command.HelpName, strings.NewReplacer("[", "", "]", "").Replace(c.Command.ArgsUsage)
	example, _, _ := strings.Cut(c.Command.Description, "\n")
	switch n := c.NArg(); {
	case n < least:
		return withHint(usage("%s needs %s", name, takes), "example: "+example)
	case n == 1 && takes == "ID" && c.Args().First() == "":
		return withHint(usage("ID must not be empty"), "example: "+example)
	case n <= most:
		return nil
	case most == 0:
		return withHint(usage("%s takes no argument", name), name+" --help lists what it takes")
	case most == 1 && takes == "TITLE":
		return withHint(usage("%s takes one TITLE, not %d arguments", name, n),
			`put the title in quotes: "`+strings.Join(c.Args().Slice(), " ")+`"`)
	case takes == "TOOL JSON":
		return withHint(usage("%s takes %s, not %d arguments", name, takes, n), "put the JSON in single quotes: "+example)
	case most == 1:
		return withHint(usage("%s takes one %s, not %d arguments", name, takes, n), "example: "+example)
	default:
		return withHint(usage("%s takes %s, not %d arguments", name, takes, n), "example: "+example)
	}
}
