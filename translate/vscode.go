package translate

import "fmt"

// readVSCode reads what the hooks of VS Code are told.
func readVSCode(o object, session string) (Said, error) {
	said := hooked(o, session)
	for _, c := range called(o) {
		updates, err := said.vscode(c)
		if err != nil {
			return said, fmt.Errorf("%s: %w", c.tool, err)
		}
		said.Updates = append(said.Updates, updates...)
	}
	return said, nil
}

// vscode reads one call. The ids of its list are places in it, and name nothing.
func (s Said) vscode(c call) ([]Update, error) {
	if c.tool != "manage_todo_list" || c.input.text("operation") == "read" {
		return nil, nil
	}
	entries, err := c.input.entries("todoList", "title")
	return []Update{s.list(c, entries)}, err
}
