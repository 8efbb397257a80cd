package repo

import (
	"errors"
	"fmt"
)

// Kind says what sort of trouble an [Error] is. The list is closed.
type Kind uint8

// The kinds, in the order in which a caller meets them.
const (
	Missing     Kind = iota + 1 // opening: there is no repository at the path
	Unsupported                 // opening: a repository this package must not write to
	CheckedOut                  // opening or writing: a person has the branch checked out
	Damaged                     // reading: the ref, a commit or a tree cannot be read
	Held                        // writing: another program holds the ref's lock
	Busy                        // writing: another process of ours held the door too long
	Unconfirmed                 // writing: the ref moved, but the disk did not confirm it
)

// Error is every error of this package that a caller may want to tell apart.
// Text is one line for people, with what was being done to what; Err is the
// cause, where there is one.
type Error struct {
	Kind Kind
	Text string
	Err  error
}

// Error gives Text, and the cause behind it.
func (e *Error) Error() string {
	if e.Err == nil {
		return e.Text
	}
	return e.Text + ": " + e.Err.Error()
}

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Err }

// IsKind reports whether err is, or wraps, an [Error] of the kind.
func IsKind(err error, k Kind) bool {
	var e *Error
	return errors.As(err, &e) && e.Kind == k
}

func damaged(err error, format string, args ...any) error {
	return &Error{Kind: Damaged, Text: fmt.Sprintf(format, args...), Err: err}
}
