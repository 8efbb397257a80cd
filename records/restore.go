package records

import (
	"fmt"
	"slices"
	"strings"
)

// restore puts records back, each with the text it last had and in the folder of
// its number, stamps and all. No mark is written: who brought it back stands in
// the commit, and the record is as it was.
func (b *Book) restore(e Restore) (Outcome, error) {
	o := Outcome{Book: b, What: "restore"}
	for _, f := range e.Files {
		r := Parse(f.Path, f.Data).Record()
		if r == nil {
			return Outcome{}, fmt.Errorf("restore %s: it cannot be read as a record", Visible(f.Path))
		}
		id, title := r.Name()
		k, _, _ := ParseID(id)
		if id == "" || k != kindOfPath(f.Path) {
			return Outcome{}, fmt.Errorf("restore %s: it has no id of its own", Visible(f.Path))
		}
		if slices.Contains(o.IDs, id) {
			continue
		}
		l, err := b.holderOf(id, k)
		if err != nil {
			return Outcome{}, err
		}
		if l != nil && strings.HasPrefix(l.path, PathOf(id)+"/") {
			return Outcome{}, &Refusal{Kind: Conflict, Text: id + " cannot come back while a folder has its name, " + PathOf(id) +
				": in a clone, give that another one, commit and push."}
		}
		if l != nil {
			return Outcome{}, &Refusal{Kind: Conflict, Text: id + " is in the list already, at " + Visible(l.path) + "."}
		}
		if err := b.needRoom(PathOf(id), id); err != nil {
			return Outcome{}, fmt.Errorf("restore %s: %w", id, err)
		}
		o.IDs, o.Title = append(o.IDs, id), title
		o.Files = append(o.Files, File{Path: PathOf(id), Data: f.Data})
	}
	if len(o.IDs) == 0 {
		return Outcome{Book: b}, nil
	}
	if len(o.IDs) > 1 {
		o.Title = ""
	}
	sortFiles(o.Files)
	o.Book = b.with(o.Files)
	return o, nil
}
