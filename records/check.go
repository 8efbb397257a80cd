package records

import "slices"

// Check looks at every file of both collections. Faults is what keeps a file
// from being a record or its id from being its own, warnings is what reads well
// enough but should be looked at: records in a wrong folder, text that the file
// says and YAML drops, conflict markers in a body, a folder in the place of
// .highest, tasks that name in blockedBy, plan or parent what never was, that wait
// for themselves or stand under themselves, and ranks that are none. What never was
// is no id and no draft, an id of the other collection, or one above the highest; an
// id that was removed is sound. Both are sorted by path and line. The error says
// that the tree itself could not be read.
func (b *Book) Check() (faults, warnings []Fault, err error) {
	x, err := b.walked()
	if err != nil {
		return nil, nil, err
	}
	r := x.reported()
	warnings, err = b.referenceWarnings(x)
	if err != nil {
		return nil, nil, err
	}
	for _, k := range []Kind{TaskKind, PlanKind} {
		o, err := inTheWay(b.fsys, highestPath(k))
		if err != nil {
			return nil, nil, err
		}
		if o != nil && !o.folder {
			warnings = append(warnings, Fault{Path: o.path, Reason: "is a folder where a file belongs", Mend: "move it away"})
		}
	}
	warnings = append(warnings, r.warnings...)
	sortFaults(warnings)
	return slices.Clone(r.faults), warnings, nil
}
