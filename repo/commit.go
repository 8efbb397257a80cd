package repo

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// File is one file of a tree as a proposal wants it: its path with slashes,
// and its content. Nil Data removes the file, empty Data empties it.
type File struct {
	Path string
	Data []byte
}

// Proposal is a commit to be. The committer is the repository's own, the
// parent the tip it is applied to.
type Proposal struct {
	Author  Person // cleaned by [CleanName]; must not come out empty
	At      time.Time
	Message Message
	Files   []File // how its tree differs from that of the tip
	// Merge is a commit that a push brought: the second parent. Zero for none.
	Merge ID
	// Taken are paths that become what they are in Merge, mode and all: a file, a
	// link, or nothing. They come before Files.
	Taken []string
	// Take is a commit that a push brought and that descends from the tip: it
	// becomes the tip as it is, and the rest of the proposal says nothing.
	Take ID
	// Made, where it is not nil, is told at once of the tip that the proposal made:
	// what the next edit function will get, and perhaps never to be on the branch.
	Made func(tip *Snapshot)
}

// Commit is a commit as it stands in history.
type Commit struct {
	ID         ID
	tree       ID
	Parents    []ID
	Author     Person
	AuthorTime time.Time // seconds
	Committer  Person
	CommitTime time.Time // seconds; no order follows from it
	Message    string    // as stored
	Signed     bool      // it carries a signature, verified or not
}

func encodeCommit(tree ID, parents []ID, p Proposal, committer Person, now time.Time) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "tree %s\n", tree)
	for _, parent := range parents {
		fmt.Fprintf(&b, "parent %s\n", parent)
	}
	fmt.Fprintf(&b, "author %s\ncommitter %s\n\n%s", p.Author.line(p.At), committer.line(now), p.Message)
	return b.Bytes()
}

// parseCommit reads a commit strictly in git's order of headers: a second
// author line, or any header out of place, is not taken for a first.
func parseCommit(id ID, data []byte) (Commit, error) {
	c := Commit{ID: id}
	head, message, _ := bytes.Cut(data, []byte("\n\n"))
	c.Message = string(message)
	lines := strings.Split(string(head), "\n")
	next := func(key string) (string, bool) {
		if len(lines) == 0 || !strings.HasPrefix(lines[0], key+" ") {
			return "", false
		}
		value := lines[0][len(key)+1:]
		lines = lines[1:]
		return value, true
	}
	tree, ok := next("tree")
	if !ok {
		return c, fmt.Errorf("no tree line")
	}
	var err error
	if c.tree, err = ParseID(tree); err != nil {
		return c, err
	}
	for parent, ok := next("parent"); ok; parent, ok = next("parent") {
		p, err := ParseID(parent)
		if err != nil {
			return c, err
		}
		c.Parents = append(c.Parents, p)
	}
	author, aok := next("author")
	committer, cok := next("committer")
	if !aok || !cok {
		return c, fmt.Errorf("no author or committer line in its place")
	}
	c.Author, c.AuthorTime = parsePerson(author)
	c.Committer, c.CommitTime = parsePerson(committer)
	for _, line := range lines {
		c.Signed = c.Signed || strings.HasPrefix(line, "gpgsig ")
	}
	return c, nil
}

// parsePerson reads "name <mail> seconds zone" as leniently as git does: what
// is not there comes out empty.
func parsePerson(s string) (Person, time.Time) {
	end := strings.LastIndexByte(s, '>')
	start := strings.IndexByte(s, '<')
	if start < 0 || end < start {
		return Person{Name: strings.TrimSpace(s)}, time.Time{}
	}
	p := Person{Name: strings.TrimSpace(s[:start]), Mail: s[start+1 : end]}
	seconds, zone, _ := strings.Cut(strings.TrimSpace(s[end+1:]), " ")
	n, err := strconv.ParseInt(seconds, 10, 64)
	if err != nil {
		return p, time.Time{}
	}
	at := time.Unix(n, 0).UTC()
	if z, err := time.Parse("-0700", zone); err == nil {
		_, offset := z.Zone()
		at = at.In(time.FixedZone("", offset))
	}
	return p, at
}
