package translate

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/git-tasks/git-tasks/records"
)

// maxText is how many bytes of a text a title takes.
const maxText = 255

// titleOf gives the title of an entry's text: what texts are compared by.
func titleOf(text string) string { return cut(oneLine(text)) }

// IsBlank reports whether a text has nothing that a title could be made of.
func IsBlank(text string) bool { return strings.TrimSpace(titleOf(text)) == "" }

// oneLine gives text as a field of one line takes it: a line break is a space (CR
// LF counts as one), and what else would steer a terminal is left out.
func oneLine(text string) string {
	text = strings.ToValidUTF8(text, "\uFFFD")
	if strings.IndexFunc(text, func(r rune) bool { return unicode.IsControl(r) || isBreak(r) }) < 0 {
		return text
	}
	return strings.Map(func(r rune) rune {
		switch {
		case isBreak(r):
			return ' '
		case unicode.IsControl(r):
			return -1
		}
		return r
	}, strings.ReplaceAll(text, "\r\n", "\n"))
}

func isBreak(r rune) bool {
	return r == '\n' || r == '\r' || r == 0x85 || r == 0x2028 || r == 0x2029
}

// cut ends a text where a title has no room for the rest.
func cut(text string) string {
	if len(text) <= maxText {
		return text
	}
	return cutAt(text, maxText) + records.Cut
}

// cutAt gives at most so many bytes of a text, and no half of a letter.
func cutAt(text string, most int) string {
	if len(text) <= most {
		return text
	}
	for most > 0 && !utf8.RuneStart(text[most]) {
		most--
	}
	return text[:most]
}

// isActiveForm reports whether text says what title says with its first word in
// the -ing form: "Reading the lexer" of "Read the lexer".
func isActiveForm(text, title string) bool {
	said, rest, _ := strings.Cut(text, " ")
	word, same, _ := strings.Cut(title, " ")
	stem, ok := strings.CutSuffix(said, "ing")
	if !ok || rest != same || word == "" || len(text)-len(said) != len(title)-len(word) {
		return false
	}
	if stem == word || strings.HasSuffix(word, "e") && stem == word[:len(word)-1] {
		return true
	}
	if root, ok := strings.CutSuffix(word, "ie"); ok && stem == root+"y" {
		return true
	}
	last := word[len(word)-1]
	isConsonant := unicode.IsLetter(rune(last)) && !strings.ContainsRune("aeiouAEIOU", rune(last))
	return isConsonant && stem == word+string(last)
}

// afterWord gives what an active form and the title it is of have in common: all but
// the first word.
func afterWord(text string) string {
	_, rest, _ := strings.Cut(text, " ")
	return rest
}
