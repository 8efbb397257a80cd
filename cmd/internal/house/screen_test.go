package house

import (
	"go/ast"
	"path/filepath"
	"slices"
	"testing"
)

// screen is how many lines go doc -short may have of a package: who meets it sees
// all of it at once.
const screen = 45

// longer are the packages that need more, each with how much and why. None may
// grow.
var longer = map[string]struct {
	lines  int
	reason string
}{
	"records": {71, "what a file says, what may change it and what a tree may hold are defined by each other, and none can be read alone"},
}

// TestScreens holds what each package exports to a screen of go doc.
func TestScreens(t *testing.T) {
	t.Parallel()
	lines := map[string]int{}
	for _, s := range sources(t) {
		if s.isTest() || s.file.Name.Name == "main" {
			continue
		}
		dir := filepath.ToSlash(filepath.Dir(s.path))
		for _, d := range s.file.Decls {
			lines[dir] += shortLines(d)
		}
	}
	for dir, n := range lines {
		most := screen
		if l, ok := longer[dir]; ok {
			if most = l.lines; n < most {
				t.Errorf("%s has %d lines by now: say so in longer", dir, n)
			}
		}
		if n > most {
			t.Errorf("go doc -short ./%s has %d lines; at most %d: what belongs together may be a package of its own", dir, n, most)
		}
	}
}

// shortLines is how many lines go doc -short prints of a declaration: one for a
// function, a type, or a group of constants with a name that others see.
func shortLines(d ast.Decl) (n int) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Recv == nil && d.Name.IsExported() {
			return 1
		}
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			switch spec := spec.(type) {
			case *ast.TypeSpec:
				if spec.Name.IsExported() {
					n++
				}
			case *ast.ValueSpec:
				if slices.ContainsFunc(spec.Names, (*ast.Ident).IsExported) {
					return 1
				}
			}
		}
	}
	return n
}
