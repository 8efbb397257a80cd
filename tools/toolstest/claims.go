package toolstest

import "github.com/git-tasks/git-tasks/tools"

// claimCases are those of the work queue.
var claimCases = []Case{
	{Name: "A2 one winner, and the loser is told who", steps: []step{
		call("task_add", `{"title":"A"}`, "t1 todo medium A"),
		call("task_claim", `{"task":"t1","leaseFor":"30m"}`, "t1 doing medium A").by("w1").in("s1").
			has("tasks/t1.md", "\nowner: w1\nlease:\n  at: 2026-10-18T10:01:00.000Z\n  by: w1\n  in: ahp-session:/s1\n  until: 2026-10-18T10:31:00.000Z\n"),
		held("task_claim", `{"task":"t1"}`, "conflict: t1 is held by w1 in ahp-session:/s1 until 2026-10-18T10:31:00.000Z.").by("w2").in("s2"),
		call("task_claim", `{"task":"t1"}`, "t1 doing medium A").by("w1").in("s1").quiet(),
		held("task_set", `{"task":"t1","status":"done"}`, "conflict: t1 is held by w1 in ahp-session:/s1 until 2026-10-18T10:31:00.000Z.").by("w2").in("s2"),
		held("task_set", `{"task":"t1","status":"doing","owner":"w2"}`, "conflict: t1 is held by w1 in ahp-session:/s1 until 2026-10-18T10:31:00.000Z.").by("w2").in("s2"),
		call("task_set", `{"task":"t1","note":"seen"}`, "t1 doing medium A").by("w2").in("s2"),
		call("task_set", `{"task":"t1","status":"done"}`, "t1 done medium A").by("w1").in("s1").
			has("tasks/t1.md", "\nowner: w1\n").lacks("tasks/t1.md", "lease"),
	}},
	{Name: "A2 next takes the first that is ready and nobody's", steps: []step{
		call("task_add", `{"title":"A"}`, "t1 todo medium A"),
		call("task_add", `{"title":"B","owner":"w9"}`, "t2 todo medium B"),
		call("task_add", `{"title":"C","blockedBy":["t1"]}`, "t3 todo medium C"),
		call("task_add", `{"title":"D","priority":"high","labels":["x"]}`, "t4 todo high D"),
		call("task_claim", `{"next":true,"priority":"low"}`, "No task is ready.").quiet(),
		call("task_claim", `{"next":true,"labels":["x"]}`, "t4 doing high D").by("w1").in("s1"),
		call("task_claim", `{"next":true}`, "t1 doing medium A").by("w1").in("s1"),
		call("task_claim", `{"next":true}`, "No task is ready.").by("w2").in("s2").quiet(),
		refuse("task_claim", `{"next":true,"task":"t1"}`, "next must not be given with task."),
		refuse("task_claim", `{}`, "task must be a non-empty string."),
		refuse("task_claim", `{"next":false}`, "task must be a non-empty string."),
		refuse("task_claim", `{"task":"t1","leaseFor":"1m","leasedUntil":"2030-01-01"}`, "leaseFor must not be given with leasedUntil."),
	}},
	{Name: "release, removal and what stands in the way", steps: []step{
		call("task_add", `{"title":"A"}`, "t1 todo medium A"),
		call("task_claim", `{"task":"t1"}`, "t1 doing medium A").by("w1"),
		held("task_release", `{"task":"t1"}`, "conflict: t1 is held by w1."),
		held("task_remove", `{"task":"t1"}`, "conflict: t1 is held by w1."),
		call("task_release", `{"task":"t1"}`, "t1 todo medium A").by("w1").lacks("tasks/t1.md", "lease", "owner"),
		call("task_release", `{"task":"t1"}`, "t1 todo medium A").by("w2").quiet(),
		call("task_remove", `{"task":"t1"}`, "t1 todo medium A"),
		unknown("task_remove", `{"task":"t1"}`, "task"),
		call("task_add", `{"title":"B"}`, "t2 todo medium B"),
		call("task_set", `{"task":"t2","status":"done"}`, "t2 done medium B").lacks("tasks/t2.md", "owner"),
		conflict("task_claim", `{"task":"t2"}`, "conflict: t2 is done; set it to todo first."),
		conflict("task_release", `{"task":"t2"}`, "conflict: t2 is done; set it to todo first."),
	}},
	{Name: "a claim that ran out is todo for all who read", steps: []step{
		call("task_add", `{"title":"A"}`, "t1 todo medium A"),
		call("task_claim", `{"task":"t1","leasedUntil":"2026-10-18T10:03:00Z"}`, "t1 doing medium A").by("w1").in("s1"),
		call("task_list", `{}`, "t1 doing medium A"),
		call("task_list", `{"ready":true}`, "t1 todo medium A").quiet(),
		call("task_list", `{"status":"doing"}`, "No tasks match."),
		call("task_list", `{"owner":"w1"}`, "No tasks match.").has("tasks/t1.md", "status: doing", "owner: w1"),
		call("task_claim", `{"next":true}`, "t1 doing medium A").by("w2").in("s2").has("tasks/t1.md", "\nowner: w2\n", "in: ahp-session:/s2"),
		refuse("task_set", `{"task":"t1","leasedUntil":1}`, "leasedUntil must be in the future.").by("w2").in("s2"),
		call("task_set", `{"task":"t1","leasedUntil":0}`, "t1 doing medium A").by("w2").in("s2").quiet(),
	}},
	{Name: "a session that ended holds nothing", steps: []step{
		call("task_add", `{"title":"A"}`, "t1 todo medium A"),
		call("task_claim", `{"task":"t1"}`, "t1 doing medium A").by("w1").in("s1"),
		held("task_claim", `{"task":"t1"}`, "conflict: t1 is held by w1 in ahp-session:/s1.").by("w2").in("s2"),
		{Report: &tools.Session{Session: "s1", Ended: true}},
		call("task_list", `{}`, "t1 todo medium A"),
		call("task_claim", `{"task":"t1"}`, "t1 doing medium A").by("w2").in("s2"),
	}},
	{Name: "force takes over, and owners are users where there are users", Settings: directory, steps: []step{
		call("task_add", `{"title":"A"}`, "t1 todo medium A"),
		refuse("task_set", `{"task":"t1","owner":"stranger"}`, "owner must match the id of a known user."),
		call("task_set", `{"task":"t1","owner":"bob"}`, "t1 todo medium A"),
		conflict("task_claim", `{"task":"t1"}`, "conflict: t1 is assigned to bob."),
		call("task_claim", `{"task":"t1","force":true}`, "t1 doing medium A").has("tasks/t1.md", "\nowner: ana\n"),
	}},
	{Name: "a list that is written whole leaves what others hold", steps: []step{
		todos("2 total: 1 pending, 1 in progress, 0 completed", "", "a in_progress A", "b pending B"),
		call("task_claim", `{"task":"t2"}`, "t2 doing medium B").by("w2").in("s2"),
		held("todo_write", `{"todos":[{"id":"a","content":"A","status":"completed"},{"id":"b","content":"B","status":"completed"}]}`,
			"conflict: t2 is held by w2 in ahp-session:/s2.").in("one"),
		call("task_list", `{}`, "t1 doing medium A\nt2 doing medium B"),
		call("task_set", `{"task":"t2","status":"done"}`, "t2 done medium B").by("w2").in("s2"),
		todos("2 total: 0 pending, 0 in progress, 2 completed", "", "a completed A", "b completed B"),
	}},
}
