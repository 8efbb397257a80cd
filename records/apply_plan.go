package records

// addPlan makes a plan: a draft, stamped created.
func (b *Book) addPlan(e AddPlan, m Mark) (Outcome, error) {
	next := Plan{Status: Draft}
	title := cleanText(e.Title)
	if err := takeTitle(&next.Title, &title); err != nil {
		return Outcome{}, err
	}
	next.Goal = cleanText(e.Goal)
	next.Scope = Scope{Kind: e.Scope.Kind, Folder: cleanText(e.Scope.Folder),
		Bot: cleanText(e.Scope.Bot), Session: cleanText(e.Scope.Session)}
	if !next.Scope.Valid() {
		return Outcome{}, invalid("scope", mustBeScope)
	}
	next.Refs = cleanList(e.Refs)
	n, err := b.mint(PlanKind)
	if err != nil {
		return Outcome{}, err
	}
	next.ID = FormatID(PlanKind, n)
	next.Created = m.stamp()
	return create(b, &next, e.longest())
}

func (e AddPlan) longest() string {
	name, size := "title", len(e.Title)
	for _, f := range []struct {
		name string
		size int
	}{
		{"goal", len(e.Goal)},
		{"scope", len(e.Scope.Folder + e.Scope.Bot + e.Scope.Session)},
		{"refs", listSize(e.Refs)},
	} {
		if f.size > size {
			name, size = f.name, f.size
		}
	}
	return name
}

// setPlan changes a plan's title or status.
func (b *Book) setPlan(e SetPlan, m Mark) (Outcome, error) {
	old, err := b.Plan(e.Plan)
	if err != nil {
		return Outcome{}, err
	}
	if old == nil {
		return Outcome{}, unknown(PlanKind)
	}
	next := *old
	if e.Title != nil {
		title := cleanText(*e.Title)
		if err := takeTitle(&next.Title, &title); err != nil {
			return Outcome{}, err
		}
	}
	what := "set title"
	if e.Status != nil {
		to := Status(*e.Status)
		if !to.ForPlan() {
			return Outcome{}, invalid("status", mustBePlanStatus)
		}
		next.move(to, m)
		if to != old.Status {
			what = string(to)
		}
	}
	return rewrite(b, old, &next, what, "title")
}
