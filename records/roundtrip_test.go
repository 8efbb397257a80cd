package records

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
)

// hostileTask puts hostile texts wherever a task takes any.
func hostileTask(rnd *rand.Rand) (*Task, int) {
	t := &Task{ID: "t7", Title: hostile(rnd), Status: Todo, Note: hostile(rnd), Body: hostile(rnd), Rank: hostile(rnd)}
	if strings.TrimSpace(t.Title) == "" {
		t.Title = "x" + t.Title
	}
	t.Labels = []string{hostile(rnd), hostile(rnd)}
	t.Metadata = map[string]string{hostile(rnd): hostile(rnd), "k": hostile(rnd)}
	t.Packet = map[string]any{hostile(rnd): []any{hostile(rnd), map[string]any{hostile(rnd): hostile(rnd)}}}
	if rnd.IntN(4) == 0 {
		t.Body += strings.Repeat(hostile(rnd)+"\n", 3)
	}
	return t, 12
}

// TestP14AnyTextComesBack writes hostile texts and reads them with our parser.
func TestP14AnyTextComesBack(t *testing.T) {
	t.Parallel()
	rnd := seeded(t, 14)
	for n := heavy(400_000); n > 0; {
		want, used := hostileTask(rnd)
		n -= used
		data := want.Encode()
		p := Parse("tasks/t7.md", data)
		if len(p.Faults) > 0 {
			t.Fatalf("%s\n%q", p.Faults[0], data)
		}
		if !reflect.DeepEqual(p.Task, want) {
			t.Fatalf("read %+v\nwant %+v\n%q", p.Task, want, data)
		}
		if again := p.Task.Encode(); string(again) != string(data) {
			t.Fatalf("encoded %q\nthen    %q", data, again)
		}
	}
}

// TestP14SecondParserAgrees reads what we write with a parser that shares no
// code with ours.
func TestP14SecondParserAgrees(t *testing.T) {
	t.Parallel()
	rnd := seeded(t, 15)
	for n := heavy(400_000); n > 0; {
		want, used := hostileTask(rnd)
		n -= used
		data := want.Encode()
		sheet, _, _ := cut(data)
		var got map[string]any
		if err := yaml.Unmarshal(sheet.front(), &got); err != nil {
			t.Fatalf("second parser: %v\n%s", err, sheet.front())
		}
		expect := map[string]any{"id": "t7", "title": want.Title, "status": "todo", "labels": []any{want.Labels[0], want.Labels[1]},
			"blockedBy": []any{}, "refs": []any{}, "metadata": anyMap(want.Metadata), "packet": want.Packet}
		for key, text := range map[string]string{"note": want.Note, "rank": want.Rank} {
			if text != "" {
				expect[key] = text
			}
		}
		if !reflect.DeepEqual(got, expect) {
			t.Fatalf("second parser: %s\n%s", difference(got, expect), sheet.front())
		}
	}
}

func anyMap(m map[string]string) map[string]any {
	all := map[string]any{}
	for k, v := range m {
		all[k] = v
	}
	return all
}

func difference(got, want map[string]any) string {
	for k, w := range want {
		if !reflect.DeepEqual(got[k], w) {
			return fmt.Sprintf("%s is %#v, want %#v", k, got[k], w)
		}
	}
	return fmt.Sprintf("%d keys, want %d", len(got), len(want))
}

// TestP14SpliceAnyText sets hostile texts in files that have their own manners.
func TestP14SpliceAnyText(t *testing.T) {
	t.Parallel()
	rnd := seeded(t, 16)
	files := []string{
		"---\nid: t7\ntitle: 'x'\nstatus: todo\nlabels: [a, 'b']\nmetadata: {k: v}\n---\n",
		"---\r\n# c\r\nid: \"t7\"\r\nstatus:   todo # s\r\nlabels:\r\n    - a # first\r\n    - \"b\"\r\ntitle: >-\r\n  two\r\n  lines\r\nmetadata:\r\n  k: v # kept\r\n---\r\n\r\nBody\r\n",
		"---\n{id: t7, title: x, status: todo, own: [1, yes]}\n---\nBody",
		"---\nid: t7\ntitle: x # why\nnote: 'n' # how\nstatus: todo\npacket: {a: [b]}\n...\n\nBody",
	}
	for n := heavy(400_000); n > 0; {
		want, used := hostileTask(rnd)
		n -= used
		old := files[rnd.IntN(len(files))]
		data, err := Splice([]byte(old), want)
		if err != nil {
			t.Fatalf("%v\n%q\n%+v", err, old, want)
		}
		p := Parse("tasks/t7.md", data)
		if len(p.Faults) > 0 || !reflect.DeepEqual(p.Task, want) {
			t.Fatalf("faults %v\nread %+v\nwant %+v\n%q", p.Faults, p.Task, want, data)
		}
	}
}
