package tools_test

import (
	"bytes"
	"log/slog"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"syscall"
	"testing"

	"github.com/git-tasks/git-tasks/repo/repotest"
	"github.com/git-tasks/git-tasks/tools"
	"github.com/git-tasks/git-tasks/tools/toolstest"
)

func settingsFile(t *testing.T, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "config.json")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

func TestSettings(t *testing.T) {
	t.Parallel()
	st, err := tools.LoadSettings(settingsFile(t, `{
  "users": [
    {"id": "ana", "roles": ["approver", "member"], "mail": "ana@example.org",
     "token": "sha256:`+strings.Repeat("0a", 32)+`"},
    {"id": "bob", "roles": ["helper"]}
  ],
  "roles": {"approver": ["task:approve"], "viewer": [], "helper": ["*:read"]},
  "plugins": [
    {"name": "@ahpd/tasks"},
    {"name": "@ahpd/tasks", "options": {"requireApproval": true, "gateOnBlockers": true, "closeGate": true, "sweepAfterDays": 0.5, "hostTasks": true}}
  ]
}`))
	if err != nil {
		t.Fatal(err)
	}
	want := &tools.Settings{
		Roles: map[string][]string{"approver": {"task:approve"}, "viewer": {}, "member": {"session:read", "session:write"}, "admin": {"*"}, "helper": {"*:read"}},
		Users: []tools.User{
			{ID: "ana", Roles: []string{"approver", "member"}, Mail: "ana@example.org", Token: "sha256:" + strings.Repeat("0a", 32)},
			{ID: "bob", Roles: []string{"helper"}},
		},
		Options: tools.Options{RequireApproval: true, GateOnBlockers: true, CloseGate: true, SweepAfterDays: 0.5, HostTasks: true},
	}
	if !reflect.DeepEqual(st, want) {
		t.Errorf("got  %+v\nwant %+v", st, want)
	}
	st.Users = []tools.User{{ID: "bob", Roles: []string{"ghost"}}} // as no file says it
	var log bytes.Buffer
	toolstest.Open(t, tools.Config{Path: repotest.New(t), Settings: st, Log: slog.New(slog.NewTextHandler(&log, nil))})
	if got := log.String(); strings.Count(got, "\n") != 1 || !strings.Contains(got, `user="bob: ghost"`) {
		t.Errorf("of unknown roles the log says %q", got)
	}
}

func TestNoSettings(t *testing.T) {
	t.Parallel()
	for _, file := range []string{filepath.Join(t.TempDir(), "none.json"), settingsFile(t, "{}")} {
		st, err := tools.LoadSettings(file)
		if err != nil {
			t.Fatal(err)
		}
		if len(st.Users) != 0 || st.Options != (tools.Options{}) || len(st.Roles) != 4 {
			t.Errorf("%s gave %+v", filepath.Base(file), st)
		}
	}
}

// TestSettingsThatAreNoFile are refused by name; a pipe is not waited for.
func TestSettingsThatAreNoFile(t *testing.T) {
	t.Parallel()
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{pipe, t.TempDir(), os.DevNull} {
		if _, err := tools.LoadSettings(file); err == nil || err.Error() != file+" is no regular file: the settings are one" {
			t.Errorf("%s is refused with %v", file, err)
		}
	}
	for _, file := range []string{pipe, filepath.Dir(pipe)} {
		if err := tools.RevokeToken(file, "ana"); err == nil || err.Error() != file+" is no regular file: the settings are one" {
			t.Errorf("%s is edited with %v", file, err)
		}
	}
}

// TestSettingsLinkToNothing fails closed: whoever links a settings file means
// to have one.
func TestSettingsLinkToNothing(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "config.json")
	if _, err := tools.LoadSettings(file); err != nil {
		t.Errorf("a file that is not there: %v", err)
	}
	if err := os.Symlink("nowhere", file); err != nil {
		t.Fatal(err)
	}
	if _, err := tools.LoadSettings(file); err == nil {
		t.Error("a link to nothing was taken for no settings")
	}
}

// TestSettingsFaults: whatever is wrong is named by file and line, with what
// it must be.
func TestSettingsFaults(t *testing.T) {
	t.Parallel()
	option := func(text string) string {
		return "{\"plugins\": [\n{\"name\": \"@ahpd/tasks\", \"options\": {\n" + text + "}}]}"
	}
	for _, c := range []struct{ text, want string }{
		{"", "1: must be JSON: the document ends too early"},
		{"{\n\n", "3: must be JSON: the document ends too early"},
		{"{\n\"roles\": nonsense}", "2: must be JSON: invalid character"},
		{"{\"a\": 1,\n\"a\": 2}", `2: "a" stands twice`},
		{"{}\n{}", "2: must be JSON: there is more behind the end of the document"},
		{"[]", "1: the settings file must be an object"},
		{"{\"roles\":\n[]}", "2: roles must be an object"},
		{"{\"roles\": {\n\"r\": \"x\"}}", "2: role r must be a list"},
		{"{\"roles\": {\"r\": [\n7]}}", "2: role r must be a list of texts"},
		{"{\"roles\": {\n\"r\": [\"approve\"]}}", `2: role r: grant "approve" must be <subject>:<operation> or *`},
		{"{\"roles\": {\n\"r\": [\"a:b:c\"]}}", `2: role r: grant "a:b:c" must be <subject>:<operation> or *`},
		{"{\"roles\": {\n\"r\": [\"task:aprove\"]}}", `2: role r: grant "task:aprove" gives nothing; the grants are session:read, session:write, task:approve, with * for either side, or for all`},
		{"{\"users\": [{\"id\": \"ana\", \"roles\": [\"admin\",\n\"aprover\"]}]}", `2: roles of user ana: "aprover" is no role; the roles are admin, approver, member, viewer, and others that roles defines`},
		{"{\"plugins\": [{\"name\":\n\"@other/thing\"}]}", `2: name "@other/thing" is no plugin here; the one there is is @ahpd/tasks`},
		{"{\"plugins\": [\n{\"options\": {}}]}", "2: a plugin must have a name: @ahpd/tasks"},
		{"{\"plugins\": [{\"name\": \"@ahpd/tasks\", \"option\":\n{}}]}", `2: "option" is not known here; a plugin has name and options`},
		{"{\"users\":\n{}}", "2: users must be a list"},
		{"{\"users\": [\n\"ana\"]}", "2: a user must be an object"},
		{"{\"users\": [\n{\"roles\": []}]}", "2: a user must have an id"},
		{"{\"users\": [\n{\"id\": \" \"}]}", "2: a user must have an id"},
		{"{\"users\": [{\"id\":\n5}]}", "2: id must be a text"},
		{"{\"users\": [{\"id\": \"ana\", \"roles\":\n\"admin\"}]}", "2: roles must be a list"},
		{"{\"users\": [{\"id\": \"ana\"},\n{\"id\": \"ana\"}]}", `2: user "ana" stands in the list twice`},
		{"{\"users\": [{\"id\": \"ana\", \"token\":\n\"secret\"}]}", "2: token must be sha256: and the 64 hexadecimal digits of the token's SHA-256"},
		{"{\"user\":\n[]}", `2: "user" is not known here; the settings have roles, users and plugins`},
		{"{\"users\": [{\"id\": \"ana\", \"role\":\n\"admin\"}]}", `2: "role" is not known here; a user has id, roles, token and mail`},
		{"{\"users\": [\n{\"id\": \"A<na>\"}]}", `2: user "A<na>" must have an id that git takes for a name as it is`},
		{"{\"plugins\":\n{}}", "2: plugins must be a list"},
		{"{\"plugins\": [\n1]}", "2: a plugin must be an object"},
		{"{\"plugins\": [{\"name\":\n1}]}", "2: name must be a text"},
		{"{\"plugins\": [{\"name\": \"@ahpd/tasks\", \"options\":\n[]}]}", "2: options must be an object"},
		{option(`"requireApproval": "yes"`), "3: requireApproval must be true or false"},
		{option(`"requireApproval": 1`), "3: requireApproval must be true or false"},
		{option(`"gateOnBlockers": "on"`), "3: gateOnBlockers must be true or false"},
		{option(`"closeGate": null`), "3: closeGate must be true or false"},
		{option(`"sweepAfterDays": "30"`), "3: sweepAfterDays must be a positive number"},
		{option(`"sweepAfterDays": 0`), "3: sweepAfterDays must be a positive number"},
		{option(`"sweepAfterDays": -1`), "3: sweepAfterDays must be a positive number"},
		{option(`"sweepAfterDays": null`), "3: sweepAfterDays must be a positive number"},
		{option(`"requireAproval": true`), `3: option "requireAproval" is not known; the options are requireApproval, gateOnBlockers, closeGate, sweepAfterDays, hostTasks, reminder`},
		{option(`"hostTasks": 1`), "3: hostTasks must be true or false"},
		{option(`"reminder": "on"`), `3: reminder must be "off", or an object of sinceWritten and sinceTold`},
		{option(`"reminder": false`), `3: reminder must be "off", or an object of sinceWritten and sinceTold`},
		{option(`"reminder": {"turns": 5}`), `3: "turns" is not known here; a reminder has sinceWritten and sinceTold`},
		{option(`"reminder": {"sinceTold": 0}`), "3: sinceTold must be a whole number of turns from 1 to 1000"},
		{option(`"reminder": {"sinceTold": 1.5}`), "3: sinceTold must be a whole number of turns from 1 to 1000"},
		{option(`"reminder": {"sinceWritten": "5"}`), "3: sinceWritten must be a whole number of turns from 1 to 1000"},
		{option(`"reminder": {"sinceWritten": 1001}`), "3: sinceWritten must be a whole number of turns from 1 to 1000"},
		{option("\"requireApproval\": true,\n\"reminders\": {}"), `4: option "reminders" is not known; the options are requireApproval, gateOnBlockers, closeGate, sweepAfterDays, hostTasks, reminder`},
	} {
		file := settingsFile(t, c.text)
		_, err := tools.LoadSettings(file)
		if err == nil || !strings.HasPrefix(err.Error(), file+":"+c.want) {
			t.Errorf("%q\n got %v\nwant %s:%s", c.text, err, file, c.want)
		}
		if err != nil && tools.AsError(err).Code != tools.Invalid {
			t.Errorf("%q is %s, want invalid", c.text, tools.AsError(err).Code)
		}
	}
}
