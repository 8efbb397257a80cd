package records

import (
	"reflect"
	"slices"
	"strings"
)

// record merges a file that both sides have. Where one of the versions is no
// record its lines are merged, and if that is none either the file is refused,
// unless both sides can be read: then only the base is broken, and whatever they
// differ in both have changed; and where no record comes of what the push says, what
// the branch says stands, so that the merge is refused either way round or neither.
func (m *merging) record(base, branch, pushed []byte) Merged {
	merged, readable := m.oneWay(base, branch, pushed)
	if len(merged.Faults) == 0 || !readable {
		return merged
	}
	m.over = nil
	other, _ := m.oneWay(base, pushed, branch)
	if len(other.Faults) > 0 {
		return merged
	}
	for i := range other.Overruled {
		other.Overruled[i].Pushed = !other.Overruled[i].Pushed
	}
	return other
}

// oneWay merges a file by the rules of Merge; readable says that both sides can be read.
func (m *merging) oneWay(base, branch, pushed []byte) (merged Merged, readable bool) {
	b, s, p, eol := sameEOL(base, branch, pushed)
	ours, _, err := readLoose(m.kind, []byte(s))
	theirs, _, err2 := readLoose(m.kind, []byte(p))
	was, _, err3 := readLoose(m.kind, []byte(b))
	if readable = err == nil && err2 == nil; readable {
		if err3 != nil {
			was, _, _ = readLoose(m.kind, []byte(blankRecord(m.kind)))
		}
		if data := m.fieldByField(was, ours, theirs); data != nil {
			return m.judged(data), true
		}
	}
	m.over = nil
	if !isText(base) || !isText(branch) || !isText(pushed) {
		return Merged{Faults: append(Parse(m.path, pushed).Faults, Parse(m.path, branch).Faults...)}, readable
	}
	return m.judged([]byte(m.lines("text", b, s, p, eol))), readable
}

// blankRecord is what stands for a base that cannot be read.
func blankRecord(k Kind) string {
	if k == PlanKind {
		return "---\ntitle: .\nscope: {kind: bot, bot: .}\n---\n"
	}
	return "---\ntitle: .\n---\n"
}

// judged gives a merged file, or what is wrong with it.
func (m *merging) judged(data []byte) Merged {
	if p := Parse(m.path, data); len(p.Faults) > 0 {
		for i := range p.Faults {
			p.Faults[i].Reason += " (in what both sides make together)"
		}
		return Merged{Faults: p.Faults, Overruled: m.over}
	}
	return Merged{Data: data, Overruled: m.over}
}

// fieldByField merges three readable versions; nil where what they say does not
// fit in one file.
func (m *merging) fieldByField(was, ours, theirs *reader) []byte {
	var want Record
	if m.kind == PlanKind {
		p := *theirs.plan
		m.fields(was.plan.keys(), ours.plan.keys(), p.keys())
		want = &p
	} else {
		t := *theirs.task
		m.fields(was.task.keys(), ours.task.keys(), t.keys())
		want = &t
	}
	w := &weave{merging: m, was: was, ours: ours, theirs: theirs, page: want.page()}
	body := w.bodyLines()
	setBody(want, body)
	w.pickUnknown()
	for _, try := range []func() (string, bool){w.finely, w.coarsely} {
		over := slices.Clone(m.over)
		if front, ok := try(); ok {
			if data := w.finish(front, body, want); data != nil {
				w.nameComments(data)
				return data
			}
		}
		m.over = over
	}
	// The keys of one side have no lines of their own: what is ours of the other
	// is put into that side's file.
	for _, side := range []*reader{theirs, ours} {
		if data, err := Splice(side.sheet.data, want); err == nil {
			w.nameUnknown(data)
			w.nameComments(data)
			return data
		}
	}
	return nil
}

func setBody(r Record, text string) {
	s, _, _ := cut([]byte(text))
	switch r := r.(type) {
	case *Task:
		r.Body = s.body()
	case *Plan:
		r.Goal = s.body()
	}
}

// weave puts one file together from the lines of three.
type weave struct {
	*merging
	was, ours, theirs *reader
	page              page
	unknown           map[string]entry // keys that are not ours, as they are to be
}

// bodyLines gives a file with an empty frontmatter and the merged text below: the
// fences say how the merged file ends its lines.
func (w *weave) bodyLines() string {
	name := "body"
	if w.kind == PlanKind {
		name = "goal"
	}
	below := func(r *reader) string { return string(r.sheet.data[r.sheet.rest:]) }
	eol := w.theirs.sheet.eol()
	return "---" + eol + "---" + eol + w.lines(name, below(w.was), below(w.ours), below(w.theirs), eol)
}

// pickUnknown settles the keys that are not ours, each as one piece of text.
func (w *weave) pickUnknown() {
	w.unknown = map[string]entry{}
	lists := [3]map[string]entry{}
	var names []string
	for i, r := range []*reader{w.was, w.ours, w.theirs} {
		lists[i] = map[string]entry{}
		for _, e := range r.unknown(w.page) {
			lists[i][e.key] = e
			names = append(names, e.key)
		}
	}
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		was, ours, theirs := lists[0][name], lists[1][name], lists[2][name]
		e := theirs
		switch {
		case reflect.DeepEqual(theirs, was):
			e = ours
		case !reflect.DeepEqual(ours, was) && !reflect.DeepEqual(ours, theirs):
			w.lose(name, textOf(ours.value), textOf(theirs.value), false)
		}
		if e.key != "" {
			w.unknown[name] = e
		}
	}
}

// finish makes a file of frontmatter and body that says what is wanted, nil where
// it does not.
func (w *weave) finish(front, body string, want Record) []byte {
	part := func(of func(sheet) []byte) string {
		return pick(string(of(w.was.sheet)), string(of(w.ours.sheet)), string(of(w.theirs.sheet)))
	}
	open := part(func(s sheet) []byte { return s.data[:s.open] })
	shut := part(func(s sheet) []byte { return s.data[s.shut:s.rest] })
	eol := w.theirs.sheet.eol()
	for _, text := range []*string{&front, &shut} {
		if *text != "" && !strings.HasSuffix(*text, "\n") {
			*text += eol
		}
	}
	s, _, _ := cut([]byte(body))
	below := body[s.rest:]
	if below == "" && !strings.HasSuffix(part(func(s sheet) []byte { return s.data[s.shut:s.rest] }), "\n") {
		shut = strings.TrimRight(shut, "\r\n")
	}
	data, err := Splice([]byte(open+front+shut+below), want)
	if err != nil || !w.saysUnknown(data) {
		return nil
	}
	return data
}

// saysUnknown reports whether a file has the keys that are not ours, all and no
// others.
func (w *weave) saysUnknown(data []byte) bool {
	r, _, err := readLoose(w.kind, data)
	if err != nil {
		return false
	}
	got := r.unknown(w.page)
	for _, e := range got {
		if want, known := w.unknown[e.key]; !known || !reflect.DeepEqual(e, want) {
			return false
		}
	}
	return len(got) == len(w.unknown)
}

// nameUnknown names the keys that are not ours and could not be put in.
func (w *weave) nameUnknown(data []byte) {
	r, _, err := readLoose(w.kind, data)
	if err != nil {
		return
	}
	has := map[string]entry{}
	for _, e := range r.unknown(w.page) {
		has[e.key] = e
		if _, known := w.unknown[e.key]; !known {
			w.lose(e.key, "", textOf(e.value), false)
		}
	}
	for name, e := range w.unknown {
		if !reflect.DeepEqual(has[name], e) {
			w.lose(name, textOf(e.value), textOf(has[name].value), false)
		}
	}
	slices.SortStableFunc(w.over, func(a, b Overruled) int { return strings.Compare(a.Field, b.Field) })
}

// nameComments names the comments that one side wrote and the file does not hold.
func (w *weave) nameComments(data []byte) {
	r, _, err := readLoose(w.kind, data)
	if err != nil {
		return
	}
	was, is := w.was.comments(), r.comments()
	for i, side := range []*reader{w.ours, w.theirs} {
		other := []*reader{w.theirs, w.ours}[i].comments()
		for _, c := range side.comments() {
			// What the other side took out on purpose is not lost.
			if !slices.Contains(was, c) && !slices.Contains(is, c) && !slices.Contains(other, c) {
				w.lose("comment", c, "", side == w.theirs)
			}
		}
	}
}

// comments gives the comments of the frontmatter, those on lines of their own
// and those behind a key's value.
func (r *reader) comments() []string {
	var all []string
	for _, line := range r.lines {
		if text := strings.TrimSpace(line); strings.HasPrefix(text, "#") {
			all = append(all, text)
		}
	}
	regions, _ := r.regions(r.root, 0, len(r.lines))
	for _, g := range regions {
		if c := strings.TrimSpace(r.comment(g)); c != "" && g.start+1 == g.end {
			all = append(all, c)
		}
	}
	return all
}
