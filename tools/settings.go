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
	"sync"

	"github.com/git-tasks/git-tasks/repo"
)

// pluginName is the entry of the settings file's plugins that holds our options.
const pluginName = "@ahpd/tasks"

// Settings are the host's: who may do what, and how the list is kept. The zero
// value has no user directory and no roles, asks for no approval and sweeps
// nothing.
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
	// What task_set, task_claim and, for approvals, a push must not do: none of these
	// stops a list that is written whole, by todo_write or by a harness.
	RequireApproval bool // a task must be approved before it can be moved to doing
	GateOnBlockers  bool // every blocker must be done before a task can be moved to doing, as a claim asks anyway
	CloseGate       bool // every blocker must be done before a task can be moved to done

	SweepAfterDays float64   // finished plans older than that go; 0 is never
	HostTasks      bool      // the hooks deny a harness its own list, and point to the tools here
	Reminder       reminding // when a session is told of its open steps
}

// builtinRoles stand unless the settings name a role of the same name.
var builtinRoles = map[string][]string{
	"viewer":   {"session:read"},
	"member":   {"session:read", "session:write"},
	"approver": {"session:read", "task:approve"},
	"admin":    {"*"},
}

// LoadSettings reads a settings file. The built-in roles are there whatever it
// says, and all there is where it is missing: no user directory, no approval,
// no sweep. Whatever is wrong with it is an error that starts with file:line.
func LoadSettings(file string) (*Settings, error) {
	if _, err := os.Lstat(file); errors.Is(err, fs.ErrNotExist) {
		return &Settings{Roles: maps.Clone(builtinRoles)}, nil
	}
	data, err := readSettings(file) // a link to nothing is no missing file
	if err != nil {
		return nil, err
	}
	return parseSettings(file, data)
}

// readSettings reads a settings file, which must be there.
func readSettings(file string) ([]byte, error) {
	if info, err := os.Stat(file); err == nil && !info.Mode().IsRegular() { // a pipe would be waited for without end
		return nil, fmt.Errorf("%s is no regular file: the settings are one", file)
	}
	return os.ReadFile(file)
}

func parseSettings(file string, data []byte) (*Settings, error) {
	root, err := parseJSON(file, data)
	if err != nil {
		return nil, err
	}
	st := &Settings{Roles: maps.Clone(builtinRoles)}
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
		default:
			err = m.value.errorf("%q is not known here; the settings have roles, users and plugins", m.key)
		}
		if err != nil {
			return err
		}
	}
	for _, m := range members { // roles may stand behind the users
		if m.key == "users" {
			return st.knowRoles(m.value)
		}
	}
	return nil
}

// knowRoles refuses a role of a user that nobody defines: it would give nothing.
func (st *Settings) knowRoles(users *node) error {
	items, _ := users.array("users")
	for i, item := range items {
		members, _ := item.object("a user")
		for _, m := range members {
			if m.key != "roles" {
				continue
			}
			roles, _ := m.value.array("roles")
			for j, role := range roles {
				if name := st.Users[i].Roles[j]; st.Roles[name] == nil {
					return role.errorf("roles of user %s: %q is no role; the roles are %s, and others that roles defines",
						st.Users[i].ID, name, strings.Join(slices.Sorted(maps.Keys(st.Roles)), ", "))
				}
			}
		}
	}
	return nil
}

var grantForm = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(\*|[A-Za-z*][A-Za-z0-9_-]*:[A-Za-z*][A-Za-z0-9_-]*)$`)
})

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
			if !grantForm().MatchString(g) {
				return m.value.errorf("role %s: grant %q must be <subject>:<operation> or *", m.key, g)
			}
			if !slices.ContainsFunc(operations, func(o string) bool { return covers(g, o) }) {
				return m.value.errorf("role %s: grant %q gives nothing; the grants are %s, with * for either side, or for all",
					m.key, g, strings.Join(operations, ", "))
			}
		}
		st.Roles[m.key] = grants
	}
	return nil
}

var tokenForm = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^sha256:[0-9a-f]{64}$`) })

func (st *Settings) readUsers(n *node) error {
	items, err := n.array("users")
	if err != nil {
		return err
	}
	for _, item := range items {
		u, err := readUser(item)
		if err != nil {
			return err
		}
		if slices.ContainsFunc(st.Users, func(o User) bool { return o.ID == u.ID }) {
			return item.errorf("user %q stands in the list twice", u.ID)
		}
		st.Users = append(st.Users, u)
	}
	return nil
}

func readUser(n *node) (u User, err error) {
	members, err := n.object("a user")
	if err != nil {
		return u, err
	}
	for _, m := range members {
		switch m.key {
		case "id":
			u.ID, err = m.value.text("id")
		case "mail":
			u.Mail, err = m.value.text("mail")
		case "roles":
			u.Roles, err = m.value.texts("roles")
		case "token":
			if u.Token, err = m.value.text("token"); err == nil && !tokenForm().MatchString(u.Token) {
				err = m.value.errorf("token must be sha256: and the 64 hexadecimal digits of the token's SHA-256")
			}
		default:
			err = m.value.errorf("%q is not known here; a user has id, roles, token and mail", m.key)
		}
		if err != nil {
			return u, err
		}
	}
	switch {
	case strings.TrimSpace(u.ID) == "":
		return u, n.errorf("a user must have an id")
	case u.ID != repo.CleanName(u.ID):
		// Callers are known by their cleaned names: this one could never be met.
		return u, n.errorf("user %q must have an id that git takes for a name as it is", u.ID)
	}
	return u, nil
}

func (st *Settings) readPlugins(n *node) error {
	items, err := n.array("plugins")
	if err != nil {
		return err
	}
	for _, item := range items {
		if err := st.readPlugin(item); err != nil {
			return err
		}
	}
	return nil
}

func (st *Settings) readPlugin(n *node) error {
	members, err := n.object("a plugin")
	if err != nil {
		return err
	}
	name, options := "", (*node)(nil)
	for _, m := range members {
		switch m.key {
		case "name":
			if name, err = m.value.text("name"); err == nil && name != pluginName {
				err = m.value.errorf("name %q is no plugin here; the one there is is %s", name, pluginName)
			}
		case "options":
			options = m.value
		default:
			err = m.value.errorf("%q is not known here; a plugin has name and options", m.key)
		}
		if err != nil {
			return err
		}
	}
	switch {
	case name == "":
		return n.errorf("a plugin must have a name: %s", pluginName)
	case options == nil:
		return nil
	}
	return st.Options.read(options)
}

func (o *Options) read(n *node) error {
	members, err := n.object("options")
	if err != nil {
		return err
	}
	for _, m := range members {
		switch m.key {
		case "requireApproval":
			o.RequireApproval, err = m.value.flag(m.key)
		case "gateOnBlockers":
			o.GateOnBlockers, err = m.value.flag(m.key)
		case "closeGate":
			o.CloseGate, err = m.value.flag(m.key)
		case "sweepAfterDays":
			o.SweepAfterDays, err = m.value.positive(m.key)
		case "hostTasks":
			o.HostTasks, err = m.value.flag(m.key)
		case "reminder":
			err = o.Reminder.read(m.value)
		default:
			err = m.value.errorf("option %q is not known; the options are requireApproval, gateOnBlockers, closeGate, sweepAfterDays, hostTasks, reminder", m.key)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// unknownRoles lists "user: role" for roles that nobody defines, in settings that
// are of no file. They give nothing, and the log says so.
func (st *Settings) unknownRoles() []string {
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
