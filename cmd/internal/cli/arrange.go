package cli

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	urfave "github.com/urfave/cli/v2"
)

// commandLine is what was typed, sorted: the flags of the program, the command,
// its flags, and its arguments.
type commandLine struct {
	program, at                     *urfave.Command // at is the command that was named, the program itself for none
	globals, path, flags, arguments []string
	json, help, version             bool
	err                             error // the first thing that cannot be taken
}

// flagForm is what a flag looks like. Whatever else begins with a dash, as a
// line of a list does, is an argument.
var flagForm = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^--?[A-Za-z][A-Za-z0-9-]*(=|$)`) })

// args is the line in the one order that the library reads as it was meant: it
// takes no flag behind an argument, and none of the program behind the command.
func (l *commandLine) args() []string {
	return slices.Concat([]string{l.program.Name}, l.globals, l.path, l.flags, []string{"--"}, l.arguments)
}

// arrange sorts the words by the commands and flags of the program. Behind "--"
// no word is a flag. What cannot be taken does not end the sorting: a --json
// behind it says in which form to tell of it.
func arrange(program *urfave.Command, typed []string) *commandLine {
	l := &commandLine{program: program, at: program}
	noFlags := false
	for len(typed) > 0 {
		word := typed[0]
		typed = typed[1:]
		switch {
		case word == "--" && !noFlags:
			noFlags = true
		case flagForm().MatchString(word) && !noFlags:
			typed = l.flag(word, typed)
		case l.at == program && word == "help" && !l.help:
			l.help = true
		case len(l.at.Subcommands) > 0:
			l.command(word, typed)
		default:
			l.arguments = append(l.arguments, word)
		}
	}
	if len(l.at.Subcommands) > 0 && l.at.Action == nil && !l.version {
		l.help = true
	}
	return l
}

// flag takes one flag, and gives the words behind it that are not its value.
func (l *commandLine) flag(word string, rest []string) []string {
	name, value, given := strings.Cut(strings.TrimLeft(word, "-"), "=")
	switch name {
	case "help", "h":
		l.help = true
		return rest
	case "version":
		l.version = true
		return rest
	}
	into, flag := &l.globals, flagNamed(l.program.Flags, name)
	if flag == nil {
		into, flag = &l.flags, flagNamed(l.at.Flags, name)
	}
	_, isBool := flag.(*urfave.BoolFlag)
	switch {
	case flag == nil:
		l.refuse(unknownFlag(l.program, l.at, word))
		return rest
	case isBool && !given:
		value = "true"
	case !isBool && !given && len(rest) == 0:
		l.refuse(withHint(usage("--%s needs a value", name), flagHint(flag)))
	case !isBool && !given:
		value, rest = rest[0], rest[1:]
	}
	if isBool {
		l.flip(name, value)
	}
	*into = append(*into, "--"+name+"="+value)
	return rest
}

// flip reads the value of a flag that is on or off.
func (l *commandLine) flip(name, value string) {
	on, err := strconv.ParseBool(value)
	switch {
	case err != nil:
		l.refuse(usage("--%s is on or off: true or false, not %q", name, value))
	case name == "json":
		l.json = on
	}
}

// command takes the next word of the command's name.
func (l *commandLine) command(word string, rest []string) {
	next := l.at.Command(word)
	if next == nil {
		l.refuse(unknownCommand(l.at, word, rest))
		return
	}
	l.at, l.path = next, append(l.path, word)
}

func (l *commandLine) refuse(err error) {
	if l.err == nil {
		l.err = err
	}
}

func flagNamed(flags []urfave.Flag, name string) urfave.Flag {
	for _, f := range flags {
		if slices.Contains(f.Names(), name) {
			return f
		}
	}
	return nil
}
