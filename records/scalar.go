package records

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// scalar gives text as a YAML value on one line: bare where every parser reads
// it back as this text, otherwise in double quotes.
func scalar(text string) string {
	if readsBare(text) {
		return text
	}
	return quote(text)
}

// flowScalar does the same for a place inside brackets, where commas and colons
// have a meaning.
func flowScalar(text string) string {
	if readsBare(text) && !strings.ContainsAny(text, ",:?") {
		return text
	}
	return quote(text)
}

// moment gives a time as a YAML value: bare in the one form that we write.
func moment(text string) string {
	if t, ok := ParseTime(text); ok && FormatTime(t) == text {
		return text
	}
	return scalar(text)
}

// quote gives text in double quotes. What a person can read stays as it is,
// everything else is escaped, so that it is one line whatever the text holds.
func quote(text string) string {
	var b strings.Builder
	b.Grow(len(text) + 2)
	b.WriteByte('"')
	for _, r := range text {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case readable(r):
			b.WriteRune(r)
		case r < 0x100:
			fmt.Fprintf(&b, `\x%02x`, r)
		case r < 0x10000:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			fmt.Fprintf(&b, `\U%08x`, r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// zeroWidthJoiner holds the parts of one emoji together.
const zeroWidthJoiner = 0x200d

func readable(r rune) bool { return unicode.IsPrint(r) || r == zeroWidthJoiner }

// readsBare reports whether text without quotes is read as that text, and as
// text, by every YAML parser of either version. The set is kept tight on
// purpose: quotes cost nothing, a misread title costs the title.
func readsBare(text string) bool {
	if text == "" || isYAMLWord(text) {
		return false
	}
	first, _ := utf8.DecodeRuneInString(text)
	if !unicode.IsLetter(first) && first != '/' {
		return false
	}
	for i, r := range text {
		if !bareRune(r) {
			return false
		}
		last := i+utf8.RuneLen(r) >= len(text)
		if r == ' ' && last || r == ':' && (last || text[i+1] == ' ') {
			return false
		}
	}
	return true
}

// bareRune reports whether r may stand anywhere but at the front of bare text.
func bareRune(r rune) bool {
	if r < utf8.RuneSelf {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' ||
			strings.ContainsRune(" _./-+()@:,'!?;=&%", r)
	}
	return unicode.IsLetter(r) || unicode.Is(unicode.M, r) || unicode.Is(unicode.Nd, r)
}

// isYAMLWord reports whether some YAML parser takes the word for something else
// than text.
func isYAMLWord(text string) bool {
	if len(text) > len("false") {
		return false
	}
	switch strings.ToLower(text) {
	case "true", "false", "yes", "no", "on", "off", "y", "n", "null", "nan", "inf":
		return true
	}
	return false
}
