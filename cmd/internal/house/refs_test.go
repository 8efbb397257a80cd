package house

import (
	"go/ast"
	"go/token"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// movers are the only files, and the one folder, that move a ref, have git move one, or
// name what one is moved by, with the reason. The branch of a list is moved in the
// first alone. The fixtures of tests play people and other programs, and are no part of
// it.
var movers = map[string]string{
	"repo/ref.go": "the write door: it compares and swaps the branch under git's own lock",

	"repo/init.go":              "makes a repository whose HEAD names main, before there is a branch",
	"repo/open.go":              "reads which branch a HEAD names, to leave one alone that a person works on",
	"repo/configure.go":         "locks the settings, which are no ref, as git does",
	"repo/smarthttp/handler.go": "tells a push from a fetch",
	"repo/smarthttp/run.go":     "git takes the push; its hooks leave the branch to the write door",
	"cmd/bench":                 "measures against what git does, and plays people who push, on lists of its own",

	"cmd/internal/clone/make.go":    "git makes the clone of a person",
	"cmd/internal/clone/push.go":    "asks git which branch a person's clone is on",
	"cmd/internal/clone/install.go": "locks a file of a clone's own, which is no ref",
}

// moving are git's commands that make, move or remove a ref.
var moving = []string{"update-ref", "symbolic-ref", "fast-import", "receive-pack", "git-receive-pack", "push", "fetch", "pull", "clone",
	"commit", "merge", "rebase", "reset", "checkout", "switch", "branch", "tag", "cherry-pick", "revert", "am", "worktree", "replace", "stash"}

// TestRefs holds every move of a ref to the files that may: by a command of git, by
// go-git, or by a lock or a text of a ref's own form.
func TestRefs(t *testing.T) {
	t.Parallel()
	unseen := maps.Clone(movers)
	for _, s := range sources(t) {
		if s.isTest() || strings.HasSuffix(s.file.Name.Name, "test") {
			continue
		}
		ast.Inspect(s.file, func(n ast.Node) bool {
			if what := movesRef(n); what != "" {
				dir := path.Dir(s.path)
				delete(unseen, s.path)
				delete(unseen, dir)
				if movers[s.path]+movers[dir] == "" {
					t.Errorf("%s: %s may move a ref; the branch is moved in repo/ref.go alone, and all else has its reason in the table of movers", s.at(n), what)
				}
			}
			return true
		})
	}
	for _, row := range slices.Sorted(maps.Keys(unseen)) {
		t.Errorf("%s moves no ref: take it out of the table of movers", row)
	}
}

// movesRef names what in a piece of source moves a ref, "" where nothing does.
func movesRef(n ast.Node) string {
	switch n := n.(type) {
	case *ast.CallExpr:
		if slices.Contains([]string{"Command", "CommandContext", "git", "gitWith", "Git", "ask", "askGit", "run", "append"}, nameOf(n.Fun)) {
			for _, arg := range n.Args {
				if word := textOf(arg); slices.Contains(moving, word) {
					return "git " + word
				}
			}
		}
	case *ast.SelectorExpr:
		if strings.HasSuffix(n.Sel.Name, "SetReference") || n.Sel.Name == "RemoveReference" || n.Sel.Name == "NewHashReference" {
			return n.Sel.Name
		}
	case *ast.BinaryExpr:
		if n.Op == token.ADD && textOf(n.Y) == ".lock" {
			return "a lock of git's"
		}
	case *ast.BasicLit:
		if text := textOf(n); strings.HasPrefix(text, "ref: ") || text == "git-receive-pack" {
			return strconv.Quote(text)
		}
	}
	return ""
}

func nameOf(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		return e.Sel.Name
	}
	return ""
}

func textOf(e ast.Expr) string {
	if literal, ok := e.(*ast.BasicLit); ok && literal.Kind == token.STRING {
		text, _ := strconv.Unquote(literal.Value)
		return text
	}
	return ""
}
