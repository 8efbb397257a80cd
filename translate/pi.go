package translate

import "fmt"

// readPi reads the result of pi's example extension todo, which shows the whole list
// after each call.
func readPi(o object, session string) (Said, error) {
	said := Said{Session: session}
	if o.text("toolName") != "todo" || o.is("isError") {
		return said, nil
	}
	objects, err := o.object("details").objects("todos")
	if err != nil {
		return said, fmt.Errorf("todo: %w", err)
	}
	said.Updates = []Update{said.list(call{tool: "todo"}, doneOrNot(objects, "done"))}
	return said, nil
}
