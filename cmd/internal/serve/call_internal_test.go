package serve

import (
	"context"
	"testing"

	"github.com/git-tasks/git-tasks/repo"
	"github.com/git-tasks/git-tasks/repo/repotest"
	"github.com/git-tasks/git-tasks/tools"
	"github.com/git-tasks/git-tasks/tools/toolstest"
	"github.com/git-tasks/git-tasks/translate"
)

// TestWithdrawn: of what a host that stops has not done it says so, whatever was
// asked, and whoever asked does it.
func TestWithdrawn(t *testing.T) {
	t.Parallel()
	s := toolstest.New(t)
	draft := repo.File{Path: "tasks/draft.md", Data: []byte("---\ntitle: A\n---\n")}
	ref := "refs/waiting/one"
	repotest.Git(t, s.Dir(), "update-ref", ref, repotest.Foreign(t, s.Dir(), s.Ref(), "mia", "the beginning", draft))
	pushed := repotest.Foreign(t, s.Dir(), ref, "mia", "by hand", repo.File{Path: "tasks/pushed.md", Data: draft.Data})
	ctx, stop := context.WithCancel(t.Context())
	stop()
	h := &host{Config: Config{Store: s}}
	for name, what := range map[string]asked{
		"a call": {Tool: "task_add", Input: []byte(`{"title":"A"}`)},
		"a list": {Updates: []translate.Update{{Tool: "TodoWrite", List: []translate.Entry{{Text: "A", Status: "pending"}}}}},
		"a push": {Push: &pushAsked{Ref: "refs/for/main", Old: repo.ID{}.String(), New: pushed}},
	} {
		if said := h.tell(ctx, tools.Who{Person: "ana", Session: "one"}, what); !said.Withdrawn || said.Error != nil || said.Planned != nil {
			t.Errorf("%s is answered %+v", name, said)
		}
	}
}
