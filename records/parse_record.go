package records

import (
	"strings"

	"gopkg.in/yaml.v3"
)

// each calls read with every key at the top and its value.
func (r *reader) each(read func(key string, n *yaml.Node)) {
	for i := 0; i+1 < len(r.root.Content); i += 2 {
		read(r.root.Content[i].Value, r.root.Content[i+1])
	}
}

func (r *reader) readTask() {
	t := &Task{Body: r.sheet.body()}
	r.each(func(key string, n *yaml.Node) {
		if !r.taskText(t, key, n) {
			r.taskRest(t, key, n)
		}
	})
	r.readID(t.ID)
	r.readTitle(t.Title)
	if t.Status == "" && !r.draft && !r.loose && !r.hasFault("status") {
		r.missing("status", taskStatusReason, "status: todo")
	}
	r.warnConflict("body", t.Body)
	r.task = t
}

// taskText reads the fields of a task that are text.
func (r *reader) taskText(t *Task, key string, n *yaml.Node) bool {
	field := t.textField(key)
	if field == nil {
		return false
	}
	*field = r.text(key, n)
	return true
}

// textField is the field of a key that is text, nil where it is none.
func (t *Task) textField(key string) *string {
	switch key {
	case "id":
		return &t.ID
	case "title":
		return &t.Title
	case "topic":
		return &t.Topic
	case "plan":
		return &t.Plan
	case "bot":
		return &t.Bot
	case "folder":
		return &t.Folder
	case "session":
		return &t.Session
	case "owner":
		return &t.Owner
	case "parent":
		return &t.Parent
	case "rank":
		return &t.Rank
	case "active":
		return &t.Active
	case "note":
		return &t.Note
	}
	return nil
}

// taskRest reads the other fields of a task; keys it does not know are left to
// themselves.
func (r *reader) taskRest(t *Task, key string, n *yaml.Node) {
	switch key {
	case "status":
		t.Status = Status(r.word(key, n, taskStatusReason,
			func(w string) bool { return Status(w).ForTask() }))
	case "priority":
		t.Priority = Priority(r.word(key, n, priorityReason,
			func(w string) bool { return Priority(w).Valid() }))
	case "labels":
		t.Labels = r.list(key, n)
	case "blockedBy":
		t.BlockedBy = r.list(key, n)
	case "refs":
		t.Refs = r.list(key, n)
	case "lease":
		t.Lease = r.lease(key, n)
	case "metadata":
		t.Metadata = r.metadata(key, n)
	case "packet":
		t.Packet = r.packet(key, n)
	case "source":
		t.Source = r.source(key, n)
	case "created":
		t.Created = r.stamp(key, n)
	case "approved":
		t.Approved = r.stamp(key, n)
	case "started":
		t.Started = r.stamp(key, n)
	case "finished":
		t.Finished = r.stamp(key, n)
	case "reviewed":
		t.Reviewed = r.stamp(key, n)
	}
}

func (r *reader) readPlan() {
	p := &Plan{Goal: r.sheet.body()}
	scoped := false
	r.each(func(key string, n *yaml.Node) {
		scoped = scoped || key == "scope" && !isNull(n)
		r.planField(p, key, n)
	})
	r.readID(p.ID)
	r.readTitle(p.Title)
	if p.Status == "" && !r.draft && !r.loose && !r.hasFault("status") {
		r.missing("status", planStatusReason, "status: draft")
	}
	if !scoped && !r.hasFault("scope") {
		r.missing("scope", scopeReason, "scope: {kind: folder, folder: /path}")
	}
	r.warnConflict("goal", p.Goal)
	r.plan = p
}

func (r *reader) planField(p *Plan, key string, n *yaml.Node) {
	switch key {
	case "id":
		p.ID = r.text(key, n)
	case "scope":
		p.Scope = r.scope(key, n)
	case "title":
		p.Title = r.text(key, n)
	case "status":
		p.Status = Status(r.word(key, n, planStatusReason,
			func(w string) bool { return Status(w).ForPlan() }))
	case "refs":
		p.Refs = r.list(key, n)
	case "created":
		p.Created = r.stamp(key, n)
	case "approved":
		p.Approved = r.stamp(key, n)
	case "finished":
		p.Finished = r.stamp(key, n)
	case "reviewed":
		p.Reviewed = r.stamp(key, n)
	}
}

// readID judges the id against the file's name. A file without one is a draft,
// unless its name is an id: then somebody took the line out.
func (r *reader) readID(id string) {
	kind, _, ok := ParseID(id)
	letter := r.kind.Letter()
	switch {
	case r.hasFault("id"):
	case r.loose:
		r.draft = id == ""
	case id == "" && r.named == "":
		r.draft = true
	case id == "":
		r.missing("id", "id is missing: the file's name says "+r.named, "id: "+r.named)
	case !ok || kind != r.kind:
		mend := "take the id out: it is minted"
		if r.named != "" {
			mend = "id: " + r.named
		}
		r.keyFault("id", "id must be "+letter+"<n>, a number counted up", mend)
	case id == r.named:
	case r.named == "":
		r.keyFault("id", "id is "+id+" in a file of another name", "take the id out: it is minted")
	default:
		r.keyFault("id", "id is "+id+" where the file's name says "+r.named, "id: "+r.named)
	}
}

// readTitle asks for a title that is more than blanks.
func (r *reader) readTitle(title string) {
	if strings.TrimSpace(title) != "" || r.hasFault("title") {
		return
	}
	_, n := r.lookup("title")
	if n == nil {
		r.missing("title", titleReason, "title: What is to be done")
		return
	}
	// A warning of the same line would only say the same again.
	for i, w := range r.warnings {
		if w.Field == "title" {
			r.warnings = append(r.warnings[:i], r.warnings[i+1:]...)
			r.keyFault("title", titleReason, w.Mend)
			return
		}
	}
	r.keyFault("title", titleReason, "")
}

func (r *reader) hasFault(key string) bool {
	for _, f := range r.faults {
		if f.Field == key {
			return true
		}
	}
	return false
}

// lookup is the node of a key at the top and of its value, nil for none.
func (r *reader) lookup(key string) (k, v *yaml.Node) {
	for i := 0; i+1 < len(r.root.Content); i += 2 {
		if r.root.Content[i].Value == key {
			return r.root.Content[i], r.root.Content[i+1]
		}
	}
	return nil, nil
}

// keyFault adds a fault of the line a key is on.
func (r *reader) keyFault(key, reason, mend string) {
	k, _ := r.lookup(key)
	r.add(Fault{Line: r.at(k), Field: key, Reason: reason, Mend: mend})
}

// missing adds a fault of a key that is not there: it is said of the line of the
// opening fence, below which the key belongs.
func (r *reader) missing(key, reason, mend string) {
	r.add(Fault{Line: r.sheet.line - 1, Field: key, Reason: reason, Mend: mend})
}

// warnConflict warns of a whole set of conflict markers in a body. It is no
// fault: a body may speak of merges.
func (r *reader) warnConflict(field, body string) {
	start := strings.Count(string(r.sheet.data[:r.sheet.rest]), "\n") + 1
	marks := []string{"<<<<<<< ", "=======", ">>>>>>> "}
	line, first := start, 0
	for text := range strings.Lines(string(r.sheet.data[r.sheet.rest:])) {
		if strings.HasPrefix(text, marks[0]) {
			if len(marks) == 3 {
				first = line
			}
			if marks = marks[1:]; len(marks) == 0 {
				r.warn(Fault{Line: first, Field: field, Reason: conflictReason})
				return
			}
		}
		line++
	}
}
