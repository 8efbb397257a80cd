package translate

import "fmt"

// readClaurst reads a call of Claurst: {tool, input, output, error}. The ids of its
// lists outlive them.
func readClaurst(o object, session string) (Said, error) {
	said := Said{Session: session}
	c := call{tool: o.text("tool"), input: o.object("input"), result: o.object("output")}
	if o.raw("error") != nil {
		return said, nil
	}
	change := Change{Text: c.input.text("subject"), Body: c.input.text("description"), Status: c.input.text("status")}
	switch c.tool {
	case "TodoWrite":
		entries, err := c.input.entries("todos", "content")
		if err != nil {
			return said, fmt.Errorf("%s: %w", c.tool, err)
		}
		said.Updates = []Update{said.list(c, c.input.withIDs("todos", entries))}
		return said, nil
	case "TaskCreate":
		change.ID = c.result.text("task_id")
	case "TaskUpdate":
		if c.result.is("success") {
			change.ID = c.input.text("task_id")
		}
	}
	if change.ID != "" {
		said.Updates = []Update{said.change(c, change)}
	}
	return said, nil
}
