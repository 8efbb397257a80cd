package records_test

import (
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/git-tasks/git-tasks/records"
)

var update = flag.Bool("update", false, "write what is said into the golden file")

// slipped are files that a person got wrong in a way that no hand edit of the other
// tests has, each in the place of t2 where it names no path.
var slipped = map[string]tree{
	"a tag in a list":           t2("labels: !s [x]"),
	"an item that is tagged":    t2("refs:\n- !!str x"),
	"a key that is no text":     t2("? [a]\n: b"),
	"a key without a blank":     t2("note:x"),
	"a line that is none":       t2("stray\nnote: c"),
	"a directive":               {"tasks/t2.md": "---\n%YAML 1.2\nid: t2\ntitle: a\nstatus: todo\n---\n"},
	"a break that is YAML's":    t2("note: a\u0085b"),
	"an item and no list":       t2("labels:\n  - a\n - b"),
	"a key further in":          t2("own: a\n b: c"),
	"a closing bracket":         t2("labels: ]"),
	"a percent sign":            titled("%x"),
	"a bar":                     titled("| x"),
	"a title of two":            titled("'a' b"),
	"an anchor that is none":    titled("&"),
	"a list of nothing":         t2("labels: [null]"),
	"a text in place of map":    t2("metadata: x"),
	"a list in place of text":   t2("metadata:\n  c: [d]"),
	"a packet":                  t2("packet: x"),
	"the keys of a packet":      t2("packet: {a: {[b]: c}}"),
	"a source":                  t2("source: x"),
	"a stamp":                   t2("created: x"),
	"a stamp's time":            t2("created: {at: yesterday, by: ana}"),
	"a stamp without a name":    t2("created: {at: 2026-10-18}"),
	"a lease":                   t2("lease: x"),
	"a verdict":                 t2("reviewed: {at: 2026-10-18, by: ana, verdict: fine}"),
	"a title of blanks":         titled("\"  \""),
	"a title of a list":         titled("[a]"),
	"a status of a plan":        {"plans/p1.md": strings.Replace(planFile("p1", "active"), "active", "todo", 1)},
	"a plan without a scope":    {"plans/p1.md": "---\nid: p1\ntitle: P\nstatus: draft\n---\n"},
	"a scope as a text":         {"plans/p1.md": "---\nid: p1\nscope: bot:pilot\ntitle: P\nstatus: draft\n---\n"},
	"a list of keys":            {"tasks/t2.md": "---\n[a]\n---\n"},
	"no key at all":             {"tasks/t2.md": "---\ntext\n---\n"},
	"more bytes in front":       t2("note: " + strings.Repeat("x", 65<<10)),
	"more keys":                 t2(strings.Repeat("k: {a: 1, b: 2, c: 3}\n", 90)),
	"an id of another kind":     {"tasks/t2.md": "---\nid: p2\ntitle: a\nstatus: todo\n---\n"},
	"an id of ten digits":       {"tasks/t2.md": "---\nid: t1234567890\ntitle: a\nstatus: todo\n---\n"},
	"a word for the highest":    {"tasks/.highest": "twelve\n"},
	"more for the highest":      {"tasks/.highest": strings.Repeat("t12\n", 30)},
	"another name":              {"tasks/t2.md": "", "tasks/t13.md": strings.Replace(shelf()["tasks/t2.md"], "id: t2", "id: t13", 1)},
	"a name with a break":       {"tasks/a\nb.md": "x"},
	"a name with a backslash":   {`tasks/a\b.md`: "x"},
	"a name of no letters":      {"tasks/\xff.md": "x"},
	"a device":                  {"tasks/con.md": "x"},
	"a record that is a folder": {"tasks/t7.md/x.md": "x"},
	"too deep":                  {"tasks/" + strings.Repeat("a/", 20) + "x.md": "---\ntitle: a\n---\n"},
	"a task begun":              {"tasks/t2.md": taskFile("t2", "doing")},
}

// TestRefusedGolden holds every refusal of a push to its words: the file and line,
// what is wrong, and the line as it should be.
func TestRefusedGolden(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	tell := func(name string, next *records.Book, paths []string) {
		faults, err := records.CheckPush(shelf().book(), next, paths,
			records.Push{By: "bob", At: noon, Rules: records.Rules{RequireApproval: name == "a task begun"}})
		if err != nil {
			t.Fatal(err)
		}
		if len(faults) > 0 {
			fmt.Fprintf(&b, "%s\n", name)
		}
		for _, f := range faults[:min(len(faults), 3)] {
			fmt.Fprintf(&b, "    %s\n", strings.ReplaceAll(f.Explain(), "\n", "\n    "))
		}
	}
	rows := maps.Clone(slipped)
	for name, edit := range handEdits() {
		rows[name] = edit.files
	}
	for _, name := range slices.Sorted(maps.Keys(rows)) {
		next := shelf()
		for path, text := range rows[name] {
			if next[path] = text; text == "" {
				delete(next, path)
			}
		}
		tell(name, next.book(), slices.Sorted(maps.Keys(rows[name])))
	}
	for _, mode := range []fs.FileMode{fs.ModeSymlink, fs.ModeIrregular, 0o755} {
		next := shelf().fs().(fstest.MapFS)
		next["tasks/t2.md"] = &fstest.MapFile{Data: []byte("t1.md"), Mode: mode}
		tell("a file of mode "+mode.String(), records.NewBook(next), []string{"tasks/t2.md"})
	}
	const golden = "testdata/refused.golden"
	if *update {
		if err := os.WriteFile(golden, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if b.String() != string(want) {
		t.Errorf("refused pushes say now (-update writes it)\n%s", b.String())
	}
	for _, words := range worded(t) {
		if !strings.Contains(b.String(), words) && unrefused[words] == "" {
			t.Errorf("no push is refused with %q", words)
		}
	}
}

// unrefused are words of the gate's files that no push is refused with, and why.
var unrefused = map[string]string{
	"frontmatter must be lines of `key: value`":  "the line that is none is named in its place",
	"lies neither under tasks/ nor under plans/": "the gate reads no other file",
	"bytes: a record is at most 1 MiB":           "the gate goes by the size, and reads no such file",
	"yaml parser gave up:":                       "the parser would have to panic",
	"YAML cannot read the frontmatter:":          "it stands before what the parser says where we find no better words",
	"is text that YAML cannot read as it is":     "the same",
	`^line (\d+): (.*)`:                          "is the form of what the parser says",
}

// worded gives the sentences of the files that word refusals: of each text the
// longest piece that is the same whatever it is about.
func worded(t *testing.T) (list []string) {
	t.Helper()
	for _, pattern := range []string{"parse*.go", "diagnose.go", "frontmatter.go", "limits.go", "names.go", "move.go", "push.go", "report.go", "walk.go"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %v", pattern, err)
		}
		for _, name := range files {
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
			if err != nil {
				t.Fatal(err)
			}
			ast.Inspect(file, func(n ast.Node) bool {
				literal, ok := n.(*ast.BasicLit)
				if !ok || literal.Kind != token.STRING {
					return true
				}
				text, err := strconv.Unquote(literal.Value)
				if err != nil || strings.Contains(text, "%w") {
					return true
				}
				longest := ""
				for _, piece := range regexp.MustCompile(`%[0-9]*[a-zA-Z]`).Split(text, -1) {
					if len(piece) > len(longest) {
						longest = piece
					}
				}
				if strings.Count(strings.TrimSpace(longest), " ") >= 2 {
					list = append(list, strings.TrimSpace(longest))
				}
				return true
			})
		}
	}
	return list
}
