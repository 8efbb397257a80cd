package records

// With gives the Book after some files changed; nil Data removes one.
func (b *Book) With(files []File) *Book {
	if len(files) == 0 {
		return b
	}
	return b.with(files)
}

// Proven gives the files, among those that paths names, which b needs to have the
// stamps and leases of its records as before has them, and by id the keys that were
// not believed. Of a record that before does not have those are approved and a lease
// alone. Where before is nil everything is believed.
func (b *Book) Proven(before *Book, paths []string) ([]File, map[string][]string, error) {
	f := &follower{tip: b, commits: []Foreign{{}}, touched: map[string][]int{}}
	for _, path := range paths {
		if ours(path) {
			f.touched[reach(path)] = []int{0}
		}
	}
	if err := f.findMarks(before); err != nil || len(f.groups) == 0 {
		return nil, nil, err
	}
	unproven := map[string][]string{}
	var files []File
	for _, m := range f.groups[0].marks {
		data, err := m.write(b)
		if err != nil {
			return nil, nil, err
		}
		if data != nil {
			files = append(files, File{Path: m.path, Data: data})
			unproven[m.id] = m.keys
		}
	}
	return files, unproven, nil
}
