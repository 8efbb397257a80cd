package cli

import (
	"fmt"
	"strings"

	urfave "github.com/urfave/cli/v2"
)

// helpWidth is the width that every terminal has.
const helpWidth = 80

// helpColumns is how wide a help text is: as a terminal that is narrower.
func (f *front) helpColumns() int {
	if f.isTerminal() {
		return min(helpWidth, f.env.Width)
	}
	return helpWidth
}

// help prints the help of the command that was named.
func (f *front) help(l *commandLine) {
	at := l.at
	f.paragraphs(at.HelpName + ": " + at.Usage + "\n\nusage: " + usageLine(at))
	if len(at.Subcommands) > 0 {
		f.printf("\n")
		f.commands(at.VisibleCommands())
	}
	if at != l.program && len(at.Flags) > 0 {
		f.printf("\n")
		f.flagList(at.Flags)
	}
	f.printf("\n")
	switch {
	case at == l.program:
		f.globalFlags(at.Flags)
	case len(at.Subcommands) == 0:
		f.paragraphs("Also the flags of every command: git tasks help")
	}
	f.printf("example: %s\n", at.Description)
}

// globalFlags prints the flags of every command, two in a line where that fits.
func (f *front) globalFlags(flags []urfave.Flag) {
	f.paragraphs("Flags of every command, or GIT_TASKS_REPO, _BRANCH, _CONFIG, _AS, _SESSION:")
	if f.helpColumns() < helpWidth {
		f.flagList(flags)
		return
	}
	half := (len(flags) + 1) / 2
	names, docs, width := flagColumns(flags[:half])
	others, otherDocs, otherWidth := flagColumns(flags[half:])
	for i := range half {
		line := fmt.Sprintf("  %-*s  %-18s", width, names[i], docs[i])
		if i < len(others) {
			line += fmt.Sprintf("  %-*s  %s", otherWidth, others[i], otherDocs[i])
		}
		f.printf("%s\n", line)
	}
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
	var daily []urfave.Flag
	var others []string
	for _, flag := range flags {
		if c, ok := flag.(urfave.CategorizableFlag); ok && c.GetCategory() == upkeep {
			others = append(others, "--"+flag.Names()[0])
		} else {
			daily = append(daily, flag)
		}
	}
	names, docs, width := flagColumns(daily)
	for i, name := range names {
		f.entry(name, width, docs[i])
	}
	for i, line := range wrapped(strings.Join(others, ", "), f.helpColumns()-4) {
		if len(others) > 0 {
			f.printf("  %*s%s\n", 2*min(i, 1), "", line)
		}
	}
}

// flagColumns gives the flags with their values, and what they are for; width is
// that of the names.
func flagColumns(flags []urfave.Flag) (names, docs []string, width int) {
	for _, flag := range flags {
		value, doc := valueAndDoc(flag.(urfave.DocGenerationFlag).GetUsage())
		name := strings.TrimRight("--"+flag.Names()[0]+" "+value, " ")
		names, docs, width = append(names, name), append(docs, doc), max(width, len(name))
	}
	return names, docs, width
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
	for i, line := range wrapped(doc, f.helpColumns()-width-4) {
		if i > 0 {
			f.printf("%*s", width+4, "")
		}
		f.printf("%s\n", line)
	}
}
