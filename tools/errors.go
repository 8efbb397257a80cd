package tools

import (
	"errors"

	"github.com/git-tasks/git-tasks/records"
	"github.com/git-tasks/git-tasks/repo"
)

// Code says what sort of refusal or failure an [Error] is.
type Code string

// The codes; the list is closed. Exit gives each its number.
const (
	Invalid  Code = "invalid"   // the input cannot be taken
	NotFound Code = "not_found" // there is no record that the call is about
	Conflict Code = "conflict"  // the state, or another program, is in the way
	Denied   Code = "denied"    // the person behind the call lacks a grant
	Internal Code = "internal"  // the disk or the repository failed
)

// exits are the exit codes of the command line.
var exits = map[Code]int{Internal: 1, Invalid: 2, NotFound: 3, Conflict: 4, Denied: 5}

// Exit is the exit code of a command that ends with an error of this code.
func (c Code) Exit() int {
	if n, ok := exits[c]; ok {
		return n
	}
	return exits[Internal]
}

// Error is a refusal or a failure in the words that an agent gets.
type Error struct {
	Code    Code
	Message string
	Err     error // the cause, where there is one
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
	switch {
	case repo.IsKind(err, repo.Held), repo.IsKind(err, repo.Busy):
		return &Error{Code: Conflict, Message: "conflict: " + err.Error() + ".", Err: err}
	case repo.IsKind(err, repo.CheckedOut), repo.IsKind(err, repo.Unsupported):
		return &Error{Code: Invalid, Message: err.Error(), Err: err}
	case repo.IsKind(err, repo.Missing):
		return &Error{Code: NotFound, Message: err.Error(), Err: err}
	}
	return &Error{Code: Internal, Message: err.Error(), Err: err}
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
