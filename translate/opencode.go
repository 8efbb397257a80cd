package translate

import "cmp"

// readOpenCode reads an event of OpenCode: todo.updated has the whole list,
// session.updated the title. session.status says at every step of a turn that the
// session is busy, and session.idle that the turn is over.
func readOpenCode(o object, session string) (Said, error) {
	p := o.object("properties")
	info := p.object("info")
	said := Said{Session: cmp.Or(p.text("sessionID"), info.text("id"), session), Event: o.text("type")}
	var err error
	switch said.Event {
	case "todo.updated":
		var entries []Entry
		entries, err = p.entries("todos", "content")
		said.Updates = []Update{said.list(call{tool: "todowrite"}, entries)}
	case "session.created":
		said.Moment, said.Title, said.Folder = Started, info.text("title"), info.text("directory")
	case "session.updated":
		said.Title, said.Folder = info.text("title"), info.text("directory")
	case "chat.message": // no event: the plugin says that the user wrote
		said.Moment = TurnStarted
	case "session.status":
		if p.object("status").text("type") == "busy" {
			said.Moment = TurnStarted
		}
	case "session.compacted":
		said.Moment = Compacted
	case "session.idle":
		said.Moment = TurnEnded
	case "session.deleted":
		said.Moment = Ended
	}
	return said, err
}
