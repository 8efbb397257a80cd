package toolstest

import "github.com/git-tasks/git-tasks/tools"

// graphCases are about what waits for what.
var graphCases = []Case{
	{Name: "a graph", steps: []step{
		call("task_graph", `{}`, "Task Graph:\nNo tasks match."), aTask,
		call("task_add", `{"title":"B","blockedBy":["t1"]}`, "t2 todo medium B"), aPlan,
		call("task_add", `{"title":"C","blockedBy":["t2","t1"],"plan":"p1"}`, "t3 todo medium C"),
		call("task_set", `{"task":"t1","status":"done"}`, "t1 done medium A"),
		call("task_graph", `{}`, "Task Graph:\n✅ t1 [DONE] A\n  ⭕ t2 [TODO] B\n    └─ depends on: A\n"+
			"    ⭕ t3 [TODO] C\n      └─ depends on: B, A\n  ⭕ t3 … (above)").quiet(),
		call("task_graph", `{"plan":"p1","format":"text"}`, "Task Graph:\n⭕ t3 [TODO] C\n  └─ depends on: B, A"),
		put(task("t4", "blockedBy: 7\n")),
		call("task_graph", `{"plan":"p1"}`, "Task Graph:\n⭕ t3 [TODO] C\n  └─ depends on: B, A\n"+
			"1 record could not be read: tasks/t4.md:5: blockedBy must be an array of strings."),
		refuse("task_graph", `{"format":"dot"}`, "format must be text or mermaid."),
		{Tool: "task_graph", Input: `{"plan":"p9"}`, Code: tools.NotFound, Who: ana, Want: "Invalid task_graph input: plan must match the id of a known plan (see plan_list)."},
	}},
	{Name: "a graph as a diagram", steps: []step{aTask,
		call("task_add", `{"title":"Fix: \"tabs\"","blockedBy":["t1"]}`, `t2 todo medium Fix: "tabs"`),
		call("task_graph", `{"format":"mermaid"}`, "```mermaid\nflowchart TD\n  t1[\"⭕ t1 A\"]:::todo\n  t2[\"⭕ t2 Fix#58; #34;tabs#34;\"]:::todo\n  t1 --> t2\n"+
			"  classDef todo fill:#ffffff,stroke:#57606a,color:#1f2328\n  classDef doing fill:#ddf4ff,stroke:#0969da,color:#1f2328\n"+
			"  classDef blocked fill:#ffebe9,stroke:#cf222e,color:#1f2328\n  classDef review fill:#fff8c5,stroke:#9a6700,color:#1f2328\n"+
			"  classDef done fill:#dafbe1,stroke:#1a7f37,color:#1f2328\n  classDef dropped fill:#f6f8fa,stroke:#8c959f,color:#1f2328\n```"),
	}},
}
