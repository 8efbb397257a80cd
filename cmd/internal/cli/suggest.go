package cli

import (
	"strings"

	urfave "github.com/urfave/cli/v2"
)

// farthest is how many letters may be wrong in a word that is taken for
// another. Whatever is farther off was meant as something else.
const farthest = 2

func unknownCommand(in *urfave.Command, name string) error {
	var names []string
	for _, c := range in.VisibleCommands() {
		names = append(names, c.Name)
	}
	err := usage("%s has no command %q", in.HelpName, name)
	help := helpOf(in)
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
