package tools_test

import (
	"testing"

	"github.com/git-tasks/git-tasks/repo/repotest"
	"github.com/git-tasks/git-tasks/tools"
	"github.com/git-tasks/git-tasks/tools/toolstest"
)

func TestGrants(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		grant string
		may   bool
	}{
		{"task:approve", true}, {"*", true}, {"task:*", true}, {"*:approve", true}, {"*:*", true},
		{"task:review", false}, {"plan:approve", false}, {"task:approv", false}, {"task:approves", false}, {"session:*", false},
		{"*:read", false}, {"approve", false}, {"", false},
	} {
		st := &tools.Settings{Roles: map[string][]string{"none": {}, "one": {"session:read", c.grant}},
			Users: []tools.User{{ID: "ana", Roles: []string{"ghost", "none", "one"}}, {ID: "bob", Roles: []string{"ghost"}}}}
		s := toolstest.Open(t, tools.Config{Path: repotest.New(t), Settings: st})
		toolstest.Direct(t, toolstest.List{Store: s}, tools.Who{Person: "ana"}, "task_add", `{"title":"A"}`)
		got := toolstest.Direct(t, toolstest.List{Store: s}, tools.Who{Person: "ana"}, "task_approve", `{"task":"t1"}`)
		if may := got.Code == ""; may != c.may || !may && got.Text != "ana may not task:approve here." {
			t.Errorf("with %q: %q", c.grant, got.Text)
		}
		if got := toolstest.Direct(t, toolstest.List{Store: s}, tools.Who{Person: "bob"}, "task_approve", `{"task":"t1"}`); got.Code != tools.Denied {
			t.Errorf("an unknown role may approve: %q", got.Text)
		}
	}
}

func TestBuiltinRoles(t *testing.T) {
	t.Parallel()
	st := toolstest.Settings(t, []byte(`{"users":[{"id":"viewer","roles":["viewer"]},{"id":"member","roles":["member"]},
		{"id":"approver","roles":["approver"]},{"id":"admin","roles":["admin"]},{"id":"none"}]}`))
	s := toolstest.Open(t, tools.Config{Path: repotest.New(t), Settings: st})
	toolstest.Direct(t, toolstest.List{Store: s}, tools.Who{}, "task_add", `{"title":"A"}`)
	for person, may := range map[string]bool{"viewer": false, "member": false, "approver": true, "admin": true, "none": false} {
		got := toolstest.Direct(t, toolstest.List{Store: s}, tools.Who{Person: person}, "task_approve", `{"task":"t1"}`)
		if (got.Code == "") != may {
			t.Errorf("%s: %q %s", person, got.Text, got.Code)
		}
	}
}
