package translate

import "strings"

// readClaude reads what Claude Code's hooks are told. VS Code runs them too, for
// every tool of its own.
func readClaude(o object, session string) (Said, error) {
	said := hooked(o, session)
	return said.each(called(o), func(c call) ([]Update, error) {
		updates, err := said.claude(c)
		if err == nil && len(updates) == 0 {
			updates, err = said.vscode(c)
		}
		return updates, err
	})
}

// claude reads one call. A batch tells of calls that were refused as well: what the
// model was told says which.
func (s Said) claude(c call) ([]Update, error) {
	switch c.tool {
	case "TodoWrite":
		from, list := c.input, "todos"
		switch {
		case c.result.raw("newTodos") != nil:
			from, list = c.result, "newTodos"
		case c.result == nil && !strings.HasPrefix(c.text, "Todos have been modified"):
			return nil, nil
		}
		entries, err := from.entries(list, "content")
		return []Update{s.list(c, entries)}, err
	case "TaskCreate":
		id := c.result.object("task").text("id")
		if c.result == nil {
			id = between(c.text, "Task #", " created successfully")
		}
		if id == "" {
			return nil, nil
		}
		change := claudeChange(c.input)
		change.ID = id
		return []Update{s.change(c, change)}, nil
	case "TaskUpdate":
		if !c.result.is("success") && between(c.text+" ", "Updated task #", " ") == "" {
			return nil, nil
		}
		change := claudeChange(c.input)
		change.ID = c.input.text("taskId")
		change.AddBlockedBy = c.input.texts("addBlockedBy")
		change.AddBlocks = c.input.texts("addBlocks")
		return []Update{s.change(c, change)}, nil
	}
	return nil, nil
}

// claudeChange reads the fields that a task has in calls and in files.
func claudeChange(o object) Change {
	c := Change{Text: o.text("subject"), Status: o.text("status"), Active: o.text("activeForm"), Body: o.text("description")}
	if c.Body == c.Text {
		c.Body = "" // it was left out, and the harness filled it in
	}
	if owner := o.text("owner"); owner != "" {
		c.Note = "owner: " + owner
	}
	return c
}

// readClaudeTask reads a file of ~/.claude/tasks/LIST, which is a task; the session
// is the list. What others wait for stands in their own files.
func readClaudeTask(o object, list string) (Said, error) {
	change := claudeChange(o)
	change.ID = o.text("id")
	said := Said{Session: list}
	if change.ID == "" || change.Text == "" {
		return said, nil
	}
	change.BlockedBy = o.texts("blockedBy")
	said.Updates = []Update{{Session: list, Tool: "~/.claude/tasks", Change: &change}}
	return said, nil
}
