package cli

import (
	"regexp"
	"slices"
	"strings"

	cli "github.com/urfave/cli/v2"
)

// commandLine is what was typed, sorted: the flags of the program, the command,
// its flags, and its arguments.
type commandLine struct {
	globals, path, flags, arguments []string
	help, version                   bool
}

// flagForm is what a flag looks like. Whatever else begins with a dash, as a
// line of a list does, is an argument.
var flagForm = regexp.MustCompile(`^--?[A-Za-z][A-Za-z0-9-]*(=|$)`)

// args is the line in the one order that the library reads as it was meant: it
// takes no flag behind an argument, and none of the program behind the command.
func (l *commandLine) args() []string {
	return slices.Concat(l.globals, l.path, l.flags, []string{"--"}, l.arguments)
}

// arrange sorts the arguments by the commands and flags of app. Behind "--"
// everything is an argument. An unknown command or flag is an error that names
// the nearest one.
func arrange(app *cli.App, typed []string) (*commandLine, error) {
	l := &commandLine{}
	var at *cli.Command
	for i := 0; i < len(typed); i++ {
		word := typed[i]
		switch {
		case word == "--":
			l.arguments = append(l.arguments, typed[i+1:]...)
			return l, nil
		case flagForm.MatchString(word):
			used, err := l.flag(app, at, word, typed[i+1:])
			if err != nil {
				return nil, err
			}
			i += used
		case at == nil && word == "help" && !l.help:
			l.help = true
		case at == nil || len(at.Subcommands) > 0:
			next, err := find(app, at, word)
			if err != nil {
				return nil, err
			}
			at = next
			l.path = append(l.path, word)
		default:
			l.arguments = append(l.arguments, word)
		}
	}
	if at == nil || len(at.Subcommands) > 0 {
		l.help = l.help || !l.version
	}
	return l, nil
}

// flag takes one flag, and tells how many words behind it were its value.
func (l *commandLine) flag(app *cli.App, at *cli.Command, word string, rest []string) (used int, err error) {
	name, value, given := strings.Cut(strings.TrimLeft(word, "-"), "=")
	switch name {
	case "help", "h":
		l.help = true
		return 0, nil
	case "version":
		l.version = true
		return 0, nil
	}
	into, flag := &l.globals, flagNamed(app.Flags, name)
	if at != nil && flag == nil {
		into, flag = &l.flags, flagNamed(at.Flags, name)
	}
	if flag == nil {
		return 0, unknownFlag(app, at, word, name)
	}
	_, isBool := flag.(*cli.BoolFlag)
	switch {
	case given || isBool:
	case len(rest) == 0:
		return 0, usage("--%s needs a value", name)
	default:
		value, given, used = rest[0], true, 1
	}
	word = "--" + name
	if given {
		word += "=" + value
	}
	*into = append(*into, word)
	return used, nil
}

func flagNamed(flags []cli.Flag, name string) cli.Flag {
	for _, f := range flags {
		if slices.Contains(f.Names(), name) {
			return f
		}
	}
	return nil
}

func unknownFlag(app *cli.App, at *cli.Command, word, name string) error {
	flags, owner := app.Flags, "git tasks"
	if at != nil {
		flags, owner = append(slices.Clone(flags), at.Flags...), commandName(app, at)
	}
	word, _, _ = strings.Cut(word, "=")
	err := usage("%s has no flag %s", owner, word)
	if near := cli.SuggestFlag(flags, name, true); near != "" {
		return withHint(err, "did you mean "+near+"? ("+owner+" --help)")
	}
	return withHint(err, owner+" --help")
}

// find gives the command of a name, at the top or inside of another.
func find(app *cli.App, in *cli.Command, name string) (*cli.Command, error) {
	commands, owner := app.Commands, "git tasks"
	if in != nil {
		commands, owner = in.Subcommands, commandName(app, in)
	}
	var visible []*cli.Command
	for _, c := range commands {
		if c.HasName(name) {
			return c, nil
		}
		if !c.Hidden {
			visible = append(visible, c)
		}
	}
	err := usage("%s has no command %q", owner, name)
	if best := cli.SuggestCommand(visible, name); best != "" {
		return nil, withHint(err, lowerFirst(best)+" ("+owner+" --help)")
	}
	return nil, withHint(err, owner+" --help")
}

func lowerFirst(s string) string { return strings.ToLower(s[:1]) + s[1:] }

// commandName is how a command is called, with the one it is part of.
func commandName(app *cli.App, at *cli.Command) string {
	for _, c := range app.Commands {
		if c == at {
			return "git tasks " + at.Name
		}
		if slices.Contains(c.Subcommands, at) {
			return "git tasks " + c.Name + " " + at.Name
		}
	}
	return "git tasks"
}
