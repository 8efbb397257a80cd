package tools_test

import (
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/git-tasks/git-tasks/tools"
)

// TestATokenIsOnePieceOfText: whatever the file looks like, a token and a role
// are put into it, and nothing else in it moves.
func TestATokenIsOnePieceOfText(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		before, added, revoked string
		roles                  []string
	}{
		"no file":        {"", "{\n  \"users\": [\n    {\"id\": \"ana\", \"token\": \"HASH\"}\n  ]\n}\n", "{\n  \"users\": [\n    {\"id\": \"ana\"}\n  ]\n}\n", nil},
		"an empty one":   {"{ }", "{\n  \"users\": [\n    {\"id\": \"ana\", \"token\": \"HASH\"}\n  ]\n}", "{\n  \"users\": [\n    {\"id\": \"ana\"}\n  ]\n}", nil},
		"no users":       {"{\n\t\"roles\": {}\n}", "{\n\t\"roles\": {},\n\t\"users\": [\n    {\"id\": \"ana\", \"token\": \"HASH\"}\n  ]\n}", "{\n\t\"roles\": {},\n\t\"users\": [\n    {\"id\": \"ana\"}\n  ]\n}", []string{}},
		"an empty list":  {`{"users":[]}`, `{"users":[{"id": "ana", "roles": ["admin"], "token": "HASH"}]}`, `{"users":[{"id": "ana", "roles": ["admin"]}]}`, []string{"admin"}},
		"on one line":    {`{"users":[{"id":"bob"}]}`, `{"users":[{"id":"bob"}, {"id": "ana", "token": "HASH"}]}`, `{"users":[{"id":"bob"}, {"id": "ana"}]}`, nil},
		"CRLF":           {"{\"users\": [\r\n  {\"id\": \"bob\"}\r\n]}", "{\"users\": [\r\n  {\"id\": \"bob\"},\r\n  {\"id\": \"ana\", \"token\": \"HASH\"}\r\n]}", "{\"users\": [\r\n  {\"id\": \"bob\"},\r\n  {\"id\": \"ana\"}\r\n]}", nil},
		"an empty token": {`{"users":[{"token": "","id":"ana"}]}`, "", "", nil},
		"new roles":      {`{"users":[{"id":"ana","roles":[ "viewer" ]}]}`, `{"users":[{"id":"ana","roles":["admin", "member"], "token": "HASH"}]}`, `{"users":[{"id":"ana","roles":["admin", "member"]}]}`, []string{"admin", "member"}},
		"roles as well":  {`{"users":[{"id":"ana"}]}`, `{"users":[{"id":"ana", "token": "HASH", "roles": ["admin"]}]}`, `{"users":[{"id":"ana", "roles": ["admin"]}]}`, []string{"admin"}},
	} {
		file := filepath.Join(t.TempDir(), "sub", "config.json")
		put := func(text string) {
			if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if c.before != "" {
			put(c.before)
		}
		token, err := tools.AddToken(file, "ana", c.roles)
		if c.added == "" {
			if got := readFile(t, file); err == nil || got != c.before {
				t.Errorf("%s: %v, and the file is %s", name, err, got)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		sum := sha256.Sum256([]byte(token))
		hash := "sha256:" + hex.EncodeToString(sum[:])
		if got := strings.Replace(readFile(t, file), hash, "HASH", 1); got != c.added {
			t.Errorf("%s: with a token the file is\n%s\nwant\n%s", name, got, c.added)
		}
		if err := tools.RevokeToken(file, "ana"); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if got := readFile(t, file); got != c.revoked {
			t.Errorf("%s: without the token the file is\n%s\nwant\n%s", name, got, c.revoked)
		}
	}
}

func readFile(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// TestRevokeTakesTheFirstMemberOut: with the comma behind it.
func TestRevokeTakesTheFirstMemberOut(t *testing.T) {
	t.Parallel()
	hash := "sha256:" + strings.Repeat("0a", 32)
	file := filepath.Join(t.TempDir(), "config.json")
	if err := os.WriteFile(file, []byte(`{"users":[{"token":"`+hash+`", "id":"ana"}]}`), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := tools.RevokeToken(file, "ana"); err != nil {
		t.Fatal(err)
	}
	if got := readFile(t, file); got != `{"users":[{"id":"ana"}]}` {
		t.Errorf("the file is %s", got)
	}
}

// TestTokensMadeAtTheSameTime: none is lost, no two are alike, and a link to the
// file stays a link.
func TestTokensMadeAtTheSameTime(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	link, file := filepath.Join(dir, "link"), filepath.Join(dir, "real", "config.json")
	if err := os.Mkdir(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte("{}"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(file, link); err != nil {
		t.Fatal(err)
	}
	const users = 16
	tokens := make([]string, users)
	var all sync.WaitGroup
	for i := range users {
		all.Go(func() {
			var err error
			if tokens[i], err = tools.AddToken(link, "user"+strings.Repeat("x", i), nil); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	seen := map[string]bool{}
	for _, token := range tokens {
		if !regexp.MustCompile(`^[A-Za-z0-9_-]{43}$`).MatchString(token) || seen[token] {
			t.Errorf("a token is %q", token)
		}
		seen[token] = true
	}
	settings, err := tools.LoadSettings(file)
	if err != nil || len(settings.Users) != users {
		t.Errorf("%d users, %v", len(settings.Users), err)
	}
	if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link is %v, %v", info, err)
	}
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the file is %v, %v", info, err)
	}
	if left, err := filepath.Glob(filepath.Join(dir, "real", ".*")); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

// The token of a request is the same at every door, and two are none.
func TestBearer(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		said []string
		want string
	}{
		{nil, ""}, {[]string{"Bearer a"}, "a"}, {[]string{"bearer  a "}, "a"},
		{[]string{"Bearer a b"}, ""}, {[]string{"Basic a"}, ""}, {[]string{"Bearer"}, ""},
		{[]string{"Bearer a", "Bearer b"}, ""},
	} {
		r := &http.Request{Header: http.Header{"Authorization": c.said}}
		if got := tools.Bearer(r); got != c.want {
			t.Errorf("%q gives %q, want %q", c.said, got, c.want)
		}
	}
}
