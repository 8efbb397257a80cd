package simulation_test

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/git-tasks/git-tasks/channel"
	"github.com/git-tasks/git-tasks/records"
	"github.com/git-tasks/git-tasks/repo/repotest"
	"github.com/git-tasks/git-tasks/tools"
	"github.com/git-tasks/git-tasks/tools/toolstest"
)

var (
	contenders = flag.Int("contenders", 0, "how many processes race for a claim; 0 is some")
	rounds     = flag.Int("rounds", 0, "how many rounds they race; 0 is some")
)

// race is a list at which many processes claim at once, while a person assigns the
// same tasks by a push; somebody follows the channels of its plans.
type race struct {
	*testing.T
	store  *tools.Store
	clone  *clone
	all    []contender
	reader *channel.Reader
	states map[string]*channel.State

	wins, landed, gaveWay int
}

// single is the one task of p2; the others are those of p1.
const single = "t1"

func newRace(t *testing.T, n int, hosted bool) *race {
	t.Helper()
	r := &race{T: t, store: toolstest.New(t), states: map[string]*channel.State{}}
	equip(t, r.store, false)
	for _, input := range []string{"one of many", "only one"} {
		r.call("plan_create", `{"title":"`+input+`","scope":{"kind":"folder","folder":"/srv"}}`)
	}
	r.call("task_add", `{"title":"only one","plan":"p2"}`)
	for range n / 2 {
		r.call("task_add", `{"title":"one of many","plan":"p1"}`)
	}
	r.follow()
	if hosted {
		r.host()
	}
	r.clone = newClone(t, r.store.Dir(), "mia")
	r.clone.env = append(r.clone.env, runVariable+"=1", "GORACE=atexit_sleep_ms=0")
	for i := range n {
		if i%4 == 0 {
			r.all = append(r.all, r.typing(i+1))
		} else {
			r.all = append(r.all, r.agent(i+1))
		}
	}
	return r
}

func (r *race) call(tool, input string) string {
	r.Helper()
	c, err := r.store.Caller(tools.Who{Person: "ana"})
	if err != nil {
		r.Fatal(err)
	}
	answer, err := tools.Call(r.Context(), r.store, c, tool, json.RawMessage(input))
	if err != nil {
		r.Fatal(err)
	}
	return answer.Text
}

// follow begins with the channels of both plans.
func (r *race) follow() {
	r.Helper()
	moved, err := r.store.Moved(r.Context())
	if err != nil {
		r.Fatal(err)
	}
	hub, err := channel.NewHub(r.store, moved)
	if err != nil {
		r.Fatal(err)
	}
	r.reader = hub.Reader()
	r.Cleanup(r.reader.Close)
	for _, plan := range []string{"p1", "p2"} {
		if r.states[plan], _, err = r.reader.Follow(plan); err != nil {
			r.Fatal(err)
		}
	}
}

// assigns makes a commit in the clone that gives a task to mia, on the list as it is.
func (r *race) assigns(task string) {
	r.Helper()
	err := r.clone.git("fetch", "-q")
	if err == nil {
		err = r.clone.git("reset", "-q", "--hard", "origin/main")
	}
	path := filepath.Join(r.clone.dir, records.PathOf(task))
	var data []byte
	if err == nil {
		data, err = os.ReadFile(path)
	}
	if err == nil {
		err = os.WriteFile(path, []byte(strings.Replace(string(data), "status: todo\n", "status: todo\nowner: mia\n", 1)), 0o644)
	}
	if err == nil {
		err = r.clone.git("commit", "-q", "-a", "-m", task+" for mia")
	}
	if err != nil {
		r.Fatal(err)
	}
}

// pushes pushes it, and gives who has the task by what git says: mia, or the one whom
// the assignment gave way to.
func (r *race) pushes() (holder string) {
	said, err := repotest.Run(r.clone.dir, r.clone.env, "", "sh", "-c", "git push -q origin HEAD:refs/for/main 2>&1")
	if err != nil {
		r.Errorf("the push of an assignment: %v", err)
	}
	if _, to, lost := strings.Cut(said, `owner "mia" of the push gave way to "`); lost {
		holder, _, _ = strings.Cut(to, `"`)
		return holder
	}
	return "mia"
}

// said is what a contender was told.
type said struct {
	contender
	text    string
	refused bool
}

// claims has all contenders claim at once, and mia's push beside them, or ahead of
// them in every third round.
func (r *race) claims(round int, input, assigned string) (told []said, has string) {
	r.Helper()
	r.assigns(assigned)
	told = make([]said, len(r.all))
	if round%3 == 2 {
		has = r.pushes()
	}
	var at sync.WaitGroup
	if round%3 != 2 {
		at.Go(func() { has = r.pushes() })
	}
	for i, c := range r.all {
		at.Go(func() {
			text, refused := c.call("task_claim", input)
			told[i] = said{c, text, refused}
		})
	}
	at.Wait()
	if has == "mia" {
		r.landed++
	} else {
		r.gaveWay++
	}
	return told, has
}

// TestA2OneWinner: whoever claims a task at the same time as others, from processes
// of their own, by the command line or MCP, and against a push, one has it; all
// others are told who. Of a list each task has one winner.
//
//	go test ./cmd/internal/simulation -run TestA2 -contenders 64 -rounds 200 -timeout 1h -v
func TestA2OneWinner(t *testing.T) {
	n, most := 8, 6
	if whole {
		n, most = 12, 12
	}
	if *contenders > 0 {
		n = *contenders
	}
	if *rounds > 0 {
		most = *rounds
	}
	for _, hosted := range []bool{false, true} {
		t.Run(map[bool]string{false: "each by itself", true: "through a host"}[hosted], func(t *testing.T) {
			r := newRace(t, n, hosted)
			for round := range (most + 1) / 2 {
				r.one(round)
				r.next(round)
				if t.Failed() {
					t.Fatalf("in round %d", round+1)
				}
			}
			t.Logf("%d processes, %d rounds of each kind: %d tasks had one winner each, and %d assignments by push were ahead of them, %d not",
				n, (most+1)/2, r.wins, r.landed, r.gaveWay)
		})
	}
}

// one is a round for one task.
func (r *race) one(round int) {
	r.Helper()
	told, has := r.claims(round, `{"task":"`+single+`"}`, single)
	want, holder, winners := "todo mia ", "mia", 0
	for _, s := range told {
		if !s.refused {
			want, holder = "doing "+s.name+" "+s.session, s.session
			if winners++; has != s.name {
				r.Errorf("%s has the task, and by the push %s has", s.name, has)
			}
		}
	}
	if winners > 1 || (winners == 0) != (has == "mia") {
		r.Errorf("%d won, and by the push %s has the task", winners, has)
	}
	for _, s := range told {
		if s.refused && !(strings.HasPrefix(s.text, "conflict: ") && strings.Contains(s.text, holder)) {
			r.Errorf("%s lost to %s and was told %q", s.name, holder, s.text)
		}
	}
	r.wins++
	r.agree(map[string]string{single: want})
	r.free(told, map[string]string{single: holder})
}

// next is a round for the next task of a list that has half as many as there are
// contenders.
func (r *race) next(round int) {
	r.Helper()
	many := len(r.all) / 2
	last := fmt.Sprintf("t%d", many+1)
	told, has := r.claims(round, `{"next":true,"plan":"p1"}`, last)
	want, holders := map[string]string{}, map[string]string{}
	for _, s := range told {
		id, _, _ := strings.Cut(s.text, " ")
		switch {
		case s.refused:
			r.Errorf("%s asked for the next and was told %q", s.name, s.text)
		case s.text == "No task is ready.":
		case want[id] != "":
			r.Errorf("%s is %s's, and %s's", id, want[id], s.name)
		default:
			want[id], holders[id] = "doing "+s.name+" "+s.session, s.session
		}
	}
	if has == "mia" && want[last] == "" {
		want[last], holders[last] = "todo mia ", "mia"
	} else if has == "mia" || want[last] != "doing "+has+" "+holders[last] {
		r.Errorf("%s is %q, and by the push %s has it", last, want[last], has)
	}
	r.wins += len(want)
	if len(want) != many {
		r.Errorf("%d tasks of %d have a winner: %v", len(want), many, want)
	}
	r.agree(want)
	r.free(told, holders)
}

// agree holds list, file and channel to who has each task.
func (r *race) agree(want map[string]string) {
	r.Helper()
	var listed struct {
		Tasks []*records.Task `json:"records"`
	}
	cmd := r.program(99, "list", "--json")
	out, err := cmd.Output()
	if err == nil {
		err = json.Unmarshal(out, &listed)
	}
	if err != nil {
		r.Fatalf("%v: %s", err, out)
	}
	for id, has := range want {
		i := slices.IndexFunc(listed.Tasks, func(t *records.Task) bool { return t.ID == id })
		if i < 0 || holding(listed.Tasks[i]) != has {
			r.Errorf("the list does not say of %s that it is %q:\n%s", id, has, out)
		}
		file := records.Parse(records.PathOf(id), []byte(repotest.Git(r.T, r.store.Dir(), "show", "main:"+records.PathOf(id))+"\n"))
		if file.Task == nil || holding(file.Task) != has {
			r.Errorf("the file of %s says %+v, want %q", id, file.Task, has)
		}
	}
	ctx, stop := context.WithTimeout(r.Context(), time.Minute)
	defer stop()
	for !r.follows(want) {
		b, err := r.reader.Next(ctx)
		if err != nil {
			r.Fatalf("the channels never say %v: %v", want, err)
		}
		for plan, state := range b.States {
			r.states[plan] = state
		}
		for _, a := range b.Actions {
			r.states[a.On].Reduce(a)
		}
	}
}

// follows reports whether the channels say who has each task.
func (r *race) follows(want map[string]string) bool {
	for id, has := range want {
		plan := r.states["p1"]
		if id == single {
			plan = r.states["p2"]
		}
		if !slices.ContainsFunc(plan.Tasks, func(t *records.Task) bool { return t.ID == id && holding(t) == has }) {
			return false
		}
	}
	return true
}

// holding is a task's status, its owner and the session that holds it.
func holding(t *records.Task) string {
	held := string(t.Status) + " " + t.Owner + " "
	if t.Lease != nil {
		held += t.Lease.In
	}
	return held
}

// free gives every task back, each by whoever has it.
func (r *race) free(told []said, holders map[string]string) {
	r.Helper()
	for id, holder := range holders {
		if holder == "mia" {
			r.call("task_set", `{"task":"`+id+`","owner":""}`)
			continue
		}
		i := slices.IndexFunc(told, func(s said) bool { return s.session == holder })
		if text, refused := told[i].call("task_release", `{"task":"`+id+`"}`); refused {
			r.Errorf("%s may not give %s back: %s", holder, id, text)
		}
	}
}
