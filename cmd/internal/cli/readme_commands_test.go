package cli_test

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// known are the commands of the program, as they are called, with the flags
// that the help of each has; those of every command are those of "".
type known map[string][]string

func knownCommands(t *testing.T) known {
	t.Helper()
	env, commands := bench(t), known{}
	for _, path := range commandPaths(t, env) {
		help, form := must(t, env, append(path, "--help")...), `(?m)(?:^  |^    |, )--([a-z-]+)` // those few people want come last, with commas
		if len(path) == 0 {
			help, _, _ = strings.Cut(help, "example:")
			form = `  --([a-z-]+)` // in two columns
		}
		flags := []string{"help", "version"}
		for _, match := range regexp.MustCompile(form).FindAllStringSubmatch(help, -1) {
			flags = append(flags, match[1])
		}
		commands[strings.Join(path, " ")] = flags
	}
	return commands
}

// parts are the commands that are called by another's name and their own.
func (k known) parts(name string) []string {
	var parts []string
	for c := range k {
		if strings.HasPrefix(c, name+" ") {
			parts = append(parts, c)
		}
	}
	return parts
}

// called gives the commands that words begin with, of which the second may be
// a|b; ok tells whether there are such.
func (k known) called(words []string) (names []string, ok bool) {
	name := words[0]
	switch _, ok := k[name]; {
	case strings.HasPrefix(name, "--"), name == "help", name == "COMMAND":
		return []string{""}, true
	case !ok:
		return nil, false
	case len(k.parts(name)) == 0 || len(words) == 1:
		return []string{name}, true
	}
	for _, part := range strings.Split(words[1], "|") {
		if _, ok := k[name+" "+part]; !ok {
			return nil, false
		}
		names = append(names, name+" "+part)
	}
	return names, true
}

// take reports whether one of the commands has a flag, or every command.
func (k known) take(names []string, flag string) bool {
	return slices.ContainsFunc(append(names, ""), func(c string) bool { return slices.Contains(k[c], flag) })
}

var (
	commandSpan = regexp.MustCompile("`git tasks ([^`]+)`")
	flagSpan    = regexp.MustCompile("`--([a-z-]+)[^`]*`")
	flagWord    = regexp.MustCompile(`(?:^|\s)--([a-z-]+)`)
)

// TestReadmeCommands holds the commands and flags that the README names between
// backquotes, wherever, to those of the program.
func TestReadmeCommands(t *testing.T) {
	t.Parallel()
	k := knownCommands(t)
	text := strings.ReplaceAll(readReadme(t), `\|`, "|")
	for _, match := range commandSpan.FindAllStringSubmatch(text, -1) {
		words := strings.Fields(match[1])
		names, ok := k.called(words)
		if !ok {
			t.Errorf("README.md names %s, which is no command", match[0])
		}
		for _, flag := range flagWord.FindAllStringSubmatch(match[1], -1) {
			if words[0] != "COMMAND" && !k.take(names, flag[1]) {
				t.Errorf("README.md names %s, which has no flag --%s", match[0], flag[1])
			}
		}
	}
	for _, match := range flagSpan.FindAllStringSubmatch(text, -1) {
		if !k.take(slices.Collect(maps.Keys(k)), match[1]) {
			t.Errorf("README.md names %s, and no command has it", match[0])
		}
	}
}

// TestReadmeTableOfCommands holds the table for people to the program: a row for
// each command, and in it no flag that another command has.
func TestReadmeTableOfCommands(t *testing.T) {
	t.Parallel()
	k := knownCommands(t)
	_, people, _ := strings.Cut(readReadme(t), "\n## People\n")
	people, _, _ = strings.Cut(people, "\n#")
	var inTable []string
	for line := range strings.Lines(strings.ReplaceAll(people, `\|`, "\x00")) {
		cells := strings.Split(line, "|")
		if len(cells) != 4 {
			continue
		}
		var inRow []string
		for _, match := range commandSpan.FindAllStringSubmatch(strings.ReplaceAll(cells[1], "\x00", "|"), -1) {
			names, _ := k.called(strings.Fields(match[1]))
			inRow = append(inRow, names...)
		}
		for _, match := range flagSpan.FindAllStringSubmatch(cells[2], -1) {
			if !k.take(inRow, match[1]) {
				t.Errorf("README.md gives --%s to %q, which have no such flag", match[1], inRow)
			}
		}
		inTable = append(inTable, inRow...)
	}
	for name := range k {
		if name != "" && len(k.parts(name)) == 0 && !slices.Contains(inTable, name) {
			t.Errorf("README.md's table of commands has no row for git tasks %s", name)
		}
	}
}
