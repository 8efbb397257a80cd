package records

// Translation is what a harness has done to a list of its own, as edits that are
// made one after the other and as one: where one is refused, none is made. It
// tells what has happened already, so that an approval which is still to come does
// not stop it.
type Translation []Edit

func (Translation) edit() {}

// translate makes the edits. The outcome names the records that changed, in the
// order in which they first did.
func (b *Book) translate(t Translation, m Mark, r Rules) (Outcome, error) {
	all := Outcome{Book: b}
	files, seen := map[string][]byte{}, map[string]bool{}
	for _, e := range t {
		o, err := all.Book.Apply(e, m, Rules{Gone: r.Gone})
		if err != nil {
			return Outcome{}, err
		}
		all.Book = o.Book
		if len(o.Files) == 0 {
			continue
		}
		all.What = "translate"
		all.lift(o.Forced...)
		all.Added = append(all.Added, o.Added...)
		for _, id := range o.IDs {
			if !seen[id] {
				seen[id] = true
				all.IDs = append(all.IDs, id)
			}
		}
		for _, f := range o.Files {
			files[f.Path] = f.Data
		}
	}
	for path, data := range files {
		all.Files = append(all.Files, File{Path: path, Data: data})
	}
	sortFiles(all.Files)
	return all, nil
}

// PlanOfSession gives the plan that a session keeps its list in: the lowest whose
// scope is that session, compared bare; nil where there is none.
func (b *Book) PlanOfSession(session string) (*Plan, error) {
	bare := BareSession(session)
	x, err := b.walked()
	if err != nil || bare == "" {
		return nil, err
	}
	for _, c := range x.table(PlanKind).chunks {
		for i := range c.names().facets[facet{ofSession, bare}].each {
			return c.slots[i].plan, nil
		}
	}
	return nil, nil
}
