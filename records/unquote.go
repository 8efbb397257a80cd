package records

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// unquote gives back the text that quote wrote; false for anything that quote
// would have written otherwise.
func unquote(quoted string) (string, bool) {
	if len(quoted) < 2 || quoted[0] != '"' || quoted[len(quoted)-1] != '"' {
		return "", false
	}
	inner := quoted[1 : len(quoted)-1]
	escaped := false
	for i := 0; i < len(inner); {
		c, size := rune(inner[i]), 1
		if c >= utf8.RuneSelf {
			c, size = utf8.DecodeRuneInString(inner[i:])
		}
		switch {
		case c == '"' || !readable(c):
			return "", false
		case c == '\\':
			escaped = true
			if i+1 == len(inner) {
				return "", false
			}
			size = 1 + escapeLen(inner[i+1])
		}
		i += size
	}
	if !escaped {
		return inner, true
	}
	return unescape(inner)
}

// escapeLen is how many bytes of an escape stand behind the backslash: the
// letter, and the digits that it asks for.
func escapeLen(letter byte) int {
	switch letter {
	case 'x':
		return 3
	case 'u':
		return 5
	case 'U':
		return 9
	}
	return 1
}

// unescape reads the escapes of a text in quotes.
func unescape(inner string) (string, bool) {
	var b strings.Builder
	for {
		at := strings.IndexByte(inner, '\\')
		if at < 0 {
			b.WriteString(inner)
			return b.String(), true
		}
		b.WriteString(inner[:at])
		inner = inner[at+1:]
		size := 1
		switch inner[0] {
		case '"', '\\':
			b.WriteByte(inner[0])
		case 'n':
			b.WriteByte('\n')
		case 't':
			b.WriteByte('\t')
		case 'x', 'u', 'U':
			if size = escapeLen(inner[0]); len(inner) < size {
				return "", false
			}
			c, err := strconv.ParseUint(inner[1:size], 16, 32)
			if err != nil || c > utf8.MaxRune || !utf8.ValidRune(rune(c)) {
				return "", false
			}
			b.WriteRune(rune(c))
		default:
			return "", false
		}
		inner = inner[size:]
	}
}
