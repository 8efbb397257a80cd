package house

import (
	"go/ast"
	"testing"
)

// asked are questions that somebody new to the source has, the file that its name
// leads them to, and what must be declared there.
var asked = []struct{ question, file, name string }{
	{"How is the file of a task read?", "records/parse.go", "Parse"},
	{"Where does a new record get its id?", "records/mint.go", "mint"},
	{"What may wait for what?", "records/blockers.go", "takeBlockers"},
	{"What is refused at a push?", "records/push.go", "CheckPush"},
	{"How are two versions of a file merged?", "records/merge.go", "Merge"},
	{"Where does the branch move?", "repo/ref.go", "moveRef"},
	{"Which lock do processes wait for?", "repo/lock.go", "withLock"},
	{"How does a pack come onto the disk?", "repo/pack_write.go", "writePack"},
	{"How is an object of a pack found and read?", "repo/pack_read.go", "find"},
	{"How is a commit signed?", "repo/signature.go", "sign"},
	{"How does a tree look as a file system?", "repo/tree_fs.go", "ReadDir"},
	{"What exit code has a conflict?", "tools/code.go", "codes"},
	{"Who may approve?", "tools/grants.go", "allow"},
	{"How does a push land?", "tools/land.go", "Land"},
	{"What does an agent get of a refusal?", "tools/mcpserver/result.go", "refused"},
	{"What does a person get of it?", "cmd/internal/cli/hint.go", "hintOf"},
	{"Which host serves a list?", "cmd/internal/serve/host_lock.go", "Running"},
	{"What may a web page not do?", "cmd/internal/serve/guard.go", "guard"},
	{"When does a finished plan go?", "tools/sweep/sweep.go", "Pass"},
	{"When is a claim over?", "records/claim.go", "over"},
	{"What does a reader get of a claim that is over?", "records/claim_view.go", "AsOf"},
	{"Who may change a claimed task?", "records/guard.go", "guard"},
	{"How is the next task claimed?", "tools/task_claim.go", "claimNext"},
	{"Who writes that a claim is over?", "tools/reclaim.go", "Reclaim"},
	{"Who watches a session?", "tools/watched.go", "WatchSession"},
	{"What makes a call count once?", "tools/once.go", "again"},
	{"What does a task get that is put beside another?", "records/place.go", "takePlace"},
	{"How is a task taken off the list?", "records/remove.go", "removeTask"},
	{"How does a worker stop its command?", "tools/worker/process.go", "stop"},
	{"What does a client get that comes back?", "channel/ahp/ledger.go", "since"},
	{"What is an action on a channel?", "channel/action.go", "Action"},
}

// TestWhere holds each question to the file where its answer is looked for first.
func TestWhere(t *testing.T) {
	t.Parallel()
	declared := map[string]map[string]bool{}
	for _, s := range sources(t) {
		names := map[string]bool{}
		for _, d := range s.file.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				names[d.Name.Name] = true
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					switch spec := spec.(type) {
					case *ast.TypeSpec:
						names[spec.Name.Name] = true
					case *ast.ValueSpec:
						names[spec.Names[0].Name] = true
					}
				}
			}
		}
		declared[s.path] = names
	}
	for _, q := range asked {
		if !declared[q.file][q.name] {
			t.Errorf("%s %s is where one looks, and %s is not there", q.question, q.file, q.name)
		}
	}
}
