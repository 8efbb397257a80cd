package records

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// fields merges the keys of a record one by one into pushed, a record of its own
// by then. The text below them is left to whoever merges lines.
func (m *merging) fields(base, branch, pushed []key) {
	for i, k := range pushed {
		switch field := k.field.(type) {
		case *[]string:
			*field = mergeSet(*base[i].field.(*[]string), *branch[i].field.(*[]string), *field)
			continue
		case *map[string]string:
			m.metadata(base[i].field.(*map[string]string), branch[i].field.(*map[string]string), field)
			continue
		}
		was, ours, theirs := valueOf(base[i].field), valueOf(branch[i].field), valueOf(k.field)
		switch {
		case reflect.DeepEqual(ours, theirs) || reflect.DeepEqual(was, ours):
		case reflect.DeepEqual(was, theirs):
			set(k.field, branch[i].field)
		case branchStands(k, branch[i].field):
			m.lose(k.name, textOf(theirs), textOf(ours), true)
			set(k.field, branch[i].field)
		default:
			m.lose(k.name, textOf(ours), textOf(theirs), false)
		}
	}
}

// set makes a field hold what another one of its type holds.
func set(field, from any) { reflect.ValueOf(field).Elem().Set(reflect.ValueOf(from).Elem()) }

// branchStands says which side a field that both changed is taken from.
func branchStands(pushed key, branch any) bool {
	switch pushed.name {
	case "id", "owner", "lease":
		return true
	}
	theirs, isStamp := pushed.field.(**Stamp)
	if !isStamp {
		return false
	}
	ours := *branch.(**Stamp)
	if ours == nil || *theirs == nil {
		return *theirs == nil
	}
	at, ok := ours.Time()
	other, ok2 := (*theirs).Time()
	switch {
	case !ok || !ok2 || at.Equal(other):
		return true
	case pushed.name == "approved" || pushed.name == "reviewed":
		return at.After(other)
	}
	return at.Before(other)
}

// mergeSet gives a list with what either side added and without what either
// took out, in the order of the push, or of the one side that changed it.
func mergeSet(base, branch, pushed []string) []string {
	if slices.Equal(base, pushed) {
		return branch
	}
	if slices.Equal(base, branch) {
		return pushed
	}
	var merged []string
	for _, item := range pushed {
		if slices.Contains(branch, item) || !slices.Contains(base, item) {
			merged = append(merged, item)
		}
	}
	for i, item := range branch {
		if slices.Contains(base, item) || slices.Contains(merged, item) {
			continue
		}
		// It goes behind the nearest item that it follows on the branch.
		at := len(merged)
		for j := i - 1; j >= 0; j-- {
			if k := slices.Index(merged, branch[j]); k >= 0 {
				at = k + 1
				break
			}
		}
		merged = slices.Insert(merged, at, item)
	}
	return merged
}

// metadata merges a map of texts key by key.
func (m *merging) metadata(base, branch, pushed *map[string]string) {
	merged := map[string]string{}
	for _, e := range metadataKeys(*base, *branch, *pushed) {
		was, ours, theirs := entryOf(*base, e), entryOf(*branch, e), entryOf(*pushed, e)
		to := pick(was, ours, theirs)
		if to.known {
			merged[e] = to.text
		}
		if ours != theirs && ours != was && theirs != was {
			m.lose("metadata."+e, ours.text, theirs.text, false)
		}
	}
	*pushed = nil
	if len(merged) > 0 {
		*pushed = merged
	}
}

// metadatum is one text of a map, and whether it is there at all.
type metadatum struct {
	text  string
	known bool
}

func entryOf(m map[string]string, key string) metadatum {
	text, known := m[key]
	return metadatum{text, known}
}

func metadataKeys(maps ...map[string]string) []string {
	var keys []string
	for _, m := range maps {
		for k := range m {
			keys = append(keys, k)
		}
	}
	slices.Sort(keys)
	return slices.Compact(keys)
}

// textOf gives a value as one line of text, "" for none.
func textOf(v value) string {
	switch v.form {
	case absent:
		return ""
	case listed:
		var items []string
		for _, item := range v.items {
			items = append(items, textOf(item))
		}
		return "[" + strings.Join(items, ", ") + "]"
	case mapped:
		var keys []string
		for _, e := range v.keys {
			keys = append(keys, fmt.Sprintf("%s: %s", e.key, textOf(e.value)))
		}
		return "{" + strings.Join(keys, ", ") + "}"
	}
	return v.text
}
