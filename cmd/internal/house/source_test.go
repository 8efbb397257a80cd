package house

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"
)

const (
	maxFileLines  = 400
	maxFuncLines  = 100
	longFuncLines = 60
	maxLongShare  = 2   // percent of functions longer than longFuncLines
	maxMethods    = 5   // of an interface
	maxComment    = 100 // characters of a line of it
)

// What every rule looks at is read once; no rule changes it.
var (
	topOnce     = sync.OnceValues(findTop)
	sourcesOnce = sync.OnceValues(readSources)
	programOnce = sync.OnceValues(readProgram)
)

// once gives what was read, and ends the test where it could not be.
func once[T any](t *testing.T, read func() (T, error)) T {
	t.Helper()
	what, err := read()
	if err != nil {
		t.Fatal(err)
	}
	return what
}

// root gives the top of the repository.
func root(t *testing.T) string { return once(t, topOnce) }

func findTop() (string, error) {
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}").Output()
	if err != nil {
		return "", fmt.Errorf("go list -m: %w", err)
	}
	return strings.TrimSpace(string(out)), nil
}

// source is one Go file.
type source struct {
	path  string // from the top
	lines int
	file  *ast.File
	set   *token.FileSet
}

func (s source) isTest() bool { return strings.HasSuffix(s.path, "_test.go") }

func (s source) at(n ast.Node) string {
	p := s.set.Position(n.Pos())
	return fmt.Sprintf("%s:%d", s.path, p.Line)
}

func (s source) length(n ast.Node) int {
	return s.set.Position(n.End()).Line - s.set.Position(n.Pos()).Line + 1
}

func sources(t *testing.T) []source { return once(t, sourcesOnce) }

func readSources() (list []source, err error) {
	top, err := topOnce()
	if err != nil {
		return nil, err
	}
	err = filepath.WalkDir(top, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() && strings.HasPrefix(d.Name(), ".") && path != top {
			return fs.SkipDir
		}
		if d.IsDir() || filepath.Ext(path) != ".go" {
			return nil
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, path, data, parser.ParseComments)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(top, path)
		list = append(list, source{filepath.ToSlash(rel), strings.Count(string(data), "\n"), file, set})
		return err
	})
	if err == nil && len(list) < 20 {
		err = fmt.Errorf("only %d Go files under %s", len(list), top)
	}
	return list, err
}

// TestCommentsAreWrapped holds the lines of comments to what two windows side by side
// show of them.
func TestCommentsAreWrapped(t *testing.T) {
	t.Parallel()
	for _, s := range sources(t) {
		for _, group := range s.file.Comments {
			for _, c := range group.List {
				for line := range strings.Lines(c.Text) {
					if n := utf8.RuneCountInString(line); n > maxComment {
						t.Errorf("%s: a line of a comment has %d characters; at most %d", s.at(c), n, maxComment)
					}
				}
			}
		}
	}
}

func TestSizes(t *testing.T) {
	t.Parallel()
	functions, long := 0, 0
	for _, s := range sources(t) {
		if s.lines > maxFileLines {
			t.Errorf("%s has %d lines; a file of more than %d holds two things", s.path, s.lines, maxFileLines)
		}
		if s.isTest() {
			continue
		}
		ast.Inspect(s.file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncDecl:
				functions++
				if s.length(n) > longFuncLines {
					long++
					t.Logf("%s: %s has %d lines", s.at(n), n.Name, s.length(n))
				}
				if s.length(n) > maxFuncLines {
					t.Errorf("%s: %s has %d lines; at most %d", s.at(n), n.Name, s.length(n), maxFuncLines)
				}
			case *ast.InterfaceType:
				if n.Methods.NumFields() > maxMethods {
					t.Errorf("%s: an interface of %d methods; its user needs at most %d", s.at(n), n.Methods.NumFields(), maxMethods)
				}
			}
			return true
		})
	}
	if long*100 > functions*maxLongShare {
		t.Errorf("%d of %d functions have more than %d lines; at most %d %%", long, functions, longFuncLines, maxLongShare)
	}
}

// TestCalls keeps some calls out of where they do harm.
func TestCalls(t *testing.T) {
	t.Parallel()
	for _, s := range sources(t) {
		ast.Inspect(s.file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			sel, ok := call.Fun.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			pkg, _ := sel.X.(*ast.Ident)
			switch {
			case pkg != nil && pkg.Name == "os" && sel.Sel.Name == "Exit" && !s.isTest() && !(s.file.Name.Name == "main" && filepath.Base(s.path) == "main.go"):
				t.Errorf("%s: only main ends the process; deferred work would be skipped", s.at(call))
			case pkg != nil && pkg.Name == "time" && sel.Sel.Name == "Sleep" && s.isTest():
				t.Errorf("%s: a test waits for what happens, not for a time", s.at(call))
			case pkg != nil && (pkg.Name == "os" || pkg.Name == "t" || pkg.Name == "b") && (sel.Sel.Name == "Setenv" || sel.Sel.Name == "Chdir") && s.isTest():
				t.Errorf("%s: a test gives what it tests an environment and a folder, and leaves those of the process be", s.at(call))
			case strings.HasPrefix(sel.Sel.Name, "Skip") && s.isTest() && (sel.Sel.Name == "SkipNow" || sel.Sel.Name != "SkipDir" && sel.Sel.Name != "SkipAll" && len(call.Args) == 0):
				t.Errorf("%s: a test that is skipped says why", s.at(call))
			}
			return true
		})
	}
}
