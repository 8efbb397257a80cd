package cli_test

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/git-tasks/git-tasks/repo/repotest"
	"github.com/git-tasks/git-tasks/tools/toolstest"
)

// TestP21ForgeriesByPush has eve push every forgery, by path and by HTTP with a
// token of her own: as it is, by force, and to be merged. Each push is refused, and
// then nothing has moved; or it lands, and then check names it, and it counts for
// nothing.
func TestP21ForgeriesByPush(t *testing.T) {
	t.Parallel()
	program := programOf(t)
	for i, f := range toolstest.Forgeries() {
		if i%9 != 0 && os.Getenv("GIT_TASKS_TEST_FULL") == "" {
			continue
		}
		for _, way := range []string{"path", "HTTP"} {
			t.Run(f.Name+", by "+way, func(t *testing.T) {
				t.Parallel()
				p := newForgedPush(t, program, way == "HTTP")
				f.Do(p.Forger)
				p.try(f)
			})
		}
	}
}

// forgedPush is a forger who pushes to a list that has its hooks.
type forgedPush struct {
	*toolstest.Forger
	to string
}

func newForgedPush(t *testing.T, program string, byHTTP bool) *forgedPush {
	t.Helper()
	dir, env := repotest.New(t), bench(t)
	env.Program = program
	p := &forgedPush{toolstest.NewForger(t, dir), dir}
	p.Land = func() bool { _, err := p.push("HEAD:refs/heads/main"); return err == nil }
	must(t, env, "init", dir)
	if byHTTP {
		const token = "eves-own-token"
		settings := filepath.Join(env.Dir, "settings.json")
		text := fmt.Sprintf(`{"users":[{"id":"eve","roles":["member"],"token":"sha256:%x"}]}`, sha256.Sum256([]byte(token)))
		if err := os.WriteFile(settings, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		runtime, err := os.MkdirTemp("", "run") // for a socket, whose name must be short
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { os.RemoveAll(runtime) })
		env.Environ = append(env.Environ, "XDG_RUNTIME_DIR="+runtime)
		printed := host(t, env, 3, "--repo", dir, "--config", settings)
		p.to = "http://eve:" + token + "@" + strings.TrimPrefix(regexp.MustCompile(`http://\S+/records\.git`).FindString(printed), "http://")
	}
	return p
}

func (p *forgedPush) push(ref string) (said string, err error) {
	p.Helper()
	said, err = repotest.TryGit(p, p.Clone, "", "push", p.to, ref)
	if err != nil {
		said += err.Error()
	}
	return said, err
}

// try pushes in every way.
func (p *forgedPush) try(f toolstest.Forgery) {
	landed := ""
	for i, ref := range []string{"HEAD:refs/heads/main", "+HEAD:refs/heads/main", "HEAD:refs/for/main"} {
		was := repotest.Git(p, p.Dir, "rev-parse", "main")
		said, err := p.push(ref)
		switch now := repotest.Git(p, p.Dir, "rev-parse", "main"); {
		case err == nil:
			landed += ref + ": " + said + "\n"
		case now != was:
			p.Errorf("%s was refused, and the branch moved: %s", ref, said)
		case i == 0 && !f.Rewinds() && !strings.Contains(said, f.Gate):
			p.Errorf("%s was refused for another reason than %q: %s", ref, f.Gate, said)
		}
	}
	p.WithoutEffect("after the pushes", false)
	report, err := p.Open(nil).Check(p.Context())
	if err != nil {
		p.Fatal(err)
	}
	if landed != "" && len(report.Problems)+len(report.Notes)+len(report.Proof.Unproven) == 0 {
		p.Errorf("it landed, and check names nothing:\n%s", landed)
	}
	if refs := repotest.Git(p, p.Dir, "for-each-ref", "--format=%(refname)"); refs != "refs/heads/main" {
		p.Errorf("the list has the refs\n%s", refs)
	}
}
