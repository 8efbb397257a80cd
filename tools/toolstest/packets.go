package toolstest

import "github.com/git-tasks/git-tasks/tools"

// aPacket is a packet that is whole, with a key that has no meaning here.
const aPacket = `{"objective":"Write the parser","scope":"workspace","repo":"srv/work","branchPolicy":"task/t1","acceptanceTests":["go test ./..."],` +
	`"commitPolicy":"one commit a step","reportingContract":"the commit","escalationPolicy":"ask","model":"small","worktree":null}`

// packetCases are about work orders, and what came of them.
var packetCases = []Case{
	{Name: "a packet that is whole", steps: []step{
		call("task_add", `{"title":"A","packet":`+aPacket+`}`, "t1 todo medium A").has("tasks/t1.md",
			"packet:\n  acceptanceTests:\n    - go test ./...\n  branchPolicy: task/t1\n", "  model: small\n").lacks("tasks/t1.md", "worktree"),
		call("task_set", `{"task":"t1","packet":`+aPacket+`}`, "t1 todo medium A").quiet(),
		call("task_set", `{"task":"t1","packet":null,"note":"x"}`, "t1 todo medium A").has("tasks/t1.md", "  model: small\n"),
		call("task_set", `{"task":"t1","packet":{}}`, "t1 todo medium A").lacks("tasks/t1.md", "packet"),
		call("task_set", `{"task":"t1","packet":{}}`, "t1 todo medium A").quiet(),
	}},
	{Name: "a packet with faults", steps: []step{aTask,
		refuse("task_set", `{"task":"t1","packet":{"objective":" ","scope":"single_file","repo":"srv/work","branchPolicy":"b","acceptanceTests":["ok",""],`+
			`"resources":[{"kind":"file"}],"commitPolicy":"c","reportingContract":null,"recoveryPolicy":7}}`,
			"packet must be a whole work order: objective must be a non-empty string; scopePath must be there where scope is single_file; "+
				"acceptanceTests[1] must be a non-empty string; resources[0].value must be a non-empty string; "+
				"reportingContract must be a non-empty string; recoveryPolicy must be a non-empty string."),
		refuse("task_add", `{"title":"B","packet":[]}`, "packet must be an object."),
		refuse("task_add", `{"title":"B","packet":"{}"}`, "packet must be an object."),
		refuse("task_add", `{"title":"B","packet":{"objective":"\ud800"}}`, `packet must be Unicode text: \ud800 is half of a character.`),
		refuse("task_add", `{"title":"B","packet":{"n":[1,-9007199254740992,1e300,9007199254740993]}}`,
			"packet must be without the number 9007199254740993, which would be kept as another: make it a string."),
		refuse("task_add", `{"title":"B","packet":{"scope":1},"body":2}`, "body must be a string."),
	}},
	{Name: "a packet of another make in a file", steps: []step{
		put(task("t1", "packet: {objective: Half, deadline: 2026-12-01, nested: {a: [1, yes]}} # by hand\n")),
		call("task_set", `{"task":"t1","note":"x"}`, "t1 todo medium t1").has("tasks/t1.md", "packet: {objective: Half, deadline: 2026-12-01, nested: {a: [1, yes]}} # by hand\n"),
		call("task_get", `{"task":"t1","packet":true}`, "# t1 t1\n\n## Objective\n\nHalf\n\n## Deadline\n\n2026-12-01\n\n## Nested\n\n{\"a\":[1,\"yes\"]}"),
	}},
	{Name: "the output of a task", steps: []step{
		call("task_add", `{"title":"A","body":"Do it.\n\n## Output\n\nold\n\n## Notes\n\nkept"}`, "t1 todo medium A"),
		call("task_set", `{"task":"t1","status":"done","output":"ok\n"}`, "t1 done medium A").
			has("tasks/t1.md", "---\n\nDo it.\n\n## Output\n\nok\n\n## Notes\n\nkept\n"),
		call("task_set", `{"task":"t1","output":"ok"}`, "t1 done medium A").quiet(),
		call("task_set", `{"task":"t1","output":"2","body":"Anew."}`, "t1 done medium A").has("tasks/t1.md", "---\n\nAnew.\n\n## Output\n\n2\n"),
		call("task_set", `{"task":"t1","output":""}`, "t1 done medium A").has("tasks/t1.md", "---\n\nAnew.\n").lacks("tasks/t1.md", "Output"),
		refuse("task_set", `{"task":"t1","output":["x"]}`, "output must be a string."),
		{Tool: "task_set", Input: `{"task":"t9","output":1}`, Code: tools.NotFound, Who: ana, Want: "Invalid task_set input: task must match the id of a known task (see task_list)."},
	}},
}
