package tools

import (
	"bytes"
	"encoding/json"
	"strings"
	"time"

	"github.com/git-tasks/git-tasks/records"
)

// Form is what a field of an input must look like.
type Form uint8

// The forms. A field that is absent or null is not named.
const (
	Text     Form = iota + 1 // a string
	Named                    // a string that is not blank, and must be there
	Title                    // a string that is not blank, where it is there
	TaskID                   // the id of a task that is there, and must be named
	PlanID                   // the same of a plan
	Flag                     // true or false
	Texts                    // a list of strings
	Time                     // an ISO-8601 date, or date and time
	Choice                   // one of Field.Choices
	ScopeRef                 // {kind, folder or bot or session}
)

// Field is one field of a tool's input.
type Field struct {
	Name    string
	Form    Form
	Choices []string // of a Choice
	Clears  bool     // "" is a Choice too: it clears the field
	Doc     string   // what it is, in a few words
}

// Required reports whether a call must name the field.
func (f Field) Required() bool { return f.Form == Named || f.Form == TaskID || f.Form == PlanID }

// input holds what a call named, by field, in the Go type of its form.
type input map[string]any

// readInput checks an input field by field, the id that the call is about
// first. With the first fault comes what stands before it.
func (t *Tool) readInput(book *records.Book, raw json.RawMessage) (input, error) {
	var named map[string]json.RawMessage
	if trimmed := bytes.TrimSpace(raw); len(trimmed) > 0 && trimmed[0] == '{' {
		if err := json.Unmarshal(trimmed, &named); err != nil {
			return nil, invalid("", "expected an object.")
		}
	} else if len(trimmed) > 0 {
		return nil, invalid("", "expected an object.")
	}
	in := input{}
	for _, f := range t.Fields {
		value, err := f.read(named[f.Name])
		if err != nil {
			return in, err
		}
		if value == nil {
			continue
		}
		if err := f.known(book, value); err != nil {
			return in, err
		}
		in[f.Name] = value
	}
	return in, nil
}

func invalid(field, text string) error {
	return &records.Refusal{Kind: records.Invalid, Field: field, Text: text}
}

func (f Field) must(what string) error { return invalid(f.Name, f.Name+" must be "+what+".") }

// read gives the value of a field, nil when it is not named.
func (f Field) read(raw json.RawMessage) (any, error) {
	if len(raw) == 0 || string(raw) == "null" {
		if f.Required() {
			return nil, f.must("a non-empty string")
		}
		return nil, nil
	}
	switch f.Form {
	case Named, Title, TaskID, PlanID:
		var s string
		if json.Unmarshal(raw, &s) != nil || strings.TrimSpace(s) == "" {
			return nil, f.must("a non-empty string")
		}
		return s, nil
	case Text:
		var s string
		if json.Unmarshal(raw, &s) != nil {
			return nil, f.must("a string")
		}
		return s, nil
	case Flag:
		var b bool
		if json.Unmarshal(raw, &b) != nil {
			return nil, f.must("a boolean")
		}
		return b, nil
	case Texts:
		return f.readTexts(raw)
	case Time:
		return f.readTime(raw)
	case Choice:
		return f.readChoice(raw)
	}
	return f.readScope(raw)
}

func (f Field) readTexts(raw json.RawMessage) (any, error) {
	var items []*string // null in a list is no string
	if json.Unmarshal(raw, &items) != nil {
		return nil, f.must("an array of strings")
	}
	texts := make([]string, len(items))
	for i, item := range items {
		if item == nil {
			return nil, f.must("an array of strings")
		}
		texts[i] = *item
	}
	return texts, nil
}

func (f Field) readTime(raw json.RawMessage) (any, error) {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		if at, ok := records.ParseTime(s); ok {
			return at, nil
		}
	}
	return nil, f.must("an ISO-8601 timestamp")
}

func (f Field) readChoice(raw json.RawMessage) (any, error) {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		if s == "" && f.Clears {
			return s, nil
		}
		for _, c := range f.Choices {
			if s == c {
				return s, nil
			}
		}
	}
	return nil, f.must(either(f.Choices))
}

// either joins words as a sentence does: "a or b", "a, b, or c".
func either(words []string) string {
	if len(words) == 2 {
		return words[0] + " or " + words[1]
	}
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + ", or " + words[last]
}

func (f Field) readScope(raw json.RawMessage) (any, error) {
	var s records.Scope
	if json.Unmarshal(raw, &s) != nil {
		return nil, f.must("a folder, bot, or session scope")
	}
	s.Session = records.BareSession(s.Session)
	if !s.Valid() {
		return nil, f.must("a folder, bot, or session scope")
	}
	return s, nil
}

// known refuses the id that a call is about when there is no such record.
func (f Field) known(book *records.Book, value any) error {
	switch f.Form {
	case TaskID:
		task, err := book.Task(value.(string))
		if err == nil && task == nil {
			return unknown(f.Name, "task")
		}
		return err
	case PlanID:
		plan, err := book.Plan(value.(string))
		if err == nil && plan == nil {
			return unknown(f.Name, "plan")
		}
		return err
	}
	return nil
}

func unknown(field, what string) error {
	return &records.Refusal{Kind: records.NotFound, Field: field,
		Text: field + " must match the id of a known " + what + " (see " + what + "_list)."}
}

func (in input) text(name string) string {
	s, _ := in[name].(string)
	return s
}

// optional gives a string field as an edit wants it: nil when it is not named.
func (in input) optional(name string) *string {
	if s, ok := in[name].(string); ok {
		return &s
	}
	return nil
}

func (in input) texts(name string) *[]string {
	if list, ok := in[name].([]string); ok {
		return &list
	}
	return nil
}

func (in input) flag(name string) (value, named bool) {
	value, named = in[name].(bool)
	return value, named
}

func (in input) time(name string) (time.Time, bool) {
	at, ok := in[name].(time.Time)
	return at, ok
}

func (in input) scope(name string) (records.Scope, bool) {
	s, ok := in[name].(records.Scope)
	return s, ok
}
