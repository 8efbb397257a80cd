package house

import (
	"go/ast"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// ofProcess is what belongs to the process that code runs in. Only the edges may
// ask for it; everything else is given it, so that a test can give it something
// else.
var ofProcess = map[string][]string{
	"os": {"Args", "Stdin", "Stdout", "Stderr", "Environ", "Getenv", "LookupEnv", "Setenv", "Unsetenv", "ExpandEnv", "Clearenv",
		"Getwd", "Chdir", "Hostname", "Executable", "TempDir", "UserHomeDir", "UserConfigDir", "UserCacheDir"},
	"user": {"Current"},
	"time": {"Now", "Since", "Until"},
}

// edges are the files that may ask all the same, what for, and why.
var edges = []struct{ path, names, reason string }{
	{"cmd/bench/main.go", "*", "main is the process"},
	{"cmd/internal/cli/env.go", "*", "this is where the command line gets what it gives on"},
	{"cmd/bench/*.go", "time", "it measures how long things take"},
	{"repo/repotest/*.go", "os time", "it is tests that are fenced off from the process here"},
	{"cmd/internal/serve/*.go", "time", "deadlines of connections are of the system's clock"},
	{"repo/door.go", "time", "how long a caller waited: the clock of stamps may stand"},
	{"repo/ref.go", "time", "how long a lock was waited for, and how old its file is"},
	{"repo/configure.go", "time", "how long a lock was waited for"},
	{"repo/health.go", "time", "how old a file is, which the system dated"},
	{"repo/rollup_repack.go", "os time", "a gc names its machine and process in a file that the system dated"},
}

// defaults are the options that stand for the clock where none is given: the
// function itself, never a call of it.
const defaults = "repo/open.go tools/store.go cmd/internal/serve/serve.go"

// TestEdges holds what belongs to the process to the edges.
func TestEdges(t *testing.T) {
	t.Parallel()
	used := map[string]bool{}
	for _, s := range sources(t) {
		if s.isTest() {
			continue
		}
		called := map[ast.Expr]bool{}
		ast.Inspect(s.file, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok {
				called[call.Fun] = true
			}
			sel, ok := n.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			pkg, ok := sel.X.(*ast.Ident)
			if !ok || !slices.Contains(ofProcess[pkg.Name], sel.Sel.Name) {
				return true
			}
			if pkg.Name == "time" && !called[sel] && slices.Contains(strings.Fields(defaults), filepath.ToSlash(s.path)) {
				return true
			}
			for _, e := range edges {
				if ok, err := filepath.Match(e.path, filepath.ToSlash(s.path)); err == nil && ok && (e.names == "*" || slices.Contains(strings.Fields(e.names), pkg.Name)) {
					used[e.path] = true
					return true
				}
			}
			t.Errorf("%s: %s.%s belongs to the process; it is an argument here", s.at(sel), pkg.Name, sel.Sel.Name)
			return true
		})
	}
	for _, e := range edges {
		if !used[e.path] {
			t.Errorf("%s may ask the process, since %s, and does not", e.path, e.reason)
		}
	}
}
