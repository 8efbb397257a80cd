package tools

import (
	"errors"

	"github.com/git-tasks/git-tasks/records"
	"github.com/git-tasks/git-tasks/repo"
)

// Error is a refusal or a failure in the words that an agent gets. Every front
// that speaks JSON sends its [Error.Document].
type Error struct {
	Code    Code   `json:"code"`
	Message string `json:"message"`
	Next    string `json:"next,omitempty"` // the tool that helps on: an agent calls it, a person is hinted at its command
	Tool    string `json:"-"`              // that refused its input, else ""
	Err     error  `json:"-"`              // the cause, where there is one; of a refused input a [records.Refusal]
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
		return &Error{Code: codeOf(refusal.Kind), Message: refusal.Text, Next: refusal.See, Err: err}
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
	case records.Held:
		return Held
	}
	return Invalid
}
