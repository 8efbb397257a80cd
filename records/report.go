package records

import (
	"maps"
	"slices"
	"strings"
)

// report is what a Book has to say beside its records.
type report struct {
	faults   []Fault
	warnings []Fault
	drafts   []string
}

// notable reports whether a file that holds its number still has something to
// report.
func (l *leaf) notable() bool {
	return len(l.faults) > 0 || len(l.warnings) > 0 || l.record() != nil && l.misplaced()
}

// misplaced reports whether the file lies in another folder than its id's.
func (l *leaf) misplaced() bool {
	var buffer [64]byte // this is asked of every file
	kind := kindOfPath(l.path)
	return kind == 0 || l.number == 0 || l.path != string(appendPath(buffer[:0], kind, l.number))
}

// reported gives the report of the whole tree, made once. It looks at the
// chunks' notes alone, so it is cheap however many records there are.
func (x *index) reported() *report {
	x.once.Do(func() {
		r := &x.report
		for _, t := range x.tables {
			for _, c := range t.chunks {
				for i := range c.summary().noted.each {
					r.addSlot(c.files(i))
				}
			}
		}
		for _, path := range slices.Sorted(maps.Keys(x.odd)) {
			r.add(x.odd[path])
		}
		sortFaults(r.faults)
		sortFaults(r.warnings)
		slices.Sort(r.drafts)
	})
	return &x.report
}

func (r *report) addSlot(files []*leaf) {
	for i, l := range files {
		if i > 0 {
			r.faults = append(r.faults, l.faults...)
			r.faults = append(r.faults, twin(l, files[0]))
			continue
		}
		r.add(l)
		if l.record() != nil && l.misplaced() {
			r.warnings = append(r.warnings, wrongFolder(l))
		}
	}
}

func (r *report) add(l *leaf) {
	r.faults = append(r.faults, l.faults...)
	r.warnings = append(r.warnings, l.warnings...)
	if l.draft {
		r.drafts = append(r.drafts, l.path)
	}
}

// mendID is what to do with a file whose id is not to be had.
const mendID = "take the id line out and give the file a name that is no id: it gets a new one"

// twin gives the fault of a file whose id another file holds.
func twin(l, holder *leaf) Fault {
	id := formatID(kindOfPath(l.path), l.number)
	return Fault{Path: l.path, Field: "id", Reason: "id " + id + " is held by " + holder.path,
		Mend: mendID}
}

func wrongFolder(l *leaf) Fault {
	home := PathOf(formatID(kindOfPath(l.path), l.number))
	folder := home[:strings.LastIndexByte(home, '/')+1]
	return Fault{Path: l.path, Reason: "lies in the wrong folder: it belongs in " + folder, Mend: home}
}
