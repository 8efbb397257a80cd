package toolstest

import "strings"

const mustBeTime = "since must be an ISO-8601 timestamp."

// listCases are about task_list.
var listCases = []Case{
	{Name: "72 blocker in review", steps: []step{aTask,
		call("task_add", `{"title":"B","blockedBy":["t1"]}`, "t2 todo medium B"),
		call("task_set", `{"task":"t1","status":"review"}`, "t1 review medium A"),
		call("task_list", `{"ready":true}`, "No tasks match."),
		call("task_list", `{"ready":false}`, "t1 review medium A\nt2 todo medium B"),
		call("task_set", `{"task":"t1","status":"done"}`, "t1 done medium A"),
		call("task_list", `{"ready":true}`, "t2 todo medium B"),
		call("task_set", `{"task":"t1","status":"todo"}`, "t1 todo medium A"),
		call("task_list", `{"ready":true}`, "t1 todo medium A"),
	}},
	{Name: "73 blocker dropped, removed, not yet there", steps: []step{aTask,
		call("task_add", `{"title":"B","blockedBy":["t1"]}`, "t2 todo medium B"),
		call("task_set", `{"task":"t1","status":"dropped"}`, "t1 dropped medium A"),
		call("task_list", `{"ready":true}`, "No tasks match."),
		put(file("tasks/t1.md", "")),
		call("task_list", `{"ready":true}`, "t2 todo medium B"),
		put(task("t3", "blockedBy: [t4]\n")),
		call("task_list", `{"ready":true}`, "t2 todo medium B"),
	}},
	{Name: "74 approval first, and ready", Settings: approvalFirst, steps: []step{aTask,
		call("task_add", `{"title":"B"}`, "t2 todo medium B"),
		call("task_list", `{"ready":true}`, "No tasks match."),
		call("task_approve", `{"task":"t2"}`, "t2 todo medium B"),
		call("task_list", `{"ready":true}`, "t2 todo medium B"),
	}},
	{Name: "75 approved filter", steps: []step{aTask,
		call("task_add", `{"title":"B"}`, "t2 todo medium B"),
		call("task_approve", `{"task":"t2"}`, "t2 todo medium B"),
		call("task_list", `{"approved":true}`, "t2 todo medium B"),
		call("task_list", `{"approved":false}`, "t1 todo medium A"),
		refuse("task_list", `{"approved":"true"}`, "approved must be a boolean."),
	}},
	{Name: "76 by who only reviewed", steps: []step{aTask,
		call("task_add", `{"title":"B"}`, "t2 todo medium B"),
		call("task_review", `{"task":"t1"}`, "t1 todo medium A").by("bob"),
		call("task_list", `{"by":"bob"}`, "t1 todo medium A"),
		call("task_list", `{"by":"bo"}`, "No tasks match."),
		refuse("task_list", `{"by":1}`, "by must be a string."),
	}},
	{Name: "77 since the instant", steps: []step{aTask,
		call("task_list", `{"since":"2026-10-18T10:00:00.000Z"}`, "t1 todo medium A"),
		call("task_list", `{"since":"2026-10-18T12:00:00+02:00"}`, "t1 todo medium A"),
		call("task_list", `{"since":"2026-10-18"}`, "t1 todo medium A"),
	}},
	{Name: "78 a millisecond later", steps: []step{aTask,
		call("task_list", `{"since":"2026-10-18T10:00:00.001Z"}`, "No tasks match."),
		call("task_list", `{"since":"2026-10-19"}`, "No tasks match."),
	}},
	{Name: "79 since yesterday", steps: []step{
		refuse("task_list", `{"since":"yesterday"}`, mustBeTime),
		refuse("task_list", `{"since":123}`, mustBeTime),
		refuse("task_list", `{"since":"2026-02-30"}`, mustBeTime),
		refuse("task_list", `{"since":""}`, mustBeTime),
	}},
	{Name: "80 ready yes", steps: []step{
		refuse("task_list", `{"ready":"yes"}`, "ready must be a boolean."),
		refuse("task_list", `{"ready":1}`, "ready must be a boolean."),
	}},
	{Name: "81 two filters, by number", steps: []step{
		put(task("t10", ""), task("t2", ""), task("t1", ""), task("t3", "priority: high\n")),
		call("task_list", `{}`, "t1 todo medium t1\nt2 todo medium t2\nt3 todo high t3\nt10 todo medium t10"),
		call("task_approve", `{"task":"t10"}`, "t10 todo medium t10").by("bob"),
		call("task_approve", `{"task":"t2"}`, "t2 todo medium t2").by("bob"),
		call("task_set", `{"task":"t3","status":"doing"}`, "t3 doing high t3").by("bob"),
		call("task_list", `{"by":"bob","status":"todo"}`, "t2 todo medium t2\nt10 todo medium t10"),
		call("task_list", `{"by":"bob","approved":false}`, "t3 doing high t3"),
	}},
	{Name: "list of a plan", steps: []step{
		call("plan_create", `{"title":"P"}`, "p1 draft P"),
		call("task_add", `{"title":"A","plan":"p1"}`, "t1 todo medium A"),
		call("task_add", `{"title":"B"}`, "t2 todo medium B"),
		call("plan_create", `{"title":"Q"}`, "p2 draft Q"),
		put(task("t3", "plan: p9\n")),
		call("task_list", `{"plan":"p1"}`, "t1 todo medium A"),
		call("task_list", `{"plan":"p2"}`, "No tasks match."),
		call("task_list", `{"plan":"p9"}`, "t3 todo medium t3"),
		call("task_list", `{"plan":""}`, "t1 todo medium A\nt2 todo medium B\nt3 todo medium t3"),
		unknown("task_list", `{"plan":"p8"}`, "plan"),
		unknown("task_list", `{"plan":"p8","limit":0}`, "plan"),
		refuse("task_list", `{"plan":["p1"]}`, "plan must be a string."),
	}},
	{Name: "list by owner and labels", steps: []step{
		put(task("t1", "owner: bob\nlabels: [web, docs]\n"), task("t2", "owner: ana\nlabels: [web]\n"), task("t3", "labels: [docs]\n")),
		call("task_list", `{"owner":"bob"}`, "t1 todo medium t1"),
		call("task_list", `{"owner":"bo"}`, "No tasks match."),
		call("task_list", `{"labels":["web"]}`, "t1 todo medium t1\nt2 todo medium t2"),
		call("task_list", `{"labels":["docs","web"]}`, "t1 todo medium t1"),
		call("task_list", `{"labels":["web"],"owner":"ana"}`, "t2 todo medium t2"),
		call("task_list", `{"labels":[]}`, "t1 todo medium t1\nt2 todo medium t2\nt3 todo medium t3"),
		refuse("task_list", `{"owner":1}`, "owner must be a string."),
		refuse("task_list", `{"labels":"web"}`, "labels must be an array of strings."),
	}},
	{Name: "list by text", steps: []step{
		call("task_add", `{"title":"Fix TABS","body":"In the lexer."}`, "t1 todo medium Fix TABS"),
		call("task_add", `{"title":"Über allem","note":"lexer"}`, "t2 todo medium Über allem"),
		call("task_list", `{"text":"tabs"}`, "t1 todo medium Fix TABS"),
		call("task_list", `{"text":"the LEXER"}`, "t1 todo medium Fix TABS"),
		call("task_list", `{"text":"über"}`, "t2 todo medium Über allem"),
		call("task_list", `{"text":"tabs lexer"}`, "No tasks match."),
		refuse("task_list", `{"text":true}`, "text must be a string."),
	}},
	{Name: "list a page at a time", steps: []step{
		put(task("t1", ""), task("t2", ""), task("t5", ""), task("t10", ""), file("tasks/t7.md", "broken\n")),
		call("task_list", `{"limit":2}`, "t1 todo medium t1\nt2 todo medium t2\n2 more tasks match; go on with after t2\n"+brokenT7),
		call("task_list", `{"limit":2,"after":"t2"}`, "t5 todo medium t5\nt10 todo medium t10\n"+brokenT7),
		call("task_list", `{"limit":1,"after":"t4"}`, "t5 todo medium t5\n1 more task matches; go on with after t5\n"+brokenT7),
		call("task_list", `{"limit":1.0,"after":"t10"}`, "No tasks match.\n"+brokenT7),
		refuse("task_list", `{"limit":0}`, mustBeCount), refuse("task_list", `{"limit":-1}`, mustBeCount),
		refuse("task_list", `{"limit":1.5}`, mustBeCount), refuse("task_list", `{"limit":"2"}`, mustBeCount),
		unknown("task_list", `{"after":"p1"}`, "task").says("after"),
		unknown("task_list", `{"after":"../t1"}`, "task").says("after"),
		refuse("task_list", `{"after":3}`, "after must be a string."),
	}},
}

const (
	mustBeCount = "limit must be a whole number from 1."
	brokenT7    = "1 record could not be read: tasks/t7.md: has no frontmatter: add a `---` block with title:"
)

// says names the field that a refusal is about, where it is not called as the
// record is.
func (s step) says(field string) step {
	_, rest, _ := strings.Cut(s.Want, ": ")
	_, must, _ := strings.Cut(rest, " ")
	s.Want = "Invalid " + s.Tool + " input: " + field + " " + must
	return s
}
