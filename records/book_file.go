package records

import (
	"fmt"
	"io/fs"
	"path"
)

// File gives the file of a record as it stands. Of one that cannot be read it is the
// file that its name says is the record's, in the record's place or in another. It is
// the zero File where there is neither.
func (b *Book) File(id string) (File, error) {
	if _, _, ok := ParseID(id); !ok {
		return File{}, nil
	}
	data, file, err := b.source(id)
	if err != nil || data != nil {
		return File{Path: file, Data: data}, err
	}
	places := []string{PathOf(id)}
	for _, fault := range b.Faults() {
		if path.Base(fault.Path) == id+".md" {
			places = append(places, fault.Path)
		}
	}
	for _, file := range places {
		info, err := look(b.fsys, file)
		if err != nil {
			return File{}, err
		}
		if info == nil || !info.Mode().IsRegular() || info.Size() > MaxRecord {
			continue
		}
		data, err := fs.ReadFile(b.fsys, file)
		if err != nil {
			return File{}, fmt.Errorf("read %s: %w", file, err)
		}
		return File{Path: file, Data: data}, nil
	}
	return File{}, nil
}
