package cli

import (
	"strings"

	urfave "github.com/urfave/cli/v2"
)

// helpWidth is the width that every terminal has.
const helpWidth = 80

const globalHelp = `Flags of every command, or GIT_TASKS_REPO, _BRANCH, _CONFIG, _AS, _SESSION:
  --repo PATH    the repository        --as NAME     who you are; "" for nobody
  --branch NAME  its branch (main)     --session ID  the session you are in
  --config FILE  the settings file     --json        print one JSON document
`

// help prints the help of the command that was named.
func (f *front) help(l *commandLine) {
	at := l.at
	f.printf("%s: %s\n\nusage: %s\n", at.HelpName, at.Usage, usageLine(at))
	switch {
	case len(at.Subcommands) > 0:
		f.printf("\n")
		f.commands(at.VisibleCommands())
	case len(at.Flags) > 0:
		f.printf("\n")
		f.flagList(at.Flags)
	}
	f.printf("\n")
	switch {
	case at == l.program:
		f.printf("%s", globalHelp)
	case len(at.Subcommands) == 0:
		f.printf("Also the flags of every command: git tasks help\n")
	}
	f.printf("example: %s\n", at.Description)
}

func usageLine(c *urfave.Command) string {
	if len(c.Subcommands) > 0 && c.Action != nil {
		return c.HelpName + " [COMMAND] [FLAGS]"
	}
	if len(c.Subcommands) > 0 {
		return c.HelpName + " COMMAND [ARGUMENTS] [FLAGS]"
	}
	line := strings.TrimRight(c.HelpName+" "+c.ArgsUsage, " ")
	if len(c.Flags) > 0 {
		line += " [FLAGS]"
	}
	return line
}

// upkeep is the category of the commands that nobody needs every day. The help
// of the program names them in a line, so that it stays one screen.
const upkeep = "upkeep"

func (f *front) commands(all []*urfave.Command) {
	var daily []*urfave.Command
	var others []string
	for _, c := range all {
		if c.Category == upkeep {
			others = append(others, c.Name)
		} else {
			daily = append(daily, c)
		}
	}
	f.commandList(daily)
	if len(others) > 0 {
		f.entry("also:", len("also:"), strings.Join(others, ", ")+" (git tasks help COMMAND)")
	}
}

func (f *front) commandList(commands []*urfave.Command) {
	width := 0
	for _, c := range commands {
		width = max(width, len(c.Name))
	}
	for _, c := range commands {
		f.entry(c.Name, width, c.Usage)
	}
}

func (f *front) flagList(flags []urfave.Flag) {
	width := 0
	names, docs := make([]string, len(flags)), make([]string, len(flags))
	for i, flag := range flags {
		var value string
		value, docs[i] = valueAndDoc(flag.(urfave.DocGenerationFlag).GetUsage())
		names[i] = strings.TrimRight("--"+flag.Names()[0]+" "+value, " ")
		width = max(width, len(names[i]))
	}
	for i, name := range names {
		f.entry(name, width, docs[i])
	}
}

// valueAndDoc cuts the usage of a flag that [usageOf] made.
func valueAndDoc(usage string) (value, doc string) {
	if rest, ok := strings.CutPrefix(usage, "`"); ok {
		value, doc, _ = strings.Cut(rest, "` ")
		return value, doc
	}
	return "", usage
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
