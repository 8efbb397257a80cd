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

// hookEntries are the groups of a client: each is known by its commands.
func (f *front) hookEntries(c *urfave.Context, client *mcpClient, is lineTest) ([]install.Entry, error) {
	words, err := f.hookWords(c, client)
	if err != nil {
		return nil, err
	}
	var entries []install.Entry
	for _, e := range client.hooks.events {
		group := hookGroup{e.matcher, []hookCommand{{"command", hookLine(words)}}}
		entries = append(entries, install.Entry{Path: []string{"hooks", e.name}, Value: asJSON(group),
			Is: func(value json.RawMessage) bool { return isGroup(client, value, is) }})
	}
	return entries, nil
}

// lineTest says whether a hook of a client has a line of some kind.
type lineTest func(client *mcpClient, line string) bool

// isGroup reports whether all that a group runs is of some kind.
func isGroup(client *mcpClient, value json.RawMessage, is lineTest) bool {
	var group hookGroup
	if json.Unmarshal(value, &group) != nil || len(group.Hooks) == 0 {
		return false
	}
	return !slices.ContainsFunc(group.Hooks, func(h hookCommand) bool { return !is(client, h.Command) })
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
	ours, err := h.hookEntries(h.c, h.client, h.isOurLine)
	if err != nil {
		return nil, err
	}
	like, err := h.hookEntries(h.c, h.client, h.isLikeOurs)
	if err != nil {
		return nil, err
	}
	h.did = "kept"
	for i, e := range ours {
		found, err := install.JSON.Find(file, e)
		if err == nil && found == nil {
			e = like[i]
			found, err = install.JSON.Find(file, e)
		}
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
	} else if rest, err = h.removeGroups(file); err != nil {
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

func (h *clientHooks) removeGroups(rest []byte) ([]byte, error) {
	ours, err := h.hookEntries(h.c, h.client, h.isOurLine)
	if err != nil {
		return nil, err
	}
	like, err := h.hookEntries(h.c, h.client, h.isLikeOurs)
	if err != nil {
		return nil, err
	}
	for i, e := range slices.Backward(ours) {
		if rest, err = install.JSON.Remove(rest, e); err == nil && h.c.Bool("force") {
			rest, err = install.JSON.Remove(rest, like[i])
		}
		if err != nil {
			return nil, err
		}
	}
	for _, e := range like {
		found, err := install.JSON.Find(rest, e)
		if err != nil {
			return nil, err
		}
		if found != nil {
			h.stays = append(h.stays, fmt.Sprintf("%s:%d", h.settings.Path, found.Line))
		}
	}
	return rest, nil
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
