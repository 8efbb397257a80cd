package house

import (
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// program is all of our packages as the compiler understands them, with what
// each file's names stand for.
type program struct {
	packages []*checked
	byPath   map[string]*types.Package // of ours
}

// checked is a package, or the tests of one, read from source.
type checked struct {
	path  string // from the top; that of the package also where it is its tests
	test  bool
	set   *token.FileSet
	own   *types.Package
	files []*ast.File
	info  *types.Info
}

// load gives all of our packages.
func load(t *testing.T) *program { return once(t, programOnce) }

// readProgram reads our packages after what they import, each from source, so that a
// name is the same object wherever it is used; what others made comes as the
// compiler left it. Of tests only the outer ones are read: those of package
// x_test, which see what everybody sees. What a test imports may be missing.
func readProgram() (*program, error) {
	top, err := topOnce()
	if err != nil {
		return nil, err
	}
	cmd := exec.Command("go", "list", "-deps", "-export", "-json=ImportPath,Dir,Export,GoFiles,XTestGoFiles", "./...")
	cmd.Dir, cmd.Stderr = top, os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	p := &program{byPath: map[string]*types.Package{}}
	exports, set := map[string]string{}, token.NewFileSet()
	others := importer.ForCompiler(set, "gc", func(path string) (io.ReadCloser, error) {
		if exports[path] == "" {
			return nil, errors.New("nothing of ours imports it")
		}
		return os.Open(exports[path])
	})
	type listing struct {
		ImportPath, Dir, Export string
		GoFiles, XTestGoFiles   []string
	}
	var tests []func() error
	for dec := json.NewDecoder(out); dec.More(); {
		var l listing
		if err := dec.Decode(&l); err != nil {
			return nil, err
		}
		exports[l.ImportPath] = l.Export
		if !strings.HasPrefix(l.ImportPath, module) {
			continue
		}
		if err := p.check(set, others, l.ImportPath, l.Dir, l.GoFiles, false); err != nil {
			return nil, err
		}
		if len(l.XTestGoFiles) > 0 {
			tests = append(tests, func() error { return p.check(set, others, l.ImportPath, l.Dir, l.XTestGoFiles, true) })
		}
	}
	if err := cmd.Wait(); err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	for _, check := range tests {
		if err := check(); err != nil {
			return nil, err
		}
	}
	return p, nil
}

func (p *program) check(set *token.FileSet, others types.Importer, path, dir string, names []string, test bool) (wrong error) {
	c := &checked{path: strings.TrimPrefix(path, module), test: test, set: set, info: &types.Info{
		Uses: map[*ast.Ident]types.Object{}, Types: map[ast.Expr]types.TypeAndValue{},
		Selections: map[*ast.SelectorExpr]*types.Selection{}}}
	for _, name := range names {
		file, err := parser.ParseFile(set, filepath.Join(dir, name), nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		c.files = append(c.files, file)
	}
	config := types.Config{Importer: both{p.byPath, others}, Error: func(err error) {
		if !test {
			wrong = errors.Join(wrong, err)
		}
	}}
	c.own, _ = config.Check(path, set, c.files, c.info) // told to Error
	if !test {
		p.byPath[path] = c.own
	}
	p.packages = append(p.packages, c)
	return wrong
}

// both imports ours as read, and all else as compiled.
type both struct {
	ours   map[string]*types.Package
	others types.Importer
}

// Import gives a package by its path.
func (b both) Import(path string) (*types.Package, error) {
	if p := b.ours[path]; p != nil {
		return p, nil
	}
	return b.others.Import(path)
}
