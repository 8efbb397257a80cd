package translate

import "strings"

// readGemini reads what the hooks of Gemini CLI are told.
func readGemini(o object, session string) (Said, error) {
	said := hooked(o, session)
	return said.each(called(o), said.gemini)
}

// gemini reads one call. A call of the tracker that came to nothing says so in its
// text alone, and the id of a new task stands nowhere else.
func (s Said) gemini(c call) ([]Update, error) {
	if c.result.raw("error") != nil {
		return nil, nil
	}
	text := c.result.text("llmContent")
	var change Change
	switch c.tool {
	case "write_todos":
		entries, err := c.input.entries("todos", "description")
		return []Update{s.list(c, entries)}, err
	case "tracker_create_task":
		change = geminiChange(c.input)
		change.ID, change.AddBlockedBy, change.BlockedBy = between(text, "Created task ", ":"), change.BlockedBy, nil
	case "tracker_update_task":
		if change = geminiChange(c.input); !strings.HasPrefix(text, "Updated task ") {
			return nil, nil
		}
		change.ID = c.input.text("id")
	case "tracker_add_dependency":
		if !strings.HasPrefix(text, "Linked ") {
			return nil, nil
		}
		change = Change{ID: c.input.text("taskId"), AddBlockedBy: []string{c.input.text("dependencyId")}}
	}
	if change.ID == "" {
		return nil, nil
	}
	return []Update{s.change(c, change)}, nil
}

// geminiChange reads the fields that a task of the tracker has in calls and in
// files.
func geminiChange(o object) Change {
	c := Change{Text: o.text("title"), Body: o.text("description"), Status: o.text("status")}
	if kind := o.text("type"); kind != "" {
		c.Labels = []string{kind}
	}
	c.BlockedBy = o.texts("dependencies")
	return c
}

// readGeminiTask reads a file of the tracker, which is a task.
func readGeminiTask(o object, session string) (Said, error) {
	change := geminiChange(o)
	change.ID = o.text("id")
	said := Said{Session: session}
	if change.ID != "" && change.Text != "" {
		said.Updates = []Update{{Session: session, Tool: "tracker", Change: &change}}
	}
	return said, nil
}
