package cli

import (
	"strings"

	urfave "github.com/urfave/cli/v2"

	"github.com/git-tasks/git-tasks/records"
)

// farthest is how many letters may be wrong in a word that is taken for
// another. Whatever is farther off was meant as something else.
const farthest = 2

// others are the words by which other programs call what a command here does; ID
// stands for the record. One that comes to be a command leaves the list.
var others = map[string]string{
	"new": "add TITLE", "create": "add TITLE", "ls": "list", "todo": "list", "status": "list",
	"view": "show ID", "cat": "show ID", "get": "show ID", "history": "log ID",
	"update": "set ID", "change": "set ID", "note": "set ID --note TEXT", "comment": "set ID --note TEXT",
	"start": "claim ID", "take": "claim ID", "begin": "claim ID", "unclaim": "release ID", "pop": "next",
	"done": "set ID --status done", "close": "set ID --status done", "finish": "set ID --status done",
	"reopen": "set ID --status todo", "drop": "set ID --status dropped", "cancel": "set ID --status dropped",
	"remove": "rm ID", "delete": "rm ID",
}

// ofPlans are those of others that are said otherwise of a plan.
var ofPlans = map[string]string{
	"start": "set ID --status active", "claim": "set ID --status active", "begin": "set ID --status active",
	"reopen": "set ID --status active", "rm": "set ID --status dropped", "remove": "set ID --status dropped",
	"delete": "set ID --status dropped",
}

// meantCommand is the command that a word of another program stands for, "" for
// none: with the id behind the word, where one is.
func meantCommand(in *urfave.Command, name string, rest []string) string {
	does := others[name]
	if plan := ofPlans[name]; plan != "" && in.Name == "plan" {
		does = plan
	}
	first, more, _ := strings.Cut(does, " ")
	command := in.Command(first)
	if command == nil {
		return ""
	}
	for _, word := range strings.Fields(more) {
		if flag, ok := strings.CutPrefix(word, "--"); ok && flagNamed(command.Flags, flag) == nil {
			return ""
		}
	}
	if len(rest) > 0 {
		if _, _, isID := records.ParseID(rest[0]); isID {
			does = strings.Replace(does, "ID", rest[0], 1)
		}
	}
	return in.HelpName + " " + does
}

func unknownCommand(in *urfave.Command, name string, rest []string) error {
	var names []string
	for _, c := range in.VisibleCommands() {
		names = append(names, c.Name)
	}
	err := usage("%s has no command %q", in.HelpName, name)
	help := helpOf(in)
	if does := meantCommand(in, name, rest); does != "" {
		return withHint(err, does+" is for that ("+help+" lists the commands)")
	}
	if near := nearest(name, names); near != "" {
		return withHint(err, `did you mean "`+near+`"? (`+help+")")
	}
	return withHint(err, help+" lists the commands")
}

// helpOf is the line that prints the help of a command. Git takes a --help right
// behind "git tasks" for its own.
func helpOf(c *urfave.Command) string {
	if len(c.Subcommands) > 0 {
		return strings.Replace(c.HelpName, "git tasks", "git tasks help", 1)
	}
	return c.HelpName + " --help"
}

func unknownFlag(program, at *urfave.Command, word string) error {
	var names []string
	for _, command := range []*urfave.Command{program, at} {
		for _, f := range command.Flags {
			names = append(names, f.Names()...)
		}
	}
	word, _, _ = strings.Cut(word, "=")
	err := usage("%s has no flag %s", at.HelpName, word)
	if near := nearest(strings.TrimLeft(word, "-"), names); near != "" {
		return withHint(err, "did you mean --"+near+"? ("+helpOf(at)+")")
	}
	return withHint(err, helpOf(at)+" lists the flags")
}

// nearest gives the name that word was likely meant as, "" where none is near: one
// that word is the beginning of, or one with a few letters wrong, but not all.
func nearest(word string, names []string) string {
	best, least := "", farthest+1
	for _, name := range names {
		d := distance(word, name)
		switch {
		case word != "" && strings.HasPrefix(name, word):
			d = 1
		case strings.HasPrefix(word, name):
			d = min(d, farthest)
		case d >= len(word):
			continue
		}
		if d < least {
			best, least = name, d
		}
	}
	return best
}

// distance is the number of letters to put in, take out, change, or swap with
// the next one, that make b of a.
func distance(a, b string) int {
	d := make([][]int, len(a)+1) // of the first i letters of a to the first j of b
	for i := range d {
		d[i] = make([]int, len(b)+1)
		for j := range d[i] {
			if i == 0 || j == 0 {
				d[i][j] = i + j
				continue
			}
			d[i][j] = min(d[i-1][j], d[i][j-1], d[i-1][j-1]) + 1
			if a[i-1] == b[j-1] {
				d[i][j] = d[i-1][j-1]
			}
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				d[i][j] = min(d[i][j], d[i-2][j-2]+1)
			}
		}
	}
	return d[len(a)][len(b)]
}
