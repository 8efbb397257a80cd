package tools

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
)

// pluginName is the entry of the settings file's plugins that holds our options.
const pluginName = "@ahpd/tasks"

// Settings are the host's: who may do what, and how the list is kept. The zero
// value has no user directory, asks for no approval and sweeps nothing.
type Settings struct {
	Roles map[string][]string // role to grants; the built-in ones included
	Users []User              // empty: no user directory
	Options
}

// User is a person of the directory.
type User struct {
	ID    string
	Roles []string
	Mail  string // "": made of the id and the host's name
	Token string // "sha256:<64 hexadecimal digits>", or ""
}

// Options are this plugin's own.
type Options struct {
	RequireApproval bool    // a task must be approved before it can be moved to doing
	SweepAfterDays  float64 // finished plans older than that go; 0 is never
	HostTasks       bool    // the harness hooks point to our tools
	GateOnBlockers  bool    // a task with open blockers cannot be started
	CloseGate       bool    // nor finished
}

// builtinRoles stand unless the settings name a role of the same name.
var builtinRoles = map[string][]string{
	"viewer":   {"session:read"},
	"member":   {"session:read", "session:write"},
	"approver": {"session:read", "task:approve"},
	"admin":    {"*"},
}

// LoadSettings reads a settings file; one that is not there is the zero
// Settings. Whatever is wrong with it is an error that starts with file:line.
func LoadSettings(file string) (*Settings, error) {
	st := &Settings{Roles: maps.Clone(builtinRoles)}
	data, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return st, nil
	}
	if err != nil {
		return nil, err
	}
	root, err := parseJSON(file, data)
	if err != nil {
		return nil, err
	}
	if err := st.read(root); err != nil {
		return nil, err
	}
	return st, nil
}

func (st *Settings) read(root *node) error {
	members, err := root.object("the settings file")
	if err != nil {
		return err
	}
	for _, m := range members {
		switch m.key {
		case "roles":
			err = st.readRoles(m.value)
		case "users":
			err = st.readUsers(m.value)
		case "plugins":
			err = st.readPlugins(m.value)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

var grantForm = regexp.MustCompile(`^(\*|[A-Za-z*][A-Za-z0-9_-]*:[A-Za-z*][A-Za-z0-9_-]*)$`)

func (st *Settings) readRoles(n *node) error {
	members, err := n.object("roles")
	if err != nil {
		return err
	}
	for _, m := range members {
		grants, err := m.value.texts("role " + m.key)
		if err != nil {
			return err
		}
		for _, g := range grants {
			if !grantForm.MatchString(g) {
				return m.value.errorf("role %s: grant %q must be <subject>:<operation> or *", m.key, g)
			}
		}
		st.Roles[m.key] = grants
	}
	return nil
}

var tokenForm = regexp.MustCompile(`^sha256:[0-9a-f]{64}$`)

func (st *Settings) readUsers(n *node) error {
	items, err := n.array("users")
	if err != nil {
		return err
	}
	for _, item := range items {
		members, err := item.object("a user")
		if err != nil {
			return err
		}
		var u User
		for _, m := range members {
			switch m.key {
			case "id":
				u.ID, err = m.value.text("id")
			case "mail":
				u.Mail, err = m.value.text("mail")
			case "roles":
				u.Roles, err = m.value.texts("roles")
			case "token":
				if u.Token, err = m.value.text("token"); err == nil && !tokenForm.MatchString(u.Token) {
					err = m.value.errorf("token must be sha256: and the 64 hexadecimal digits of the token's SHA-256")
				}
			}
			if err != nil {
				return err
			}
		}
		if strings.TrimSpace(u.ID) == "" {
			return item.errorf("a user must have an id")
		}
		if slices.ContainsFunc(st.Users, func(o User) bool { return o.ID == u.ID }) {
			return item.errorf("user %q stands in the list twice", u.ID)
		}
		st.Users = append(st.Users, u)
	}
	return nil
}

func (st *Settings) readPlugins(n *node) error {
	items, err := n.array("plugins")
	if err != nil {
		return err
	}
	for _, item := range items {
		members, err := item.object("a plugin")
		if err != nil {
			return err
		}
		name, options := "", (*node)(nil)
		for _, m := range members {
			switch m.key {
			case "name":
				if name, err = m.value.text("name"); err != nil {
					return err
				}
			case "options":
				options = m.value
			}
		}
		if name != pluginName || options == nil {
			continue
		}
		if err := st.Options.read(options); err != nil {
			return err
		}
	}
	return nil
}

func (o *Options) read(n *node) error {
	members, err := n.object("options")
	if err != nil {
		return err
	}
	flags := map[string]*bool{"requireApproval": &o.RequireApproval, "hostTasks": &o.HostTasks,
		"gateOnBlockers": &o.GateOnBlockers, "closeGate": &o.CloseGate}
	for _, m := range members {
		if flag, ok := flags[m.key]; ok {
			if *flag, err = m.value.flag(m.key); err != nil {
				return err
			}
			continue
		}
		switch m.key {
		case "sweepAfterDays":
			if o.SweepAfterDays, err = m.value.positive(m.key); err != nil {
				return err
			}
		case "reminder": // of the harness hooks
		default:
			known := append(slices.Sorted(maps.Keys(flags)), "reminder", "sweepAfterDays")
			return m.value.errorf("option %q is not known; the options are %s", m.key, strings.Join(known, ", "))
		}
	}
	return nil
}

// UnknownRoles lists "user: role" for roles that nobody defines. They give
// nothing; a door logs them.
func (st *Settings) UnknownRoles() []string {
	var unknown []string
	for _, u := range st.Users {
		for _, role := range u.Roles {
			if _, ok := st.Roles[role]; !ok {
				unknown = append(unknown, fmt.Sprintf("%s: %s", u.ID, role))
			}
		}
	}
	return unknown
}
