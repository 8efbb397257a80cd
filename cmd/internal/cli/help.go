package cli

import (
	"slices"
	"strings"

	cli "github.com/urfave/cli/v2"
)

// helpWidth is the width that every terminal has.
const helpWidth = 80

const globalHelp = `Flags of every command, before or behind its arguments:
  --repo PATH    the repository        --as NAME     who you are; "" for nobody
  --branch NAME  its branch (main)     --session ID  the session you are in
  --config FILE  the settings file     --json        print one JSON document
Environment: GIT_TASKS_REPO, _BRANCH, _CONFIG, _AS, _SESSION.
`

// help prints the help of the program, or of the command at path.
func (f *front) help(app *cli.App, path []string) {
	commands, at := app.Commands, (*cli.Command)(nil)
	for _, name := range path {
		at = commands[slices.IndexFunc(commands, func(c *cli.Command) bool { return c.HasName(name) })]
		commands = at.Subcommands
	}
	name := commandName(app, at)
	switch {
	case at == nil:
		f.printf("%s: %s\n\nusage: %s COMMAND [ARGUMENTS] [FLAGS]\n\n", name, app.Usage, name)
		f.commandList(commands)
		f.printf("\n%sexample: git tasks add \"Fix the login\" --priority high\n", globalHelp)
	case len(commands) > 0:
		f.printf("%s: %s\n\nusage: %s COMMAND [ARGUMENTS] [FLAGS]\n\n", name, at.Usage, name)
		f.commandList(commands)
		f.printf("\nexample: %s\n", at.Description)
	default:
		f.printf("%s: %s\n\nusage: %s\n", name, at.Usage, usageLine(name, at))
		if len(at.Flags) > 0 {
			f.printf("\n")
			f.flagList(at.Flags)
		}
		f.printf("\nAlso the flags of every command: git tasks help\nexample: %s\n", at.Description)
	}
}

func usageLine(name string, c *cli.Command) string {
	if c.ArgsUsage != "" {
		name += " " + c.ArgsUsage
	}
	if len(c.Flags) > 0 {
		name += " [FLAGS]"
	}
	return name
}

func (f *front) commandList(commands []*cli.Command) {
	width := 0
	for _, c := range commands {
		width = max(width, len(c.Name))
	}
	for _, c := range commands {
		if !c.Hidden {
			f.entry(c.Name, width, c.Usage)
		}
	}
}

func (f *front) flagList(flags []cli.Flag) {
	width := 0
	names := make([]string, len(flags))
	for i, flag := range flags {
		names[i] = "--" + flag.Names()[0]
		if flag.(cli.DocGenerationFlag).TakesValue() {
			names[i] += " " + placeholder(flag)
		}
		width = max(width, len(names[i]))
	}
	for i, flag := range flags {
		f.entry(names[i], width, flag.(cli.DocGenerationFlag).GetUsage())
	}
}

func placeholder(flag cli.Flag) string {
	switch flag.Names()[0] {
	case "plan", "blocked-by":
		return "ID"
	case "folder":
		return "PATH"
	case "since":
		return "TIME"
	}
	return "TEXT"
}

// entry prints a name and what it is, in two columns.
func (f *front) entry(name string, width int, doc string) {
	f.printf("  %-*s  ", width, name)
	column := 0
	for i, word := range strings.Fields(doc) {
		switch {
		case i == 0:
		case width+4+column+1+len(word) > helpWidth:
			f.printf("\n%*s", width+4, "")
			column = 0
		default:
			f.printf(" ")
			column++
		}
		f.printf("%s", word)
		column += len(word)
	}
	f.printf("\n")
}
