package toolstest

const (
	mustBeScope      = "scope must be a folder, bot, or session scope."
	mustBeTaskStatus = "status must be todo, doing, blocked, review, done, or dropped."
	mustBePlanStatus = "status must be draft, active, done, or dropped."
	mustBePriority   = "priority must be high, medium, or low."
)

var aPlan = call("plan_create", `{"title":"P"}`, "p1 draft P")

// planCases are about plans.
var planCases = []Case{
	{Name: "21 plan_create", steps: []step{
		call("plan_create", `{"title":"P","goal":"Why.","refs":["https://x.example/1"]}`, "p1 draft P").author("ana").
			has("plans/p1.md", "title: P\nstatus: draft\n", "refs:\n  - https://x.example/1\n", "created:\n  at: 2026-10-18T10:00:00.000Z\n", "---\n\nWhy.\n"),
		call("plan_create", `{"title":"Q","scope":{"kind":"session","session":"ahp-session:/two"}}`, "p2 draft Q").
			has("plans/p2.md", "scope:\n  kind: session\n  session: two\n"),
		call("plan_create", `{"title":"R"}`, "p3 draft R").folder("").in("ahp-session:/one").
			has("plans/p3.md", "scope:\n  kind: session\n  session: one\n"),
		refuse("plan_create", `{"title":"S"}`, mustBeScope).folder(""),
		refuse("plan_create", `{"title":"S","scope":{"kind":"bot","folder":"/x"}}`, mustBeScope),
	}},
	{Name: "22 no title", steps: []step{
		refuse("plan_create", `{}`, "title must be a non-empty string."),
		refuse("task_add", `{}`, "title must be a non-empty string."),
		refuse("task_add", `[]`, "expected an object."),
	}},
	{Name: "23 blank title", steps: []step{
		refuse("plan_create", `{"title":" \t"}`, "title must be a non-empty string."),
		refuse("task_add", `{"title":""}`, "title must be a non-empty string."),
		call("plan_list", `{}`, "No plans match."),
	}},
	{Name: "24 goal 3", steps: []step{
		refuse("plan_create", `{"title":"P","goal":3}`, "goal must be a string."),
		aPlan,
	}},
	{Name: "25 active", steps: []step{aPlan,
		call("plan_set", `{"plan":"p1","status":"active"}`, "p1 active P").lacks("plans/p1.md", "finished"),
	}},
	{Name: "26 done", steps: []step{aPlan,
		call("plan_set", `{"plan":"p1","status":"done"}`, "p1 done P").
			has("plans/p1.md", "finished:\n  at: 2026-10-18T10:01:00.000Z\n  by: ana\n"),
	}},
	{Name: "27 active again, then dropped", steps: []step{aPlan,
		call("plan_set", `{"plan":"p1","status":"done"}`, "p1 done P"),
		call("plan_set", `{"plan":"p1","status":"active"}`, "p1 active P").by("bob"),
		call("plan_set", `{"plan":"p1","status":"dropped"}`, "p1 dropped P").by("bob").
			has("plans/p1.md", "finished:\n  at: 2026-10-18T10:01:00.000Z\n  by: ana\n"),
	}},
	{Name: "28 status review", steps: []step{aPlan,
		refuse("plan_set", `{"plan":"p1","status":"review"}`, mustBePlanStatus),
		refuse("plan_set", `{"plan":"p1","status":3}`, mustBePlanStatus),
	}},
	{Name: "29 unknown plan", steps: []step{
		unknown("plan_set", `{"plan":"p9","status":"review"}`, "plan"),
		unknown("plan_show", `{"plan":"p9"}`, "plan"),
		unknown("plan_approve", `{"plan":"p9"}`, "plan"),
		refuse("plan_show", `{}`, "plan must be a non-empty string."),
	}},
	{Name: "30 plan_show", steps: []step{aPlan,
		call("task_add", `{"title":"A","plan":"p1"}`, "t1 todo medium A"),
		call("task_add", `{"title":"B","plan":"p1","priority":"low"}`, "t2 todo low B"),
		call("plan_show", `{"plan":"p1"}`, "p1 draft P\nt1 todo medium A\nt2 todo low B"),
	}},
	{Name: "31 no others", steps: []step{aPlan,
		call("plan_create", `{"title":"Q"}`, "p2 draft Q"),
		call("task_add", `{"title":"A"}`, "t1 todo medium A"),
		call("task_add", `{"title":"B","plan":"p2"}`, "t2 todo medium B"),
		call("plan_show", `{"plan":"p1"}`, "p1 draft P"),
		call("plan_show", `{"plan":"p2"}`, "p2 draft Q\nt2 todo medium B"),
	}},
	{Name: "32 plan_list by status", steps: []step{aPlan,
		call("plan_create", `{"title":"Q"}`, "p2 draft Q"),
		call("plan_set", `{"plan":"p2","status":"active"}`, "p2 active Q"),
		call("plan_list", `{}`, "p1 draft P\np2 active Q"),
		call("plan_list", `{"status":"active"}`, "p2 active Q"),
		refuse("plan_list", `{"status":"todo"}`, mustBePlanStatus),
	}},
	{Name: "33 plan_list by scope", steps: []step{aPlan,
		call("plan_create", `{"title":"Q","scope":{"kind":"session","session":"one"}}`, "p2 draft Q"),
		call("plan_create", `{"title":"R","scope":{"kind":"bot","bot":"pilot"}}`, "p3 draft R"),
		call("plan_list", `{"scope":{"kind":"folder","folder":"/srv/work"}}`, "p1 draft P"),
		call("plan_list", `{"scope":{"kind":"session","session":"ahp-session:/one"}}`, "p2 draft Q"),
		call("plan_list", `{"scope":{"kind":"bot","bot":"pilot"},"status":"draft"}`, "p3 draft R"),
		refuse("plan_list", `{"scope":"one"}`, mustBeScope),
	}},
	{Name: "34 no plan", steps: []step{
		call("plan_list", `{}`, "No plans match."),
		call("plan_list", `{"status":"done"}`, "No plans match."),
	}},
}
