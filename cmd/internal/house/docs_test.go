package house

import (
	"go/ast"
	"go/doc"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestDocs wants every exported name documented, and of every package a doc.go
// that also says what can go wrong.
func TestDocs(t *testing.T) {
	t.Parallel()
	docs, mains := map[string]string{}, map[string]bool{} // main only starts what another package documents
	for _, s := range sources(t) {
		if s.isTest() {
			continue
		}
		dir := filepath.ToSlash(filepath.Dir(s.path))
		text := s.file.Doc.Text()
		docs[dir] += text
		mains[dir] = s.file.Name.Name == "main"
		if text != "" && filepath.Base(s.path) != "doc.go" && !mains[dir] {
			t.Errorf("%s holds the package doc; it belongs into doc.go", s.path)
		}
		for _, d := range s.file.Decls {
			checkDocs(t, s, d)
		}
	}
	for dir, text := range docs {
		if text == "" {
			t.Errorf("%s has no package doc", dir)
		}
		if !mains[dir] && !strings.Contains(text, "# What can go wrong\n") {
			t.Errorf("the package doc of %s has no part What can go wrong", dir)
		}
	}
}

// TestExamples wants of every package with exported code an example that is
// run: one that says what comes out. Packages for tests alone take a test, which
// no example has.
func TestExamples(t *testing.T) {
	t.Parallel()
	runs, exports := map[string]bool{}, map[string]bool{}
	for _, s := range sources(t) {
		dir := filepath.ToSlash(filepath.Dir(s.path))
		if s.isTest() {
			runs[dir] = runs[dir] || slices.ContainsFunc(doc.Examples(s.file), func(e *doc.Example) bool { return e.Output != "" })
			continue
		}
		exports[dir] = exports[dir] || s.file.Name.Name != "main" && !strings.HasSuffix(dir, "test") && slices.ContainsFunc(s.file.Decls, isExported)
	}
	for dir, exported := range exports {
		if exported && !runs[dir] {
			t.Errorf("%s has no example that is run", dir)
		}
	}
}

func isExported(d ast.Decl) bool {
	fn, ok := d.(*ast.FuncDecl)
	return ok && fn.Name.IsExported()
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
