package records_test

import (
	"strings"
	"testing"

	"github.com/git-tasks/git-tasks/records"
)

var folder = records.Scope{Kind: records.FolderScope, Folder: "/srv/work"}

func TestCase21PlanStartsAsDraft(t *testing.T) {
	t.Parallel()
	d := newDesk(t, tree{})
	o := d.do(records.AddPlan{Title: "P", Goal: "Ship it.\n", Scope: folder, Refs: []string{"a: b"}})
	plan := d.plan("p1")
	if plan.Line() != "p1 draft P" || plan.Created == nil || plan.Goal != "Ship it.\n" || plan.Scope != folder || plan.Refs[0] != "a: b" {
		t.Errorf("made %+v", plan)
	}
	if o.What != "add" || o.Title != "P" || o.Files[0].Path != "plans/p1.md" {
		t.Errorf("outcome %+v", o)
	}
}

func TestCases22To29PlanRefusals(t *testing.T) {
	t.Parallel()
	d := newDesk(t, tree{"plans/p1.md": planFile("p1", "draft")})
	d.refused(records.AddPlan{Scope: folder}, records.Invalid, "title must be a non-empty string.")
	d.refused(records.AddPlan{Title: "  ", Scope: folder}, records.Invalid, "title must be a non-empty string.")
	d.refused(records.AddPlan{Title: "a\nb", Scope: folder}, records.Invalid, "title must be one line of at most 256 bytes.")
	d.refused(records.AddPlan{Title: "P"}, records.Invalid, "scope must be a folder, bot, or session scope.")
	d.refused(records.AddPlan{Title: "P", Scope: records.Scope{Kind: "bot", Folder: "/srv"}}, records.Invalid,
		"scope must be a folder, bot, or session scope.")
	d.refused(records.AddPlan{Title: "P", Scope: folder, Goal: strings.Repeat("g", records.MaxRecord)}, records.Invalid,
		"goal must be shorter: a record is at most 1 MiB, its frontmatter 64 KiB.")
	d.refused(records.SetPlan{Plan: "p1", Status: ptr("review")}, records.Invalid, "status must be draft, active, done, or dropped.")
	d.refused(records.SetPlan{Plan: "p1", Title: ptr("")}, records.Invalid, "title must be a non-empty string.")
	d.refused(records.SetPlan{Plan: "p9", Status: ptr("done")}, records.NotFound, "plan must match the id of a known plan (see plan_list).")
	d.refused(records.SetPlan{Plan: "t1"}, records.NotFound, "plan must match the id of a known plan (see plan_list).")
}

func TestCases25To27PlanIsFinishedOnce(t *testing.T) {
	t.Parallel()
	d := newDesk(t, tree{"plans/p1.md": planFile("p1", "draft")})
	to := func(status string) records.SetPlan { return records.SetPlan{Plan: "p1", Status: &status} }
	if o := d.do(to("active")); o.What != "active" || d.plan("p1").Finished != nil {
		t.Errorf("active: %q, finished %+v", o.What, d.plan("p1").Finished)
	}
	d.do(to("done"))
	first := d.plan("p1").Finished
	if first == nil {
		t.Fatal("done: not finished")
	}
	d.mark.At = noon.AddDate(0, 0, 1)
	d.do(to("active"))
	d.do(to("dropped"))
	if again := d.plan("p1").Finished; *again != *first {
		t.Errorf("finished moved from %+v to %+v", first, again)
	}
	if o := d.do(records.SetPlan{Plan: "p1", Title: ptr("Q")}); o.What != "set title" || o.Title != "Q" {
		t.Errorf("rename: %+v", o)
	}
	if o := d.do(records.SetPlan{Plan: "p1", Title: ptr("Q"), Status: ptr("dropped")}); len(o.Files) > 0 {
		t.Error("naming what stands changes the file")
	}
}

func TestCases60And61ApprovingAgain(t *testing.T) {
	t.Parallel()
	d := newDesk(t, tree{"plans/p1.md": planFile("p1", "draft"), "tasks/t1.md": taskFile("t1", "todo")})
	for _, id := range []string{"t1", "p1"} {
		d.mark.By = "ana"
		if o := d.do(records.Approve{ID: id}); o.What != "approved" || o.IDs[0] != id {
			t.Errorf("outcome %+v", o)
		}
		d.mark.By, d.mark.In = "bob", ""
		d.do(records.Approve{ID: id})
	}
	if task := d.task("t1"); task.Approved.By != "bob" || task.Approved.In != "" || task.Status != records.Todo {
		t.Errorf("task approved %+v, %s", task.Approved, task.Status)
	}
	if plan := d.plan("p1"); plan.Approved.By != "bob" || plan.Status != records.Draft {
		t.Errorf("plan approved %+v, %s", plan.Approved, plan.Status)
	}
	d.refused(records.Approve{ID: "t9"}, records.NotFound, "task must match the id of a known task (see task_list).")
	d.refused(records.Approve{ID: "p9"}, records.NotFound, "plan must match the id of a known plan (see plan_list).")
}

func TestCases62To64Reviews(t *testing.T) {
	t.Parallel()
	d := newDesk(t, tree{"tasks/t1.md": taskFile("t1", "review")})
	for verdict, what := range map[records.Verdict]string{"": "reviewed", "approved": "reviewed approved", "changes": "reviewed changes"} {
		if o := d.do(records.ReviewTask{Task: "t1", Verdict: verdict}); o.What != what {
			t.Errorf("verdict %q is called %q", verdict, o.What)
		}
		if task := d.task("t1"); task.Reviewed.Verdict != verdict || task.Reviewed.By != "ana" || task.Approved != nil {
			t.Errorf("reviewed %+v", task.Reviewed)
		}
	}
	d.refused(records.ReviewTask{Task: "t1", Verdict: "ok"}, records.Invalid, "verdict must be approved or changes.")
	d.refused(records.ReviewTask{Task: "t2", Verdict: "ok"}, records.NotFound, "task must match the id of a known task (see task_list).")
}

func TestCases65To67RequireApproval(t *testing.T) {
	t.Parallel()
	d := newDesk(t, tree{"plans/p1.md": planFile("p1", "active"), "tasks/t1.md": taskFile("t1", "todo", "plan: p1"),
		"tasks/t2.md": taskFile("t2", "todo"), "tasks/t3.md": taskFile("t3", "doing")})
	d.rules.RequireApproval = true
	text := "status must not be doing until the task is approved (see task_approve)."
	d.refused(set("t1", "doing"), records.Invalid, text)
	d.do(records.Approve{ID: "p1"})
	d.refused(set("t1", "doing"), records.Invalid, text)
	d.do(set("t2", "done"))
	d.do(records.Approve{ID: "t1"})
	d.do(set("t1", "doing"))
	d.do(records.SetTask{Task: "t3", Fields: records.Fields{Status: ptr("doing"), Note: ptr("no move")}})
}

func TestCase70NobodyIsHost(t *testing.T) {
	t.Parallel()
	d := newDesk(t, tree{})
	d.mark = records.Mark{At: noon}
	d.do(add("A"))
	if got := d.task("t1").Created; got.By != "host" || got.In != "" || strings.Contains(d.tree["tasks/t1.md"], "in:") {
		t.Errorf("created %+v in %q", got, d.tree["tasks/t1.md"])
	}
}
