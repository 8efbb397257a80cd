package records

import (
	"slices"
	"strings"

	"gopkg.in/yaml.v3"
)

func (r *reader) readTask() {
	t := &Task{Body: r.sheet.body()}
	r.readKeys(t.keys())
	r.readID(t.ID)
	r.readTitle(t.Title)
	if t.Status == "" && !r.draft && !r.loose && !r.hasFault("status") {
		r.missing("status", taskStatusReason, mendStatus(TaskKind))
	}
	r.warnConflict("body", t.Body)
	r.task = t
}

func (r *reader) readPlan() {
	p := &Plan{Goal: r.sheet.body()}
	r.readKeys(p.keys())
	r.readID(p.ID)
	r.readTitle(p.Title)
	if p.Status == "" && !r.draft && !r.loose && !r.hasFault("status") {
		r.missing("status", planStatusReason, mendStatus(PlanKind))
	}
	if _, n := r.lookup("scope"); (n == nil || isNull(n)) && !r.hasFault("scope") {
		r.missing("scope", scopeReason, mendScope)
	}
	r.warnConflict("goal", p.Goal)
	r.plan = p
}

// readKeys reads the keys of the file in their order; those that are not ours
// are left to themselves.
func (r *reader) readKeys(keys []key) {
	for i := 0; i+1 < len(r.root.Content); i += 2 {
		name := r.root.Content[i].Value
		if at := slices.IndexFunc(keys, func(k key) bool { return k.name == name }); at >= 0 {
			r.readKey(keys[at], r.root.Content[i+1])
			r.names.note(name, r.at(r.root.Content[i]))
		}
	}
}

// note keeps where a task names others: what is wrong with a name is only known
// once the whole tree is.
func (l *referenceLines) note(key string, line int) {
	switch key {
	case "plan":
		l.plan = line
	case "parent":
		l.parent = line
	case "rank":
		l.rank = line
	case "blockedBy":
		l.blockedBy = line
	}
}

// readKey reads a value into the field of its key.
func (r *reader) readKey(k key, n *yaml.Node) {
	switch f := k.field.(type) {
	case *string:
		*f = r.text(k.name, n)
	case *rank:
		*f = rank(r.text(k.name, n))
	case *Status:
		*f = r.status(k.name, n)
	case *Priority:
		*f = Priority(r.word(k.name, n, priorityReason, func(w string) bool { return Priority(w).valid() }))
	case *[]string:
		*f = r.list(k.name, n)
	case *map[string]string:
		*f = r.metadata(k.name, n)
	case *map[string]any:
		*f = r.packet(k.name, n)
	case *Scope:
		*f = r.scope(k.name, n)
	case **Lease:
		*f = r.lease(k.name, n)
	case **Source:
		*f = r.source(k.name, n)
	case **Stamp:
		*f = r.stamp(k.name, n)
	}
}

func (r *reader) status(key string, n *yaml.Node) Status {
	if r.kind == PlanKind {
		return Status(r.word(key, n, planStatusReason, func(w string) bool { return Status(w).forPlan() }))
	}
	return Status(r.word(key, n, taskStatusReason, func(w string) bool { return Status(w).forTask() }))
}

// readID judges the id against the file's name. A file without one is a draft,
// unless its name is an id: then somebody took the line out.
func (r *reader) readID(id string) {
	kind, _, ok := ParseID(id)
	letter := r.kind.letter()
	switch {
	case r.hasFault("id"):
	case r.loose:
		r.draft = id == ""
	case id == "" && r.named == "":
		r.draft = true
	case id == "":
		r.missing("id", "id is missing: the file's name says "+r.named, "id: "+r.named)
	case !ok || kind != r.kind:
		reason := "id must be " + letter + "<n>, a number counted up"
		if tooLong(id) {
			reason = "id must be " + letter + "<n>, a number of at most nine digits"
		}
		mend := takeIDOut
		if r.named != "" {
			mend = r.mendID()
		}
		r.keyFault("id", reason, mend)
	case id == r.named:
	case r.named == "":
		r.keyFault("id", "id is "+id+" in a file of another name",
			"rename it to "+PathOf(id)+" if that is free, else "+takeIDOut)
	default:
		r.keyFault("id", "id is "+id+" where the file's name says "+r.named, r.mendID())
	}
}

// takeIDOut is what to do with an id that cannot be the file's.
const takeIDOut = "take the id out: it is minted"

// readTitle asks for a title that is more than blanks.
func (r *reader) readTitle(title string) {
	if strings.TrimSpace(title) != "" || r.hasFault("title") {
		return
	}
	_, n := r.lookup("title")
	if n == nil {
		r.missing("title", titleReason, mendTitle)
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

// lookup gives the node of a key at the top and of its value, nil for none.
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
// opening fence, below which the line of the key belongs.
func (r *reader) missing(key, reason, line string) {
	r.add(Fault{Line: r.sheet.line - 1, Field: key, Reason: reason, Mend: "---\n" + line})
}

// conflictStart is what the first line that a stopped merge writes begins with.
const conflictStart = "<<<<<<< "

// warnConflict warns of a whole set of conflict markers in a body. It is no
// fault: a body may speak of merges.
func (r *reader) warnConflict(field, body string) {
	start := strings.Count(string(r.sheet.data[:r.sheet.rest]), "\n") + 1
	marks := []string{conflictStart, "=======", ">>>>>>> "}
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
