package repo

import (
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// Person is an author or committer: a name, and a mail address without its
// angle brackets.
type Person struct {
	Name, Mail string
}

// CleanName makes text fit for a commit's author or committer by git's own
// rule, and fit to be shown: no angle brackets, no control, bidi or tag
// characters, no line breaks; what git takes for crud at either end goes. It
// may come out empty.
func CleanName(s string) string {
	s = strings.Map(func(r rune) rune {
		switch {
		case r == '<' || r == '>' || unsafeRune(r):
			return -1
		case r == utf8.RuneError:
			return '�'
		}
		return r
	}, s)
	return strings.TrimFunc(s, func(r rune) bool {
		return r <= ' ' || unicode.IsSpace(r) || strings.ContainsRune(`.,:;"\'`, r)
	})
}

// CleanMail makes text fit for the mail address of a commit: as [CleanName],
// with dots for spaces.
func CleanMail(s string) string {
	return strings.Join(strings.Fields(CleanName(s)), ".")
}

// unsafeRune reports whether a terminal, a log or a model may take the
// character for anything but text.
func unsafeRune(r rune) bool {
	switch {
	case r < 0x20, r >= 0x7f && r < 0xa0: // C0, DEL, C1
		return true
	case r == 0x2028, r == 0x2029: // line breaks
		return true
	case r == 0x061c, r == 0x200e, r == 0x200f, r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069: // bidi
		return true
	case r >= 0xe0000 && r <= 0xe007f: // tags
		return true
	}
	return false
}

// line is the form in a commit: name <mail> seconds +0000. Git knows no time
// before 1970.
func (p Person) line(at time.Time) string {
	return fmt.Sprintf("%s <%s> %d +0000", CleanName(p.Name), CleanMail(p.Mail), max(0, at.Unix()))
}
