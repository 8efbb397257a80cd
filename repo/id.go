package repo

import (
	"encoding/hex"
	"fmt"
)

// ID names a commit, tree or blob: git's SHA-1 of it. The zero ID names
// nothing: the tip of a branch that has no commit yet.
type ID [20]byte

// ParseID reads the 40 hexadecimal digits of an id.
func ParseID(s string) (ID, error) {
	var id ID
	if len(s) != 2*len(id) {
		return ID{}, fmt.Errorf("object id %q: want 40 hexadecimal digits", s)
	}
	if _, err := hex.Decode(id[:], []byte(s)); err != nil {
		return ID{}, fmt.Errorf("object id %q: %w", s, err)
	}
	return id, nil
}

// String gives the 40 hexadecimal digits.
func (id ID) String() string { return hex.EncodeToString(id[:]) }

// Short gives the first ten digits, for people.
func (id ID) Short() string { return id.String()[:10] }

// IsZero reports whether the id names nothing.
func (id ID) IsZero() bool { return id == ID{} }
