package records

import "slices"

// Check looks at every file of both collections. Faults is what keeps a file
// from being a record or its id from being its own, warnings is what reads well
// enough but should be looked at; both sorted by path and line. The error says
// that the tree itself could not be read.
func (b *Book) Check() (faults, warnings []Fault, err error) {
	x, err := b.walked()
	if err != nil {
		return nil, nil, err
	}
	r := x.reported()
	return slices.Clone(r.faults), slices.Clone(r.warnings), nil
}
