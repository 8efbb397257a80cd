package translate

import "cmp"

// readACP reads a message of the Agent Client Protocol. Its second version, and the
// draft before it, have several plans a session, each by an id of its own; one that
// is no list of entries is not translated, and one that is removed is only shown no
// more.
func readACP(o object, session string) (Said, error) {
	params := o.object("params")
	update := params.object("update")
	said := Said{Session: cmp.Or(params.text("sessionId"), session), Event: update.text("sessionUpdate")}
	if o.text("method") != "session/update" {
		return said, nil
	}
	from := update
	u := Update{Session: said.Session, Tool: said.Event, ActiveText: true}
	switch said.Event {
	case "plan":
	case "plan_update":
		if from = update.object("plan"); from.text("type") != "items" {
			return said, nil
		}
		u.Session += "#" + from.text("planId")
	case "session_info_update":
		said.Title = update.text("title")
		return said, nil
	default:
		return said, nil
	}
	var err error
	u.List, err = from.entries("entries", "content")
	said.Updates = []Update{u}
	return said, err
}
