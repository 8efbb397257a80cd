package house

import (
	"go/ast"
	"maps"
	"path"
	"path/filepath"
	"strings"
	"testing"
)

// waiting are exported names that only a package to come will use, with what
// that is.
var waiting = map[string]string{
	"tools/mcpserver.New": "hosts of other programs serve the tools over transports of their own",
	"records.CheckMove":   "a push is judged by it",
}

// TestSurface holds every exported name to a user: another package, or an
// example that shows it.
func TestSurface(t *testing.T) {
	t.Parallel()
	used, anywhere := map[string]bool{}, map[string]map[string]bool{} // "dir.Name"; method or field to the folders that select it
	list := sources(t)
	for _, s := range list {
		dir := filepath.ToSlash(filepath.Dir(s.path))
		imports := importNames(s.file)
		own := dir
		if strings.HasSuffix(s.file.Name.Name, "_test") || s.isTest() {
			own = "" // counted only where it is an example
		}
		for _, d := range s.file.Decls {
			fn, isFunc := d.(*ast.FuncDecl)
			example := isFunc && s.isTest() && strings.HasPrefix(fn.Name.Name, "Example")
			ast.Inspect(d, func(n ast.Node) bool {
				sel, ok := n.(*ast.SelectorExpr)
				if !ok {
					return true
				}
				name := sel.Sel.Name
				if x, ok := sel.X.(*ast.Ident); ok {
					if target, ok := imports[x.Name]; ok && (target != dir || example) {
						used[target+"."+name] = true
					}
				}
				if own != "" || example || isFunc {
					if anywhere[name] == nil {
						anywhere[name] = map[string]bool{}
					}
					at := dir
					if example {
						at = dir + " example"
					} else if s.isTest() {
						at = dir + " test"
					}
					anywhere[name][at] = true
				}
				return true
			})
		}
	}
	for _, s := range list {
		if !s.isTest() {
			mentioned(s, used)
		}
	}
	unseen := maps.Clone(waiting)
	for _, s := range list {
		if s.isTest() || s.file.Name.Name == "main" {
			continue
		}
		dir := filepath.ToSlash(filepath.Dir(s.path))
		usedGroups := groups(s, dir, used)
		for name, at := range exportedNames(s) {
			full := dir + "." + name
			isUsed := used[full] || usedGroups[name] || methodUsed(name, dir, anywhere)
			delete(unseen, full)
			switch waits := waiting[full] != ""; {
			case isUsed && waits:
				t.Errorf("%s waits for nobody any more: take it out of the list", full)
			case !isUsed && !waits:
				t.Errorf("%s: %s is exported and used by no other package and no example", s.at(at), full)
			}
		}
	}
	for full := range unseen {
		t.Errorf("%s waits, and there is no such name", full)
	}
}

// mentioned marks the types that stand in the signature or the fields of
// something exported: whoever uses that uses them.
func mentioned(s source, used map[string]bool) {
	dir := filepath.ToSlash(filepath.Dir(s.path))
	mark := func(n ast.Node) {
		ast.Inspect(n, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				used[dir+"."+id.Name] = true
			}
			return true
		})
	}
	for _, d := range s.file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Name.IsExported() && exportedReceiver(d) {
				mark(d.Type)
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				if spec, ok := spec.(*ast.TypeSpec); ok && spec.Name.IsExported() {
					mark(spec.Type)
				}
			}
		}
	}
}

// groups gives the values of a closed list of which one is used, and of one
// whose type is: a list is exported whole.
func groups(s source, dir string, used map[string]bool) map[string]bool {
	names := map[string]bool{}
	for _, d := range s.file.Decls {
		list, ok := d.(*ast.GenDecl)
		if !ok || len(list.Specs) < 2 {
			continue
		}
		var members []string
		isUsed := false
		for _, spec := range list.Specs {
			value, ok := spec.(*ast.ValueSpec)
			if !ok {
				continue
			}
			if typ, ok := value.Type.(*ast.Ident); ok {
				isUsed = isUsed || used[dir+"."+typ.Name]
			} else if value.Type == nil && len(value.Values) > 0 {
				continue // no list of one type
			}
			for _, name := range value.Names {
				members = append(members, name.Name)
				isUsed = isUsed || used[dir+"."+name.Name]
			}
		}
		for _, name := range members {
			names[name] = names[name] || isUsed
		}
	}
	return names
}

// methodUsed reports whether some other folder, or an example, selects a
// method's name. Which type it is selected on is not looked at.
func methodUsed(name, dir string, anywhere map[string]map[string]bool) bool {
	_, method, isMethod := strings.Cut(name, ".")
	if !isMethod {
		return false
	}
	switch method { // what the language and its libraries call by themselves
	case "Error", "Unwrap", "String", "MarshalJSON", "UnmarshalJSON":
		return true
	}
	for at := range anywhere[method] {
		if at != dir && at != dir+" test" {
			return true
		}
	}
	return false
}

// importNames gives our packages by the name a file knows them by.
func importNames(f *ast.File) map[string]string {
	names := map[string]string{}
	for _, spec := range f.Imports {
		ours, ok := strings.CutPrefix(strings.Trim(spec.Path.Value, `"`), module)
		if !ok {
			continue
		}
		name := path.Base(ours)
		if spec.Name != nil {
			name = spec.Name.Name
		}
		names[name] = ours
	}
	return names
}

// exportedNames gives a file's exported functions, types, values and, as
// Type.Method, methods.
func exportedNames(s source) map[string]ast.Node {
	names := map[string]ast.Node{}
	for _, d := range s.file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if !d.Name.IsExported() || !exportedReceiver(d) {
				continue
			}
			names[receiver(d)+d.Name.Name] = d
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				switch spec := spec.(type) {
				case *ast.TypeSpec:
					if spec.Name.IsExported() {
						names[spec.Name.Name] = spec
					}
				case *ast.ValueSpec:
					for _, name := range spec.Names {
						if name.IsExported() {
							names[name.Name] = name
						}
					}
				}
			}
		}
	}
	return names
}

func receiver(d *ast.FuncDecl) string {
	if d.Recv == nil {
		return ""
	}
	typ := d.Recv.List[0].Type
	if star, ok := typ.(*ast.StarExpr); ok {
		typ = star.X
	}
	if name, ok := typ.(*ast.Ident); ok {
		return name.Name + "."
	}
	return ""
}
