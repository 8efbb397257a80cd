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
		return Outcome{}, invalid("scope", MustBeScope)
	}
	next.Refs = cleanList(e.Refs)
	n, err := b.mint(PlanKind)
	if err != nil {
		return Outcome{}, err
	}
	next.ID = formatID(PlanKind, n)
	next.Created = m.stamp()
	return b.create(&next, e.longest())
}

func (e AddPlan) longest() string {
	return longest("title", sized{"title", len(e.Title)}, sized{"goal", len(e.Goal)},
		sized{"scope", len(e.Scope.Folder + e.Scope.Bot + e.Scope.Session)}, sized{"refs", listSize(e.Refs)})
}

// setPlan changes a plan's title or status.
func (b *Book) setPlan(e SetPlan, m Mark) (Outcome, error) {
	old, err := b.knownPlan(e.Plan)
	if err != nil {
		return Outcome{}, err
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
		if !to.forPlan() {
			return Outcome{}, invalid("status", mustBePlanStatus)
		}
		next.move(to, m)
		if to != old.Status {
			what = string(to)
		}
	}
	return b.rewrite(old, &next, what, "title")
}
