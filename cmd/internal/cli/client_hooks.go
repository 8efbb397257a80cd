package cli

import (
	"encoding/json"
	"fmt"
	"slices"

	urfave "github.com/urfave/cli/v2"

	"github.com/git-tasks/git-tasks/cmd/internal/install"
	"github.com/git-tasks/git-tasks/tools"
)

// hookFile is where a client's hooks stand, and which it needs to hand its own list
// over.
type hookFile struct {
	user    place
	project string
	events  []hookEvent // none: the file is a plugin of ours
	look    string      // what to do once the hooks are there; "" for nothing
}

// hookEvent is a moment at which a client runs hooks, and for which tools; "" for
// any, and where no tool is called.
type hookEvent struct{ name, matcher string }

// hookGroup is a group of hooks as the clients have it: an item of the list of an
// event.
type hookGroup struct {
	Matcher string        `json:"matcher,omitempty"`
	Hooks   []hookCommand `json:"hooks"`
}

type hookCommand struct {
	Type    string `json:"type"`
	Command string `json:"command"`
}

// hookWords are the words of the command that a client runs, for the list that the
// command line names.
func (f *front) hookWords(c *urfave.Context, client *mcpClient) ([]string, error) {
	args, err := f.mcpArgs(c)
	if err != nil {
		return nil, err
	}
	return append(append([]string{f.env.Program}, args[1:]...), "hook", client.name), nil
}

// lineTest says whether a hook of a client has a line of some kind.
type lineTest func(client *mcpClient, line string) bool

// hookEntries are the entries that a client's hook for an event may be: a group of
// its own, or a command in a group that has others as well. It is known by its line.
func hookEntries(client *mcpClient, e hookEvent, line string, is lineTest) []install.Entry {
	command := hookCommand{"command", line}
	isCommand := func(h hookCommand) bool { return is(client, h.Command) }
	path := []string{"hooks", e.name}
	return []install.Entry{
		{Path: path, Value: asJSON(hookGroup{e.matcher, []hookCommand{command}}), Is: func(value json.RawMessage) bool {
			group := groupOf(value)
			return len(group.Hooks) > 0 && !slices.ContainsFunc(group.Hooks, func(h hookCommand) bool { return !isCommand(h) })
		}},
		{
			In:   &install.Entry{Path: path, Is: func(value json.RawMessage) bool { return slices.ContainsFunc(groupOf(value).Hooks, isCommand) }},
			Path: []string{"hooks"}, Value: asJSON(command), Is: func(value json.RawMessage) bool {
				var h hookCommand
				return json.Unmarshal(value, &h) == nil && isCommand(h)
			},
		},
	}
}

// groupOf is a group as the clients have it, empty for anything else.
func groupOf(value json.RawMessage) (group hookGroup) {
	if json.Unmarshal(value, &group) != nil {
		return hookGroup{}
	}
	return group
}

// findHook gives the first of some entries that a file has.
func findHook(file []byte, entries []install.Entry) (install.Entry, *install.Found, error) {
	for _, e := range entries {
		if found, err := install.JSON.Find(file, e); err != nil || found != nil {
			return e, found, err
		}
	}
	return entries[0], nil, nil
}

// clientHooks is what becomes of a client's hooks, in which file.
type clientHooks struct {
	*front
	c        *urfave.Context
	client   *mcpClient
	settings install.Settings
	change   func(file []byte) ([]byte, error) // that is wanted: add, or remove
	did      string                            // of the last change
	stays    []string                          // what it left, and where
}

// hooksOf gives the hooks of a client, nil where it has none, or where its settings
// are to name a host: whose list that is, a program here does not know.
func (f *front) hooksOf(c *urfave.Context, client *mcpClient) *clientHooks {
	if client.hooks == nil || c.IsSet("url") {
		return nil
	}
	h := &clientHooks{front: f, c: c, client: client, settings: f.settingsAt(c, client.hooks.user, client.hooks.project)}
	h.change = h.add
	return h
}

// add puts the hooks into a file.
func (h *clientHooks) add(file []byte) ([]byte, error) {
	if h.client.hooks.events == nil {
		return h.addPlugin(file)
	}
	words, err := h.hookWords(h.c, h.client)
	if err != nil {
		return nil, err
	}
	line := hookLine(words)
	h.did = "kept"
	for _, event := range h.client.hooks.events {
		ours := hookEntries(h.client, event, line, h.isOurLine)
		e, found, err := findHook(file, append(ours, hookEntries(h.client, event, line, h.isLikeOurs)...))
		switch {
		case err != nil:
			return nil, err
		case found != nil && found.Says(e):
			continue
		case found != nil && !h.c.Bool("force"):
			return nil, h.differ(fmt.Sprintf("%s:%d", h.settings.Path, found.Line))
		case found != nil:
			h.did = "replaced"
		case h.did == "kept":
			h.did = "added"
		}
		if file, err = install.JSON.Add(file, e); err != nil {
			return nil, err
		}
	}
	return file, nil
}

// differ refuses to replace hooks.
func (h *clientHooks) differ(at string) error {
	err := &tools.Error{Code: tools.Conflict, Message: at + ": a hook of git-tasks is there and says something else than it would; it stays as it is"}
	return withHint(err, "--force replaces it, --force --dry-run only shows how")
}

// remove takes the hooks out of a file, the last one first, as they came. What
// install did not write stays, unless it is to go by force.
func (h *clientHooks) remove(file []byte) (rest []byte, err error) {
	h.did, h.stays = "absent", nil
	if h.client.hooks.events == nil {
		rest = h.removePlugin(file)
	} else if rest, err = h.removeLines(file); err != nil {
		return nil, err
	}
	switch {
	case (rest == nil) != (file == nil) || string(rest) != string(file):
		h.did = "removed"
	case h.stays != nil:
		h.did = "stays"
	}
	return rest, nil
}

// noteStays names what remove left.
func (h *clientHooks) noteStays() {
	for _, at := range h.stays {
		h.note(visibleText(at) + ": a hook of git-tasks is there and says something else than install writes; it stays as it is, --force takes it out all the same")
	}
}

func (h *clientHooks) removeLines(file []byte) (rest []byte, err error) {
	is := h.isOurLine
	if h.c.Bool("force") {
		is = func(client *mcpClient, line string) bool {
			return h.isOurLine(client, line) || h.isLikeOurs(client, line)
		}
	}
	rest = file
	for _, event := range slices.Backward(h.client.hooks.events) {
		if rest, err = removeAll(rest, hookEntries(h.client, event, "", is)); err != nil {
			return nil, err
		}
	}
	for _, event := range h.client.hooks.events {
		_, found, err := findHook(rest, hookEntries(h.client, event, "", h.isLikeOurs))
		if err != nil {
			return nil, err
		}
		if found != nil {
			h.stays = append(h.stays, fmt.Sprintf("%s:%d", h.settings.Path, found.Line))
		}
	}
	return rest, nil
}

// removeAll takes entries out of a file as often as it has them.
func removeAll(file []byte, entries []install.Entry) ([]byte, error) {
	for {
		e, found, err := findHook(file, entries)
		if err != nil || found == nil {
			return file, err
		}
		if file, err = install.JSON.Remove(file, e); err != nil {
			return nil, err
		}
	}
}

// ownHooks is what the hooks of a client are called in answers.
const ownHooks = "hooks"

// editBoth changes the file of a client's own entry, and that of its hooks: at once,
// by both, where that is the same file.
func editBoth(c *urfave.Context, settings install.Settings, own func([]byte) ([]byte, error), h *clientHooks, both func([]byte) ([]byte, error)) (e, he *install.Edit, err error) {
	switch {
	case h == nil:
		e, err = edit(c, settings, own)
	case h.settings.Path == settings.Path:
		e, err = edit(c, settings, both)
		he = e
	default:
		if e, err = edit(c, settings, own); err == nil {
			he, err = edit(c, h.settings, h.change)
		}
	}
	return e, he, err
}

// partsOf adds what became of the hooks, where there are any.
func partsOf(own part, h *clientHooks, he *install.Edit) []part {
	if h == nil {
		return []part{own}
	}
	return []part{own, {ownHooks, h.did, he}}
}
