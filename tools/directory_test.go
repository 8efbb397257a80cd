package tools_test

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/git-tasks/git-tasks/repo/repotest"
	"github.com/git-tasks/git-tasks/tools"
	"github.com/git-tasks/git-tasks/tools/toolstest"
)

func digestOf(token string) string { return fmt.Sprintf("sha256:%x", sha256.Sum256([]byte(token))) }

// TestP25Person: a token opens to its own user, and nothing else does.
func TestP25Person(t *testing.T) {
	t.Parallel()
	st := &tools.Settings{Users: []tools.User{
		{ID: "ana", Token: digestOf("a")}, {ID: "eve"}, {ID: "bob", Token: digestOf("b")}, {ID: "mia", Token: "sha256:0a"}}}
	for token, want := range map[string]string{"a": "ana", "b": "bob", "": "", "ab": "", digestOf("a"): "", "\x0a": ""} {
		if id, ok := st.Person(token); id != want || ok != (want != "") {
			t.Errorf("token %q opens to %q, %v; want %q", token, id, ok, want)
		}
	}
}

// TestUse: settings that are put in force while the list is open count from the
// next call on.
func TestUse(t *testing.T) {
	t.Parallel()
	s := toolstest.Open(t, tools.Config{Path: repotest.New(t)})
	ana := tools.Who{Person: "ana"}
	may := func(want tools.Code) {
		t.Helper()
		if got := toolstest.Direct(t, toolstest.List{Store: s}, ana, "task_approve", `{"task":"t1"}`); got.Code != want {
			t.Errorf("approving gave %q, %s; want %q", got.Code, got.Text, want)
		}
	}
	toolstest.Direct(t, toolstest.List{Store: s}, ana, "task_add", `{"title":"A"}`)
	may("")
	s.Use(&tools.Settings{Users: []tools.User{{ID: "ana"}}})
	may(tools.Denied)
	s.Use(&tools.Settings{Options: tools.Options{RequireApproval: true, SweepAfterDays: 3}})
	may("")
	if days := s.Options().SweepAfterDays; days != 3 {
		t.Errorf("the sweep is after %v days, want 3", days)
	}
}

// TestStanding: whatever changes for a user is seen in their standing, and nothing
// that changes for another one.
func TestStanding(t *testing.T) {
	t.Parallel()
	ana := func(token string, roles ...string) *tools.Settings {
		return &tools.Settings{Roles: map[string][]string{"viewer": {"session:read"}, "writer": {"session:read", "session:write"}},
			Users: []tools.User{{ID: "bob", Token: token}, {ID: "ana", Token: token, Roles: roles}}}
	}
	before := ana("sha256:1", "viewer")
	again := ana("sha256:1", "viewer")
	again.Users[0].Token = "sha256:9"
	if before.Standing("ana") != again.Standing("ana") {
		t.Error("the standing of ana moves with bob's")
	}
	narrower := ana("sha256:1", "viewer")
	narrower.Roles["viewer"] = nil
	for name, after := range map[string]*tools.Settings{
		"another token": ana("sha256:2", "viewer"), "no role": ana("sha256:1"), "another role": ana("sha256:1", "writer"),
		"a role that may less": narrower, "no user": {}, "another user": {Users: []tools.User{{ID: "bob", Token: "sha256:1"}}},
	} {
		if after.Standing("ana") == before.Standing("ana") {
			t.Errorf("%s: the standing of ana is the same", name)
		}
	}
}

// BenchmarkP25Person prints how long each kind of token takes to be found or not,
// the median of a hundred thousand tries, one kind after the other: they are to
// be the same.
func BenchmarkP25Person(b *testing.B) {
	st := &tools.Settings{}
	for i := range 20 {
		st.Users = append(st.Users, tools.User{ID: fmt.Sprint(i), Token: digestOf(fmt.Sprint("the-token-of-", i))})
	}
	kinds := []struct{ name, token, want string }{
		{"first", "the-token-of-0", "0"}, {"last", "the-token-of-19", "19"},
		{"near", "the-token-of-x", ""}, {"far", "zzz-zzzzz-zz-zz", ""},
	}
	const tries = 100_000
	for b.Loop() {
		took := make([][]time.Duration, len(kinds))
		for range tries {
			for i, k := range kinds {
				began := time.Now()
				got, _ := st.Person(k.token)
				took[i] = append(took[i], time.Since(began))
				if got != k.want {
					b.Fatalf("%s is the token of %q, want %q", k.name, got, k.want)
				}
			}
		}
		for i, k := range kinds {
			slices.Sort(took[i])
			b.ReportMetric(float64(took[i][tries/2].Nanoseconds()), k.name+"-median-ns")
		}
	}
}
