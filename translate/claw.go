package translate

import "cmp"

// readClaw reads what the hooks of Claw Code are told: no session, and what a tool
// answered as a text. Its tasks are programs that run behind the agent.
func readClaw(o object, session string) (Said, error) {
	said := hooked(o, session)
	if o.is("tool_result_is_error") {
		return said, nil
	}
	return said.each(called(o), func(c call) ([]Update, error) {
		c.result = o.object("tool_output")
		return said.claw(c)
	})
}

func (s Said) claw(c call) ([]Update, error) {
	switch c.tool {
	case "TodoWrite":
		entries, err := c.input.entries("todos", "content")
		return []Update{s.list(c, entries)}, err
	case "TaskCreate", "TaskStop":
		if c.result.text("task_id") != "" {
			return []Update{s.clawTask(c, c.result)}, nil
		}
	case "TaskList":
		tasks, err := c.result.objects("tasks")
		var updates []Update
		for _, task := range tasks {
			if task.text("task_id") != "" {
				updates = append(updates, s.clawTask(c, task))
			}
		}
		return updates, err
	}
	return nil, nil
}

func (s Said) clawTask(c call, task object) Update {
	text := cmp.Or(task.text("prompt"), c.input.text("prompt"))
	return s.change(c, Change{ID: task.text("task_id"), Text: text, Status: task.text("status")})
}
