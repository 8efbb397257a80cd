package ahp

import (
	"encoding/json"

	"github.com/git-tasks/git-tasks/channel"
	"github.com/git-tasks/git-tasks/tools"
	"github.com/git-tasks/git-tasks/translate"
)

// What stands on the wire. Behind each field is where it comes from: "AHP" is the
// Agent Host Protocol as published, version 1.1.0; "ours" is an extension of
// git-tasks. What AHP has beside that is not served and not read.

const (
	rootURI       = "ahp-root://"                            // AHP; the channel of what is about the connection
	chatScheme    = "ahp-chat://default/"                    // AHP; the unpadded base64url of the session's URI follows
	tasksResource = "x-git-tasks://list"                     // ours; what a token of authenticate is for
	provider      = "git-tasks"                              // ours; the agents are elsewhere, and which they are is not known here
	timeForm      = "2006-01-02T15:04:05.000Z"               // AHP: ISO 8601, in UTC
	idle, busy    = 1, 8                                     // AHP: the status of a session or chat without and with a turn
	ready         = "ready"                                  // AHP: the lifecycle of a session
	maxSessions   = 200                                      // ours; the most rows of one answer to listSessions
	sessionRows   = 100                                      // ours; as many as where the client says no limit
	rejection     = " is this host's to say, not a client's" // ours; behind the type of an action that was dispatched
	todoNoted     = "x-git-tasks/todo"                       // ours: method of a notification
	metaNoted     = "x-git-tasks/meta"                       // ours: method of a notification
	sessionAdded  = "root/sessionAdded"                      // AHP: method of a notification
	sessionGone   = "root/sessionRemoved"                    // AHP: method of a notification
	rowChanged    = "root/sessionSummaryChanged"             // AHP: method of a notification
)

// implementation names a program.
type implementation struct {
	Name    string `json:"name"`              // AHP
	Version string `json:"version,omitempty"` // AHP
}

type initializeParams struct {
	ProtocolVersions     []string `json:"protocolVersions"`     // AHP
	ClientID             string   `json:"clientId"`             // AHP
	InitialSubscriptions []string `json:"initialSubscriptions"` // AHP
}

type initializeResult struct {
	ProtocolVersion string         `json:"protocolVersion"` // AHP
	ServerSeq       uint64         `json:"serverSeq"`       // AHP
	ServerInfo      implementation `json:"serverInfo"`      // AHP
	Snapshots       []snapshot     `json:"snapshots"`       // AHP
}

// snapshot is the state of a channel with everything up to a number.
type snapshot struct {
	Resource string `json:"resource"` // AHP
	State    any    `json:"state"`    // AHP
	FromSeq  uint64 `json:"fromSeq"`  // AHP
}

type subscribeResult struct {
	Snapshot snapshot `json:"snapshot"` // AHP
}

type reconnectParams struct {
	ClientID          string   `json:"clientId"`          // AHP
	LastSeenServerSeq *uint64  `json:"lastSeenServerSeq"` // AHP
	Subscriptions     []string `json:"subscriptions"`     // AHP
}

type replayResult struct {
	Type    string            `json:"type"`    // AHP: "replay"
	Actions []json.RawMessage `json:"actions"` // AHP: envelopes
	Missing []string          `json:"missing"` // AHP
}

type snapshotResult struct {
	Type      string     `json:"type"`      // AHP: "snapshot"
	Snapshots []snapshot `json:"snapshots"` // AHP
}

type dispatchParams struct {
	ClientSeq json.Number     `json:"clientSeq"` // AHP
	Action    json.RawMessage `json:"action"`    // AHP
}

// envelope is an action that a client dispatched, on its way back. Those of the
// host are written by ledger.
type envelope struct {
	Channel         string          `json:"channel"`         // AHP
	Action          json.RawMessage `json:"action"`          // AHP
	ServerSeq       uint64          `json:"serverSeq"`       // AHP
	Origin          origin          `json:"origin"`          // AHP
	RejectionReason string          `json:"rejectionReason"` // AHP
}

type origin struct {
	ClientID  string      `json:"clientId"`  // AHP
	ClientSeq json.Number `json:"clientSeq"` // AHP
}

type authenticateParams struct {
	Resource string `json:"resource"` // AHP
	Token    string `json:"token"`    // AHP: a user's; "" signs out
}

// authRequired is the data of the error of whoever has not signed in.
type authRequired struct {
	*tools.Error                     // ours
	Resources    []protectedResource `json:"resources"` // AHP
}

type protectedResource struct {
	Resource string `json:"resource"`      // AHP
	Name     string `json:"resource_name"` // AHP, from RFC 9728
}

// unsupportedVersion is the data of the error of a client with no version in
// common.
type unsupportedVersion struct {
	SupportedVersions []string `json:"supportedVersions"` // AHP
}

type listParams struct {
	Limit  int    `json:"limit"`  // AHP
	Cursor string `json:"cursor"` // AHP
}

type listResult struct {
	Items      []summary `json:"items"`                // AHP
	NextCursor string    `json:"nextCursor,omitempty"` // AHP
}

// meta is the _meta of a session: the open count under channel.MetaKey (ours), and
// what the session's host has put beside it.
type meta map[string]any

type rootState struct {
	Agents         []struct{} `json:"agents"`                   // AHP; none: no agent runs here
	ActiveSessions *int       `json:"activeSessions,omitempty"` // AHP; not for who may not read sessions
}

// summary is the row of a session.
type summary struct {
	Resource   string `json:"resource"`        // AHP
	Provider   string `json:"provider"`        // AHP
	Title      string `json:"title"`           // AHP
	Status     int    `json:"status"`          // AHP
	CreatedAt  string `json:"createdAt"`       // AHP
	ModifiedAt string `json:"modifiedAt"`      // AHP
	Meta       meta   `json:"_meta,omitempty"` // AHP
}

// rowChanges are the fields of a row that changed.
type rowChanges struct {
	Title      string `json:"title,omitempty"`      // AHP
	Status     int    `json:"status,omitempty"`     // AHP
	ModifiedAt string `json:"modifiedAt,omitempty"` // AHP
	Meta       *meta  `json:"_meta,omitempty"`      // AHP
}

type sessionState struct {
	Provider      string        `json:"provider"`        // AHP
	Title         string        `json:"title"`           // AHP
	Status        int           `json:"status"`          // AHP
	Lifecycle     string        `json:"lifecycle"`       // AHP
	ActiveClients []struct{}    `json:"activeClients"`   // AHP; none: clients bring no tools here
	Chats         []chatSummary `json:"chats"`           // AHP; one
	Meta          meta          `json:"_meta,omitempty"` // AHP
}

type chatSummary struct {
	Resource   string `json:"resource"`   // AHP
	Title      string `json:"title"`      // AHP
	Status     int    `json:"status"`     // AHP
	ModifiedAt string `json:"modifiedAt"` // AHP
}

type chatState struct {
	chatSummary            // AHP: its fields as the chat's own
	Turns       []chatTurn `json:"turns"`                // AHP; those of this host's life, the last of them
	ActiveTurn  *chatTurn  `json:"activeTurn,omitempty"` // AHP
}

// chatTurn is a turn, under way or over.
type chatTurn struct {
	ID            string  `json:"id"`                 // AHP
	StartedAt     string  `json:"startedAt"`          // AHP
	Duration      *int64  `json:"duration,omitempty"` // AHP: milliseconds, of one that is over
	Message       message `json:"message"`            // AHP; its text is not known here
	ResponseParts []part  `json:"responseParts"`      // AHP; the todo list call, where there is one
	State         string  `json:"state,omitempty"`    // AHP: "complete", of one that is over
}

type message struct {
	Text   string `json:"text"`   // AHP
	Origin kind   `json:"origin"` // AHP
}

type kind struct {
	Kind string `json:"kind"` // AHP: "user"
}

type part struct {
	Kind     string   `json:"kind"`     // AHP: "toolCall"
	ToolCall toolCall `json:"toolCall"` // AHP
}

type toolCall struct {
	Status            string      `json:"status"`                     // AHP: "running" or "completed"
	ToolCallID        string      `json:"toolCallId"`                 // AHP
	ToolName          string      `json:"toolName"`                   // AHP
	DisplayName       string      `json:"displayName"`                // AHP
	InvocationMessage string      `json:"invocationMessage"`          // AHP
	Confirmed         string      `json:"confirmed"`                  // AHP: "not-needed"
	Content           []textBlock `json:"content"`                    // AHP
	Success           bool        `json:"success,omitempty"`          // AHP, of one that is over
	PastTenseMessage  string      `json:"pastTenseMessage,omitempty"` // AHP, of one that is over
}

type textBlock struct {
	Type string `json:"type"` // AHP: "text"
	Text string `json:"text"` // AHP; ours: a line of the list
}

// action is one on the channel of a chat, a session or the root; which fields go
// with which type is as AHP has it. Those on a plan's channel are of package
// channel.
type action struct {
	Type              string       `json:"type"`                        // AHP
	TurnID            string       `json:"turnId,omitempty"`            // AHP
	StartedAt         string       `json:"startedAt,omitempty"`         // AHP: chat/turnStarted
	Message           *message     `json:"message,omitempty"`           // AHP: chat/turnStarted
	Duration          *int64       `json:"duration,omitempty"`          // AHP: chat/turnComplete
	ToolCallID        string       `json:"toolCallId,omitempty"`        // AHP: chat/toolCall…
	ToolName          string       `json:"toolName,omitempty"`          // AHP: chat/toolCallStart
	DisplayName       string       `json:"displayName,omitempty"`       // AHP: chat/toolCallStart
	InvocationMessage string       `json:"invocationMessage,omitempty"` // AHP: chat/toolCallReady
	Confirmed         string       `json:"confirmed,omitempty"`         // AHP: chat/toolCallReady
	Content           *[]textBlock `json:"content,omitempty"`           // AHP: chat/toolCallContentChanged
	Result            *callResult  `json:"result,omitempty"`            // AHP: chat/toolCallComplete
	Title             string       `json:"title,omitempty"`             // AHP: session/titleChanged
	Meta              *meta        `json:"_meta,omitempty"`             // AHP: session/metaChanged, the whole of it
	Chat              string       `json:"chat,omitempty"`              // AHP: session/chatUpdated
	Changes           *chatChanges `json:"changes,omitempty"`           // AHP: session/chatUpdated
	ActiveSessions    *int         `json:"activeSessions,omitempty"`    // AHP: root/activeSessionsChanged
}

type callResult struct {
	Success          bool        `json:"success"`          // AHP
	PastTenseMessage string      `json:"pastTenseMessage"` // AHP
	Content          []textBlock `json:"content"`          // AHP
}

type chatChanges struct {
	Title      string `json:"title,omitempty"`      // AHP
	Status     int    `json:"status,omitempty"`     // AHP
	ModifiedAt string `json:"modifiedAt,omitempty"` // AHP
}

// rootNote is what the notifications of the root channel say.
type rootNote struct {
	Channel string      `json:"channel"`           // AHP
	Session string      `json:"session,omitempty"` // AHP: of a row that changed, or went
	Summary *summary    `json:"summary,omitempty"` // AHP: of a row that is new
	Changes *rowChanges `json:"changes,omitempty"` // AHP: of a row that changed
}

// sessionParams are a host's report of a session of its own.
type sessionParams struct {
	Session string          `json:"session"` // ours
	Title   string          `json:"title"`   // ours
	Owner   string          `json:"owner"`   // ours
	Bot     string          `json:"bot"`     // ours
	Ended   bool            `json:"ended"`   // ours
	Meta    *map[string]any `json:"meta"`    // ours: the host's own keys of the session's _meta
}

type turnParams struct {
	Session string `json:"session"` // ours
	TurnID  string `json:"turnId"`  // ours
	State   string `json:"state"`   // ours: "started" or "ended"
}

type turnResult struct {
	Plan bool `json:"plan"` // ours: the todo list call of the turn is drawn here
}

// planUpdateParams are what a harness says of its own list; the result is a
// tools.Planned.
type planUpdateParams struct {
	translate.Update        // ours
	By               string `json:"by"` // ours: who is behind it; "" is the session's owner
}

// todoNote tells the host of a session of the todo list call.
type todoNote struct {
	Channel string            `json:"channel"` // AHP
	Session string            `json:"session"` // ours
	TurnID  string            `json:"turnId"`  // ours
	State   channel.CallState `json:"state"`   // ours
	Lines   []string          `json:"lines"`   // ours
}

// metaNote tells the host of a session of its _meta.
type metaNote struct {
	Channel string `json:"channel"` // AHP
	Session string `json:"session"` // ours
	Meta    meta   `json:"meta"`    // ours
}
