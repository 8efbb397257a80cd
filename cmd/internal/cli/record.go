package cli

import (
	"encoding/json"
	"reflect"
	"strings"

	"github.com/git-tasks/git-tasks/records"
)

// record gives a task or plan, nil where there is none.
func (o *opened) record(id string) (any, error) {
	book, _, err := o.store.Book()
	if err != nil {
		return nil, err
	}
	return book.Record(id)
}

func idOf(record any) string {
	if r, ok := record.(records.Record); ok {
		id, _ := r.Name()
		return id
	}
	return ""
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
