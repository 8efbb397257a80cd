package tools

import (
	"fmt"
	"strings"
)

// operations are all that anybody is asked a grant for.
var operations = []string{"session:read", "session:write", "task:approve"}

// allow asks a person for a grant. Without a user directory there is nobody to
// ask and everyone may.
func (st *Settings) allow(person, operation string) error {
	switch {
	case len(st.Users) == 0:
		return nil
	case person == "":
		return &Error{Code: Unauthenticated, Message: "Sign in to use this host."}
	case st.grants(person, operation):
		return nil
	}
	return &Error{Code: Denied, Message: fmt.Sprintf("%s may not %s here.", person, operation)}
}

// grants reports whether any role of the person covers the operation.
func (st *Settings) grants(person, operation string) bool {
	for _, u := range st.Users {
		if u.ID != person {
			continue
		}
		for _, role := range u.Roles {
			for _, grant := range st.Roles[role] {
				if covers(grant, operation) {
					return true
				}
			}
		}
	}
	return false
}

// covers compares "subject:operation" pairs; * on either side, or alone, is all.
func covers(grant, operation string) bool {
	if grant == "*" {
		return true
	}
	subject, verb, ok := strings.Cut(grant, ":")
	onSubject, onVerb, _ := strings.Cut(operation, ":")
	return ok && (subject == "*" || subject == onSubject) && (verb == "*" || verb == onVerb)
}
