package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
)

// maxStdin bounds what is read for one field or one call; a record holds less.
const maxStdin = 8 << 20

func (f *front) printf(format string, args ...any) { fmt.Fprintf(f.out, format, args...) }

// note says on standard error what a person should know beside the answer.
func (f *front) note(text string) { fmt.Fprintln(f.env.Stderr, "git-tasks: "+visibleText(text)) }

// document prints one JSON document.
func (f *front) document(v any) error {
	enc := json.NewEncoder(f.out)
	enc.SetEscapeHTML(false)
	return printed(enc.Encode(v))
}

// flush hands on what was printed so far.
func (f *front) flush() error { return printed(f.out.Flush()) }

// printed words a failure to print: by then the change is made.
func printed(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("what was asked is done, but it could not be printed: %w", err)
}

// stdin reads all of standard input. Whoever sits at it is told, else nothing
// seems to happen.
func (f *front) stdin() (string, error) {
	if f.atKeyboard() {
		f.note("reading from the keyboard; Ctrl-D on an empty line ends it")
	}
	data, err := io.ReadAll(io.LimitReader(f.env.Stdin, maxStdin+1))
	if err != nil {
		return "", fmt.Errorf("reading standard input: %w", err)
	}
	if len(data) > maxStdin {
		return "", usage("standard input is longer than %d MiB", maxStdin>>20)
	}
	return string(data), nil
}

// atKeyboard reports whether somebody types what standard input gives.
func (f *front) atKeyboard() bool {
	file, ok := f.env.Stdin.(*os.File)
	return ok && terminalWidth(file) > 0
}
