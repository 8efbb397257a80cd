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
	Count                    // a whole number from 1
	Chosen                   // one of Field.Choices, and must be named
	Objects                  // a list of objects with the fields of Field.items, and must be there
	Until                    // an ISO-8601 time or Unix milliseconds, 0 for never
	Span                     // a length of time such as 30m
	Packet                   // a work order that is whole, or {}
	Pairs                    // an object whose values are texts
	Key                      // a text of one line, not blank
)

// Kind is what the text of a field stands for, where its form does not say it.
// It is for fronts, which show and fill in a path other than a word; no call is
// judged by it.
type Kind uint8

// The kinds. Most fields have none.
const (
	Markdown   Kind = iota + 1 // text of many lines
	FolderPath                 // an absolute path on this host
	TaskRef                    // the id of a task; of a list, each
	PlanRef                    // the id of a plan
	SessionRef                 // a session, by the name its harness gives it
)

// Field is one field of a tool's input.
type Field struct {
	Name    string
	Form    Form
	Kind    Kind
	Choices []string // of a Choice
	items   []Field  // of each of Objects
	Clears  bool     // "" is a Choice too: it clears the field
	plain   bool     // its name says what it is: a model is told no more
	open    bool     // a TaskID that need not be named: the call may be about another
	Doc     string   // what it is, in a few words
}

// Required reports whether a call must name the field.
func (f Field) Required() bool {
	return !f.open && (f.Form == Named || f.Form == TaskID || f.Form == PlanID || f.Form == Chosen || f.Form == Objects)
}

// input is what a call named. A pointer that is nil, and a text without one
// that is empty, was not named.
type input struct {
	records.Fields // of a task; Title, Status, Plan and Refs are a plan's as well
	Task, Goal     string
	Scope          *records.Scope
	Verdict        string
	Approved       *bool
	Ready          *bool
	Packet         any // of task_get a bool, else a map; see fields
	By             string
	Since          *time.Time
	Text, Format   string
	Limit          int
	Next, Force    bool
	IfCommit       string
	IdempotencyKey string
	Todos          []todo
}

// set takes the value of a field, in the Go type of its form.
func (in *input) set(field string, value any) {
	switch field {
	case "task":
		in.Task, _ = value.(string)
	case "goal":
		in.Goal, _ = value.(string)
	case "verdict":
		in.Verdict, _ = value.(string)
	case "by":
		in.By, _ = value.(string)
	case "next":
		in.Next, _ = value.(bool)
	case "force":
		in.Force, _ = value.(bool)
	case "format":
		in.Format, _ = value.(string)
	case "text":
		in.Text, _ = value.(string)
	case "limit":
		in.Limit, _ = value.(int)
	case "todos":
		in.Todos = todosOf(value)
	case "title":
		in.Title = named[string](value)
	case "status":
		in.Status = named[string](value)
	case "priority":
		in.Priority = named[string](value)
	case "topic":
		in.Topic = named[string](value)
	case "plan":
		in.Plan = named[string](value)
	case "bot":
		in.Bot = named[string](value)
	case "folder":
		in.Folder = named[string](value)
	case "session":
		in.Session = named[string](value)
	case "active":
		in.Active = named[string](value)
	case "note":
		in.Note = named[string](value)
	case "body":
		in.Body = named[string](value)
	case "owner":
		in.Owner = named[string](value)
	case "ifCommit":
		in.IfCommit, _ = value.(string)
	case "idempotencyKey":
		in.IdempotencyKey, _ = value.(string)
	case "parent":
		in.Parent = named[string](value)
	case "before":
		in.Before = named[string](value)
	case "after":
		in.After = named[string](value)
	case "metadata":
		in.Metadata = named[map[string]string](value)
	case "leasedUntil":
		in.LeasedUntil = named[time.Time](value)
	case "leaseFor":
		in.LeaseFor = named[time.Duration](value)
	case "output":
		in.Output = named[string](value)
	case "labels":
		in.Labels = named[[]string](value)
	case "addBlockedBy":
		in.AddBlockedBy = named[[]string](value)
	case "removeBlockedBy":
		in.RemoveBlockedBy = named[[]string](value)
	case "blockedBy":
		in.BlockedBy = named[[]string](value)
	case "refs":
		in.Refs = named[[]string](value)
	case "scope":
		in.Scope = named[records.Scope](value)
	case "approved":
		in.Approved = named[bool](value)
	case "ready":
		in.Ready = named[bool](value)
	case "packet":
		in.Packet = value
	case "since":
		in.Since = named[time.Time](value)
	default:
		panic("tools: the field " + field + " has no place in input") // a tool declares a field that nobody reads
	}
}

func named[T any](value any) *T {
	v, ok := value.(T)
	if !ok {
		return nil
	}
	return &v
}

// text is what a text says, "" where it was not named.
func text(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// readInput checks an input field by field, the id that the call is about
// first. With the first fault comes what stands before it.
func (t *Tool) readInput(book *records.Book, raw json.RawMessage) (in input, err error) {
	var named map[string]json.RawMessage
	if trimmed := bytes.TrimSpace(raw); len(trimmed) > 0 && trimmed[0] == '{' {
		if err := json.Unmarshal(trimmed, &named); err != nil {
			return in, invalid("", "expected an object.")
		}
	} else if len(trimmed) > 0 {
		return in, invalid("", "expected an object.")
	}
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
		in.set(f.Name, value)
	}
	return in, nil
}

func invalid(field, text string) error {
	return &records.Refusal{Kind: records.Invalid, Field: field, Text: text}
}

// must refuses the value of a field. Where it should have been an id, the tool
// that lists those helps on.
func (f Field) must(what string) error {
	r := &records.Refusal{Kind: records.Invalid, Field: f.Name, Text: f.Name + " must be " + what + "."}
	switch f.Form {
	case TaskID:
		r.See = "task_list"
	case PlanID:
		r.See = "plan_list"
	}
	return r
}

// read gives the value of a field, nil when it is not named.
func (f Field) read(raw json.RawMessage) (any, error) {
	if len(raw) == 0 || string(raw) == "null" {
		return nil, f.missing()
	}
	if f.Form != Flag && f.Form != Count && f.Form != Until && f.Form != Objects {
		if lost := unkept(raw); lost != "" {
			return nil, f.must("Unicode text: " + lost)
		}
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
	case Choice, Chosen:
		return f.readChoice(raw)
	case Objects:
		return f.readObjects(raw)
	case Packet:
		return f.readPacket(raw)
	case Count:
		return f.readCount(raw)
	case Until:
		return f.readUntil(raw)
	case Span:
		return f.readSpan(raw)
	case Pairs:
		return f.readPairs(raw)
	case Key:
		return f.readKey(raw)
	}
	return f.readScope(raw)
}

// missing refuses that a field is not named, where it must be.
func (f Field) missing() error {
	switch {
	case !f.Required():
		return nil
	case f.Form == Chosen:
		return f.must(either(f.Choices))
	case f.Form == Objects:
		return f.must(anArray)
	}
	return f.must("a non-empty string")
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
	isScope := json.Unmarshal(raw, &s) == nil
	s.Session = records.BareSession(s.Session)
	if !isScope || !s.Valid() {
		return nil, invalid(f.Name, f.Name+" "+records.MustBeScope)
	}
	return s, nil
}

// known refuses the id that a call is about when there is no such record.
func (f Field) known(book *records.Book, value any) error {
	id, _ := value.(string)
	switch f.Form {
	case TaskID:
		task, err := book.Task(id)
		if err == nil && task == nil {
			return records.Unknown(f.Name, records.TaskKind, id)
		}
		return err
	case PlanID:
		plan, err := book.Plan(id)
		if err == nil && plan == nil {
			return records.Unknown(f.Name, records.PlanKind, id)
		}
		return err
	}
	return nil
}
