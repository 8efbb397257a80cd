package tools

import (
	"errors"

	"github.com/git-tasks/git-tasks/records"
	"github.com/git-tasks/git-tasks/repo"
)

// Code says what sort of refusal or failure an [Error] is.
type Code string

// The codes; the list is closed, and each has a row in codes.
const (
	Invalid  Code = "invalid"   // the input cannot be taken
	NotFound Code = "not_found" // there is no record that the call is about
	Conflict Code = "conflict"  // the state of the list is in the way
	Held     Code = "held"      // another holds what the call needs: a lock, a list
	Busy     Code = "busy"      // too much at once: the same call again, later, may do
	Denied   Code = "denied"    // the person behind the call lacks a grant
	Internal Code = "internal"  // the disk or the repository failed

	// Unreachable: the host went away with the call under way, which may be carried
	// out or not. Only a process that calls through a host says so.
	Unreachable Code = "unreachable"
)

// codes is what each code is at each front, the one that anything else counts
// as first. Over MCP all are alike: a result with isError, which the model
// reads, and never a protocol error, which a client may keep from it.
var codes = []struct {
	code   Code
	exit   int // of the command line
	status int // of HTTP
}{
	{Internal, 1, 500},
	{Invalid, 2, 400},
	{NotFound, 3, 404},
	{Conflict, 4, 409},
	{Held, 4, 423},
	{Busy, 4, 429},
	{Denied, 5, 403},
	{Unreachable, 6, 503},
}

// Codes gives every code.
func Codes() []Code {
	list := make([]Code, len(codes))
	for i, row := range codes {
		list[i] = row.code
	}
	return list
}

// Exit is the exit code of a command that ends with an error of this code; one
// that is not of the list counts as internal.
func (c Code) Exit() int { return codes[c.row()].exit }

// Status is the HTTP status of a request that ends so.
func (c Code) Status() int { return codes[c.row()].status }

func (c Code) row() int {
	for i, row := range codes {
		if row.code == c {
			return i
		}
	}
	return 0
}

// Error is a refusal or a failure in the words that an agent gets. Every front
// that speaks JSON sends its [Error.Document].
type Error struct {
	Code    Code   `json:"code"`
	Message string `json:"message"`
	Next    string `json:"next,omitempty"` // the tool that helps on: an agent calls it, a person is hinted at its command
	Err     error  `json:"-"`              // the cause, where there is one
}

// Document is the error as a JSON document:
// {"error":{"code":…,"message":…,"next":…}}, without next where no tool helps on.
func (e *Error) Document() any {
	return struct {
		Error *Error `json:"error"`
	}{e}
}

// Error gives the words.
func (e *Error) Error() string { return e.Message }

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Err }

// AsError gives err as an [Error]; what is none of ours yet is a failure of
// the disk or the repository, or one of the repository's conflicts.
func AsError(err error) *Error {
	var e *Error
	if errors.As(err, &e) {
		return e
	}
	var refusal *records.Refusal
	if errors.As(err, &refusal) {
		return &Error{Code: codeOf(refusal.Kind), Message: refusal.Text, Err: err}
	}
	var failed *repo.Error
	if !errors.As(err, &failed) {
		return &Error{Code: Internal, Message: err.Error(), Err: err}
	}
	code, known := ofRepo[failed.Kind]
	if !known {
		code = Internal
	}
	if code.Exit() == Conflict.Exit() {
		return &Error{Code: code, Message: "conflict: " + err.Error() + ".", Err: err}
	}
	return &Error{Code: code, Message: err.Error(), Err: err}
}

// ofRepo gives every kind of trouble with the repository its code.
var ofRepo = map[repo.Kind]Code{
	repo.Missing:     NotFound,
	repo.Unsupported: Invalid,
	repo.CheckedOut:  Invalid,
	repo.Damaged:     Internal,
	repo.Held:        Held,
	repo.Busy:        Busy,
	repo.Unconfirmed: Internal,
}

func codeOf(k records.RefusalKind) Code {
	switch k {
	case records.NotFound:
		return NotFound
	case records.Conflict:
		return Conflict
	}
	return Invalid
}
