package tools

import (
	"encoding/json"
	"fmt"
)

const anArray = "an array of objects"

// readObjects gives a list of what each object names, by field. What is wrong in one
// is said of it: "todos[2].status".
func (f Field) readObjects(raw json.RawMessage) (any, error) {
	var items []json.RawMessage
	if json.Unmarshal(raw, &items) != nil {
		return nil, f.must(anArray)
	}
	objects := make([]map[string]any, len(items))
	for i, item := range items {
		at := fmt.Sprintf("%s[%d]", f.Name, i)
		var named map[string]json.RawMessage
		if json.Unmarshal(item, &named) != nil || named == nil {
			return nil, Field{Name: at}.must("an object")
		}
		objects[i] = map[string]any{}
		for _, of := range f.items {
			name := of.Name
			of.Name = at + "." + name
			value, err := of.read(named[name])
			if err != nil {
				return nil, err
			}
			objects[i][name] = value
		}
	}
	return objects, nil
}
