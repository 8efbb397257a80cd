package records

import (
	"bytes"
	"strings"
)

// byteOrderMark is what some editors put before the first character of a file.
const byteOrderMark = "\uFEFF"

// sheet is a file cut into frontmatter and body, by offsets into its bytes.
type sheet struct {
	data []byte
	// open is the first byte of the frontmatter, shut the first of the closing
	// fence, rest the first after the line of that fence.
	open, shut, rest int
	// line is the file's line the frontmatter begins on, counted from 1.
	line int
	// crlf reports that the opening fence ends in CR LF: the whole file is then
	// taken to.
	crlf bool
}

// cut finds the fences. Its second result is the reason why there are none,
// said of the line that the third result names, 0 for the file as a whole.
func cut(data []byte) (sheet, string, int) {
	s := sheet{data: data, line: 1}
	pos := 0
	if bytes.HasPrefix(data, []byte(byteOrderMark)) {
		pos = len(byteOrderMark)
	}
	if len(bytes.TrimSpace(data[pos:])) == 0 {
		return s, emptyFile, 0
	}
	for {
		line, next := lineAt(data, pos)
		pos = next
		s.line++
		if isFence(line, "---") {
			s.crlf = bytes.HasSuffix(line, []byte("\r\n"))
			break
		}
		if isConflictMarker(line) {
			return s, conflictReason, s.line - 1
		}
		if len(bytes.TrimSpace(line)) > 0 || next == len(data) {
			return s, noFrontmatter, 0
		}
	}
	s.open = pos
	for pos < len(data) {
		line, next := lineAt(data, pos)
		if isFence(line, "---") || isFence(line, "...") {
			s.shut, s.rest = pos, next
			return s, "", 0
		}
		pos = next
	}
	return s, "has frontmatter that is never closed: add a line `---` after its last key", s.line - 1
}

// emptyFile is the reason given for a file that holds nothing but blanks.
const emptyFile = "is empty"

// noFrontmatter is the reason given for a Markdown file without the block.
const noFrontmatter = "has no frontmatter: add a `---` block with title:"

// conflictReason is the reason given for what a merge left behind.
const conflictReason = "holds conflict markers: keep one side and take the marker lines out"

// front gives the text between the fences, every line with its end.
func (s sheet) front() []byte { return s.data[s.open:s.shut] }

// body gives the text below the frontmatter without the blank line after the
// fence and the newline at the end. A carriage return before that newline is
// part of it only in a file that ends its lines so: anywhere else it is text.
func (s sheet) body() string { return s.trim(string(s.data[s.rest:])) }

func (s sheet) trim(body string) string {
	if after, ok := strings.CutPrefix(body, "\r\n"); ok {
		body = after
	} else {
		body = strings.TrimPrefix(body, "\n")
	}
	if before, ok := strings.CutSuffix(body, "\r\n"); ok && s.crlf {
		return before
	}
	return strings.TrimSuffix(body, "\n")
}

// eol gives how the file ends its lines.
func (s sheet) eol() string {
	if s.crlf {
		return "\r\n"
	}
	return "\n"
}

// lineAt gives the line that begins at pos, its end included, and where the
// next one begins.
func lineAt(data []byte, pos int) ([]byte, int) {
	if i := bytes.IndexByte(data[pos:], '\n'); i >= 0 {
		return data[pos : pos+i+1], pos + i + 1
	}
	return data[pos:], len(data)
}

// isFence reports whether a line is the mark alone, blanks behind it allowed.
func isFence(line []byte, mark string) bool {
	after, ok := bytes.CutPrefix(line, []byte(mark))
	return ok && len(bytes.Trim(after, " \t\r\n")) == 0
}

// isConflictMarker reports whether a merge that stopped wrote the line.
func isConflictMarker(line []byte) bool {
	text := strings.TrimRight(string(line), "\r\n")
	for _, mark := range []string{"<<<<<<<", "|||||||", "=======", ">>>>>>>"} {
		if after, ok := strings.CutPrefix(text, mark); ok && (after == "" || after[0] == ' ') {
			return true
		}
	}
	return false
}

// splitLines cuts text into lines that keep their ends.
func splitLines(text []byte) []string {
	var lines []string
	for pos := 0; pos < len(text); {
		line, next := lineAt(text, pos)
		lines = append(lines, string(line))
		pos = next
	}
	return lines
}

// chomp gives a line without its end.
func chomp(line string) string {
	return strings.TrimSuffix(strings.TrimSuffix(line, "\n"), "\r")
}
