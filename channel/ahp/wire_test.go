package ahp_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strings"
	"testing"
)

// TestWireSaysWhereItIsFrom: of every field on the wire it is said whether the
// published protocol has it or it is ours.
func TestWireSaysWhereItIsFrom(t *testing.T) {
	t.Parallel()
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, "wire.go", nil, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	fields := 0
	ast.Inspect(file, func(n ast.Node) bool {
		s, ok := n.(*ast.StructType)
		if !ok {
			return true
		}
		for _, f := range s.Fields.List {
			fields++
			if from := f.Comment.Text(); !strings.HasPrefix(from, "AHP") && !strings.HasPrefix(from, "ours") {
				t.Errorf("%s: the field says %q of where it is from", set.Position(f.Pos()), from)
			}
		}
		return true
	})
	if fields < 100 {
		t.Errorf("only %d fields", fields)
	}
}
