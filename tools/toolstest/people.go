package toolstest

import "github.com/git-tasks/git-tasks/tools"

// directory has ana, who may not approve, and bob and root, who may.
var directory = &tools.Settings{
	Roles: map[string][]string{"member": {"session:read", "session:write"}, "approver": {"task:approve"}, "admin": {"*"}},
	Users: []tools.User{{ID: "ana", Roles: []string{"member"}},
		{ID: "bob", Roles: []string{"member", "approver"}, Mail: "bob@example.org"}, {ID: "root", Roles: []string{"admin"}}},
}

var (
	approvalFirst = &tools.Settings{Options: tools.Options{RequireApproval: true}}
	gates         = &tools.Settings{Options: tools.Options{GateOnBlockers: true, CloseGate: true}}
)

// peopleCases are about who is behind a call, and what they may do.
var peopleCases = []Case{
	{Name: "56 no directory", steps: []step{aTask, aPlan,
		call("task_approve", `{"task":"t1"}`, "t1 todo medium A").by("mia").author("mia").
			has("tasks/t1.md", "approved:\n  at: 2026-10-18T10:02:00.000Z\n  by: mia\n"),
		call("task_approve", `{"task":"t1"}`, "t1 todo medium A").nobody().author("host"),
		call("plan_approve", `{"plan":"p1"}`, "p1 draft P").author("ana"),
	}},
	{Name: "57 without the grant", Settings: directory, steps: []step{aTask, aPlan,
		denied("task_approve", `{"task":"t1"}`, "ana may not task:approve here."),
		denied("plan_approve", `{"plan":"p1"}`, "ana may not task:approve here."),
		denied("task_approve", `{"task":"t1"}`, "mia may not task:approve here.").by("mia").lacks("tasks/t1.md", "approved"),
		unknown("task_approve", `{"task":"t9"}`, "task"),
	}},
	{Name: "58 with the grant", Settings: directory, steps: []step{aTask,
		call("task_approve", `{"task":"t1"}`, "t1 todo medium A").by("bob").author("bob").has("tasks/t1.md", "approved:\n  at: 2026-10-18T10:01:00.000Z\n  by: bob\n"),
		call("task_approve", `{"task":"t1"}`, "t1 todo medium A").by("root").author("root"),
	}},
	{Name: "59 nobody behind the turn", Settings: directory, steps: []step{
		aTask.nobody().author("host"),
		call("task_set", `{"task":"t1","note":"Seen"}`, "t1 todo medium A").nobody().author("host"),
		call("task_review", `{"task":"t1"}`, "t1 todo medium A").nobody().author("host"),
		unsigned("task_approve", `{"task":"t1"}`),
		owned("one", "user:bob"),
		unsigned("task_approve", `{"task":"t1"}`).in("one").lacks("tasks/t1.md", "approved"),
	}},
	{Name: "60 approved twice", steps: []step{aTask,
		call("task_approve", `{"task":"t1"}`, "t1 todo medium A").by("bob"),
		call("task_approve", `{"task":"t1"}`, "t1 todo medium A").by("mia").in("two").
			has("tasks/t1.md", "approved:\n  at: 2026-10-18T10:02:00.000Z\n  by: mia\n  in: ahp-session:/two\n").lacks("tasks/t1.md", "bob"),
	}},
	{Name: "61 plan_approve", Settings: directory, steps: []step{aPlan,
		call("plan_approve", `{"plan":"p1"}`, "p1 draft P").by("bob").author("bob").has("plans/p1.md", "status: draft\n", "approved:\n  at: 2026-10-18T10:01:00.000Z\n  by: bob\n"),
	}},
	{Name: "62 review without a grant", Settings: directory, steps: []step{aTask,
		call("task_review", `{"task":"t1"}`, "t1 todo medium A").author("ana").
			has("tasks/t1.md", "reviewed:\n  at: 2026-10-18T10:01:00.000Z\n  by: ana\n").lacks("tasks/t1.md", "verdict"),
	}},
	{Name: "63 changes wanted", steps: []step{aTask,
		call("task_review", `{"task":"t1","verdict":"changes"}`, "t1 todo medium A").has("tasks/t1.md", "  verdict: changes\n"),
		call("task_review", `{"task":"t1","verdict":"approved"}`, "t1 todo medium A").has("tasks/t1.md", "  verdict: approved\n").lacks("tasks/t1.md", "changes", "approved:"),
	}},
	{Name: "64 verdict ok", steps: []step{aTask,
		refuse("task_review", `{"task":"t1","verdict":"ok"}`, "verdict must be approved or changes."),
		refuse("task_review", `{"task":"t1","verdict":true}`, "verdict must be approved or changes."),
		refuse("task_review", `{"task":"t1","verdict":""}`, "verdict must be approved or changes."),
	}},
	{Name: "65 approval first", Settings: approvalFirst, steps: []step{aTask,
		refuse("task_set", `{"task":"t1","status":"doing"}`, "status must not be doing until the task is approved (see task_approve)."),
		call("task_set", `{"task":"t1","status":"done"}`, "t1 done medium A"),
	}},
	{Name: "66 approved", Settings: approvalFirst, steps: []step{aTask,
		call("task_approve", `{"task":"t1"}`, "t1 todo medium A").by("bob"),
		call("task_set", `{"task":"t1","status":"doing"}`, "t1 doing medium A"),
	}},
	{Name: "67 only its plan approved", Settings: approvalFirst, steps: []step{aPlan,
		call("task_add", `{"title":"A","plan":"p1"}`, "t1 todo medium A"),
		call("plan_approve", `{"plan":"p1"}`, "p1 draft P"),
		refuse("task_set", `{"task":"t1","status":"doing"}`, "status must not be doing until the task is approved (see task_approve)."),
	}},
	{Name: "A17 blockers before doing and done", Settings: gates, steps: []step{aTask,
		call("task_add", `{"title":"B","blockedBy":["t1"]}`, "t2 todo medium B"),
		call("task_add", `{"title":"C","blockedBy":["t2","t1"]}`, "t3 todo medium C"),
		conflict("task_set", `{"task":"t3","status":"doing"}`, "conflict: t3 is blocked by t2, t1."),
		conflict("task_set", `{"task":"t3","status":"done","note":"x"}`, "conflict: t3 is blocked by t2, t1."),
		call("task_set", `{"task":"t3","status":"review"}`, "t3 review medium C"),
		call("task_set", `{"task":"t1","status":"done"}`, "t1 done medium A"),
		conflict("task_set", `{"task":"t3","status":"done"}`, "conflict: t3 is blocked by t2."),
		call("task_set", `{"task":"t3","status":"done","blockedBy":["t1"]}`, "t3 done medium C"),
		call("task_set", `{"task":"t2","status":"doing"}`, "t2 doing medium B"),
		call("task_set", `{"task":"t1","status":"todo"}`, "t1 todo medium A"),
		call("task_set", `{"task":"t2","status":"doing","note":"no move"}`, "t2 doing medium B"),
	}},
	{Name: "A17 todo_write passes the gates", Settings: gates, steps: []step{
		todos("2 total: 2 pending, 0 in progress, 0 completed", "", "a pending A", "b pending B"),
		call("task_set", `{"task":"t2","blockedBy":["t1"]}`, "t2 todo medium B"),
		todos("2 total: 1 pending, 1 in progress, 0 completed", "", "a pending A", "b in_progress B"),
		todos("2 total: 1 pending, 0 in progress, 1 completed", "", "a pending A", "b completed B"),
	}},
	{Name: "A17 no gates", steps: []step{aTask,
		call("task_add", `{"title":"B","blockedBy":["t1"]}`, "t2 todo medium B"),
		call("task_set", `{"task":"t2","status":"doing"}`, "t2 doing medium B"),
		call("task_set", `{"task":"t2","status":"done"}`, "t2 done medium B"),
	}},
	{Name: "68 a person in a session", steps: []step{
		owned("one", "user:bob"),
		aTask.in("one").author("ana").has("tasks/t1.md", "session: ahp-session:/one\n", "  by: ana\n  in: ahp-session:/one\n"),
		call("task_add", `{"title":"B","session":"x","folder":"/y"}`, "t2 todo medium B").in("ahp-session:/one").
			has("tasks/t2.md", "folder: /y\n", "session: x\n", "  in: ahp-session:/one\n"),
	}},
	{Name: "69 nobody in an owned session", steps: []step{
		owned("ahp-session:/one", "user:bob"),
		aTask.nobody().in("one").author("bob").has("tasks/t1.md", "  by: bob\n  in: ahp-session:/one\n"),
	}},
	{Name: "70 nobody at all", steps: []step{
		aTask.nobody().in("one").author("host").has("tasks/t1.md", "  by: host\n  in: ahp-session:/one\n"),
		call("task_add", `{"title":"B"}`, "t2 todo medium B").nobody().folder("").author("host").lacks("tasks/t2.md", "in:", "session", "folder"),
	}},
}
