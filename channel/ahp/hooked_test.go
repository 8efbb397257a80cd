package ahp_test

import (
	"context"
	"encoding/base64"
	"strings"
	"testing"
)

// TestHookedTurnIsSeen: the turn that a hook reported is under way on the chat of its
// session, whoever looked at the report first, and over when a hook says so.
func TestHookedTurnIsSeen(t *testing.T) {
	chat := `"channel":"ahp-chat://default/` + base64.RawURLEncoding.EncodeToString([]byte("ahp-session:/one")) + `"`
	list := func(p *transcript, say func(string, string) string) { say("listSessions", `"channel":"ahp-root://"`) }
	for name, look := range map[string]func(p *transcript, say func(string, string) string){
		"list": list,
		"ask":  func(_ *transcript, say func(string, string) string) { say("subscribe", `"channel":"ahp-session:/one"`) },
		"start": func(p *transcript, say func(string, string) string) {
			p.happens("the host starts again")
			p.does("h", "comes back", "")
			say("initialize", `"channel":"ahp-root://","protocolVersions":["1.1.0"],"clientId":"h"`)
		},
		"later": list,
	} {
		t.Run(name, func(t *testing.T) {
			reporting(t, func(t *testing.T, p *transcript, say func(string, string) string) {
				turn := func(id string) {
					t.Helper()
					if err := p.store.ReportTurn(context.Background(), "one", "", id); err != nil {
						t.Fatal(err)
					}
				}
				if name == "later" {
					turn("")
					list(p, say)
				}
				turn("turn-1")
				look(p, say)
				if err := p.server.Reread(); err != nil {
					t.Error(err)
				}
				if got := say("subscribe", chat); !strings.Contains(got, `"activeTurn":{"id":"turn-1"`) {
					t.Errorf("the chat is %s", got)
				}
				turn("")
				list(p, say)
				if got := say("subscribe", chat); !strings.Contains(got, `"turns":[{"id":"turn-1"`) || strings.Contains(got, "activeTurn") {
					t.Errorf("after the turn the chat is %s", got)
				}
			})
		})
	}
}
