package smarthttp_test

import (
	"bytes"
	"compress/gzip"
	"crypto/rand"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/git-tasks/git-tasks/repo"
	"github.com/git-tasks/git-tasks/repo/repotest"
	"github.com/git-tasks/git-tasks/repo/smarthttp"
)

// served gives a repository with one commit and the URL it is served at, to ana
// by the password "secret".
func served(t *testing.T, cfg smarthttp.Config) (dir, url string) {
	t.Helper()
	dir = repotest.New(t)
	repotest.Foreign(t, dir, "refs/heads/main", "ana", "first", file("a", "one\n"))
	cfg.Dir = dir
	if cfg.Authorize == nil {
		cfg.Authorize = func(r *http.Request, push bool) ([]string, error) {
			user, password, ok := r.BasicAuth()
			bearer, isBearer := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
			switch {
			case isBearer && bearer == "secret", ok && user == "ana" && password == "secret":
				return []string{"PUSHER=ana"}, nil
			case ok || isBearer:
				return nil, &smarthttp.Error{Status: http.StatusForbidden, Text: "not you"}
			}
			return nil, &smarthttp.Error{Status: http.StatusUnauthorized, Text: "who are you?"}
		}
	}
	mux := http.NewServeMux()
	mux.Handle("/records.git/", smarthttp.New(cfg))
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	return dir, strings.Replace(server.URL, "http://", "http://ana:secret@", 1) + "/records.git"
}

func clone(t *testing.T, url string, args ...string) string {
	t.Helper()
	to := filepath.Join(t.TempDir(), "clone")
	repotest.Git(t, filepath.Dir(to), append(append([]string{"clone", "-q"}, args...), url, to)...)
	return to
}

func commit(t *testing.T, clone, name string, data []byte) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(clone, name), data, 0o666); err != nil {
		t.Fatal(err)
	}
	repotest.Git(t, clone, "add", "-A")
	repotest.Git(t, clone, "commit", "-qm", "by hand")
}

func TestCloneFetchPush(t *testing.T) {
	t.Parallel()
	dir, url := served(t, smarthttp.Config{})
	for _, version := range []string{"0", "1", "2"} {
		mine, theirs := clone(t, url, "-c", "protocol.version="+version), clone(t, url)
		commit(t, mine, "v"+version, []byte("x\n"))
		repotest.Git(t, mine, "push", "-q", "origin", "HEAD:main")
		repotest.Git(t, theirs, "-c", "protocol.version="+version, "pull", "-q")
		if got, want := repotest.Git(t, theirs, "rev-parse", "HEAD"), repotest.Git(t, dir, "rev-parse", "main"); got != want {
			t.Errorf("protocol %s: the other clone has %s, the repository %s", version, got, want)
		}
	}
}

// Pushes over a megabyte come in chunks, after a probe of four bytes.
func TestLargePush(t *testing.T) {
	t.Parallel()
	dir, url := served(t, smarthttp.Config{})
	mine := clone(t, url)
	data := make([]byte, 5<<20)
	rand.Read(data)
	commit(t, mine, "large", data)
	repotest.Git(t, mine, "push", "-q", "origin", "HEAD:main")
	if got := repotest.Git(t, dir, "cat-file", "-s", "main:large"); got != "5242880" {
		t.Errorf("the file has %s bytes", got)
	}
	dir, url = served(t, smarthttp.Config{MaxPush: 1 << 20})
	mine = clone(t, url)
	commit(t, mine, "large", data)
	if out, err := repotest.TryGit(t, mine, "", "push", "-q", "origin", "HEAD:main"); err == nil {
		t.Errorf("a push above the limit went through: %s", out)
	}
	if got := repotest.Git(t, dir, "ls-tree", "--name-only", "main"); got != "a" {
		t.Errorf("the tree holds %q", got)
	}
}

func TestShallowAndPartialClones(t *testing.T) {
	t.Parallel()
	dir, url := served(t, smarthttp.Config{})
	repotest.Foreign(t, dir, "refs/heads/main", "ana", "second", file("a", "two\n"))
	shallow, partial := clone(t, url, "--depth=1"), clone(t, url, "--filter=blob:none")
	if got := repotest.Git(t, shallow, "rev-list", "--count", "HEAD"); got != "1" {
		t.Errorf("the shallow clone has %s commits", got)
	}
	if got := repotest.Git(t, partial, "rev-list", "--objects", "--missing=print", "HEAD"); !strings.Contains(got, "\n?") {
		t.Errorf("the partial clone lacks nothing: %s", got)
	}
	for i, c := range []string{shallow, partial} {
		repotest.Git(t, c, "pull", "-q", "--rebase")
		commit(t, c, "from"+string('0'+rune(i)), []byte("x\n"))
		repotest.Git(t, c, "push", "-q", "origin", "HEAD:main")
	}
	if got := repotest.Git(t, dir, "ls-tree", "--name-only", "main"); got != "a\nfrom0\nfrom1" {
		t.Errorf("the tree holds %q", got)
	}
}

// The hooks that the host names see who pushes; those of the repository, and
// every program it names, are not run.
func TestHooksAreTheHosts(t *testing.T) {
	t.Parallel()
	hooks, seen := t.TempDir(), filepath.Join(t.TempDir(), "seen")
	script := "#!/bin/sh\necho \"$PUSHER $GIT_PUSH_OPTION_0 $MARK$GIT_MARK\" > " + seen + "\necho 'said by the hook' >&2\n"
	if err := os.WriteFile(filepath.Join(hooks, "pre-receive"), []byte(script), 0o777); err != nil {
		t.Fatal(err)
	}
	dir, url := served(t, smarthttp.Config{Settings: []string{"core.hooksPath=" + hooks}, Environ: []string{"MARK=given", "GIT_MARK=not"}})
	marker := filepath.Join(t.TempDir(), "marker")
	run := "#!/bin/sh\ntouch " + marker + "\n"
	bad := filepath.Join(dir, "bad")
	for _, name := range []string{"bad", "hooks/pre-receive", "hooks/post-receive", "hooks/reference-transaction", "hooks/post-update"} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(run), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	for _, key := range []string{"core.fsmonitor", "core.alternateRefsCommand", "gpg.program", "gpg.ssh.program",
		"uploadpack.packObjectsHook", "core.sshCommand", "core.pager", "core.editor", "diff.external"} {
		repotest.Git(t, dir, "config", key, bad)
	}
	mine := clone(t, url)
	commit(t, mine, "b", []byte("x\n"))
	if out, err := repotest.TryGit(t, mine, "", "push", "-o", "why=now", "origin", "HEAD:main"); err != nil {
		t.Fatal(out, err)
	}
	if got, err := os.ReadFile(seen); err != nil || string(got) != "ana why=now given\n" {
		t.Errorf("the hook saw %q, %v", got, err)
	}
	if _, err := os.Stat(marker); err == nil {
		t.Error("a program that the repository names was run")
	}
}

func TestRefusals(t *testing.T) {
	t.Parallel()
	_, url := served(t, smarthttp.Config{})
	open := strings.Replace(url, "ana:secret@", "", 1)
	const fetch = "application/x-git-upload-pack-request"
	for name, c := range map[string]struct {
		method, path, kind, authorization string
		want                              int
	}{
		"nobody":               {"GET", "/info/refs?service=git-upload-pack", "", "", 401},
		"somebody else":        {"GET", "/info/refs?service=git-upload-pack", "", "Bearer wrong", 403},
		"a bearer token":       {"GET", "/info/refs?service=git-upload-pack", "", "Bearer secret", 200},
		"the dumb protocol":    {"GET", "/info/refs", "", "Bearer secret", 404},
		"a file":               {"GET", "/config", "", "Bearer secret", 404},
		"a path out of it":     {"GET", "/../../etc/passwd", "", "Bearer secret", 404},
		"another service":      {"GET", "/info/refs?service=git-upload-archive", "", "Bearer secret", 404},
		"a page's form":        {"POST", "/git-receive-pack", "text/plain", "Bearer secret", 415},
		"a push by GET":        {"GET", "/git-receive-pack", "", "Bearer secret", 405},
		"refs by POST":         {"POST", "/info/refs?service=git-upload-pack", fetch, "Bearer secret", 405},
		"an unknown encoding":  {"POST", "/git-upload-pack", fetch, "Bearer secret", 415},
		"an unasked-for verb":  {"PUT", "/git-upload-pack", fetch, "Bearer secret", 405},
		"a protocol with a lf": {"GET", "/info/refs?service=git-upload-pack", "", "Bearer secret", 200},
	} {
		req, err := http.NewRequest(c.method, open+c.path, strings.NewReader("0000"))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Authorization", c.authorization)
		req.Header.Set("Content-Type", c.kind)
		if name == "an unknown encoding" {
			req.Header.Set("Content-Encoding", "br")
		}
		req.Header.Set("Git-Protocol", "version=2; rm -r x")
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		text, _ := io.ReadAll(resp.Body)
		resp.Body.Close()
		if resp.StatusCode != c.want {
			t.Errorf("%s: %d, want %d: %s", name, resp.StatusCode, c.want, text)
		}
		if asked := resp.Header.Get("WWW-Authenticate") != ""; asked != (c.want == 401) {
			t.Errorf("%s: asked for a password: %v", name, asked)
		}
	}
}

// A body that unpacks to more than it may is cut, not held in memory.
func TestPackedBodyIsLimited(t *testing.T) {
	t.Parallel()
	dir, url := served(t, smarthttp.Config{MaxPush: 1 << 20})
	var body bytes.Buffer
	packed := gzip.NewWriter(&body)
	zeros := make([]byte, 1<<20)
	for range 64 {
		packed.Write(zeros)
	}
	packed.Close()
	req, err := http.NewRequest("POST", strings.Replace(url, "ana:secret@", "", 1)+"/git-receive-pack", &body)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer secret")
	req.Header.Set("Content-Type", "application/x-git-receive-pack-request")
	req.Header.Set("Content-Encoding", "gzip")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if resp.StatusCode == http.StatusOK {
		t.Errorf("a body of zeros was taken: %s", resp.Status)
	}
	if got := repotest.Git(t, dir, "ls-tree", "--name-only", "main"); got != "a" {
		t.Errorf("the tree holds %q", got)
	}
}

// Who hangs up while the hook is at work does not stop the push.
func TestHangUpDoesNotTearAPush(t *testing.T) {
	t.Parallel()
	hooks, fifos := t.TempDir(), t.TempDir()
	began, goOn := filepath.Join(fifos, "began"), filepath.Join(fifos, "on")
	repotest.Run(fifos, os.Environ(), "", "mkfifo", began, goOn)
	script := "#!/bin/sh\necho x > " + began + "\ncat " + goOn + " > /dev/null\nfor i in 1 2 3 4 5 6 7 8; do echo said to nobody >&2; done\n"
	if err := os.WriteFile(filepath.Join(hooks, "pre-receive"), []byte(script), 0o777); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	dir, url := served(t, smarthttp.Config{Settings: []string{"core.hooksPath=" + hooks}})
	post := filepath.Join(hooks, "post-receive")
	if err := os.WriteFile(post, []byte("#!/bin/sh\necho x > "+began+"\n"), 0o777); err != nil {
		t.Fatal(err)
	}
	mine := clone(t, url)
	commit(t, mine, "b", []byte("x\n"))
	cmd := repotest.Start(t, mine, "git", "push", "-q", "origin", "HEAD:main")
	if _, err := os.ReadFile(began); err != nil { // the hook is at work
		t.Fatal(err)
	}
	syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
	cmd.Wait()
	go func() {
		os.ReadFile(began) // the push has landed
		close(ended)
	}()
	if err := os.WriteFile(goOn, []byte("x"), 0); err != nil {
		t.Fatal(err)
	}
	<-ended
	if got, want := repotest.Git(t, dir, "rev-parse", "main"), repotest.Git(t, mine, "rev-parse", "HEAD"); got != want {
		t.Errorf("the branch is at %s, want %s", got, want)
	}
}

func file(path, text string) repo.File { return repo.File{Path: path, Data: []byte(text)} }

// TestP31HookHangs: a push whose hook stops is given up on when its time is over, and
// whoever pushed is told; the next one lands.
func TestP31HookHangs(t *testing.T) {
	t.Parallel()
	hooks := t.TempDir()
	stops := filepath.Join(hooks, "pre-receive")
	if err := os.WriteFile(stops, []byte("#!/bin/sh\nkill -STOP $$\n"), 0o777); err != nil {
		t.Fatal(err)
	}
	dir, url := served(t, smarthttp.Config{Settings: []string{"core.hooksPath=" + hooks}, Timeout: 3 * time.Second})
	mine := clone(t, url)
	commit(t, mine, "b", []byte("x\n"))
	before := repotest.Git(t, dir, "rev-parse", "main")
	if out, err := repotest.TryGit(t, mine, "", "push", "-q", "origin", "HEAD:main"); err == nil || repotest.Git(t, dir, "rev-parse", "main") != before {
		t.Errorf("a push whose hook stops is answered %q, %v", out, err)
	}
	if err := os.Remove(stops); err != nil {
		t.Fatal(err)
	}
	repotest.Git(t, mine, "push", "-q", "origin", "HEAD:main")
}
