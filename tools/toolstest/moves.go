package toolstest

// moveCases are about statuses and the stamps they bring.
var moveCases = []Case{
	{Name: "44 first doing", steps: []step{aTask,
		call("task_set", `{"task":"t1","status":"doing"}`, "t1 doing medium A").author("ana").
			has("tasks/t1.md", "started:\n  at: 2026-10-18T10:01:00.000Z\n  by: ana\n").lacks("tasks/t1.md", "finished"),
	}},
	{Name: "45 doing again", steps: []step{aTask,
		call("task_set", `{"task":"t1","status":"doing"}`, "t1 doing medium A"),
		call("task_set", `{"task":"t1","status":"doing"}`, "t1 doing medium A").quiet(),
		call("task_set", `{"task":"t1","status":"todo"}`, "t1 todo medium A"),
		call("task_set", `{"task":"t1","status":"doing"}`, "t1 doing medium A").by("bob").author("bob").
			has("tasks/t1.md", "started:\n  at: 2026-10-18T10:01:00.000Z\n  by: ana\n"),
	}},
	{Name: "46 review then done", steps: []step{aTask,
		call("task_set", `{"task":"t1","status":"review"}`, "t1 review medium A"),
		call("task_set", `{"task":"t1","status":"done"}`, "t1 done medium A").by("bob").
			has("tasks/t1.md", "finished:\n  at: 2026-10-18T10:01:00.000Z\n  by: ana\n"),
	}},
	{Name: "47 todo to dropped", steps: []step{aTask,
		call("task_set", `{"task":"t1","status":"dropped"}`, "t1 dropped medium A").has("tasks/t1.md", "finished:").lacks("tasks/t1.md", "started"),
	}},
	{Name: "48 active goes", steps: []step{aTask,
		call("task_set", `{"task":"t1","status":"doing","active":"Doing A"}`, "t1 doing medium A").has("tasks/t1.md", "active: Doing A\n"),
		call("task_set", `{"task":"t1","status":"blocked"}`, "t1 blocked medium A").lacks("tasks/t1.md", "active"),
	}},
	{Name: "49 active in the same call", steps: []step{aTask,
		call("task_set", `{"task":"t1","status":"doing","active":"Doing A"}`, "t1 doing medium A"),
		call("task_set", `{"task":"t1","status":"done","active":"Still"}`, "t1 done medium A").lacks("tasks/t1.md", "active"),
	}},
	{Name: "50 title only", steps: []step{aTask,
		call("task_set", `{"task":"t1","title":"B"}`, "t1 todo medium B").by("bob").
			has("tasks/t1.md", "created:\n  at: 2026-10-18T10:00:00.000Z\n  by: ana\n").lacks("tasks/t1.md", "bob", "started", "finished"),
	}},
	{Name: "71 status filter", steps: []step{aTask,
		call("task_add", `{"title":"B"}`, "t2 todo medium B"),
		call("task_set", `{"task":"t2","status":"doing"}`, "t2 doing medium B"),
		call("task_list", `{"status":"doing"}`, "t2 doing medium B"),
		call("task_list", `{"status":"todo"}`, "t1 todo medium A"),
		call("task_list", `{"status":"done"}`, "No tasks match."),
		refuse("task_list", `{"status":"open"}`, mustBeTaskStatus),
	}},
}
