package house

import (
	"go/ast"
	"go/types"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// TestSurface holds every exported name, fields and methods included, to a user:
// the code of another package, or an example. Tests are users of the packages
// that are made for tests alone.
func TestSurface(t *testing.T) {
	t.Parallel()
	p := load(t)
	used := users{}
	for _, c := range p.packages {
		used.read(c)
	}
	for _, c := range p.packages {
		if c.test || c.own.Name() == "main" {
			continue
		}
		lists := used.lists(c)
		for _, e := range exported(c) {
			full := c.path + "." + e.name
			isUsed := used[e.object] || lists[e.object] || used.throughInterface(p, e) || p.fulfilled(c, e) || e.field != "" && tagged(e.field)
			if isUsed {
				continue
			}
			t.Errorf("%s: %s is exported, and neither another package nor an example uses it", c.set.Position(e.object.Pos()), full)
		}
	}
}

// users are the objects that something else than their own package uses.
type users map[types.Object]bool

// read notes what a package uses of others, and what the examples of one use of
// it.
func (u users) read(c *checked) {
	for _, file := range c.files {
		for _, d := range file.Decls {
			counts := !c.test
			if fn, ok := d.(*ast.FuncDecl); ok && c.test { // what an example is made of counts with it
				counts = strings.HasPrefix(fn.Name.Name, "Example") || strings.HasPrefix(filepath.Base(c.set.Position(d.Pos()).Filename), "example")
			}
			ast.Inspect(d, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.Ident:
					u.mark(c, counts, c.info.Uses[n])
				case *ast.SelectorExpr:
					u.path(c, counts, c.info.Selections[n])
				case *ast.CompositeLit:
					if len(n.Elts) > 0 && !isKeyed(n.Elts[0]) {
						u.whole(c, counts, c.info.TypeOf(n))
					}
				case *ast.CallExpr:
					if tv := c.info.Types[n.Fun]; tv.IsType() {
						u.whole(c, counts, tv.Type)
					}
				}
				return true
			})
		}
	}
	for _, e := range exported(c) {
		if !c.test {
			u.mention(e.object)
		}
	}
}

func isKeyed(e ast.Expr) bool {
	_, keyed := e.(*ast.KeyValueExpr)
	return keyed
}

// mark notes a use that counts.
func (u users) mark(c *checked, counts bool, o types.Object) {
	if o == nil || o.Pkg() == nil || o.Pkg() == c.own {
		return
	}
	counts = counts || strings.HasSuffix(o.Pkg().Name(), "test")
	switch v := o.(type) {
	case *types.Var:
		o = v.Origin()
	case *types.Func:
		o = v.Origin()
	}
	u[o] = u[o] || counts
}

// path notes the embedded fields on the way to what is selected.
func (u users) path(c *checked, counts bool, s *types.Selection) {
	if s == nil {
		return
	}
	at := s.Recv()
	for _, i := range s.Index()[:len(s.Index())-1] {
		if p, ok := at.Underlying().(*types.Pointer); ok {
			at = p.Elem()
		}
		field := at.Underlying().(*types.Struct).Field(i)
		u.mark(c, counts, field)
		at = field.Type()
	}
}

// whole notes all fields of a struct that is made or converted without naming
// them.
func (u users) whole(c *checked, counts bool, typ types.Type) {
	if typ == nil {
		return
	}
	if s, ok := typ.Underlying().(*types.Struct); ok {
		for field := range s.Fields() {
			u.mark(c, counts, field)
		}
	}
}

// mention notes the types that stand in what an exported name is: whoever uses
// that has them in hand.
func (u users) mention(o types.Object) {
	own := o.Pkg()
	var look func(typ types.Type)
	look = func(typ types.Type) {
		switch typ := typ.(type) {
		case *types.Named:
			if typ.Obj().Pkg() == own && typ.Obj() != o {
				u[typ.Obj()] = true
			}
			for arg := range typ.TypeArgs().Types() {
				look(arg)
			}
		case *types.Pointer:
			look(typ.Elem())
		case *types.Slice:
			look(typ.Elem())
		case *types.Array:
			look(typ.Elem())
		case *types.Chan:
			look(typ.Elem())
		case *types.Map:
			look(typ.Key())
			look(typ.Elem())
		case *types.Signature:
			for v := range typ.Params().Variables() {
				look(v.Type())
			}
			for v := range typ.Results().Variables() {
				look(v.Type())
			}
		}
	}
	look(o.Type())
}

// lists gives the constants of a closed list of which one is used, or whose type
// is: a list is exported whole.
func (u users) lists(c *checked) map[types.Object]bool {
	whole := map[types.Type]bool{}
	each := func(do func(*types.Const, *types.Named)) {
		for _, name := range c.own.Scope().Names() {
			if constant, ok := c.own.Scope().Lookup(name).(*types.Const); ok {
				if named, ok := constant.Type().(*types.Named); ok && named.Obj().Pkg() == c.own {
					do(constant, named)
				}
			}
		}
	}
	each(func(o *types.Const, typ *types.Named) { whole[typ] = whole[typ] || u[o] || u[typ.Obj()] })
	members := map[types.Object]bool{}
	each(func(o *types.Const, typ *types.Named) { members[o] = whole[typ] })
	return members
}

// throughInterface reports whether a method is called by way of an interface:
// one of ours whose method is used, or one of the language and its libraries.
func (u users) throughInterface(p *program, e export) bool {
	method, ok := e.object.(*types.Func)
	if !ok || e.owner == nil {
		return false
	}
	if slices.Contains([]string{"Error", "Unwrap", "String", "MarshalJSON", "UnmarshalJSON", "ServeHTTP"}, method.Name()) {
		return true
	}
	for _, ours := range p.byPath {
		for _, name := range ours.Scope().Names() {
			iface, ok := ours.Scope().Lookup(name).Type().Underlying().(*types.Interface)
			if !ok || !types.Implements(types.NewPointer(e.owner), iface) {
				continue
			}
			for m := range iface.Methods() {
				if m.Name() == method.Name() && u[m] {
					return true
				}
			}
		}
	}
	return false
}

// fulfilled reports whether a method of an interface is one that others have:
// another package, or an example, has a type that fulfils the interface.
func (p *program) fulfilled(own *checked, e export) bool {
	if e.of == nil {
		return false
	}
	for _, c := range p.packages {
		if c.own == own.own {
			continue
		}
		for _, name := range c.own.Scope().Names() {
			o, isType := c.own.Scope().Lookup(name).(*types.TypeName)
			isExample := isType && strings.HasPrefix(filepath.Base(c.set.Position(o.Pos()).Filename), "example")
			if isType && (!c.test || isExample) && !types.IsInterface(o.Type()) && types.Implements(types.NewPointer(o.Type()), e.of) {
				return true
			}
		}
	}
	return false
}

// tagged reports whether a field has a name in a document: who reads that uses
// it.
func tagged(tag string) bool {
	name, ok := reflect.StructTag(tag).Lookup("json")
	return ok && name != "-"
}

// export is one exported name.
type export struct {
	name   string // Type.Field and Type.Method for those
	object types.Object
	owner  *types.Named     // of a method
	of     *types.Interface // of a method that an interface asks for
	field  string           // a field's tag
}

// exported gives the exported names of a package, with the fields and methods
// of its exported types.
func exported(c *checked) (list []export) {
	scope := c.own.Scope()
	for _, name := range scope.Names() {
		o := scope.Lookup(name)
		if !o.Exported() {
			continue
		}
		list = append(list, export{name: name, object: o})
		typ, isType := o.(*types.TypeName)
		if !isType || typ.IsAlias() {
			continue
		}
		named := typ.Type().(*types.Named)
		for m := range named.Methods() {
			if m.Exported() {
				list = append(list, export{name: name + "." + m.Name(), object: m, owner: named})
			}
		}
		switch under := named.Underlying().(type) {
		case *types.Struct:
			for i := range under.NumFields() {
				if f := under.Field(i); f.Exported() {
					list = append(list, export{name: name + "." + f.Name(), object: f, field: under.Tag(i)})
				}
			}
		case *types.Interface:
			for m := range under.ExplicitMethods() {
				if m.Exported() {
					list = append(list, export{name: name + "." + m.Name(), object: m, of: under})
				}
			}
		}
	}
	return list
}
