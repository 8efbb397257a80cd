package records

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Visible gives text as it may be shown in one line of a terminal, a log or an
// answer. A line break becomes one space (CR LF counts as one); other control
// characters become \x1b, bidi controls \u202e, tag characters \U000e0041, and
// bytes that are not UTF-8 \xff. Everything else stays as it is.
func Visible(s string) string {
	if !needsEscape(s) {
		return s
	}
	var b strings.Builder
	b.Grow(len(s) + 16)
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&b, `\x%02x`, s[i])
		case r == '\r' && strings.HasPrefix(s[i:], "\r\n"):
			size = 2
			b.WriteByte(' ')
		case isLineBreak(r):
			b.WriteByte(' ')
		case isControl(r):
			fmt.Fprintf(&b, `\x%02x`, r)
		case isBidi(r):
			fmt.Fprintf(&b, `\u%04x`, r)
		case isTagCharacter(r):
			fmt.Fprintf(&b, `\U%08x`, r)
		default:
			b.WriteString(s[i : i+size])
		}
		i += size
	}
	return b.String()
}

// oneLine reports whether s holds no line break and no control character.
func oneLine(s string) bool {
	for _, r := range s {
		if isLineBreak(r) || isControl(r) {
			return false
		}
	}
	return true
}

func needsEscape(s string) bool {
	for i, r := range s {
		if r < ' ' || r >= 0x7f && (isLineBreak(r) || isControl(r) || isBidi(r) || isTagCharacter(r)) {
			return true
		}
		if r == utf8.RuneError && !strings.HasPrefix(s[i:], "\uFFFD") {
			return true
		}
	}
	return false
}

func isLineBreak(r rune) bool {
	return r == '\n' || r == '\r' || r == 0x85 || r == 0x2028 || r == 0x2029
}

// isControl is C0, DEL and C1, line breaks among them.
func isControl(r rune) bool { return r < ' ' || r >= 0x7f && r <= 0x9f }

func isBidi(r rune) bool {
	return r == 0x200e || r == 0x200f || r == 0x061c ||
		r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069
}

func isTagCharacter(r rune) bool { return r >= 0xe0000 && r <= 0xe007f }
