package simulation_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/git-tasks/git-tasks/repo/repotest"
	"github.com/git-tasks/git-tasks/tools"
	"github.com/git-tasks/git-tasks/tools/toolstest"
)

// first repeats a run that kills at one call of a few.
var first = flag.Int("first", 0, "before which file call the first push is killed; 0 is another one each time")

// pushed is a push that is killed on its way: a list with its hooks, a clone of it,
// and where it pushes to.
type pushed struct {
	dir, ref string
	clone    *clone
	now      time.Time
}

// newPushed is a list of one task; somebody moved it in their clone, and wants
// another.
func newPushed(t *testing.T, ref string) *pushed {
	t.Helper()
	clock := toolstest.NewClock()
	s := toolstest.Open(t, tools.Config{Path: repotest.New(t), Now: clock.Now})
	equip(t, s, false)
	toolstest.Direct(t, toolstest.List{Store: s}, tools.Who{Person: "ana"}, "task_add", `{"title":"A"}`)
	p := &pushed{s.Dir(), ref, newClone(t, s.Dir(), "zoe"), clock.Now()}
	if ref != branch { // the list moves on meanwhile
		toolstest.Direct(t, toolstest.List{Store: s}, tools.Who{Person: "ana"}, "task_set", `{"task":"t1","title":"B"}`)
	}
	if _, err := p.clone.draft(); err != nil {
		t.Fatal(err)
	}
	if _, err := p.clone.edit(1, "status", "doing"); err != nil {
		t.Fatal(err)
	}
	return p
}

// to pushes to a list, whose hook kills itself before a file call; 0 is none.
func (p *pushed) to(dir string, step int) error {
	env := append(p.clone.env[:len(p.clone.env):len(p.clone.env)], clockVariable+"="+p.now.Format(time.RFC3339Nano))
	if step > 0 {
		env = append(env, fmt.Sprintf("%s=%d", stepVariable, step))
	}
	_, err := repotest.Run(p.clone.dir, env, "", "git", "push", "-q", dir, "HEAD:"+p.ref)
	return err
}

func history(t *testing.T, dir string) string {
	t.Helper()
	return repotest.Git(t, dir, "log", "--topo-order", "--format=%an|%s|%T", branch)
}

// TestP2KilledPushAtEveryStep has git push through the hooks of a list, and kills
// the one that lands the push before every file call it makes. The list is as it
// was, or has all of the push, and the next push lands what is not there. A plain run
// kills at one call of six, from another one on each time.
func TestP2KilledPushAtEveryStep(t *testing.T) {
	t.Parallel()
	for name, ref := range map[string]string{"taken": branch, "merged": "refs/for/main", "taken without new objects": branch} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPushed(t, ref)
			if strings.Contains(name, "without") { // they came another way
				repotest.Git(t, p.dir, "fetch", "-q", p.clone.dir, "HEAD:refs/waiting/zoe")
			}
			before, undisturbed := history(t, p.dir), p.copy(t)
			if err := p.to(undisturbed, 0); err != nil {
				t.Fatal(err)
			}
			after := history(t, undisturbed)
			stride, kills, from := 1, 0, max(*first, 1)
			if !whole {
				stride = 6
				if *first == 0 {
					from += rand.IntN(stride)
				}
				t.Logf("kills before call %d and each %dth from there on; -first %d does so again", from, stride, from)
			}
			for n := from; ; n += stride {
				dir := p.copy(t)
				err := p.to(dir, n)
				is := history(t, dir)
				if is != after && (is != before || err == nil) {
					t.Fatalf("killed before call %d: git push says %v, and the list is\n%s\nwant\n%s", n, err, is, after)
				}
				if err == nil {
					break
				}
				kills++
				p.again(t, dir, n, is == after)
				if is := history(t, dir); is != after {
					t.Fatalf("killed before call %d, and pushed once more, the list is\n%s\nwant\n%s", n, is, after)
				}
			}
			if kills < 15/stride {
				t.Errorf("landing a push makes only %d file calls", kills*stride)
			}
		})
	}
}

func (p *pushed) copy(t *testing.T) string {
	t.Helper()
	to := filepath.Join(t.TempDir(), "copy.git")
	if err := os.CopyFS(to, os.DirFS(p.dir)); err != nil {
		t.Fatal(err)
	}
	return to
}

// again has the list checked, and pushes once more. What is there already, with the
// list's own commit on top, is fetched first.
func (p *pushed) again(t *testing.T, dir string, n int, there bool) {
	t.Helper()
	s, err := tools.Open(tools.Config{Path: dir})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	toolstest.Check(t, s)
	if err := p.to(dir, 0); err != nil && !(there && strings.Contains(err.Error(), "fetch first")) {
		t.Fatalf("killed before call %d, and pushed once more: %v", n, err)
	}
	toolstest.Check(t, s)
}
