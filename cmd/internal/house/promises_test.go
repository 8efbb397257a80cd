package house

import (
	"go/ast"
	"regexp"
	"strings"
	"testing"
)

// TestPromises holds each numbered promise of the README to a test of that
// number.
func TestPromises(t *testing.T) {
	t.Parallel()
	tests := map[string]bool{}
	for _, s := range sources(t) {
		for _, d := range s.file.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && s.isTest() {
				tests[regexp.MustCompile(`^TestP\d+`).FindString(fn.Name.Name)] = true
			}
		}
	}
	promises := regexp.MustCompile(`\bP\d+\b`).FindAllString(readme(t), -1)
	if len(promises) < 10 {
		t.Errorf("README.md makes only %d numbered promises: %s", len(promises), strings.Join(promises, " "))
	}
	for _, p := range promises {
		if !tests["Test"+p] {
			t.Errorf("README.md promises %s; no test is named Test%s…", p, p)
		}
	}
}
