package serve

import (
	"crypto/sha256"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"
	"testing/synctest"
	"time"

	"github.com/git-tasks/git-tasks/repo/repotest"
	"github.com/git-tasks/git-tasks/tools"
	"github.com/git-tasks/git-tasks/tools/toolstest"
)

// TestP28Bucket takes calls from a bucket as a clock goes on.
func TestP28Bucket(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var b bucket
		take := func(after string, want int) {
			t.Helper()
			got := 0
			for b.take(time.Now(), 100) {
				got++
			}
			if got != want {
				t.Errorf("%s it lets %d through, want %d", after, got, want)
			}
		}
		take("at first", 100)
		take("at the same moment", 0)
		<-time.After(5 * time.Millisecond)
		take("after half of a call's time", 0)
		<-time.After(5 * time.Millisecond)
		take("after the other half", 1)
		<-time.After(500 * time.Millisecond)
		take("after half a second", 50)
		<-time.After(time.Hour)
		take("after an hour", 100)
		if b.take(time.Now().Add(-time.Hour), 100) {
			t.Error("a clock set back brings calls")
		}
		if b.full(time.Now()) {
			t.Error("an empty one is full")
		}
		<-time.After(time.Second)
		if !b.full(time.Now()) {
			t.Error("after a second it is not full")
		}
	})
}

// TestP28Rate: each user is let through evenly, whatever another one does; who waited
// long enough to be as a newcomer makes room for one.
func TestP28Rate(t *testing.T) {
	t.Parallel()
	s := toolstest.New(t)
	synctest.Test(t, func(t *testing.T) {
		l := newLimits(http.NotFoundHandler(), s, time.Now)
		let := func(name string, calls int) (through int) {
			for range calls {
				if reason, _ := l.enter(name, false, streamsOfUser); reason == "" {
					through++
				}
			}
			return through
		}
		if got := let("user ana", 150); got != callsPerSecond {
			t.Errorf("of 150 calls at once %d get through", got)
		}
		if got := let("user bob", 10); got != 10 {
			t.Errorf("of another's 10 calls %d get through", got)
		}
		if got := let("", 1000); got != 1000 {
			t.Errorf("without users %d of 1000 get through", got)
		}
		through := 0
		for range 2000 { // of 1000 a second
			<-time.After(time.Millisecond)
			through += let("user ana", 1)
		}
		if through != 2*callsPerSecond {
			t.Errorf("in two seconds %d get through", through)
		}
		for i := range maxCounters {
			l.users[string(rune('a'+i))] = &counter{}
		}
		let("user cyd", 1)
		if _, ok := l.users["user bob"]; ok || l.users["user ana"] == nil || len(l.users) > 3 {
			t.Errorf("%d are counted; ana's calls %v, bob's %v", len(l.users), l.users["user ana"], l.users["user bob"])
		}
	})
}

// TestP28GitAtOnce: so many runs of git may be under way for one user, and the next
// one is told; when one ends there is room, and another user has it all the time.
func TestP28GitAtOnce(t *testing.T) {
	t.Parallel()
	s := toolstest.Open(t, tools.Config{Path: repotest.New(t), Settings: &tools.Settings{Users: []tools.User{
		{ID: "ana", Token: fmt.Sprintf("sha256:%x", sha256.Sum256([]byte("a")))}, {ID: "bob", Token: fmt.Sprintf("sha256:%x", sha256.Sum256([]byte("b")))}}}})
	l := newLimits(nil, s, time.Now)
	enter := func(token string) (string, func()) {
		r := httptest.NewRequest(http.MethodPost, "/records.git/git-upload-pack", nil)
		r.Header.Set("Authorization", "Bearer "+token)
		return l.enterGit(r)
	}
	var release func()
	for range gitOfUser {
		reason := ""
		if reason, release = enter("a"); reason != "" {
			t.Fatal(reason)
		}
	}
	if reason, _ := enter("a"); reason != "at most 16 fetches and pushes may run at once" {
		t.Errorf("one more of ana: %q", reason)
	}
	if reason, _ := enter("b"); reason != "" {
		t.Errorf("one of bob: %q", reason)
	}
	release()
	if reason, _ := enter("a"); reason != "" {
		t.Errorf("where one has ended: %q", reason)
	}
}
