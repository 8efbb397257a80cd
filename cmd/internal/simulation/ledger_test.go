package simulation_test

import (
	"fmt"
	"slices"
	"strings"

	"pgregory.net/rapid"

	"github.com/git-tasks/git-tasks/records"
	"github.com/git-tasks/git-tasks/repo/repotest"
)

// ledger is who was told of, or made, which commit: those of the tools and by
// hand by their id, those of clones by their subject, since a rebase gives them
// another id.
type ledger struct {
	commits, subjects map[string]entry
	swept             []string // the lines of the sweeps that were replayed
}

// entry is one commit: its author, and what the model does when it comes, which
// gives what is wrong; nil where the model has done it.
type entry struct {
	by   string
	took func(subject string) string
	edit handEdit // of a clone
}

// logged is one commit as git log tells it.
type logged struct {
	id, author, subject, tool string
	parents                   []string
}

func (s *simulation) log(args ...string) (list []logged) {
	out := repotest.Git(s.t, s.dir, append([]string{"log", "--reverse", "--topo-order",
		"--format=%H%x00%an%x00%s%x00%(trailers:key=Tool,valueonly,separator=)%x00%P"}, args...)...)
	for line := range strings.SplitSeq(out, "\n") {
		if f := strings.Split(line, "\x00"); len(f) == 5 {
			list = append(list, logged{f[0], f[1], f[2], f[3], strings.Fields(f[4])})
		}
	}
	return list
}

// replay has the model do what came since a commit, in the order in which it
// came to the branch, and gives the commits and the subjects. What a merge brought
// came with it.
func (s *simulation) replay(r *rapid.T, since fmt.Stringer) map[string]bool {
	took := map[string]bool{}
	take := func(c logged) {
		took[c.id], took[c.subject] = true, true
		wrong := ""
		if e, known := s.entryOf(c); !known {
			wrong = "nobody made it"
		} else if e.took != nil {
			wrong = e.took(c.subject)
		}
		if wrong != "" {
			r.Fatalf("%+v: %s", c, wrong)
		}
	}
	for _, c := range s.log("--first-parent", since.String()+".."+branch) {
		if len(c.parents) < 2 {
			take(c)
			continue
		}
		s.model.mint()
		s.comeBack(r, c)
		for _, brought := range s.brought(c) {
			take(brought)
		}
		take(c)
		s.model.mint()
	}
	return took
}

// brought gives what a merge brought: all behind its second parent, but for what is
// behind the first. git's own A..B goes by dates, and finds too much where those of
// a clone are ahead of the list's by days, as here.
func (s *simulation) brought(merge logged) []logged {
	there := map[string]bool{}
	for _, c := range s.log(merge.parents[0]) {
		there[c.id] = true
	}
	return slices.DeleteFunc(s.log(merge.parents[1]), func(c logged) bool { return there[c.id] })
}

// comeBack gives the model the tasks that were taken off the list while a clone
// edited them: a merge brings them back as the clone knew them.
func (s *simulation) comeBack(r *rapid.T, merge logged) {
	base := repotest.Git(s.t, s.dir, "merge-base", merge.parents[0], merge.parents[1])
	for _, brought := range s.brought(merge) {
		e := s.ledger.subjects[brought.subject].edit
		if _, known := s.model.tasks[e.task]; known || e.task == 0 {
			continue
		}
		t := records.Parse(e.path, []byte(repotest.Git(s.t, s.dir, "show", base+":"+e.path)+"\n")).Task
		if t == nil {
			r.Fatalf("%+v brings back %s, which its base has not", merge, e.path)
		}
		s.model.tasks[e.task] = modelOf(t)
		delete(s.model.rows, e.task) // with the rank that it had in the clone
	}
}

// entryOf finds whose commit one is.
func (s *simulation) entryOf(c logged) (entry, bool) {
	people := []string{"host", mia, s.clones[0].by, s.clones[1].by}
	var over int
	if _, err := fmt.Sscanf(c.subject, "t%d reclaim: ", &over); err == nil && c.tool != "" {
		return entry{by: c.author, took: func(string) string { return s.model.reclaim(over) }}, slices.Contains(append(people, "ana", "bob"), c.author)
	}
	switch c.tool {
	case "init":
		return entry{by: "git-tasks"}, true
	case "follow-up": // authored as whoever it is for
		return entry{by: c.author, took: func(string) string { s.model.mint(); return "" }}, slices.Contains(people, c.author)
	case "push":
		return entry{by: c.author}, slices.Contains(people[2:], c.author)
	case "sweep":
		return entry{by: "host", took: s.replaySweep}, true
	}
	if e, known := s.ledger.commits[c.id]; known {
		return e, true
	}
	e, known := s.ledger.subjects[c.subject]
	return e, known
}

func (s *simulation) replaySweep(subject string) string {
	var plan, tasks int
	if _, err := fmt.Sscanf(subject, "p%d sweep %d task", &plan, &tasks); err != nil {
		return err.Error()
	}
	line, finished := s.model.sweepPlan(plan)
	if !finished {
		return "the plan was not finished"
	}
	s.ledger.swept = append(s.ledger.swept, line)
	if want := strings.Replace(line, ":", " sweep", 1); subject != want {
		return "want " + want
	}
	return ""
}

// checkHistory holds every commit there is to the ledger, every entry of a call
// to the commits, and the ids that were ever used to those that the model gave
// out: one after the other, but for what somebody's own number jumped over.
func (s *simulation) checkHistory(r *rapid.T) {
	there := map[string]bool{}
	for _, c := range s.log(branch) {
		there[c.id] = true
		if e, known := s.entryOf(c); !known || e.by != c.author {
			r.Fatalf("%+v: want author %q (known: %v)", c, e.by, known)
		}
	}
	for id, e := range s.ledger.commits {
		if !there[id] {
			r.Fatalf("%s by %s was acknowledged and is not on the branch", id, e.by)
		}
	}
	var used [2][]int
	for line := range strings.SplitSeq(repotest.Git(s.t, s.dir, "log", "--no-renames", "--diff-filter=A", "--name-only", "--format=", branch), "\n") {
		name := strings.TrimSuffix(line[strings.LastIndex(line, "/")+1:], ".md")
		var n int
		for kind, form := range []string{"t%d", "p%d"} {
			if _, err := fmt.Sscanf(name, form, &n); err == nil && fmt.Sprintf(form, n) == name {
				used[kind] = append(used[kind], n)
			}
		}
	}
	for kind, numbers := range used {
		slices.Sort(numbers)
		if !slices.Equal(numbers, s.model.used[kind]) {
			r.Fatalf("ids that were used: %v, want %v", numbers, s.model.used[kind])
		}
	}
}
