package simulation_test

import (
	"fmt"
	"maps"
	"slices"

	"pgregory.net/rapid"

	"github.com/git-tasks/git-tasks/records"
	"github.com/git-tasks/git-tasks/repo"
	"github.com/git-tasks/git-tasks/repo/repotest"
)

// brokenFile cannot be read, and brokenReason says why.
const (
	brokenFile   = "---\ntitle: [a]\nid: t%d\nstatus: todo\n---\n"
	brokenReason = "title must be a string."
)

// mia is who commits by hand, beside the tools and without a clone.
const mia = "mia"

// foreign makes a commit of hers.
func (s *simulation) foreign(path, text string) {
	f := repo.File{Path: path}
	if text != "" {
		f.Data = []byte(text)
	}
	s.ledger.commits[repotest.Foreign(s.t, s.dir, branch, mia, "by hand", f)] = entry{by: mia}
	s.model.byHand(mia)
}

// arrive is a task that somebody wrote by hand, some numbers ahead.
func (s *simulation) arrive(r *rapid.T) {
	n := s.model.highest[0] + rapid.IntRange(1, 40).Draw(r, "ahead")
	id := fmt.Sprintf("t%d", n)
	s.foreign(records.PathOf(id), "---\nid: "+id+"\ntitle: hand\nstatus: todo\n---\n")
	s.model.arrive(n, "hand")
}

func (s *simulation) draft(r *rapid.T) { s.run(r, burst{draft: true}) }

// draftFile commits a draft, which the model takes when it comes.
func (s *simulation) draftFile() {
	s.drafts++
	path := fmt.Sprintf("tasks/d%03d.md", s.drafts)
	commit := repotest.Foreign(s.t, s.dir, branch, mia, path, repo.File{Path: path, Data: []byte("---\ntitle: " + path + "\n---\n")})
	s.ledger.commits[commit] = entry{by: mia, took: func(string) string {
		s.model.byHand(mia)
		s.model.drafts[path] = modelDraft{path, mia}
		return ""
	}}
}

// anyTask draws a task that can be read, 0 where there is none: now and then one
// that somebody has edited in a clone.
func (s *simulation) anyTask(r *rapid.T) int {
	if len(s.model.tasks) == 0 {
		return 0
	}
	for _, c := range s.clones {
		for _, e := range c.edits {
			if _, known := s.model.tasks[e.task]; known && rapid.Bool().Draw(r, "an edited one") {
				return e.task
			}
		}
	}
	return rapid.SampledFrom(slices.Sorted(maps.Keys(s.model.tasks))).Draw(r, "task")
}

func (s *simulation) remove(r *rapid.T) {
	if n := s.anyTask(r); n > 0 {
		s.removeTask(n)
	}
}

func (s *simulation) removeTask(n int) {
	s.foreign(records.PathOf(fmt.Sprintf("t%d", n)), "")
	delete(s.model.tasks, n)
}

func (s *simulation) breakFile(r *rapid.T) {
	if n := s.anyTask(r); n > 0 {
		path := records.PathOf(fmt.Sprintf("t%d", n))
		s.files[n] = repotest.Git(s.t, s.dir, "show", branch+":"+path) + "\n"
		s.foreign(path, fmt.Sprintf(brokenFile, n))
		s.model.broken[n] = s.model.tasks[n]
		delete(s.model.tasks, n)
	}
}

func (s *simulation) repair(r *rapid.T) {
	if len(s.model.broken) == 0 {
		return
	}
	n := rapid.SampledFrom(slices.Sorted(maps.Keys(s.model.broken))).Draw(r, "broken")
	s.foreign(records.PathOf(fmt.Sprintf("t%d", n)), s.files[n])
	s.model.tasks[n] = s.model.broken[n]
	delete(s.model.broken, n)
}
