package house

import (
	"go/ast"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// unshown are messages that no test has shown, each with the reason.
var unshown = map[string]string{
	"the clone would name a program that is gone by then; install git-tasks, and clone with that": "go run alone makes such a program",
	"the clone would name a program that is gone by then; install git-tasks, and do it with that": "go run alone makes such a program",
	"the hooks would name a program that is gone by then; install git-tasks, and do it with that": "go run alone makes such a program",
	"%s would keep an entry that starts nothing":                                                  "go run alone makes such a program",
	"--project is about the folder that this is typed in, and there is none any more":             "a shell alone is in a folder that is gone",
	"--packet is too large: %s has more than %d MiB":                                              "it takes a file of that size",
	"standard input is longer than %d MiB":                                                        "it takes an input of that size",
	"what it must say, as a table of its own:\n":                                                  "the tests of cmd/internal/install have the files that an entry cannot be put into",
}

var (
	verb    = regexp.MustCompile(`%[-+#0-9.]*[a-zA-Z]`)
	escapes = strings.NewReplacer(`\`, "", "`", "", "\n", " ", "'", ".")
)

// TestEveryRefusalIsShown: each refusal of the command line, and each hint that it
// writes out, stands in a script, a golden file or a test that brings it about.
func TestEveryRefusalIsShown(t *testing.T) {
	t.Parallel()
	shown := shownByTests(t)
	said, excused := 0, maps.Clone(unshown)
	for _, s := range sources(t) {
		if !strings.HasPrefix(s.path, "cmd/internal/cli/") {
			continue
		}
		ast.Inspect(s.file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			if name, ok := call.Fun.(*ast.Ident); !ok || name.Name != "usage" && name.Name != "withHint" {
				return true
			}
			for _, arg := range call.Args {
				for _, text := range literals(arg) {
					said++
					delete(excused, text)
					switch is := isShown(text, shown); {
					case !is && unshown[text] == "":
						t.Errorf("%s: no test shows %q", s.path, text)
					case is && unshown[text] != "":
						t.Errorf("%s: a test shows %q: take it out of the table of what is not shown", s.path, text)
					}
				}
			}
			return true
		})
	}
	if said < 50 {
		t.Errorf("only %d messages were found", said)
	}
	for text := range excused {
		t.Errorf("nothing says %q: take it out of the table of what is not shown", text)
	}
}

// isShown reports whether the tests hold a message, but for what is filled in.
func isShown(text, shown string) bool {
	for _, part := range verb.Split(text, -1) {
		if part = strings.TrimSpace(escapes.Replace(part)); len(part) > 3 && !strings.Contains(shown, part) {
			return false
		}
	}
	return true
}

// literals gives the texts that an argument is put together of, where it is one.
func literals(e ast.Expr) (texts []string) {
	switch e := e.(type) {
	case *ast.BinaryExpr:
		return append(literals(e.X), literals(e.Y)...)
	case *ast.BasicLit:
		if text, err := strconv.Unquote(e.Value); err == nil && e.Kind == token.STRING {
			return []string{text}
		}
	}
	return nil
}

// shownByTests is all that the tests of the command line hold what it says to.
func shownByTests(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	err := filepath.WalkDir("../cli", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasSuffix(path, ".go") && !strings.HasSuffix(path, "_test.go") {
			return err
		}
		data, err := os.ReadFile(path)
		b.WriteString(escapes.Replace(string(data)))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}
