package cli

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

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

// hookEntries are the groups of a client.
func (f *front) hookEntries(c *urfave.Context, client *mcpClient) ([]install.Entry, error) {
	words, err := f.hookWords(c, client)
	if err != nil {
		return nil, err
	}
	for i, word := range words {
		if flag, value, ok := strings.Cut(word, "="); ok && strings.HasPrefix(flag, "--") {
			words[i] = flag + "=" + quoted(value)
		} else {
			words[i] = quoted(word)
		}
	}
	var entries []install.Entry
	for _, e := range client.hooks.events {
		group := hookGroup{e.matcher, []hookCommand{{"command", strings.Join(words, " ")}}}
		entries = append(entries, install.Entry{Path: []string{"hooks", e.name}, Value: asJSON(group),
			Is: func(value json.RawMessage) bool { return f.isOurHook(client, value) }})
	}
	return entries, nil
}

// isOurHook reports whether all that a group runs is the hook of this program, by
// whatever path and for whatever list.
func (f *front) isOurHook(client *mcpClient, value json.RawMessage) bool {
	var group hookGroup
	if json.Unmarshal(value, &group) != nil || len(group.Hooks) == 0 {
		return false
	}
	return !slices.ContainsFunc(group.Hooks, func(h hookCommand) bool {
		return !strings.HasSuffix(h.Command, " hook "+client.name) ||
			!strings.HasPrefix(h.Command, quoted(f.env.Program)+" ") && !strings.Contains(h.Command, "git-tasks") && !strings.HasPrefix(h.Command, "git tasks ")
	})
}

// clientHooks is what becomes of a client's hooks, in which file.
type clientHooks struct {
	*front
	c        *urfave.Context
	client   *mcpClient
	settings install.Settings
	change   func(file []byte) ([]byte, error) // that is wanted: add, or remove
	did      string                            // of the last change
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
	entries, err := h.hookEntries(h.c, h.client)
	if err != nil {
		return nil, err
	}
	h.did = "kept"
	for _, e := range entries {
		found, err := install.JSON.Find(file, e)
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

// remove takes the hooks out of a file, the last one first, as they came.
func (h *clientHooks) remove(file []byte) ([]byte, error) {
	rest := file
	entries, err := h.hookEntries(h.c, h.client)
	for _, e := range slices.Backward(entries) {
		if err == nil {
			rest, err = install.JSON.Remove(rest, e)
		}
	}
	if h.client.hooks.events == nil && isPlugin(file) {
		rest = nil
	}
	h.did = "absent"
	if (rest == nil) != (file == nil) || string(rest) != string(file) {
		h.did = "removed"
	}
	return rest, err
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
