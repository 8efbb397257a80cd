package cli

import (
	"strings"

	urfave "github.com/urfave/cli/v2"

	"github.com/git-tasks/git-tasks/records"
	"github.com/git-tasks/git-tasks/tools"
)

func (f *front) tokenCommand() *urfave.Command {
	return &urfave.Command{
		Name: "token", Category: upkeep, Usage: "give users tokens, list them, and take them away",
		Description: "git tasks token add ana --role approver",
		Subcommands: []*urfave.Command{f.tokenAdd(), f.tokenList(), f.tokenRevoke()},
	}
}

func (f *front) tokenAdd() *urfave.Command {
	return &urfave.Command{
		Name: "add", ArgsUsage: "USER", Usage: "make a token for a user, and print it this once",
		Description: "git tasks token add ana --role approver",
		Flags: []urfave.Flag{&urfave.GenericFlag{Name: "role", Value: &texts{},
			Usage: "`ROLE` what the user may do: viewer, member, approver, admin, or a role of the settings file (may be repeated)"}},
		Action: func(c *urfave.Context) error {
			if err := arguments(c, 1, 1); err != nil {
				return err
			}
			return f.addToken(c)
		},
	}
}

func (f *front) addToken(c *urfave.Context) error {
	file, _, err := f.settingsFile(c)
	if err != nil {
		return err
	}
	user := c.Args().First()
	before, err := tools.LoadSettings(file)
	if err != nil {
		return settingsHint(err)
	}
	token, err := tools.AddToken(file, user, c.Generic("role").(*texts).list())
	if err != nil {
		if tools.AsError(err).Code == tools.Conflict {
			return withHint(err, "git tasks token revoke "+quoted(user)+" takes the old one away")
		}
		return err
	}
	if f.json {
		err = f.document(map[string]string{"user": user, "token": token})
	} else {
		f.printf("%s\n", token)
	}
	if err == nil {
		err = f.flush() // the token first: it is shown this once
	}
	if err != nil {
		return err
	}
	host := f.tellHost(c, file)
	if f.json {
		host.warn(f)
		return nil
	}
	f.note("this is the token of " + user + ", shown this once; " + file + " has only its SHA-256")
	if len(before.Users) == 0 {
		f.note("there is a user directory now: approving needs a user with the grant task:approve (--role approver)")
	}
	if !host.told {
		host.warn(f)
		return nil
	}
	f.note("the host at " + host.address + " goes by it already")
	if len(before.Users) == 0 {
		f.note("its clients are nobody's from now on until they bring a token: git tasks install CLIENT --url " + host.address + "/mcp --force")
	}
	return nil
}

// tokenUser is a user as a list has them: whether there is a token, never which.
type tokenUser struct {
	ID    string   `json:"id"`
	Roles []string `json:"roles"`
	Token bool     `json:"token"`
}

func (f *front) tokenList() *urfave.Command {
	return &urfave.Command{
		Name: "list", Usage: "list the users, their roles, and who has a token",
		Description: "git tasks token list",
		Action: func(c *urfave.Context) error {
			if err := arguments(c, 0, 0); err != nil {
				return err
			}
			settings, err := f.settings(c)
			if err != nil {
				return err
			}
			users := make([]tokenUser, len(settings.Users))
			for i, u := range settings.Users {
				users[i] = tokenUser{u.ID, append([]string{}, u.Roles...), u.Token != ""}
			}
			return f.users(users)
		},
	}
}

func (f *front) users(users []tokenUser) error {
	if f.json {
		return f.document(map[string][]tokenUser{"users": users})
	}
	if len(users) == 0 {
		f.printf("No users: nobody is asked for a grant until there are; git tasks token add USER makes one.\n")
	}
	var t table
	for _, u := range users {
		has, roles := "no token", "no role"
		if u.Token {
			has = "token"
		}
		if len(u.Roles) > 0 {
			roles = strings.Join(u.Roles, ", ")
		}
		t.add("", records.Visible(u.ID), has, records.Visible(roles))
	}
	f.table(t)
	return nil
}

func (f *front) tokenRevoke() *urfave.Command {
	return &urfave.Command{
		Name: "revoke", ArgsUsage: "USER", Usage: "take the token of a user away; the user stays",
		Description: "git tasks token revoke ana",
		Action: func(c *urfave.Context) error {
			if err := arguments(c, 1, 1); err != nil {
				return err
			}
			file, _, err := f.settingsFile(c)
			if err != nil {
				return err
			}
			user := c.Args().First()
			if err := tools.RevokeToken(file, user); err != nil {
				if tools.AsError(err).Code == tools.NotFound {
					return withHint(err, "git tasks token list shows who has one")
				}
				return err
			}
			host := f.tellHost(c, file)
			if f.json {
				host.warn(f)
				return f.document(map[string]string{"user": user})
			}
			switch {
			case host.told:
				f.note("revoked the token of " + user + "; the host at " + host.address + " lets it in no more")
			case host.address != "":
				f.note("revoked the token of " + user)
				host.warn(f)
			default:
				f.note("revoked the token of " + user + "; a running server lets it in until it reads the settings again")
			}
			return nil
		},
	}
}
