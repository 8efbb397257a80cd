package detail

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"

	"github.com/git-tasks/git-tasks/records"
)

// Key is one key of a record, and the value of its field.
type Key struct {
	Name  string
	Value any
}

// Keys gives the keys that a record, or a [Task], has a value for, in the order
// of the file; what was worked out stands behind them.
func Keys(record any) []Key {
	v := reflect.Indirect(reflect.ValueOf(record))
	if v.Kind() != reflect.Struct {
		return nil
	}
	var keys []Key
	for i := range v.NumField() {
		field := v.Type().Field(i)
		switch {
		case field.Anonymous:
			keys = append(keys, Keys(v.Field(i).Interface())...)
		case v.Field(i).Kind() == reflect.Slice && v.Field(i).Len() == 0: // an empty list says nothing
		case !v.Field(i).IsZero():
			name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
			keys = append(keys, Key{name, v.Field(i).Interface()})
		}
	}
	return keys
}

// Line is the value in one line: a text as it is, a list with commas, a scope and a
// stamp as a person says them, and whatever else as JSON.
func (k Key) Line() string {
	text := ""
	switch value := k.Value.(type) {
	case []string:
		text = strings.Join(value, ", ")
	case records.Scope:
		text = value.Kind + " " + value.Folder + value.Bot + value.Session
	case *records.Stamp:
		text = value.At + " by " + value.By + behind(" in ", value.In) + behind(": ", string(value.Verdict))
	case *records.Lease:
		text = value.At + " by " + value.By + behind(" in ", value.In) + behind(" until ", value.Until)
	default:
		if v := reflect.ValueOf(value); v.Kind() == reflect.String {
			text = v.String()
		} else {
			text = inJSON(value)
		}
	}
	return records.Visible(text)
}

// inJSON is a value as JSON, or as Go says it: a packet may hold a number that JSON
// has not.
func inJSON(value any) string {
	data, err := json.Marshal(value)
	if err != nil {
		return fmt.Sprint(value)
	}
	return string(data)
}

// behind is a text with a word before it, nothing without the text.
func behind(word, text string) string {
	if text == "" {
		return ""
	}
	return word + text
}
