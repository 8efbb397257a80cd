package house

import (
	"go/ast"
	"go/constant"
	"go/types"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// ofMessages are JSON-RPC's own codes, about the form of a message, which a row of
// the table may have too.
var ofMessages = []int64{-32600}

// TestCodesAreOfTheTable keeps every other table of codes out of the fronts: none
// says a status of HTTP, or a code of JSON-RPC, that a row of codes in tools/code.go
// has. git's door for HTTP, which knows no list, is told the status.
func TestCodesAreOfTheTable(t *testing.T) {
	t.Parallel()
	p := load(t)
	taken := rows(t, p)
	for _, c := range p.packages {
		if c.test || !fronts(c.own) {
			continue
		}
		for _, file := range c.files {
			if name := c.set.Position(file.Pos()).Filename; filepath.Base(name) == "code.go" && c.path == "tools" {
				continue
			}
			ast.Inspect(file, func(n ast.Node) bool {
				e, ok := n.(ast.Expr)
				if !ok {
					return true
				}
				value := c.info.Types[e].Value
				if value == nil || value.Kind() != constant.Int {
					return true
				}
				number, _ := constant.Int64Val(value)
				if slices.Contains(taken, number) && (number < 0 || ofHTTP(c, e)) {
					t.Errorf("%s: %d is a row of codes in tools/code.go: take it from the code", c.set.Position(e.Pos()), number)
					return false
				}
				return true
			})
		}
	}
}

// fronts reports whether a package knows the table.
func fronts(p *types.Package) bool {
	return slices.ContainsFunc(p.Imports(), func(i *types.Package) bool { return i.Path() == module+"tools" }) || p.Path() == module+"tools"
}

// ofHTTP reports whether a number is named as a status of HTTP.
func ofHTTP(c *checked, e ast.Expr) bool {
	if sel, ok := e.(*ast.SelectorExpr); ok {
		o := c.info.Uses[sel.Sel]
		return o != nil && o.Pkg() != nil && o.Pkg().Path() == "net/http" && strings.HasPrefix(o.Name(), "Status")
	}
	return false
}

// rows are the numbers that the table has for HTTP and JSON-RPC.
func rows(t *testing.T, p *program) (numbers []int64) {
	t.Helper()
	for _, c := range p.packages {
		if c.path != "tools" || c.test {
			continue
		}
		for _, file := range c.files {
			if filepath.Base(c.set.Position(file.Pos()).Filename) != "code.go" {
				continue
			}
			for e, tv := range c.info.Types {
				if e.Pos() < file.Pos() || e.End() > file.End() || tv.Value == nil || tv.Value.Kind() != constant.Int {
					continue
				}
				number, _ := constant.Int64Val(tv.Value)
				if (number >= 400 || number <= -32000) && !slices.Contains(ofMessages, number) {
					numbers = append(numbers, number)
				}
			}
		}
	}
	if len(numbers) < 15 {
		t.Fatalf("the table has only %d", numbers)
	}
	return numbers
}
