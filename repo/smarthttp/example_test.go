package smarthttp_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"time"

	"github.com/git-tasks/git-tasks/repo/repotest"
	"github.com/git-tasks/git-tasks/repo/smarthttp"
)

// Everybody may read, nobody may write.
func ExampleNew() {
	path, remove, err := repotest.InitExample()
	defer remove()
	if err != nil {
		fmt.Println(err)
		return
	}
	server := httptest.NewServer(smarthttp.New(smarthttp.Config{Dir: path, MaxPush: 1 << 20, Timeout: time.Minute,
		Authorize: func(_ *http.Request, push bool) ([]string, error) {
			if push {
				return nil, &smarthttp.Error{Status: http.StatusForbidden, Text: "this list is only read"}
			}
			return nil, nil
		}}))
	defer server.Close()
	for _, service := range []string{"git-upload-pack", "git-receive-pack"} {
		answer, err := http.Get(server.URL + "/records.git/info/refs?service=" + service)
		if err != nil {
			fmt.Println(err)
			return
		}
		answer.Body.Close()
		fmt.Println(service, answer.Status)
	}
	// Output:
	// git-upload-pack 200 OK
	// git-receive-pack 403 Forbidden
}
