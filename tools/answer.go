package tools

import (
	"fmt"
	"slices"
	"strings"

	"github.com/git-tasks/git-tasks/records"
)

// showRecord answers one record by its line.
func showRecord(book *records.Book, id string) (Answer, error) {
	record, err := book.Record(id)
	if err != nil || record == nil {
		return Answer{Records: []any{}}, err
	}
	return Answer{Text: record.Line(), Records: []any{record}}, nil
}

// list collects the lines of an answer.
type list struct {
	lines   []string
	records []any
	left    string // the line on what a limit left out, "" for nothing
}

func (l *list) add(r records.Record) {
	l.lines = append(l.lines, r.Line())
	l.records = append(l.records, r)
}

// maxIndent is how many levels of a tree a list shows.
const maxIndent = 6

// addUnder adds a task that stands under so many others.
func (l *list) addUnder(depth int, t *records.Task, value any) {
	l.lines = append(l.lines, strings.Repeat("  ", min(depth, maxIndent))+t.Line())
	l.records = append(l.records, value)
}

// answer ends a list: with empty when it has no line, and with what is not in
// it, so that nothing is hidden.
func (l *list) answer(book *records.Book, empty string) (Answer, error) {
	if len(l.lines) == 0 {
		l.lines = []string{empty}
	}
	notes := Notes(book)
	if l.left != "" {
		notes = slices.Insert(notes, 0, l.left)
	}
	if l.records == nil {
		l.records = []any{}
	}
	return Answer{Text: strings.Join(append(l.lines, notes...), "\n"), Records: l.records, Notes: notes}, nil
}

// Notes are the lines that end every list: the drafts that wait for an id, and
// the records that could not be read.
func Notes(book *records.Book) []string {
	var notes []string
	drafts := slices.Clone(book.Drafts())
	if n := len(drafts); n > 0 {
		note := fmt.Sprintf("%d drafts wait for their ids: ", n)
		if n == 1 {
			note = "1 draft waits for its id: "
		}
		for i, path := range drafts {
			drafts[i] = records.Visible(path)
		}
		notes = append(notes, note+strings.Join(drafts, "; "))
	}
	if files := byFile(book.Faults()); len(files) > 0 {
		note := fmt.Sprintf("%d records could not be read: ", len(files))
		if len(files) == 1 {
			note = "1 record could not be read: "
		}
		notes = append(notes, note+strings.Join(files, "; "))
	}
	return notes
}

// byFile gives the first fault of each file.
func byFile(faults []records.Fault) []string {
	var files []string
	last := ""
	for _, f := range faults {
		if f.Path != last {
			files = append(files, f.String())
		}
		last = f.Path
	}
	return files
}

// scopeIs compares a plan's scope with a filter.
func scopeIs(s, want records.Scope) bool {
	s.Session = records.BareSession(s.Session)
	return s == want
}

// words are the values of a closed list as an input names them.
func words[S ~string](values ...S) []string {
	list := make([]string, len(values))
	for i, v := range values {
		list[i] = string(v)
	}
	return list
}
