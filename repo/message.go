package repo

import (
	"strings"
	"unicode/utf8"
)

// maxSubject is where a subject is cut, in characters: what git log --oneline
// shows beside a short id on a common terminal.
const maxSubject = 72

// noSubject stands where a subject comes out empty.
const noSubject = "(no subject)"

// Message is a commit message in its three parts. Whatever the texts hold, a
// subject stays one line, a body cannot end it, and nothing in either can be
// read as a trailer.
type Message struct {
	Subject  string
	Body     []string // lines
	Trailers []Trailer
}

// Trailer is one line "Key: value" of the last paragraph.
type Trailer struct {
	Key, Value string
}

// Text gives the value as it is read back from a message.
func (t Trailer) Text() string { return oneLine(t.Value) }

// String renders the message as git stores it.
func (m Message) String() string {
	var b strings.Builder
	subject := cut(oneLine(m.Subject), maxSubject)
	if subject == "" {
		subject = noSubject // or git would take the next paragraph for it
	}
	b.WriteString(subject + "\n")
	if len(m.Body) > 0 {
		b.WriteByte('\n')
		for _, line := range m.Body {
			b.WriteString(bodyLine(oneLine(line), len(m.Trailers) == 0) + "\n")
		}
	}
	if len(m.Trailers) > 0 {
		b.WriteByte('\n')
		for _, t := range m.Trailers {
			b.WriteString(t.Key + ": " + t.Text() + "\n")
		}
	}
	return b.String()
}

// bodyLine sets a line in by a space where git could read it as more than text:
// --- ends a message for git interpret-trailers, and in the last paragraph
// anything before a colon can be the key of a trailer, and a known beginning
// makes a trailer by itself.
func bodyLine(line string, last bool) string {
	if strings.HasPrefix(line, "---") || last && strings.Contains(line, ":") || strings.HasPrefix(line, "(cherry picked from commit ") {
		return " " + line
	}
	return line
}

// Trailer gives the value of the last trailer of that key in a commit's
// message: of its last paragraph, where every line is a trailer.
func (c Commit) Trailer(key string) (string, bool) {
	text := strings.TrimRight(c.Message, "\n")
	i := strings.LastIndex(text, "\n\n")
	if i < 0 {
		return "", false
	}
	value, found := "", false
	for line := range strings.SplitSeq(text[i+2:], "\n") {
		k, v, ok := strings.Cut(line, ": ")
		if !ok {
			return "", false
		}
		if k == key {
			value, found = v, true
		}
	}
	return value, found
}

// Subject gives the first line of a commit's message.
func (c Commit) Subject() string {
	subject, _, _ := strings.Cut(c.Message, "\n")
	return subject
}

func oneLine(s string) string {
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\r' || r == '\t' || r == 0x85 || r == 0x2028 || r == 0x2029:
			return ' '
		case unsafeRune(r):
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, "�")))
}

func cut(s string, most int) string {
	if utf8.RuneCountInString(s) <= most {
		return s
	}
	return strings.TrimRight(string([]rune(s)[:most-1]), " ") + "…"
}
