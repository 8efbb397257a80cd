package records

import (
	"reflect"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
)

// TestScalar is how texts are written: as a person would while that is safe.
func TestScalar(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"Read the plan":            "Read the plan",
		"ahp-session:/one":         "ahp-session:/one",
		"/srv/work":                "/srv/work",
		"https://x.y/z?q=1":        "https://x.y/z?q=1",
		"user's next (one, two)":   "user's next (one, two)",
		"Über den Plan":            "Über den Plan",
		"日本語":                      "日本語",
		"":                         `""`,
		"yes":                      `"yes"`,
		"N":                        `"N"`,
		"null":                     `"null"`,
		"12":                       `"12"`,
		"2026-10-18":               `"2026-10-18"`,
		"2026-10-18T10:00:00.000Z": `"2026-10-18T10:00:00.000Z"`,
		"a: b":                     `"a: b"`,
		"a:":                       `"a:"`,
		"a ":                       `"a "`,
		" a":                       `" a"`,
		"a #b":                     `"a #b"`,
		"@x":                       `"@x"`,
		"[a]":                      `"[a]"`,
		`say "x" \ y`:              `"say \"x\" \\ y"`,
		"a\nb\tc\rd":               `"a\nb\tc\x0dd"`,
		"\x00\x1b\x7f\u0085":       `"\x00\x1b\x7f\x85"`,
		"\u2028\u202e\ufeff":       `"\u2028\u202e\ufeff"`,
		"\U000e0041":               `"\U000e0041"`,
		"Ship it 🚀":                `"Ship it 🚀"`,
		"👩‍🚀":                      `"👩‍🚀"`,
	} {
		if got := scalar(text); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}

// TestMoment is bare for the one form of time that we write.
func TestMoment(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"2026-10-18T10:00:00.000Z": "2026-10-18T10:00:00.000Z",
		"2026-10-18T10:00:00Z":     `"2026-10-18T10:00:00Z"`,
		"2026-10-18":               `"2026-10-18"`,
	} {
		if got := moment(text); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}

// TestLongText is read back by both parsers, keys too long for YAML's short
// form among them.
func TestLongText(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("word ", 400) + "end"
	task := &Task{ID: "t7", Title: long, Status: Todo, Note: "a: " + long, Labels: []string{long, "- " + long},
		Metadata: map[string]string{long: "v", "? " + long: long}, Packet: map[string]any{"l": []any{map[string]any{long: long, "z": "y"}}}}
	data := task.Encode()
	p := Parse("tasks/t7.md", data)
	if len(p.Faults) > 0 || !reflect.DeepEqual(p.Task, task) {
		t.Fatalf("%v", p.Faults)
	}
	var got map[string]any
	sheet, _, _ := cut(data)
	if err := yaml.Unmarshal(sheet.front(), &got); err != nil {
		t.Fatal(err)
	}
	if got["title"] != long || !reflect.DeepEqual(got["metadata"], anyMap(task.Metadata)) || !reflect.DeepEqual(got["packet"], any(task.Packet)) {
		t.Fatal("the second parser reads something else")
	}
}

// FuzzScalar writes any text in every form there is and reads it back.
func FuzzScalar(f *testing.F) {
	for _, part := range hostileParts {
		f.Add(part, part)
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		a, b = strings.ToValidUTF8(a, ""), strings.ToValidUTF8(b, "")
		if len(flowScalar(a)) > longKey || len(b) > longKey {
			return
		}
		front := "k: " + scalar(a) + "\nl: [" + flowScalar(a) + ", " + flowScalar(b) + "]\nm: {" + flowScalar(a) + ": " + flowScalar(b) + "}\n" + keyText("x"+b, 0) + " " + quote(a) + "\n"
		root, err := decode([]byte(front))
		if err != nil {
			t.Fatalf("%v\n%s", err, front)
		}
		c := root.Content
		for i, pair := range [][2]string{{c[1].Value, a}, {c[3].Content[0].Value, a}, {c[3].Content[1].Value, b},
			{c[5].Content[0].Value, a}, {c[5].Content[1].Value, b}, {c[6].Value, "x" + b}, {c[7].Value, a}} {
			if pair[0] != pair[1] {
				t.Fatalf("%d: read %q, want %q\n%s", i, pair[0], pair[1], front)
			}
		}
	})
}
