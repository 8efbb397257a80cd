package install

import (
	"bytes"
	"strconv"
	"strings"
	"unicode/utf8"
)

// text reads a string of any of the four kinds.
func (s *tomlScanner) text() (string, error) {
	start, mark := s.at, string(s.peek())
	long := s.has(strings.Repeat(mark, 3))
	if long {
		mark = strings.Repeat(mark, 3)
	}
	if s.at += len(mark); long {
		s.newline() // one right behind the quotes is none of the text
	}
	var b strings.Builder
	for !s.has(mark) {
		c := s.peek()
		switch {
		case s.at >= len(s.data), !long && (c == '\n' || s.has("\r\n")):
			s.at = start
			return "", s.fault("a text does not end")
		case c < ' ' && c != '\t' && c != '\n' && !s.has("\r\n") || c == 0x7f:
			return "", s.fault("a text holds a control character, %q", c)
		case c == '\\' && mark[0] == '"':
			if err := s.escape(&b, long); err != nil {
				return "", err
			}
		default:
			b.WriteByte(c)
			s.at++
		}
	}
	s.at += len(mark)
	for n := 0; long && n < 2 && s.peek() == mark[0]; n++ { // quotes that end the text itself
		b.WriteByte(mark[0])
		s.at++
	}
	if !utf8.ValidString(b.String()) {
		s.at = start
		return "", s.fault("a text is no UTF-8")
	}
	return b.String(), nil
}

// short are the escapes of one letter.
const short = "b\bt\tn\nf\fr\re\x1b\"\"\\\\"

// escape reads one escape.
func (s *tomlScanner) escape(b *strings.Builder, long bool) error {
	s.at++
	c := s.peek()
	if i := strings.IndexByte(short, c); i >= 0 && i%2 == 0 && s.at < len(s.data) {
		b.WriteByte(short[i+1])
		s.at++
		return nil
	}
	if digits := map[byte]int{'x': 2, 'u': 4, 'U': 8}[c]; digits > 0 {
		from := s.at + 1
		hex := s.data[from:min(from+digits, len(s.data))]
		n, err := strconv.ParseUint(string(hex), 16, 32)
		if err != nil || len(hex) < digits || !utf8.ValidRune(rune(n)) {
			return s.fault("an escape names no character")
		}
		b.WriteRune(rune(n))
		s.at = from + digits
		return nil
	}
	if long { // a line that goes on where the next words are
		if s.blanks(); s.newline() {
			for s.newline() || s.peek() == ' ' || s.peek() == '\t' {
				s.blanks()
			}
			return nil
		}
	}
	return s.fault("there is no such escape")
}

// tomlText is a text as TOML's basic strings have it: as JSON does, and DEL
// escaped as well.
func tomlText(s string) string { return strings.ReplaceAll(quote(s), "\x7f", `\u007f`) }

// tomlKey is a key as it may stand bare, else in quotes.
func tomlKey(key string) string {
	if key != "" && len(bytes.TrimLeft([]byte(key), bareKeys)) == 0 {
		return key
	}
	return tomlText(key)
}

const bareKeys = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-"
