package cli

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	cli "github.com/urfave/cli/v2"

	"github.com/git-tasks/git-tasks/records"
	"github.com/git-tasks/git-tasks/tools"
)

// flagsOf makes the flags of a command from the fields of the tool it calls,
// but for the id of the record and the fields left out.
func flagsOf(tool string, without ...string) []cli.Flag {
	var flags []cli.Flag
	for _, field := range tools.Find(tool).Fields {
		if !isFlag(field) || slices.Contains(without, field.Name) {
			continue
		}
		name, doc := flagName(field), field.Doc
		switch field.Form {
		case tools.Flag:
			flags = append(flags, &cli.BoolFlag{Name: name, Usage: doc})
		case tools.Texts:
			flags = append(flags, &cli.GenericFlag{Name: name, Value: &texts{}, Usage: doc + " (may be repeated)"})
		case tools.ScopeRef:
			flags = append(flags, &cli.StringFlag{Name: name, Usage: doc + " (folder:PATH, bot:NAME, session:ID)"})
		default:
			flags = append(flags, &cli.StringFlag{Name: name, Usage: withChoices(doc, field.Choices)})
		}
	}
	return flags
}

func withChoices(doc string, choices []string) string {
	if len(choices) == 0 {
		return doc
	}
	return strings.TrimSuffix(strings.Join(choices, ", ")+"; "+doc, "; ")
}

// isFlag reports whether a field is given by a flag: an id is an argument, and
// --session is the session of the call.
func isFlag(field tools.Field) bool {
	return field.Form != tools.TaskID && field.Form != tools.PlanID && field.Name != "session"
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
func (f *front) inputOf(c *cli.Context, tool string) (input, error) {
	in := input{}
	for _, field := range tools.Find(tool).Fields {
		name := flagName(field)
		if !isFlag(field) || !c.IsSet(name) {
			continue
		}
		switch field.Form {
		case tools.Flag:
			in[field.Name] = c.Bool(name)
		case tools.Texts:
			in[field.Name] = c.Generic(name).(*texts).list()
		case tools.ScopeRef:
			in[field.Name] = f.scope(c.String(name))
		default:
			in[field.Name] = c.String(name)
		}
	}
	for _, long := range []string{"body", "goal"} {
		if in[long] == "-" {
			text, err := f.stdin()
			if err != nil {
				return nil, err
			}
			in[long] = strings.TrimSuffix(text, "\n") // the file ends with one of its own
		}
	}
	if folder, ok := in["folder"].(string); ok {
		in["folder"] = f.abs(folder)
	}
	return in, nil
}

// json is the input as it goes to the tool.
func (in input) json() (json.RawMessage, error) { return json.Marshal(in) }

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
