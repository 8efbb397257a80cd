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
	"testing"
)

const (
	maxFileLines  = 400 // of a file that is no test
	maxFuncLines  = 100
	longFuncLines = 60
	maxLongShare  = 2 // percent of functions longer than longFuncLines
	maxMethods    = 5 // of an interface
)

// root gives the top of the repository.
func root(t *testing.T) string {
	t.Helper()
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}").Output()
	if err != nil {
		t.Fatalf("go list -m: %v", err)
	}
	return strings.TrimSpace(string(out))
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

func sources(t *testing.T) []source {
	t.Helper()
	top := root(t)
	var list []source
	err := filepath.WalkDir(top, func(path string, d fs.DirEntry, err error) error {
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
	if err != nil {
		t.Fatal(err)
	}
	if len(list) < 20 {
		t.Fatalf("only %d Go files under %s", len(list), top)
	}
	return list
}

func TestSizes(t *testing.T) {
	t.Parallel()
	functions, long := 0, 0
	for _, s := range sources(t) {
		if s.isTest() {
			continue
		}
		if s.lines > maxFileLines {
			t.Errorf("%s has %d lines; a file of more than %d holds two things", s.path, s.lines, maxFileLines)
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

func TestDocs(t *testing.T) {
	t.Parallel()
	docs := map[string]string{}
	for _, s := range sources(t) {
		if s.isTest() {
			continue
		}
		docs[filepath.Dir(s.path)] += s.file.Doc.Text()
		for _, d := range s.file.Decls {
			checkDocs(t, s, d)
		}
	}
	for dir, doc := range docs {
		if doc == "" {
			t.Errorf("%s has no package doc", dir)
		}
		if !strings.HasPrefix(dir, "cmd/") && !strings.HasSuffix(dir, "test") && !strings.Contains(doc, "What can go wrong") {
			t.Errorf("the package doc of %s does not say what can go wrong", dir)
		}
	}
}

func checkDocs(t *testing.T, s source, d ast.Decl) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Name.IsExported() && d.Doc == nil && exportedReceiver(d) {
			t.Errorf("%s: %s has no doc", s.at(d), d.Name)
		}
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			switch spec := spec.(type) {
			case *ast.TypeSpec:
				if spec.Name.IsExported() && d.Doc == nil && spec.Doc == nil {
					t.Errorf("%s: %s has no doc", s.at(spec), spec.Name)
				}
			case *ast.ValueSpec:
				if spec.Names[0].IsExported() && d.Doc == nil && spec.Doc == nil && spec.Comment == nil {
					t.Errorf("%s: %s has no doc", s.at(spec), spec.Names[0])
				}
			}
		}
	}
}

// exportedReceiver reports whether a function's doc is ever shown: a method of
// a type that is not exported only fulfils an interface.
func exportedReceiver(d *ast.FuncDecl) bool {
	if d.Recv == nil {
		return true
	}
	typ := d.Recv.List[0].Type
	if star, ok := typ.(*ast.StarExpr); ok {
		typ = star.X
	}
	name, ok := typ.(*ast.Ident)
	return !ok || name.IsExported()
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
			case strings.HasPrefix(sel.Sel.Name, "Skip") && s.isTest() && (sel.Sel.Name == "SkipNow" || sel.Sel.Name != "SkipDir" && sel.Sel.Name != "SkipAll" && len(call.Args) == 0):
				t.Errorf("%s: a test that is skipped says why", s.at(call))
			}
			return true
		})
	}
}
