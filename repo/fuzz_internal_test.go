package repo

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

// FuzzParseTree: a tree is refused, or read so that it encodes to the same bytes
// (but for leading zeros of a mode, which git tolerates).
func FuzzParseTree(f *testing.F) {
	id := strings.Repeat("\x01", 20)
	for _, seed := range []string{"", "100644 a\x00" + id, "40000 d\x00" + id + "100755 x\x00" + id, "040000 d\x00" + id,
		"100644 \x00" + id, "100644 a\x00" + id[:19], "9 a\x00" + id, " a\x00" + id, "100644\x00a" + id, "120000 l\x00" + id,
		"777777777777777777 a\x00" + id, "100644 a b\x00" + id} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		read, err := parseTree(data)
		if err != nil {
			return
		}
		entries := slices.Collect(read.all)
		for _, e := range entries {
			if e.name == "" || strings.Contains(e.name, "\x00") {
				t.Fatalf("an entry is named %q", e.name)
			}
		}
		again, err := parseTree(encodeTree(entries))
		if err != nil || !slices.Equal(slices.Collect(again.all), entries) {
			t.Fatalf("%+v was read back as %q, %v", entries, again, err)
		}
	})
}

// FuzzCleanName: a cleaned name is one line without anything that ends a name in
// a commit, stays as it is when cleaned again, and comes back from a commit.
func FuzzCleanName(f *testing.F) {
	for _, seed := range []string{"", "ana", "Eve <r@c> 1 +0000\nauthor Mallory", "a\x00b", "\xff", "  .x.  ", "\u202ex", "日本 語"} {
		f.Add(seed, seed)
	}
	f.Fuzz(func(t *testing.T, name, mail string) {
		clean, address := CleanName(name), CleanMail(mail)
		for _, s := range []string{clean, address} {
			if strings.ContainsAny(s, "<>\n\r\x00") || strings.ContainsFunc(s, unsafeRune) || !utf8.ValidString(s) {
				t.Fatalf("%q, %q come out as %q", name, mail, s)
			}
		}
		if CleanName(clean) != clean || CleanMail(address) != address || strings.Contains(address, " ") {
			t.Fatalf("%q, %q come out as %q, %q, and then as %q, %q", name, mail, clean, address, CleanName(clean), CleanMail(address))
		}
		data := encodeCommit(emptyTree, nil, Proposal{Author: Person{name, mail}, At: time.Unix(7, 0)}, Person{Name: "c"}, time.Unix(8, 0))
		c, err := parseCommit(ID{}, data)
		if err != nil || c.Author != (Person{clean, address}) || c.AuthorTime.Unix() != 7 || c.Signed || bytes.Count(data, []byte("\nauthor ")) != 1 {
			t.Fatalf("%q, %q come back as %+v, %v", name, mail, c, err)
		}
	})
}

// FuzzMessage: whatever the texts, the trailers of a message are those given.
func FuzzMessage(f *testing.F) {
	for _, seed := range []string{"", "t1 add: x", "x\n\nTool: forged", "Tool: forged", "\x1b[2J", "\u2028Tool: forged", "---", "\xff"} {
		f.Add(seed, seed, seed)
	}
	f.Fuzz(func(t *testing.T, subject, body, value string) {
		m := Message{Subject: subject, Body: strings.Split(body, "\n")}
		if got, ok := (Commit{Message: m.String()}).Trailer("Tool"); ok {
			t.Fatalf("%q has the trailer %q", m.String(), got)
		}
		m.Trailers = []Trailer{{"Tool", "t"}, {"Note", value}}
		text := m.String()
		c := Commit{Message: text}
		if got, ok := c.Trailer("Tool"); !ok || got != "t" {
			t.Fatalf("%q has the trailer %q, %v", text, got, ok)
		}
		if got, ok := c.Trailer("Note"); !ok || got != oneLine(value) {
			t.Fatalf("%q has the note %q, %v", text, got, ok)
		}
		if n := utf8.RuneCountInString(c.Subject()); n == 0 || n > maxSubject || !utf8.ValidString(text) {
			t.Fatalf("the subject of %q has %d characters", text, n)
		}
		if lines := strings.Count(text, "\n"); lines != 1+1+len(m.Body)+1+len(m.Trailers) {
			t.Fatalf("%q has %d lines", text, lines)
		}
		if strings.ContainsFunc(strings.ReplaceAll(text, "\n", ""), unsafeRune) {
			t.Fatalf("%q holds an unsafe character", text)
		}
	})
}

// FuzzParseCommit: no bytes make the reader of commits panic, and what it takes
// has its lines in git's order.
func FuzzParseCommit(f *testing.F) {
	id := strings.Repeat("1", 40)
	f.Add([]byte("tree " + id + "\nparent " + id + "\nauthor a <b> 1 +0000\ncommitter c <d> 2 -0130\n\nx\n"))
	f.Add([]byte("tree " + id + "\nauthor a <b> 1 +0000\nauthor c <d> 2 +0000\ncommitter e <f> 3 +0000\n\nx"))
	f.Add([]byte("tree " + id + "\nauthor >a< 1\ncommitter\ngpgsig x\n\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		c, err := parseCommit(ID{}, data)
		if err == nil && !bytes.HasPrefix(data, []byte("tree "+c.tree.String())) && !bytes.HasPrefix(bytes.ToLower(data), []byte("tree "+c.tree.String())) {
			t.Fatalf("%q has the tree %s", data, c.tree)
		}
	})
}
