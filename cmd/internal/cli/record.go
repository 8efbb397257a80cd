package cli

import (
	"reflect"

	"github.com/git-tasks/git-tasks/records"
	"github.com/git-tasks/git-tasks/records/detail"
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
	old, names := map[string]any{}, []string(nil)
	for _, key := range detail.Keys(before) {
		old[key.Name] = key.Value
	}
	for _, key := range detail.Keys(after) {
		if value, had := old[key.Name]; !had || !reflect.DeepEqual(value, key.Value) {
			names = append(names, key.Name)
		}
		delete(old, key.Name)
	}
	for _, key := range detail.Keys(before) {
		if _, gone := old[key.Name]; gone {
			names = append(names, key.Name)
		}
	}
	return names
}
