package translate

import "fmt"

// readCursor reads a call of Cursor's todo_write: the whole list, or with merge a
// change of each entry that it names. The ids outlive the list.
func readCursor(o object, session string) (Said, error) {
	said := Said{Session: session}
	c := call{tool: o.text("tool", "tool_name"), input: o.object("input", "tool_input")}
	if c.tool != "todo_write" || o.raw("error") != nil {
		return said, nil
	}
	entries, err := c.input.entries("todos", "content")
	if err != nil {
		return said, fmt.Errorf("%s: %w", c.tool, err)
	}
	entries = c.input.withIDs("todos", entries)
	if !c.input.is("merge") {
		said.Updates = []Update{said.list(c, entries)}
		return said, nil
	}
	for _, e := range entries {
		if e.ID != "" {
			said.Updates = append(said.Updates, said.change(c, Change{ID: e.ID, Text: e.Text, Status: e.Status, Priority: e.Priority}))
		}
	}
	return said, nil
}
