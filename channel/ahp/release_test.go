package ahp_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
)

// reporting plays f with a host of one client, which has shaken hands.
func reporting(t *testing.T, f func(t *testing.T, p *transcript, say func(method, params string) string)) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := newTranscript(t, nil)
		defer p.over()
		n := 0
		say := func(method, params string) string {
			n++
			p.client("h").send(fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%d,"method":%q,"params":{%s}}`, n, method, params))
			return p.answers()
		}
		say("initialize", `"channel":"ahp-root://","protocolVersions":["1.1.0"],"clientId":"h"`)
		f(t, p, say)
	})
}

// TestAnEndedSessionGoes from memory when nobody follows it, and comes back when it
// is asked for. One that a record names stays, without what its host said of it.
func TestAnEndedSessionGoes(t *testing.T) {
	reporting(t, func(t *testing.T, p *transcript, say func(string, string) string) {
		held := func(when string, all, withKeys int) {
			t.Helper()
			if a, k := p.server.Held(); a != all || k != withKeys {
				t.Errorf("%s: %d sessions are held, %d with keys of their own; want %d and %d", when, a, k, all, withKeys)
			}
		}
		report := func(name, more string) {
			t.Helper()
			if got := say("x-git-tasks/session", `"channel":"ahp-root://","session":"`+name+`"`+more); strings.Contains(got, "error") {
				t.Errorf("%s is answered %s", name, got)
			}
		}
		p.call("ana", "task_add", `{"title":"A","session":"kept"}`)
		for _, name := range []string{"one", "two", "kept"} {
			report(name, `,"meta":{"git":{"branch":"main"}}`)
		}
		say("subscribe", `"channel":"ahp-session:/one"`)
		held("while they go on", 3, 3)
		for _, name := range []string{"one", "two", "kept"} {
			report(name, `,"ended":true,"meta":{"git":{}}`)
		}
		held("after they ended", 2, 1)
		say("listSessions", `"channel":"ahp-root://"`)
		if err := p.server.Reread(); err != nil {
			t.Error(err)
		}
		held("when the list was read again", 2, 1)
		say("unsubscribe", `"channel":"ahp-session:/one"`)
		held("when nobody follows", 1, 0)
		if got := say("subscribe", `"channel":"ahp-session:/two"`); !strings.Contains(got, `"title":"Session two"`) {
			t.Errorf("one that is gone is %s", got)
		}
		report("two", "")
		held("when one goes on", 2, 0)
	})
}

// TestOneConnectionReportsSoManySessions is refused one more until one ends.
func TestOneConnectionReportsSoManySessions(t *testing.T) {
	reporting(t, func(t *testing.T, p *transcript, say func(string, string) string) {
		const refusal = "One connection reports at most 256 sessions that have not ended: end one first."
		for i := range 256 {
			if got := say("x-git-tasks/session", fmt.Sprintf(`"channel":"ahp-root://","session":"s%d"`, i)); strings.Contains(got, "error") {
				t.Fatalf("session %d is answered %s", i, got)
			}
		}
		for _, c := range []struct {
			method, params string
			refused        bool
		}{
			{"x-git-tasks/session", `"session":"more"`, true},
			{"x-git-tasks/turn", `"session":"more","turnId":"t","state":"started"`, true},
			{"x-git-tasks/session", `"session":"s7","title":"T"`, false},
			{"x-git-tasks/turn", `"session":"s7","turnId":"t","state":"started"`, false},
			{"x-git-tasks/session", `"session":"s7","ended":true`, false},
			{"x-git-tasks/session", `"session":"more"`, false},
		} {
			if got := say(c.method, `"channel":"ahp-root://",`+c.params); strings.Contains(got, refusal) != c.refused || strings.Contains(got, "error") != c.refused {
				t.Errorf("%s %s is answered %s", c.method, c.params, got)
			}
		}
		if all, _ := p.server.Held(); all != 256 {
			t.Errorf("%d sessions are held", all)
		}
	})
}
