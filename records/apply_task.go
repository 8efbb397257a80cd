package records

import (
	"maps"
	"slices"
	"strings"
)

// addTask makes a task: todo, stamped created.
func (b *Book) addTask(e AddTask, m Mark, r Rules) (Outcome, error) {
	if e.Of != nil {
		return b.addFile(*e.Of, e.Names, m, r)
	}
	if e.Title == nil {
		return Outcome{}, invalid("title", mustBeText)
	}
	n, err := b.mint(TaskKind)
	if err != nil {
		return Outcome{}, err
	}
	f := e.Fields.clean()
	f.Status = nil
	blank := &Task{ID: formatID(TaskKind, n), Status: Todo}
	next := *blank
	room, err := b.take(&next, blank, f, m, r, false)
	if err != nil {
		return Outcome{}, err
	}
	if e.Source != nil && *e.Source != (Source{}) {
		next.Source = &Source{Tool: cleanText(e.Source.Tool), ID: cleanText(e.Source.ID)}
	}
	next.Created = m.stamp()
	o, err := b.create(&next, f.longest())
	if err != nil {
		return Outcome{}, err
	}
	return o.shift(room)
}

// setTask changes what the call names, and nothing where it names what stands.
func (b *Book) setTask(e SetTask, m Mark, r Rules) (Outcome, error) {
	old, err := b.knownTask(e.Task)
	if err != nil {
		return Outcome{}, err
	}
	f := e.Fields.clean()
	counts := old.asOf(m.now(), r.Gone)
	lifted, err := counts.guard(&f, m, r, e.Force)
	if err != nil {
		return Outcome{}, err
	}
	next := *counts
	room, err := b.take(&next, counts, f, m, r, e.Force)
	if err != nil {
		return Outcome{}, err
	}
	o, err := b.rewrite(old, &next, f.what(counts, &next, m), f.longest())
	if err != nil {
		return Outcome{}, err
	}
	if len(o.Files) > 0 {
		o.lift(lifted)
	}
	return o.shift(room)
}

// what says what a patch did.
func (f *Fields) what(old, next *Task, m Mark) string {
	switch {
	case f.claims(m):
		return "claim"
	case f.releases():
		return "release"
	case next.Status != old.Status:
		return string(next.Status)
	}
	return "set " + strings.Join(changed(old, next), ", ")
}

// take puts what is named on t, rule by rule in the order that guard.go gives. old
// is the task as it stands, a blank one for a new task. What comes back is the room
// that others make for it.
func (b *Book) take(t, old *Task, f Fields, m Mark, r Rules, force bool) (room, error) {
	w := f.waits(old.BlockedBy)
	f.BlockedBy = w.list
	if err := b.takeFields(t, old, f, m, r); err != nil {
		return room{}, err
	}
	if err := t.takeOwner(old, &f, m, r); err != nil {
		return room{}, err
	}
	if err := b.checkMove(t, old, &f, m, r); err != nil {
		return room{}, err
	}
	if err := t.takeLease(old, &f, m, r); err != nil {
		return room{}, err
	}
	if err := b.takeBlockers(t, &w); err != nil {
		return room{}, err
	}
	if err := b.takeParent(t, old, f.Parent); err != nil {
		return room{}, err
	}
	return b.takePlace(t, old, &f, guarded{m, r, force})
}

// takeFields puts the fields on t that no rule but their own judges, each checked in
// its turn.
func (b *Book) takeFields(t, old *Task, f Fields, m Mark, r Rules) error {
	if err := takeTitle(&t.Title, f.Title); err != nil {
		return err
	}
	if err := t.takeStatus(f.Status, m, r); err != nil {
		return err
	}
	if err := t.takePriority(f.Priority, old.Created == nil && old.Title == ""); err != nil {
		return err
	}
	takeList(&t.Labels, f.Labels)
	if err := takeLine(&t.Topic, f.Topic, "topic"); err != nil {
		return err
	}
	if err := b.takePlan(t, f.Plan); err != nil {
		return err
	}
	takeText(&t.Bot, f.Bot)
	takeText(&t.Folder, f.Folder)
	takeText(&t.Session, f.Session)
	if f.Owner != nil && !oneLine(*f.Owner) {
		return invalid("owner", mustBeLine)
	}
	if err := t.takeActive(f.Active, old.Status == Doing && t.Status != Doing); err != nil {
		return err
	}
	if err := takeLine(&t.Note, f.Note, "note"); err != nil {
		return err
	}
	takeList(&t.Refs, f.Refs)
	if err := t.takeMetadata(f.Metadata); err != nil {
		return err
	}
	takeText(&t.Body, f.Body)
	if f.Output != nil {
		t.Body = putOutput(t.Body, *f.Output)
	}
	takePacket(&t.Packet, f.Packet)
	return nil
}

func takeTitle(field, named *string) error {
	if named == nil {
		return nil
	}
	if strings.TrimSpace(*named) == "" {
		return invalid("title", mustBeText)
	}
	if !oneLine(*named) || len(strings.TrimSuffix(*named, Cut)) > maxTitle {
		return invalid("title", mustBeTitle)
	}
	*field = *named
	return nil
}

func (t *Task) takeStatus(named *string, m Mark, r Rules) error {
	if named == nil {
		return nil
	}
	to := Status(*named)
	if !to.forTask() {
		return invalid("status", mustBeTaskStatus)
	}
	if to == Doing && t.Status != Doing && r.RequireApproval && t.Approved == nil {
		return mustApprove(t.ID)
	}
	t.move(to, m)
	return nil
}

// takePriority writes medium on a new task only: one without the key is medium
// already.
func (t *Task) takePriority(named *string, isNew bool) error {
	if named == nil {
		return nil
	}
	to := Priority(*named)
	switch {
	case to == Medium && t.Priority == "" && !isNew:
	case to == "" || to.valid():
		t.Priority = to
	default:
		return invalid("priority", mustBePriority)
	}
	return nil
}

// takePlan takes a plan that exists, or the one the task names already.
func (b *Book) takePlan(t *Task, named *string) error {
	if named == nil || *named == t.Plan {
		return nil
	}
	if *named != "" {
		p, err := b.Plan(*named)
		if err != nil {
			return err
		}
		if p == nil {
			return mustKnow("plan", PlanKind, *named)
		}
	}
	t.Plan = *named
	return nil
}

// takeActive takes what is being done right now as it is given, whatever the
// status, but for an edit that ends the doing: nothing is being done then.
func (t *Task) takeActive(named *string, ends bool) error {
	if err := takeLine(&t.Active, named, "active"); err != nil {
		return err
	}
	if ends {
		t.Active = ""
	}
	return nil
}

// takeMetadata puts what is named into what there is; a text that is empty takes
// its key out.
func (t *Task) takeMetadata(named *map[string]string) error {
	if named == nil {
		return nil
	}
	merged := maps.Clone(t.Metadata)
	for key, text := range *named {
		switch {
		case strings.TrimSpace(key) == "" || !oneLine(key):
			return invalid("metadata", mustHaveKeys)
		case text == "":
			delete(merged, key)
		case merged == nil:
			merged = map[string]string{key: text}
		default:
			merged[key] = text
		}
	}
	if t.Metadata = nil; len(merged) > 0 {
		t.Metadata = merged
	}
	return nil
}

func takeLine(field, named *string, name string) error {
	if named != nil && !oneLine(*named) {
		return invalid(name, mustBeLine)
	}
	takeText(field, named)
	return nil
}

func takeText(field, named *string) {
	if named != nil {
		*field = *named
	}
}

// takePacket takes a packet that nobody shares; an empty one is stored as none.
func takePacket(field, named *map[string]any) {
	if named == nil {
		return
	}
	if *field = *named; len(*named) == 0 {
		*field = nil
	}
}

// takeList copies a list, so that the record shares nothing with the input. An
// empty one is stored as none, the way a file without the key reads.
func takeList(field, named *[]string) {
	if named == nil {
		return
	}
	*field = nil
	if len(*named) > 0 {
		*field = slices.Clone(*named)
	}
}
