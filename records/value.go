package records

import (
	"cmp"
	"maps"
	"math"
	"reflect"
	"slices"
	"strconv"
)

// form is how a value is written.
type form uint8

const (
	absent  form = iota
	textual      // text, bare where that is safe
	quoted       // text that is in quotes whatever it is
	timed        // a time, bare in our own form
	literal      // a number, a bool or null
	listed       // a list
	mapped       // a map
)

// value is one value of the frontmatter on its way into a file.
type value struct {
	form  form
	text  string
	items []value
	keys  []entry
}

// entry is one key of a map with its value.
type entry struct {
	key   string
	value value
}

func textValue(s string) value {
	if s == "" {
		return value{}
	}
	return value{form: textual, text: s}
}

func quotedValue(s string) value {
	v := textValue(s)
	if v.form == textual {
		v.form = quoted
	}
	return v
}

func listValue(list []string) value {
	v := value{form: listed}
	for _, s := range list {
		v.items = append(v.items, value{form: textual, text: s})
	}
	return v
}

// mapValue keeps the keys that have a value; a map without any is absent.
func mapValue(keys ...entry) value {
	keys = slices.DeleteFunc(keys, func(e entry) bool { return e.value.form == absent })
	if len(keys) == 0 {
		return value{}
	}
	return value{form: mapped, keys: keys}
}

func stampValue(s *Stamp) value {
	if s == nil {
		return value{}
	}
	return mapValue(entry{"at", timeValue(s.At)}, entry{"by", textValue(s.By)},
		entry{"in", textValue(s.In)}, entry{"verdict", textValue(string(s.Verdict))})
}

func timeValue(s string) value {
	if s == "" {
		return value{}
	}
	return value{form: timed, text: s}
}

func leaseValue(l *Lease) value {
	if l == nil {
		return value{}
	}
	return mapValue(entry{"at", timeValue(l.At)}, entry{"by", textValue(l.By)},
		entry{"in", textValue(l.In)}, entry{"until", timeValue(l.Until)})
}

func sourceValue(s *Source) value {
	if s == nil {
		return value{}
	}
	return mapValue(entry{"tool", textValue(s.Tool)}, entry{"id", textValue(s.ID)})
}

func scopeValue(s Scope) value {
	return mapValue(entry{"kind", textValue(s.Kind)}, entry{"folder", textValue(s.Folder)},
		entry{"bot", textValue(s.Bot)}, entry{"session", textValue(s.Session)})
}

// metadataValue is sorted by key, so that equal maps make equal files.
func metadataValue(m map[string]string) value {
	var keys []entry
	for _, k := range slices.Sorted(maps.Keys(m)) {
		keys = append(keys, entry{k, value{form: textual, text: m[k]}})
	}
	return mapValue(keys...)
}

func packetValue(m map[string]any) value {
	if len(m) == 0 {
		return value{}
	}
	return anyValue(m)
}

// anyValue takes what JSON decodes to. Whole numbers of other types are taken
// as well; what JSON has no word for is kept as text, so that nothing is lost
// without a trace.
func anyValue(a any) value {
	switch a := a.(type) {
	case nil:
		return value{form: literal, text: "null"}
	case string:
		return value{form: textual, text: a}
	case bool:
		return value{form: literal, text: strconv.FormatBool(a)}
	case float64:
		return numberValue(a)
	case []any:
		v := value{form: listed}
		for _, item := range a {
			v.items = append(v.items, anyValue(item))
		}
		return v
	case map[string]any:
		v := value{form: mapped}
		for k, item := range a {
			v.keys = append(v.keys, entry{k, anyValue(item)})
		}
		slices.SortFunc(v.keys, func(x, y entry) int { return cmp.Compare(x.key, y.key) })
		return v
	}
	return reflectValue(reflect.ValueOf(a))
}

func reflectValue(r reflect.Value) value {
	switch {
	case r.CanInt():
		return numberValue(float64(r.Int()))
	case r.CanUint():
		return numberValue(float64(r.Uint()))
	case r.CanFloat():
		return numberValue(r.Float())
	}
	return value{form: textual, text: r.String()}
}

// exactWhole is up to where every whole number is a float64 of its own.
const exactWhole = 1 << 53

func numberValue(f float64) value {
	switch {
	case math.IsNaN(f) || math.IsInf(f, 0):
		return value{form: textual, text: strconv.FormatFloat(f, 'g', -1, 64)}
	case f == math.Trunc(f) && math.Abs(f) < exactWhole:
		return value{form: literal, text: strconv.FormatFloat(f+0, 'f', 0, 64)}
	}
	if size := math.Abs(f); size >= 1e-6 && size < 1e21 {
		return value{form: literal, text: strconv.FormatFloat(f, 'f', -1, 64)}
	}
	return value{form: literal, text: withPoint(strconv.FormatFloat(f, 'e', -1, 64))}
}

// withPoint gives a number in exponent form a fraction: without one some
// parsers take it for text.
func withPoint(text string) string {
	for i := range len(text) {
		switch text[i] {
		case '.':
			return text
		case 'e':
			return text[:i] + ".0" + text[i:]
		}
	}
	return text
}
