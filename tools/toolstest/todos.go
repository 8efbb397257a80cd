package toolstest

import (
	"fmt"
	"strings"

	"github.com/git-tasks/git-tasks/tools"
)

// todos is a call of todo_write by ana in session one, each step "id status content",
// that is answered by a list with these counts, and behind them what else is wanted.
func todos(counts, more string, steps ...string) step {
	marks := map[string]string{"pending": "[ ] ", "in_progress": "[~] ", "completed": "[x] "}
	lines, items := []string{"Todo list (" + counts + ")"}, []string{}
	for i, s := range steps {
		id, rest, _ := strings.Cut(s, " ")
		status, content, _ := strings.Cut(rest, " ")
		if i == 0 {
			lines = append(lines, "")
		}
		lines = append(lines, marks[status]+content)
		items = append(items, fmt.Sprintf(`{"id":%q,"content":%q,"status":%q}`, id, content, status))
	}
	if more != "" {
		lines = append(lines, more)
	}
	return call("todo_write", `{"todos":[`+strings.Join(items, ",")+`]}`, strings.Join(lines, "\n")).in("one")
}

// refuseTodos is a call with these items that is refused.
func refuseTodos(items, want string) step {
	return refuse("todo_write", `{"todos":[`+items+`]}`, want).in("one").quiet()
}

// goesBack is a call that would move a step of todos back.
func goesBack(place int, from, to string, steps ...string) step {
	s := todos("", "", steps...).quiet()
	s.Want, s.Code = fmt.Sprintf("Invalid todo_write input: todos[%d].status must not go from %s to %s.", place, from, to), tools.Invalid
	return s
}

// shows is a look at plan p1 as a whole.
func shows(lines ...string) step {
	return call("plan_show", `{"plan":"p1"}`, strings.Join(lines, "\n"))
}

const verify = "3 steps were completed at once: add a step that verifies them, before you call it done."

// todoCases are about todo_write.
var todoCases = []Case{
	{Name: "todo_write makes the plan of the session", steps: []step{
		todos("4 total: 2 pending, 1 in progress, 1 completed", "", "1 completed Set up project scaffold", "2 in_progress Implement authentication",
			"3 pending Add API endpoints", "4 pending Write tests").has("plans/p1.md", "kind: session\n", "session: one\n", "status: draft\n").author("ana"),
		shows("p1 draft Session one", "t1 done medium Set up project scaffold", "t2 doing medium Implement authentication",
			"t3 todo medium Add API endpoints", "t4 todo medium Write tests").
			has("tasks/t2.md", "source:\n  tool: todo_write\n  id: \"2\"\n", "started:\n", "  in: ahp-session:/one\n"),
		todos("4 total: 2 pending, 1 in progress, 1 completed", "", "1 completed Set up project scaffold", "2 in_progress Implement authentication",
			"3 pending Add API endpoints", "4 pending Write tests").quiet(),
	}},
	{Name: "todo_write moves forward", steps: []step{
		todos("3 total: 3 pending, 0 in progress, 0 completed", "", "a pending A", "b pending B", "c pending C"),
		todos("3 total: 1 pending, 1 in progress, 1 completed", "", "a in_progress A", "b completed B", "c pending C"),
		todos("3 total: 1 pending, 0 in progress, 2 completed", "", "a completed A", "b completed B", "c pending C"),
		shows("p1 draft Session one", "t1 done medium A", "t2 done medium B", "t3 todo medium C"),
	}},
	{Name: "todo_write never moves back", steps: []step{
		todos("3 total: 1 pending, 1 in progress, 1 completed", "", "a pending A", "b in_progress B", "c completed C"),
		goesBack(2, "completed", "pending", "a completed A", "b completed B", "c pending C"),
		goesBack(2, "completed", "in_progress", "a pending A", "b in_progress B", "c in_progress C"),
		goesBack(1, "in_progress", "pending", "a pending A", "b pending B", "c pending C"),
		goesBack(1, "completed", "pending", "a pending A", "c pending C renamed"),
		shows("p1 draft Session one", "t1 todo medium A", "t2 doing medium B", "t3 done medium C"),
	}},
	{Name: "todo_write refuses what is no list", steps: []step{
		refuse("todo_write", `{}`, "todos must be an array of objects.").in("one"),
		refuse("todo_write", `{"todos":"[]"}`, "todos must be an array of objects.").in("one"),
		refuseTodos(`{"id":"1","content":"A","status":"pending"},"B"`, "todos[1] must be an object."),
		refuseTodos(`null`, "todos[0] must be an object."),
		refuseTodos(`{"content":"A","status":"pending"}`, "todos[0].id must be a non-empty string."),
		refuseTodos(`{"id":1,"content":"A","status":"pending"}`, "todos[0].id must be a non-empty string."),
		refuseTodos(`{"id":"1","status":"pending"}`, "todos[0].content must be a non-empty string."),
		refuseTodos(`{"id":"1","content":" \n","status":"pending"}`, "todos[0].content must be a non-empty string."),
		refuseTodos(`{"id":"1","content":"\u0007","status":"pending"}`, "todos[0].content must be a non-empty string."),
		refuseTodos(`{"id":"1","content":"A"}`, "todos[0].status must be pending, in_progress, or completed."),
		refuseTodos(`{"id":"1","content":"A","status":"done"}`, "todos[0].status must be pending, in_progress, or completed."),
		refuseTodos(`{"id":"1","content":"A","status":"pending","priority":"urgent"}`, "todos[0].priority must be high, medium, or low."),
		refuseTodos(`{"id":"1","content":"A","status":"pending","activeForm":1}`, "todos[0].activeForm must be a string."),
		refuseTodos(`{"id":"1","content":"A","status":"pending"},{"id":"2","content":"B","status":"pending"},{"id":"1","content":"C","status":"pending"}`,
			"todos[2].id must not be that of todos[0]."),
		call("plan_list", `{}`, "No plans match."),
	}},
	{Name: "todo_write needs a session", steps: []step{
		refuse("todo_write", `{"todos":[]}`, "session must be known: say it by --session or GIT_TASKS_SESSION, over HTTP by git-tasks/session in _meta."),
		refuse("todo_write", `{"todos":[]}`, "session must be known: say it by --session or GIT_TASKS_SESSION, over HTTP by git-tasks/session in _meta.").agent("a7"),
	}},
	{Name: "todo_write keeps priorities and active forms", steps: []step{
		call("todo_write", `{"todos":[{"id":"1","content":"A","status":"pending","priority":"high","activeForm":"Doing A"},{"id":"2","content":"B","status":"in_progress","activeForm":"Doing B"}]}`,
			"Todo list (2 total: 1 pending, 1 in progress, 0 completed)\n\n[ ] A\n[~] B").in("one").has("tasks/t2.md", "active: Doing B\n"),
		todos("2 total: 0 pending, 1 in progress, 1 completed", "", "1 in_progress A", "2 completed B").has("tasks/t1.md", "priority: high\n", "active: Doing A\n"),
	}},
	{Name: "todo_write drops what is left out, and keeps what is done", steps: []step{
		todos("3 total: 2 pending, 0 in progress, 1 completed", "", "1 completed A", "2 pending B", "3 pending C"),
		call("task_add", `{"title":"by hand","plan":"p1"}`, "t4 todo medium by hand"),
		todos("1 total: 1 pending, 0 in progress, 0 completed", "", "3 pending C"),
		shows("p1 draft Session one", "t1 done medium A", "t2 dropped medium B", "t3 todo medium C", "t4 todo medium by hand"),
		todos("2 total: 1 pending, 1 in progress, 0 completed", "", "9 in_progress B", "3 pending C"),
		shows("p1 draft Session one", "t1 done medium A", "t2 doing medium B", "t3 todo medium C", "t4 todo medium by hand"),
		todos("0 total: 0 pending, 0 in progress, 0 completed", ""),
		shows("p1 draft Session one", "t1 done medium A", "t2 dropped medium B", "t3 dropped medium C", "t4 todo medium by hand"),
	}},
	{Name: "todo_write begins anew after a list that was cleared", steps: []step{
		todos("2 total: 0 pending, 1 in progress, 1 completed", "", "1 completed A", "2 in_progress B"),
		todos("2 total: 0 pending, 0 in progress, 2 completed", "", "1 completed A", "2 completed B"),
		todos("0 total: 0 pending, 0 in progress, 0 completed", "").quiet(),
		todos("2 total: 2 pending, 0 in progress, 0 completed", "", "1 pending C", "2 pending D"),
		shows("p1 draft Session one", "t1 done medium A", "t2 done medium B", "t3 todo medium C", "t4 todo medium D"),
		todos("2 total: 1 pending, 1 in progress, 0 completed", "", "1 in_progress C", "2 pending D"),
		goesBack(0, "in_progress", "pending", "1 pending C", "2 pending D"),
	}},
	{Name: "todo_write with an empty list makes no plan", steps: []step{
		todos("0 total: 0 pending, 0 in progress, 0 completed", "").quiet(),
		call("plan_list", `{}`, "No plans match."),
	}},
	{Name: "todo_write renames by id", steps: []step{
		todos("2 total: 2 pending, 0 in progress, 0 completed", "", "1 pending A", "2 pending B"),
		todos("2 total: 1 pending, 1 in progress, 0 completed", "", "1 pending A", "2 in_progress B, and more"),
		todos("1 total: 1 pending, 0 in progress, 0 completed", "", "1 pending A"),
		shows("p1 draft Session one", "t1 todo medium A", "t2 dropped medium B, and more"),
	}},
	{Name: "todo_write asks for a verification", steps: []step{
		todos("4 total: 4 pending, 0 in progress, 0 completed", "", "1 pending A", "2 pending B", "3 pending C", "4 pending D"),
		todos("4 total: 1 pending, 0 in progress, 3 completed", verify, "1 completed A", "2 completed B", "3 completed C", "4 pending D"),
		todos("4 total: 1 pending, 0 in progress, 3 completed", "", "1 completed A", "2 completed B", "3 completed C", "4 pending D").quiet(),
		todos("4 total: 0 pending, 0 in progress, 4 completed", "", "1 completed A", "2 completed B", "3 completed C", "4 completed D"),
	}},
	{Name: "todo_write asks for no verification that is there", steps: []step{
		todos("4 total: 4 pending, 0 in progress, 0 completed", "", "1 pending A", "2 pending B", "3 pending C", "4 pending VERIFY it"),
		todos("4 total: 1 pending, 0 in progress, 3 completed", "", "1 completed A", "2 completed B", "3 completed C", "4 pending VERIFY it"),
	}},
	{Name: "todo_write leaves what others said of a step", steps: []step{
		todos("3 total: 1 pending, 2 in progress, 0 completed", "", "1 in_progress A", "2 in_progress B", "3 pending C"),
		call("task_set", `{"task":"t1","status":"review"}`, "t1 review medium A"),
		call("task_set", `{"task":"t3","status":"blocked","note":"no disk"}`, "t3 blocked medium C"),
		todos("3 total: 1 pending, 1 in progress, 1 completed", "", "1 in_progress A", "2 completed B", "3 pending C"),
		shows("p1 draft Session one", "t1 review medium A", "t2 done medium B", "t3 blocked medium C").has("tasks/t3.md", "note: no disk\n"),
		todos("3 total: 0 pending, 1 in progress, 2 completed", "", "1 completed A", "2 completed B", "3 in_progress C"),
		shows("p1 draft Session one", "t1 done medium A", "t2 done medium B", "t3 doing medium C"),
	}},
	{Name: "todo_write of a subagent has a list of its own", steps: []step{
		todos("1 total: 1 pending, 0 in progress, 0 completed", "", "1 pending A"),
		todos("1 total: 0 pending, 1 in progress, 0 completed", "", "1 in_progress B").agent("a7").has("plans/p2.md", "session: one/a7\n"),
		shows("p1 draft Session one", "t1 todo medium A"),
		call("plan_show", `{"plan":"p2"}`, "p2 draft Session one/a7\nt2 doing medium B"),
		todos("0 total: 0 pending, 0 in progress, 0 completed", "").agent("a7"),
		shows("p1 draft Session one", "t1 todo medium A"),
	}},
	{Name: "todo_write leaves a step to who holds it", steps: []step{
		todos("3 total: 3 pending, 0 in progress, 0 completed", "", "1 pending A", "2 pending B", "3 pending C"),
		call("task_claim", `{"task":"t1"}`, "t1 doing medium A").by("w2").in("two"),
		call("task_claim", `{"task":"t2"}`, "t2 doing medium B").in("one"),
		todos("3 total: 1 pending, 1 in progress, 1 completed", "t1 is held by w2 in ahp-session:/two: left to them as it is.",
			"1 in_progress A", "2 completed B", "3 pending C"),
		shows("p1 draft Session one", "t1 doing medium A", "t2 done medium B", "t3 todo medium C"),
	}},
	{Name: "todo_write is stopped by no approval", Settings: approvalFirst, steps: []step{
		todos("1 total: 0 pending, 1 in progress, 0 completed", "", "1 in_progress A"),
		shows("p1 draft Session one", "t1 doing medium A"),
	}},
}
