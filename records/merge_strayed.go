package records

// Strayed is what git made of two records: it takes a file that one side took out
// and one like it that the same side added for one file that was renamed, and has
// what the other side changed of the first merged into the second.
type Strayed struct {
	Path string // where the first one lies
	Data []byte // as the other side changed it
	Kept []byte // the second one, as it was added
}

// FindStrayed reports whether the versions of the file at path are of one record,
// and of another that it was taken for. A draft that got its id is one record; of
// versions that cannot be read nothing is known.
func FindStrayed(path string, base, branch, pushed []byte) (Strayed, bool) {
	if kindOfPath(path) == 0 {
		return Strayed{}, false
	}
	var ids [3]string
	for i, data := range [][]byte{base, branch, pushed} {
		r, _, err := readLoose(kindOfPath(path), data)
		if err != nil {
			return Strayed{}, false
		}
		ids[i], _ = recordOf(r.task, r.plan).Name()
	}
	was, at := ids[0], PathOf(ids[0])
	switch {
	case at == "" || at == path:
		return Strayed{}, false
	case ids[1] != was && ids[2] == was:
		return Strayed{Path: at, Data: pushed, Kept: branch}, true
	case ids[2] != was && ids[1] == was:
		return Strayed{Path: at, Data: branch, Kept: pushed}, true
	}
	return Strayed{}, false
}
