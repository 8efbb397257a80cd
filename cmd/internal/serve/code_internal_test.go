package serve

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/git-tasks/git-tasks/repo/smarthttp"
	"github.com/git-tasks/git-tasks/tools"
)

// TestCodesOverHTTP plays every row of the table at the door for git, the one where
// a refusal of any code can end a request of HTTP: in its status, and in its words,
// except for what failed here.
func TestCodesOverHTTP(t *testing.T) {
	t.Parallel()
	for _, code := range tools.Codes() {
		git := smarthttp.New(smarthttp.Config{Dir: t.TempDir(), Authorize: func(*http.Request, bool) ([]string, error) {
			return nil, refusedGit(&tools.Error{Code: code, Message: "refused as " + string(code)})
		}})
		answer := httptest.NewRecorder()
		git.ServeHTTP(answer, httptest.NewRequest(http.MethodGet, "/records.git/info/refs?service=git-upload-pack", nil))
		want := "refused as " + string(code) + "\n"
		if code == tools.Internal {
			want = "the host cannot say who you are\n"
		}
		if answer.Code != code.Status() || answer.Body.String() != want {
			t.Errorf("%s is answered %d %q, want %d %q", code, answer.Code, answer.Body, code.Status(), want)
		}
		if asks := answer.Header().Get("WWW-Authenticate") != ""; asks != (code == tools.Unauthenticated) {
			t.Errorf("%s asks git for a password: %v", code, asks)
		}
	}
}
