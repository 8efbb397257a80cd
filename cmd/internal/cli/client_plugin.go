package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/git-tasks/git-tasks/records"
)

// pluginMark is the first line of a plugin of ours.
const pluginMark = "// Written by git tasks install opencode; git tasks uninstall opencode takes it out."

// pluginText is a plugin for OpenCode, which has no hooks of its own: it hands the
// events on that say something of a list or a session, one after the other, since
// they are told without waiting. That a session is busy is told at each step of a
// turn, and handed on once. What is answered for the model waits for the next message
// of the session's user, and goes to the model behind it.
const pluginText = pluginMark + `
import { spawn } from "node:child_process"

const command = COMMAND
const told = new Set(["todo.updated", "session.created", "session.updated", "session.compacted", "session.idle", "session.deleted"])
const titles = new Map()
const busy = new Set()
const answers = new Map()
let last = Promise.resolve()

const answerOf = (said) => {
  try {
    return JSON.parse(said).hookSpecificOutput.additionalContext
  } catch {}
}

const hand = (event) => new Promise((done) => {
  const hook = spawn(command[0], command.slice(1), { stdio: ["pipe", "pipe", "ignore"], timeout: 10000 })
  let said = ""
  hook.stdout.setEncoding("utf8").on("data", (text) => { said += text })
  hook.on("error", done).on("close", () => {
    const session = event.properties.sessionID ?? event.properties.info?.id
    const answer = answerOf(said)
    if (answer) answers.set(session, answer)
    if (event.type === "session.deleted") answers.delete(session)
    done()
  })
  hook.stdin.on("error", () => {})
  hook.stdin.end(JSON.stringify(event))
})

const inTurn = (event) => (last = last.then(() => hand(event)))

const isNews = (event) => {
  const info = event.properties?.info
  const session = event.properties?.sessionID
  if (event.type === "session.idle") busy.delete(session)
  if (event.type === "session.status") {
    const isNew = event.properties.status?.type === "busy" && !busy.has(session)
    if (isNew) busy.add(session)
    return isNew
  }
  if (event.type !== "session.updated") return told.has(event.type)
  const isSame = titles.get(info?.id) === info?.title
  titles.set(info?.id, info?.title)
  return !isSame
}

export const GitTasks = async () => ({
  event: async ({ event }) => {
    if (isNews(event)) await inTurn(event)
  },
  "chat.message": async ({ sessionID }, { parts }) => {
    busy.add(sessionID)
    await inTurn({ type: "chat.message", properties: { sessionID } })
    const text = answers.get(sessionID)
    const before = parts.at(-1)
    if (!text || !before) return
    answers.delete(sessionID)
    parts.push({ id: before.id + "0", sessionID, messageID: before.messageID, type: "text", text, synthetic: true })
  },
})
`

// isMarked reports whether a file began as a plugin of ours.
func isMarked(file []byte) bool { return bytes.HasPrefix(file, []byte(pluginMark+"\n")) }

// isPlugin reports whether a file is what install writes, to the byte, for whatever
// program and list.
func isPlugin(client *mcpClient, file []byte) bool {
	before, after, _ := strings.Cut(pluginText, "COMMAND")
	command, isPrefixed := bytes.CutPrefix(file, []byte(before))
	command, isWhole := bytes.CutSuffix(command, []byte(after))
	var words []string
	return isPrefixed && isWhole && json.Unmarshal(command, &words) == nil &&
		bytes.Equal(command, asJSON(words)) && isHookOf(client, words)
}

// plugin is the plugin for the list that the command line names.
func (h *clientHooks) plugin() ([]byte, error) {
	words, err := h.hookWords(h.c, h.client)
	return []byte(strings.Replace(pluginText, "COMMAND", string(asJSON(words)), 1)), err
}

// addPlugin makes a file the plugin. One that is not ours is left alone.
func (h *clientHooks) addPlugin(file []byte) ([]byte, error) {
	want, err := h.plugin()
	switch {
	case err != nil:
		return nil, err
	case file == nil:
		h.did = "added"
	case bytes.Equal(file, want):
		h.did = "kept"
	case h.c.Bool("force"):
		h.did = "replaced"
	case !isMarked(file):
		return nil, withHint(usage("%s is not git-tasks' own; it stays as it is", records.Visible(h.settings.Path)), "--force replaces it")
	default:
		return nil, h.differ(fmt.Sprintf("%s:%d", h.settings.Path, 1))
	}
	return want, nil
}

// removePlugin takes the plugin away. One that somebody changed stays, unless it is
// to go by force.
func (h *clientHooks) removePlugin(file []byte) []byte {
	switch {
	case isPlugin(h.client, file), isMarked(file) && h.c.Bool("force"):
		return nil
	case isMarked(file):
		h.stays = []string{h.settings.Path + ":1"}
	}
	return file
}
