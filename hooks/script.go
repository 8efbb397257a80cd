package hooks

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"sync"
)

// mark is the line by which a script is known as ours.
const mark = "# written by git-tasks, and written anew by git tasks init and serve"

// scripts are the hooks that a push goes through.
var scripts = [...]string{chained, "proc-receive"}

// chained is the one that several programs can be: each says of a push whether git
// may store it.
const chained = "pre-receive"

// Script says how a hook script finds its way back to us.
type Script struct {
	Program string   // the binary that installs it; where it is gone the one on PATH is taken
	Flags   []string // of git tasks, ahead of the command
	Mend    string   // the command line that writes the script anew

	fault func(op, path string) error // asked ahead of every file call that changes something; nil but in tests
}

// may asks for a file call.
func (s Script) may(op, path string) error {
	if s.fault == nil {
		return nil
	}
	return s.fault(op, path)
}

// text is the script of a hook. What it cannot run it refuses for. The one that
// several can be says where it lies: a hook that was there before lies beside it.
func (s Script) text(name string) string {
	var flags strings.Builder
	for _, f := range s.Flags {
		flags.WriteString(" " + quote(f))
	}
	if name == chained {
		name += ` "$0"`
	}
	return fmt.Sprintf(`#!/bin/sh
%s
for p in %s git-tasks; do command -v "$p" >/dev/null 2>&1 && exec "$p"%s hook %s; done
echo %s >&2; exit 1
`, mark, quote(s.Program), flags.String(), name, quote("git-tasks is neither at "+s.Program+" nor on PATH, so nothing is taken; with the one that you have: "+s.Mend))
}

// whole has the scripts of every version: one that asked the hook from before by
// itself, and such as do not say where they lie, are still there in older lists.
var whole = sync.OnceValue(func() *regexp.Regexp {
	const word = `'(?:[^']|'\\'')*'`
	before := regexp.QuoteMeta(`b="${0%/*}/` + chained + aside + `"
if [ -x "$b" ]; then
	refs=$(cat)
	printf '%s\n' "$refs" | "$b" "$@" || exit
	exec <<END
$refs
END
fi
`)
	return regexp.MustCompile(`\A#!/bin/sh\n` + regexp.QuoteMeta(mark) + `\n(?:` + before + `)?` +
		`for p in ` + word + regexp.QuoteMeta(` git-tasks; do command -v "$p" >/dev/null 2>&1 && exec "$p"`) +
		`(?: ` + word + `)* hook (?:pre|proc)-receive(?: "\$0")?; done\necho ` + word + ` >&2; exit 1\n\z`)
})

// kind says whose a hook is.
type kind uint8

const (
	none   kind = iota
	ours        // as some version wrote it
	edited      // ours, with lines of somebody else's
	others
)

// kindOf says whose the text of a hook is.
func kindOf(text []byte) kind {
	switch {
	case whole().Match(text):
		return ours
	case bytes.Contains(text, []byte("\n"+mark+"\n")):
		return edited
	}
	return others
}

// quote is a text as a shell takes it for one word.
func quote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

var runs = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)^for p in '(.*)' git-tasks; do `) })

// programOf gives the program that a script of ours tries first.
func programOf(text []byte) string {
	found := runs().FindSubmatch(text)
	if found == nil {
		return ""
	}
	return strings.ReplaceAll(string(found[1]), `'\''`, "'")
}
