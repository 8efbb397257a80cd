package toolstest

const sample = `---
id: t1
title: Read the plan
status: doing
priority: high
labels:
  - docs
topic: tasks
plan: p1
bot: pilot
folder: /srv/work
session: ahp-session:/one
blockedBy: []
refs: []
active: Reading the plan
created:
  at: 2026-10-18T10:00:00.000Z
  by: ana
  in: ahp-session:/one
approved:
  at: 2026-10-18T10:01:00.000Z
  by: bob
  in: ahp-session:/two
started:
  at: 2026-10-18T10:02:00.000Z
  by: ana
  in: ahp-session:/one
---

The long text of the task.
`

// bad is a case of one file that is no record.
func bad(name, path, text, reason string) Case {
	return Case{Name: name, steps: []step{
		put(file(path, text)),
		call("task_list", `{}`, "No tasks match.\n1 record could not be read: "+reason),
		call("plan_list", `{}`, "No plans match.\n1 record could not be read: "+reason),
	}}
}

// fileCases are about records, their ids, and files that others put there.
var fileCases = []Case{
	{Name: "1 first task", steps: []step{
		call("task_add", `{"title":"A"}`, "t1 todo medium A").author("ana").
			has("tasks/t1.md", "id: t1\ntitle: A\nstatus: todo\n", "created:\n  at: 2026-10-18T10:00:00.000Z\n  by: ana\n---\n"),
	}},
	{Name: "2 second task and first plan", steps: []step{
		call("task_add", `{"title":"A"}`, "t1 todo medium A"),
		call("task_add", `{"title":"B"}`, "t2 todo medium B"),
		call("plan_create", `{"title":"P"}`, "p1 draft P").has("plans/p1.md", "id: p1\nscope:\n  kind: folder\n  folder: /srv/work\n"),
	}},
	{Name: "3 the highest removed by another program", steps: []step{
		call("task_add", `{"title":"A"}`, "t1 todo medium A"),
		call("task_add", `{"title":"B"}`, "t2 todo medium B"),
		put(file("tasks/t2.md", "")),
		unknown("task_set", `{"task":"t2","note":"Seen"}`, "task"),
		call("task_add", `{"title":"C"}`, "t3 todo medium C").has("tasks/t3.md", "title: C"),
		call("task_list", `{}`, "t1 todo medium A\nt3 todo medium C"),
	}},
	{Name: "4 no priority", steps: []step{
		call("task_add", `{"title":"A"}`, "t1 todo medium A").lacks("tasks/t1.md", "priority"),
		call("task_set", `{"task":"t1","priority":"medium"}`, "t1 todo medium A").quiet().lacks("tasks/t1.md", "priority"),
		call("task_add", `{"title":"B","priority":"medium"}`, "t2 todo medium B").has("tasks/t2.md", "priority: medium\n"),
	}},
	{Name: "5 the sample", forged: true, steps: []step{
		put(file("tasks/t1.md", sample)),
		call("task_list", `{"by":"bob"}`, "t1 doing high Read the plan"),
		call("task_list", `{"since":"2026-10-18T10:02:00.000Z"}`, "t1 doing high Read the plan"),
		call("task_set", `{"task":"t1","note":"Seen"}`, "t1 doing high Read the plan").has("tasks/t1.md",
			"approved:\n  at: 2026-10-18T10:01:00.000Z\n  by: bob\n  in: ahp-session:/two\n", "---\n\nThe long text of the task.\n"),
	}},
	bad("6 unknown status", "tasks/t1.md", "---\nid: t1\ntitle: A\nstatus: waiting\n---\n",
		`tasks/t1.md:4: status must be todo, doing, blocked, review, done, or dropped.`),
	bad("7 unknown priority", "tasks/t1.md", "---\nid: t1\ntitle: A\nstatus: todo\npriority: urgent\n---\n",
		`tasks/t1.md:5: priority must be high, medium, or low.`),
	bad("8 id of another form", "tasks/t1.md", "---\nid: x1\ntitle: A\nstatus: todo\n---\n", "tasks/t1.md:2: id must be t<n>, a number counted up"),
	bad("9 labels is a text", "tasks/t1.md", "---\nid: t1\ntitle: A\nstatus: todo\nlabels: docs\n---\n", "tasks/t1.md:5: labels must be an array of strings."),
	bad("10 title is a list", "tasks/t1.md", "---\nid: t1\ntitle: [a]\nstatus: todo\n---\n", "tasks/t1.md:3: title must be a string."),
	bad("11 id of another file", "tasks/t9.md", "---\nid: t2\ntitle: A\nstatus: todo\n---\n", "tasks/t9.md:2: id is t2 where the file's name says t9"),
	{Name: "12 one bad file among ten", steps: []step{
		put(task("t1", ""), task("t2", ""), task("t3", ""), task("t4", "labels: x\n"), task("t5", ""),
			task("t6", ""), task("t7", ""), task("t8", ""), task("t9", ""), task("t10", "")),
		call("task_list", `{}`, "t1 todo medium t1\nt2 todo medium t2\nt3 todo medium t3\nt5 todo medium t5\nt6 todo medium t6\n"+
			"t7 todo medium t7\nt8 todo medium t8\nt9 todo medium t9\nt10 todo medium t10\n"+
			"1 record could not be read: tasks/t4.md:5: labels must be an array of strings."),
		call("task_add", `{"title":"A"}`, "t11 todo medium A"),
	}},
	bad("13 plan with a task's status", "plans/p1.md", "---\nid: p1\nscope:\n  kind: bot\n  bot: b\ntitle: P\nstatus: review\n---\n",
		`plans/p1.md:7: status must be draft, active, done, or dropped.`),
	{Name: "14 a plan that nobody knows", steps: []step{
		put(task("t1", "plan: p99\n")),
		call("task_list", `{}`, "t1 todo medium t1"),
		call("task_set", `{"task":"t1","note":"Seen"}`, "t1 todo medium t1").has("tasks/t1.md", "plan: p99\n"),
	}},
	{Name: "16 repaired", steps: []step{
		put(task("t1", "labels: x\n")),
		unknown("task_set", `{"task":"t1","note":"Seen"}`, "task"),
		put(task("t1", "labels: [x]\n")),
		call("task_set", `{"task":"t1","note":"Seen"}`, "t1 todo medium t1").has("tasks/t1.md", "labels: [x]\n", "note: Seen\n"),
	}},
	{Name: "17 title yes", steps: []step{
		call("task_add", `{"title":"yes"}`, "t1 todo medium yes"),
		call("task_set", `{"task":"t1","title":"2026-10-18"}`, "t1 todo medium 2026-10-18"),
		call("task_set", `{"task":"t1","title":"# x: 'y'"}`, "t1 todo medium # x: 'y'"),
		call("task_set", `{"task":"t1","title":"# x: 'y'"}`, "t1 todo medium # x: 'y'").quiet(),
	}},
	{Name: "18 bodies", steps: []step{
		call("task_add", `{"title":"A","body":"a\n---\nid: t9\n"}`, "t1 todo medium A").has("tasks/t1.md", "---\n\na\n---\nid: t9\n"),
		call("task_set", `{"task":"t1","body":"a\n---\nid: t9\n"}`, "t1 todo medium A").quiet(),
		call("task_set", `{"task":"t1","body":"abc"}`, "t1 todo medium A"),
		call("task_set", `{"task":"t1","body":"abc"}`, "t1 todo medium A").quiet(),
		call("task_set", `{"task":"t1","body":"abc\n"}`, "t1 todo medium A").author("ana").has("tasks/t1.md", "\n\nabc\n"),
		call("task_set", `{"task":"t1","body":"abc\n"}`, "t1 todo medium A").quiet(),
		call("task_set", `{"task":"t1","body":""}`, "t1 todo medium A").lacks("tasks/t1.md", "abc"),
	}},
}
