package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"reflect"
	"runtime/debug"
	"strings"

	"github.com/git-tasks/git-tasks/tools"
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

// structured is a tool's answer as a document: what an MCP client gets.
type structured struct {
	Records []any  `json:"records"`
	Commit  string `json:"commit,omitempty"`
}

func documentOf(a tools.Answer) structured {
	return structured{append([]any{}, a.Records...), a.Commit}
}

func (f *front) stdin() (string, error) {
	data, err := io.ReadAll(io.LimitReader(f.env.Stdin, maxStdin+1))
	if err != nil {
		return "", fmt.Errorf("reading standard input: %w", err)
	}
	if len(data) > maxStdin {
		return "", usage("standard input is longer than %d MiB", maxStdin>>20)
	}
	return string(data), nil
}

// changedFields names the keys whose values differ between a record before and
// after, in the order of the file.
func changedFields(before, after any) []string {
	old, names := map[string]string{}, []string(nil)
	for _, field := range fieldsOf(before) {
		old[field.key] = string(field.value)
	}
	for _, field := range fieldsOf(after) {
		if value, had := old[field.key]; !had || value != string(field.value) {
			names = append(names, field.key)
		}
		delete(old, field.key)
	}
	for _, field := range fieldsOf(before) {
		if _, gone := old[field.key]; gone {
			names = append(names, field.key)
		}
	}
	return names
}

// field is one key of a record with its value in JSON.
type field struct {
	key   string
	value json.RawMessage
}

// fieldsOf gives the keys that a record has, in the order of the file.
func fieldsOf(record any) []field {
	v := reflect.Indirect(reflect.ValueOf(record))
	if v.Kind() != reflect.Struct {
		return nil
	}
	var fields []field
	for i := range v.NumField() {
		key, _, _ := strings.Cut(v.Type().Field(i).Tag.Get("json"), ",")
		if v.Field(i).IsZero() {
			continue
		}
		if value, err := json.Marshal(v.Field(i).Interface()); err == nil {
			fields = append(fields, field{key, value})
		}
	}
	return fields
}

// version is what the build knows of itself.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" {
		return "(unknown)"
	}
	return info.Main.Version
}
