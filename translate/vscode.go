package translate

// readVSCode reads what the hooks of VS Code are told.
func readVSCode(o object, session string) (Said, error) {
	said := hooked(o, session)
	return said.each(called(o), said.vscode)
}

// vscode reads one call. The ids of its list are places in it, and name nothing.
func (s Said) vscode(c call) ([]Update, error) {
	if c.tool != "manage_todo_list" || c.input.text("operation") == "read" {
		return nil, nil
	}
	entries, err := c.input.entries("todoList", "title")
	return []Update{s.list(c, entries)}, err
}
