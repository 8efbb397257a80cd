package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/git-tasks/git-tasks/records/detail"
	"github.com/git-tasks/git-tasks/tools"
)

// usage is the refusal of a command line.
func usage(format string, args ...any) error {
	return &tools.Error{Code: tools.Invalid, Message: fmt.Sprintf(format, args...)}
}

// hinted is an error with what a person may do about it.
type hinted struct {
	error
	hint string
	// always says that whoever cannot be shown the hint needs it too, since
	// the error alone leaves them without a way on.
	always bool
}

func (h *hinted) Unwrap() error { return h.error }

func withHint(err error, hint string) error { return &hinted{error: err, hint: hint} }

// fail prints an error in the form that was asked for, and gives the exit code.
func (f *front) fail(ctx context.Context, err error) int {
	e := tools.AsError(err)
	message, hint := e.Message, hintOf(err)
	if ctx.Err() != nil && errors.Is(err, ctx.Err()) {
		message, hint = "stopped by a signal", ""
	}
	var h *hinted
	if f.plain && errors.As(err, &h) && h.always {
		message += "; " + hint
	}
	if f.plain {
		hint = "" // an agent has next
	}
	switch {
	case f.json:
		f.failJSON(document{e.Code, message, e.Next, hint})
	case f.plain:
		fmt.Fprintln(f.env.Stderr, message)
	default:
		fmt.Fprintln(f.env.Stderr, "git-tasks: error: "+visibleText(message))
		if hint != "" {
			fmt.Fprintln(f.env.Stderr, "hint: "+visibleText(hint))
		}
	}
	return e.Code.Exit()
}

// document is an error as a program gets it: that of the tools, and the hint.
type document struct {
	Code    tools.Code `json:"code"`
	Message string     `json:"message"`
	Next    string     `json:"next,omitempty"`
	Hint    string     `json:"hint,omitempty"`
}

func (f *front) failJSON(d document) {
	enc := json.NewEncoder(f.env.Stderr)
	enc.SetEscapeHTML(false)
	enc.Encode(map[string]document{"error": d}) // nobody is left to tell
}

// visibleText is text of several lines as a terminal may show it. Tabs stay.
func visibleText(s string) string { return detail.Lines(s) }
