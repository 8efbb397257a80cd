package cli

import (
	"strconv"
	"strings"

	urfave "github.com/urfave/cli/v2"

	"github.com/git-tasks/git-tasks/tools"
)

func (f *front) manCommand() *urfave.Command {
	return &urfave.Command{
		Name: "man", Category: upkeep, Usage: "print the manual page",
		Description: "git tasks man >git-tasks.1 && man ./git-tasks.1",
		Action: func(c *urfave.Context) error {
			if err := arguments(c, 0, 0); err != nil {
				return err
			}
			f.printf("%s", f.manual())
			return nil
		},
	}
}

// exits are the exit codes and what each says.
func exits() []string {
	return []string{
		"done", "failure: the disk, the repository, or a finding of check or doctor", "refused input or usage",
		"the record that the command is about does not exist", "a conflict with another program, or with what the list holds",
		"the person lacks the grant, or is not known",
		"the host went away with a change under way, which may be made or not: git tasks log shows it",
	}
}

// manual is the manual page in the language of man(7), made of the definitions
// that the help is made of.
func (f *front) manual() string {
	var m roff
	p := program(f.app())
	m.macro("TH", "GIT-TASKS", "1", "", "git-tasks "+tools.Version(), "")
	m.macro("SH", "NAME")
	m.text("git-tasks - " + p.Usage)
	m.macro("SH", "SYNOPSIS")
	m.macro("B", "git tasks")
	m.text("COMMAND [ARGUMENTS] [FLAGS]")
	m.macro("SH", "DESCRIPTION")
	m.text("A list is a branch of a git repository: each record is a Markdown file, each change a commit, authored as whoever made it. " +
		"Where no repository is named, the list is one of the person's own, which the first command that writes makes. " +
		"Data goes to standard output, everything else to standard error. Flags may stand before or behind the arguments; behind -- no word is a flag.")
	m.macro("SH", "COMMANDS")
	for _, c := range p.VisibleCommands() {
		m.command(c)
	}
	m.macro("SH", "FLAGS OF EVERY COMMAND")
	m.flags(p.Flags)
	m.macro("SH", "ENVIRONMENT")
	for _, flag := range globals() {
		if name := flag.Names()[0]; name != "json" {
			m.entry("GIT_TASKS_"+strings.ToUpper(name), "what --"+name+" is where it is not given")
		}
	}
	m.entry(tokenVariable, "the token of whoever calls, for the clients of a host")
	m.entry("XDG_DATA_HOME, XDG_CONFIG_HOME", "where the list and the settings are, instead of ~/.local/share and ~/.config")
	m.entry("NO_COLOR", "no colours, where it is not empty")
	m.macro("SH", "FILES")
	m.entry("~/.local/share/git-tasks/records.git", "the list, where none is named")
	m.entry("~/.config/git-tasks/config.json", "the settings: users, roles, requireApproval, gateOnBlockers, closeGate, sweepAfterDays, hostTasks, reminder; it need not be there")
	m.macro("SH", "EXIT STATUS")
	for code, what := range exits() {
		m.entry(strconv.Itoa(code), what)
	}
	m.macro("SH", "SEE ALSO")
	m.text("git(1)")
	return m.String()
}

// roff is a page in the language of man(7).
type roff struct{ strings.Builder }

// macro writes a line that asks for something.
func (m *roff) macro(name string, arguments ...string) {
	m.WriteString("." + name)
	for _, a := range arguments {
		m.WriteString(` "` + strings.ReplaceAll(plainRoff(a), `"`, `\(dq`) + `"`)
	}
	m.WriteString("\n")
}

// text writes a line to be filled; it is not taken for a request.
func (m *roff) text(s string) {
	if strings.HasPrefix(s, ".") || strings.HasPrefix(s, "'") {
		m.WriteString(`\&`)
	}
	m.WriteString(plainRoff(s) + "\n")
}

// entry writes a name and, set in below it, what it is.
func (m *roff) entry(name, what string) {
	m.macro("TP")
	m.macro("B", name)
	m.text(what)
}

// command writes how a command is called, what it does, its flags, and an
// example; then its parts.
func (m *roff) command(c *urfave.Command) {
	if len(c.Subcommands) == 0 || c.Action != nil {
		m.macro("SS", strings.Replace(usageLine(c), "[COMMAND] ", "", 1))
		m.text(c.Usage)
		m.flags(c.Flags)
		m.macro("PP")
		for i, line := range strings.Split(c.Description, "\n") {
			if i == 0 {
				m.text("Example:")
			}
			m.macro("br")
			m.macro("B", strings.TrimSpace(line))
		}
	}
	for _, part := range c.VisibleCommands() {
		m.command(part)
	}
}

func (m *roff) flags(flags []urfave.Flag) {
	names, docs, _ := flagColumns(flags)
	for i, name := range names {
		m.entry(name, docs[i])
	}
}

// plainRoff is text in which nothing is a command, and a dash is the one that is
// typed.
func plainRoff(s string) string {
	return strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(s)
}
