package cli

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	urfave "github.com/urfave/cli/v2"

	"github.com/git-tasks/git-tasks/records"
	"github.com/git-tasks/git-tasks/tools"
)

// flagsOf makes the flags of a command from the fields of the tool it calls,
// but for the id of the record and the fields left out.
func flagsOf(tool string, without ...string) []urfave.Flag {
	var flags []urfave.Flag
	for _, field := range tools.Find(tool).Fields {
		if !isFlag(field) || slices.Contains(without, field.Name) {
			continue
		}
		name, usage, category := flagName(field), usageOf(field), ""
		if isSeldom(field) {
			category = upkeep
		}
		switch field.Form {
		case tools.Flag:
			flags = append(flags, &urfave.BoolFlag{Name: name, Usage: usage, Category: category})
		case tools.Texts, tools.Pairs:
			flags = append(flags, &urfave.GenericFlag{Name: name, Value: &texts{}, Usage: usage, Category: category})
		case tools.Choice:
			flags = append(flags, &choiceFlag{&urfave.StringFlag{Name: name, Usage: usage, Category: category}, field.Choices})
		default:
			flags = append(flags, &urfave.StringFlag{Name: name, Usage: usage, Category: category})
		}
	}
	return flags
}

// choiceFlag is a flag that takes one of a few words.
type choiceFlag struct {
	*urfave.StringFlag
	choices []string
}

// anyOf is the choices as a refusal lists them.
func anyOf(choices []string) string {
	last := len(choices) - 1
	return strings.Join(choices[:last], ", ") + ", or " + choices[last]
}

// usageOf is what a flag takes, in backquotes as the library has it, and what it
// is for.
func usageOf(field tools.Field) string {
	value, doc := "TEXT", field.Doc
	switch {
	case field.Form == tools.Flag:
		return doc
	case field.Form == tools.Time, field.Form == tools.Until:
		value = "TIME"
	case field.Form == tools.Span:
		value = "SPAN"
	case field.Form == tools.Count:
		value = "N"
	case field.Form == tools.Pairs:
		value = "KEY=TEXT"
	case field.Kind == tools.FolderPath:
		value = "PATH"
	case field.Form == tools.Packet:
		value = "FILE"
	case field.Kind == tools.TaskRef, field.Kind == tools.PlanRef:
		value = "ID"
	}
	switch {
	case field.Kind == tools.Markdown:
		doc += " (- is standard input)"
	case field.Form == tools.Packet:
		doc += ", as JSON (- is standard input)"
	case field.Form == tools.Texts, field.Form == tools.Pairs:
		doc += " (may be repeated)"
	case field.Form == tools.ScopeRef:
		doc += " (folder:PATH, bot:NAME, session:ID)"
	case field.Form == tools.Choice:
		doc = strings.TrimSuffix(strings.Join(field.Choices, ", ")+"; "+doc, "; ")
	}
	return "`" + value + "` " + doc
}

// isSeldom reports whether a person seldom names a field: the help of a command names
// its flag alone, so that it stays one screen.
func isSeldom(field tools.Field) bool {
	switch field.Name {
	case "topic", "bot", "folder", "refs", "metadata", "packet", "leasedUntil", "addBlockedBy", "removeBlockedBy", "ifCommit", "idempotencyKey":
		return true
	}
	return false
}

// isFlag reports whether a field is given by a flag: an id is an argument, and
// --session is the session of the call.
func isFlag(field tools.Field) bool {
	return field.Form != tools.TaskID && field.Form != tools.PlanID && field.Kind != tools.SessionRef
}

// flagName is a field's name as flags are spelled: in small letters with
// dashes, and of a list in the singular, since each flag gives one.
func flagName(field tools.Field) string {
	var b strings.Builder
	for _, r := range field.Name {
		if unicode.IsUpper(r) {
			b.WriteByte('-')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	if field.Form == tools.Texts {
		return strings.TrimSuffix(b.String(), "s")
	}
	return b.String()
}

// input is what a tool is called with, field by field.
type input map[string]any

// inputOf reads the flags that were given. Empty ones are named too: they
// clear the field.
func (f *front) inputOf(c *urfave.Context, tool string) (input, error) {
	in := input{}
	for _, field := range tools.Find(tool).Fields {
		if !isFlag(field) || !c.IsSet(flagName(field)) {
			continue
		}
		value, err := f.valueOf(c, field)
		if err != nil {
			return nil, err
		}
		in[field.Name] = value
	}
	return in, nil
}

// valueOf is the value of a flag as its field takes it: a long text may come
// from standard input, and a path is one of the working folder.
func (f *front) valueOf(c *urfave.Context, field tools.Field) (any, error) {
	name := flagName(field)
	switch field.Form {
	case tools.Flag:
		return c.Bool(name), nil
	case tools.Texts:
		return c.Generic(name).(*texts).list(), nil
	case tools.Pairs:
		return pairs(name, c.Generic(name).(*texts).values)
	case tools.ScopeRef:
		return f.scope(c.String(name)), nil
	case tools.Packet:
		return f.packet(c.String(name))
	}
	switch value := c.String(name); {
	case field.Form == tools.Count:
		if n, err := strconv.Atoi(value); err == nil {
			return n, nil
		}
		return value, nil // which the tool refuses
	case field.Kind == tools.Markdown && value == "-":
		text, err := f.stdin()
		return strings.TrimSuffix(text, "\n"), err // the file ends with one of its own
	case field.Kind == tools.FolderPath:
		return f.abs(value), nil
	default:
		return value, nil
	}
}

// json is the input as it goes to the tool. JSON cannot say bytes that are no text,
// and would put others in their place.
func (in input) json(tool string) (json.RawMessage, error) {
	for _, field := range tools.Find(tool).Fields {
		if !utf8.ValidString(fmt.Sprint(in[field.Name])) {
			return nil, &tools.Error{Code: tools.Invalid, Tool: tool,
				Message: "Invalid " + tool + " input: " + field.Name + " must be Unicode text: it holds bytes that are no UTF-8."}
		}
	}
	return json.Marshal(in)
}

// pairs reads key=text; an empty text takes its key out.
func pairs(flag string, list []string) (map[string]string, error) {
	all := map[string]string{}
	for _, item := range list {
		key, text, ok := strings.Cut(item, "=")
		if !ok {
			return nil, usage("--%s must be KEY=TEXT, or KEY= to take one out, not %q", flag, item)
		}
		all[key] = text
	}
	return all, nil
}

// scope reads kind:name.
func (f *front) scope(s string) map[string]string {
	kind, name, _ := strings.Cut(s, ":")
	if kind == records.FolderScope {
		name = f.abs(name)
	}
	return map[string]string{"kind": kind, kind: name}
}

// abs is a path from the working folder; nothing stays nothing.
func (f *front) abs(path string) string {
	if path == "" || filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(f.env.Dir, path)
}

// texts is a flag that may be repeated. Unlike the library's own, it leaves
// commas alone.
type texts struct{ values []string }

// Set takes one more.
func (t *texts) Set(s string) error {
	t.values = append(t.values, s)
	return nil
}

// String gives them for a help text.
func (t *texts) String() string { return strings.Join(t.values, " ") }

// list gives what was named; one empty value is an empty list.
func (t *texts) list() []string {
	if len(t.values) == 1 && t.values[0] == "" {
		return []string{}
	}
	return t.values
}
