package translate

import (
	"cmp"
	"strings"
)

// readCodex reads what a hook of Codex is told, a line of codex exec --json, or a
// notification of its app server.
func readCodex(o object, session string) (Said, error) {
	if o.text("method") != "" {
		return readCodexServer(o, session)
	}
	if item := o.object("item"); item != nil {
		return readCodexItem(item, session)
	}
	said := hooked(o, session)
	return said.each(called(o), said.codex)
}

func (s Said) codex(c call) ([]Update, error) {
	if c.tool != "update_plan" || !strings.HasPrefix(c.text, "Plan updated") {
		return nil, nil
	}
	entries, err := c.input.entries("plan", "step")
	return []Update{s.list(c, entries)}, err
}

func readCodexServer(o object, session string) (Said, error) {
	params := o.object("params")
	said := Said{Session: cmp.Or(params.text("threadId"), session), Turn: params.text("turnId")}
	if o.text("method") != "turn/plan/updated" {
		return said, nil
	}
	entries, err := params.entries("plan", "step")
	said.Updates = []Update{said.list(call{tool: "update_plan"}, entries)}
	return said, err
}

// readCodexItem reads an item of a turn, which says of a step only whether it is
// completed.
func readCodexItem(item object, session string) (Said, error) {
	said := Said{Session: session}
	if item.text("type") != "todo_list" {
		return said, nil
	}
	objects, err := item.objects("items")
	said.Updates = []Update{said.list(call{tool: "update_plan"}, doneOrNot(objects, "completed"))}
	return said, err
}

// doneOrNot gives the entries of a list that knows no other status.
func doneOrNot(objects []object, done string) []Entry {
	entries := make([]Entry, len(objects))
	for i, e := range objects {
		entries[i] = Entry{Text: e.text("text"), Status: "pending"}
		if e.is(done) {
			entries[i].Status = "completed"
		}
	}
	return entries
}
