package tools

import (
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"slices"
	"strings"
)

// Person gives the user of the directory whose token this is; ok is false for
// any other text. It compares digests, each with all of them, so that how long
// it takes tells nothing of a token or of who has one.
func (st *Settings) Person(token string) (id string, ok bool) {
	given := sha256.Sum256([]byte(token))
	for _, u := range st.Users {
		digest, err := hex.DecodeString(strings.TrimPrefix(u.Token, "sha256:"))
		if err != nil || len(digest) != len(given) {
			continue // a user without a token
		}
		if subtle.ConstantTimeCompare(given[:], digest) == 1 {
			id, ok = u.ID, true
		}
	}
	return id, ok
}

// knows reports whether the directory has a user of that id.
func (st *Settings) knows(id string) bool {
	return slices.ContainsFunc(st.Users, func(u User) bool { return u.ID == id })
}

// Standing is what the directory says of a person, as one text: how they prove
// who they are, and what they may do. Two that differ mean that what was opened
// under the first may not be under the second. "" is nobody of the directory.
func (st *Settings) Standing(person string) string {
	for _, u := range st.Users {
		if u.ID != person {
			continue
		}
		said := u.Token
		for _, role := range u.Roles {
			said += " " + role + strings.Join(st.Roles[role], ",")
		}
		return said
	}
	return ""
}
