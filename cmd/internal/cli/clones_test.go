package cli_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/git-tasks/git-tasks/cmd/internal/cli"
)

// round is a list, people who edit it in clones, and agents who call tools.
type round struct {
	t     *testing.T
	env   cli.Env
	list  string
	edits int // of each clone
	calls int // of each agent
	mu    sync.Mutex
	tips  []string // what was pushed and acknowledged
}

const (
	roundClones = 8
	roundAgents = 4
	roundTasks  = 30
)

// mark is what every edit leaves in a file, and no other does.
var mark = regexp.MustCompile(`[ca][0-9]+x[0-9]+`)

// TestEightClonesAndFourAgents has people edit in clones that are pushed at random,
// stale as they are, while agents call tools. Every edit that was acknowledged is
// then in the list, overwritten by somebody who saw it, or named by the merge that
// it gave way in.
func TestEightClonesAndFourAgents(t *testing.T) {
	t.Parallel()
	r := &round{t: t, env: home(t), edits: 20, calls: 10}
	if os.Getenv("GIT_TASKS_TEST_FULL") != "" {
		r.edits, r.calls = 200, 100
	}
	r.env.Program, r.env.Now = programOf(t), time.Now
	r.list = filepath.Join(r.env.Dir, ".local/share/git-tasks/records.git")
	for i := range roundTasks {
		must(t, r.env, "add", fmt.Sprintf("a9x%d", i))
	}
	var all sync.WaitGroup
	for i := range roundClones {
		must(t, r.env, "clone", r.list, "clone"+strconv.Itoa(i))
		all.Go(func() { r.person(i) })
	}
	for i := range roundAgents {
		all.Go(func() { r.agent(i) })
	}
	all.Wait()
	if !t.Failed() {
		r.verify()
	}
}

// git runs git in a folder of the round.
func (r *round) git(dir string, args ...string) (string, error) {
	cmd := exec.CommandContext(r.t.Context(), "git", args...)
	cmd.Dir, cmd.Env = filepath.Join(r.env.Dir, dir), r.env.Environ
	out, err := cmd.CombinedOutput()
	if err != nil {
		err = fmt.Errorf("git %s in %s: %w\n%s", strings.Join(args, " "), dir, err, out)
	}
	return strings.TrimSpace(string(out)), err
}

func (r *round) agent(i int) {
	dice := rand.New(rand.NewPCG(1, uint64(i)))
	for n := range r.calls {
		input := fmt.Sprintf(`{"task":"t%d","note":"a%dx%d"}`, 1+dice.IntN(roundTasks), i, n)
		tool := "task_set"
		if dice.IntN(3) == 0 {
			tool, input = "task_add", fmt.Sprintf(`{"title":"a%dx%d"}`, i, n)
		}
		if said, code := run(r.t, r.env, "call", tool, input); code != 0 {
			r.t.Errorf("%s %s ended with %d: %s", tool, input, code, said)
		}
	}
}

// person edits, and now and then commits and pushes what was edited.
func (r *round) person(i int) {
	dir := "clone" + strconv.Itoa(i)
	dice := rand.New(rand.NewPCG(2, uint64(i)))
	for n := range r.edits {
		if err := r.edit(dir, fmt.Sprintf("c%dx%d", i, n), dice); err != nil {
			r.t.Error(err)
			return
		}
		if dice.IntN(12) > 0 && n < r.edits-1 {
			continue
		}
		if err := r.push(dir, dice.IntN(2) == 0); err != nil {
			r.t.Error(err)
			return
		}
	}
}

func (r *round) push(dir string, pull bool) error {
	if _, err := r.git(dir, "add", "-A"); err != nil {
		return err
	}
	if changed, err := r.git(dir, "diff", "--cached", "--name-only"); changed == "" || err != nil { // a task was moved, and back
		return err
	}
	steps := [][]string{{"commit", "-qm", "edits"}, {"push", "-q"}}
	if pull {
		steps = slices.Insert(steps, 1, []string{"pull", "-q"})
	}
	for _, step := range steps {
		_, err := r.git(dir, step...)
		if err != nil && refusedPull.MatchString(err.Error()) {
			err = nil // nothing was begun; it says to push first, and that comes next
		}
		if err != nil {
			return err
		}
	}
	tip, err := r.git(dir, "rev-parse", "HEAD")
	r.mu.Lock()
	defer r.mu.Unlock()
	r.tips = append(r.tips, tip)
	return err
}

// refusedPull is what keeps a pull from stopping at a draft of a few words: it got its
// id and its stamps, so that git would not know it again, and was edited further.
var refusedPull = regexp.MustCompile(`tasks/draft-.*: has its id on the list by now[^\0]*nothing was rebased.*\n.*git push lands it`)

var (
	titleLine  = regexp.MustCompile(`(?m)^title: .*$`)
	noteLine   = regexp.MustCompile(`(?m)^note: .*$`)
	statusLine = regexp.MustCompile(`(?m)^status: .*$`)
)

// edit changes one field of a task, moves it, or makes a draft.
func (r *round) edit(dir, mark string, dice *rand.Rand) error {
	files, err := filepath.Glob(filepath.Join(r.env.Dir, dir, "tasks", "*.md"))
	if err != nil {
		return err
	}
	file := files[dice.IntN(len(files))]
	data, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	text := string(data)
	switch dice.IntN(7) {
	case 0:
		text = titleLine.ReplaceAllString(text, "title: "+mark)
	case 1:
		if noteLine.MatchString(text) {
			text = noteLine.ReplaceAllString(text, "note: "+mark)
			break
		}
		text = strings.Replace(text, "\ntitle: ", "\nnote: "+mark+"\ntitle: ", 1)
	case 2:
		text = addItem(text, "labels", mark)
	case 3:
		text = addItem(text, "refs", mark)
	case 4:
		text += "\nA line with " + mark + ".\n"
	case 5:
		file = filepath.Join(r.env.Dir, dir, "tasks", "draft-"+mark+".md")
		text = "---\ntitle: Fix: " + mark + "\n---\n"
	case 6: // a move, which the list stamps
		states := []string{"todo", "doing", "blocked", "review", "done"}
		text = statusLine.ReplaceAllString(text, "status: "+states[dice.IntN(len(states))])
	}
	return os.WriteFile(file, []byte(text), 0o644)
}

// addItem puts an item into a list, as one types it.
func addItem(text, key, item string) string {
	switch {
	case strings.Contains(text, "\n"+key+": []\n"):
		return strings.Replace(text, "\n"+key+": []\n", "\n"+key+": ["+item+"]\n", 1)
	case strings.Contains(text, "\n"+key+": ["):
		return strings.Replace(text, "\n"+key+": [", "\n"+key+": ["+item+", ", 1)
	case strings.Contains(text, "\n"+key+":\n"):
		return strings.Replace(text, "\n"+key+":\n", "\n"+key+":\n  - "+item+"\n", 1)
	}
	return strings.Replace(text, "\ntitle: ", "\n"+key+": ["+item+"]\ntitle: ", 1)
}

// verify reads the list and its whole history.
func (r *round) verify() {
	must(r.t, r.env, "add", "the last")
	merges := r.must("log", "--merges", "--format=%H %P", "main")
	for line := range strings.Lines(merges) {
		ids := strings.Fields(line)
		r.verifyMerge(ids[0], ids[1], ids[2])
	}
	for _, tip := range r.tips {
		r.must("merge-base", "--is-ancestor", tip, "main")
	}
	if merges == "" || len(r.tips) < roundClones {
		r.t.Errorf("%d pushes, and merges %q", len(r.tips), merges)
	}
	names := strings.Fields(r.must("ls-tree", "-r", "--name-only", "main", "tasks"))
	for n := range len(names) {
		if want := "t" + strconv.Itoa(n+1) + ".md"; !slices.ContainsFunc(names, func(s string) bool { return filepath.Base(s) == want }) {
			r.t.Errorf("%s is not among the %d files", want, len(names))
		}
	}
	if found, _ := r.git(r.list, "grep", "-l", "-e", "^<<<<<<<", "-e", "^>>>>>>>", "main"); found != "" {
		r.t.Errorf("conflict markers in %s", found)
	}
	if said := must(r.t, r.env, "check", "--history"); strings.Contains(said, "problem: ") || strings.Contains(said, "unproven: ") {
		r.t.Errorf("check --history says %s", said)
	} else {
		r.t.Log(said)
	}
	r.t.Logf("%d pushes, %d merges, %d tasks", len(r.tips), strings.Count(merges, "\n")+1, len(names))
}

func (r *round) must(args ...string) string {
	cmd := exec.CommandContext(r.t.Context(), "git", args...)
	cmd.Dir, cmd.Env = r.list, r.env.Environ
	out, err := cmd.Output()
	if err != nil {
		r.t.Errorf("git %q: %v", args, err)
	}
	return strings.TrimSpace(string(out))
}

// marks gives the edits that the tree of a commit shows.
func (r *round) marks(commit string) map[string]bool {
	found := map[string]bool{}
	for _, m := range strings.Fields(r.must("grep", "-hoE", mark.String(), commit, "--", "tasks")) {
		found[m] = true
	}
	return found
}

// verifyMerge looks that a merge has what either side brought, or names it.
func (r *round) verifyMerge(merge, branch, pushed string) {
	base := r.marks(r.must("merge-base", branch, pushed))
	sides := map[string]bool{}
	for _, side := range []map[string]bool{r.marks(branch), r.marks(pushed)} {
		for m := range side {
			if !base[m] {
				sides[m] = true
			}
		}
	}
	result := r.marks(merge)
	for _, m := range mark.FindAllString(r.must("log", "-1", "--format=%B", merge), -1) {
		result[m] = true
	}
	for m := range maps.Keys(sides) {
		if !result[m] {
			r.t.Errorf("merge %s lost %s:\n%s", merge, m, r.must("log", "-1", "--format=%B", merge))
		}
	}
}
