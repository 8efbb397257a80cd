package translate

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
)

// Said is what one payload of a harness says.
type Said struct {
	Session string // "" where nothing names it
	agent   string // the subagent that is at work, "" for none
	Title   string // of the session, "" where it does not say
	Folder  string // that the harness works in, "" where it does not say
	Moment  Moment
	Turn    string // the harness's id of the turn, "" for none
	Event   string // the harness's name for the moment
	Calling string // the tool of its own list that it is about to call, "" for none
	Updates []Update
}

// Moment is what happens to a session when a harness says something.
type Moment uint8

// The moments. At Compacted the model has lost its context and goes on with the
// session; at Cleared it goes on under another id.
const (
	Working Moment = iota
	Started
	Compacted
	Cleared
	TurnStarted
	TurnEnded
	Ended
)

// readers say what a harness's payloads mean, by the harness's name. session is the
// one that the payload is of where it names none.
var readers = map[string]func(o object, session string) (Said, error){
	"claude-code":    readClaude,
	"claude-tasks":   readClaudeTask,
	"codex":          readCodex,
	"gemini":         readGemini,
	"gemini-tracker": readGeminiTask,
	"opencode":       readOpenCode,
	"acp":            readACP,
	"claw":           readClaw,
	"claurst":        readClaurst,
	"vscode":         readVSCode,
	"cursor":         readCursor,
	"pi":             readPi,
}

// Harnesses gives the names of the harnesses whose payloads can be read, sorted.
// Those with -tasks and -tracker are of files that a harness writes, one a task.
func Harnesses() []string { return slices.Sorted(maps.Keys(readers)) }

// Read reads a payload of a harness: one JSON object, of any event and any tool,
// most of which say nothing of a list. A call that failed says nothing either. What
// names no session is of the one that is given; that it ends, only a payload says that
// names it. Beside an error there is what could be read.
func Read(harness string, payload []byte, session string) (Said, error) {
	read := readers[harness]
	if read == nil {
		return Said{}, fmt.Errorf("there is no harness %q", harness)
	}
	var o object
	if err := json.Unmarshal(payload, &o); err != nil {
		return Said{}, fmt.Errorf("the payload is no JSON object: %w", err)
	}
	if o == nil {
		return Said{}, errors.New("the payload is no JSON object: null")
	}
	said, err := read(o, "")
	if said.Session == "" && session != "" {
		if said, err = read(o, session); said.Moment == Ended {
			said.Moment = TurnEnded // of the session that it was called from, which goes on
		}
	}
	said.Updates = slices.DeleteFunc(said.Updates, func(u Update) bool { return u.List == nil && u.Change == nil })
	return said, err
}
