package tools

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"maps"
	"net/http"
	"reflect"
	"slices"
	"strings"

	"github.com/git-tasks/git-tasks/records"
	"github.com/git-tasks/git-tasks/repo"
)

// tokenBytes is how much chance a token is made of.
const tokenBytes = 32

// AddToken gives a user of a settings file a token and returns it: it is stored
// nowhere, the file has its SHA-256. A user that is not there is made, roles are
// set where any are named. A user who has a token is a [Conflict]: whoever uses
// that one would be locked out.
func AddToken(file, user string, roles []string) (token string, err error) {
	secret := make([]byte, tokenBytes)
	rand.Read(secret) // never fails: it ends the process before it gives less
	token = base64.RawURLEncoding.EncodeToString(secret)
	sum := sha256.Sum256([]byte(token))
	err = editSettings(file, func(e *settingsEdit) error {
		return e.addToken(user, roles, "sha256:"+hex.EncodeToString(sum[:]))
	})
	if err != nil {
		return "", err
	}
	return token, nil
}

// RevokeToken takes the token of a user out of a settings file. The user and
// their roles stay.
func RevokeToken(file, user string) error {
	return editSettings(file, func(e *settingsEdit) error {
		i := e.user(user)
		if i < 0 || e.want.Users[i].Token == "" {
			return &Error{Code: NotFound, Message: records.Visible(user) + " has no token."}
		}
		e.want.Users[i].Token = ""
		members, err := e.userNode(i).object("a user")
		if err != nil {
			return err
		}
		e.cutMember(members, "token")
		return nil
	})
}

func (e *settingsEdit) addToken(user string, roles []string, hash string) error {
	if strings.TrimSpace(user) == "" || user != repo.CleanName(user) {
		return &Error{Code: Invalid, Message: fmt.Sprintf("user %q must be a name that git takes as it is.", user)}
	}
	for _, role := range roles {
		if _, ok := e.want.Roles[role]; !ok {
			return &Error{Code: Invalid, Message: fmt.Sprintf("there is no role %s; the roles are %s.",
				records.Visible(role), strings.Join(slices.Sorted(maps.Keys(e.want.Roles)), ", "))}
		}
	}
	i := e.user(user)
	if i < 0 {
		roles = append([]string(nil), roles...) // of none, nil: what a user without roles is read as
		e.want.Users = append(e.want.Users, User{ID: user, Roles: roles, Token: hash})
		return e.insertUser(e.want.Users[len(e.want.Users)-1])
	}
	u := &e.want.Users[i]
	if u.Token != "" {
		return &Error{Code: Conflict, Message: records.Visible(user) + " has a token already."}
	}
	u.Token = hash
	if err := e.setMember(i, "token", quoted(hash)); err != nil || len(roles) == 0 {
		return err
	}
	u.Roles = roles
	return e.setMember(i, "roles", listJSON(roles))
}

// user gives the place of a user in the list, negative for none.
func (e *settingsEdit) user(id string) int {
	return slices.IndexFunc(e.want.Users, func(u User) bool { return u.ID == id })
}

// verify holds the text that an edit made to the settings that it is to be read
// as.
func (e *settingsEdit) verify(text []byte) error {
	got, err := parseSettings(e.file, text)
	if err != nil {
		return fmt.Errorf("the change would spoil the settings: %w", err)
	}
	if !reflect.DeepEqual(got, e.want) {
		return fmt.Errorf("the change would spoil %s: it would not be read as it is meant", e.file)
	}
	return nil
}

// Bearer gives the token of a request, "" where it has none, or more than one.
func Bearer(r *http.Request) string {
	said := r.Header["Authorization"]
	if len(said) != 1 {
		return ""
	}
	fields := strings.Fields(said[0])
	if len(fields) != 2 || !strings.EqualFold(fields[0], "bearer") {
		return ""
	}
	return fields[1]
}
