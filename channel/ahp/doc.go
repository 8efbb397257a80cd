// Package ahp serves the list over the Agent Host Protocol, as VS Code and others
// speak it with a host of agents: JSON-RPC 2.0 over a WebSocket, one message a text
// frame. A client subscribes to channels, is given the state of each, and from then
// on each action that changes it.
//
// # Wire shape
//
// The channels are
//
//	ahp-root://                       how many sessions there are, and their rows
//	x-ahpd-plans://p1                 a plan with its tasks, see package channel
//	ahp-session:/one                  a session with its open count in _meta
//	ahp-chat://default/<base64url>    its one chat: turns, each with its todo list call
//
// A session is there once it was reported or a record names it. What is sent on a
// channel is
//
//	{"jsonrpc":"2.0","method":"action","params":
//	  {"channel":"x-ahpd-plans://p1","action":{"type":…},"serverSeq":7}}
//
// with one serverSeq for the whole host: each number is one action, on whichever
// channel, and the state of a snapshot holds everything up to its fromSeq and
// nothing after. Rows of sessions come as notifications of the root channel, which
// have no number. wire.go has every field with where it comes from. What goes over
// the wire, message by message, stands in the transcripts of testdata, which a test
// plays.
//
// Methods that begin with x-git-tasks/ are for a host of agents in another language:
// it says which sessions and turns it has and what a harness says of its own list,
// and is told of the todo list call and the open count, to draw them on chats of its
// own. It asks
//
//	x-git-tasks/session     {session, title?, owner?, bot?, ended?, meta?} -> {}
//	x-git-tasks/turn        {session, turnId, state: started|ended}  -> {plan: true}
//	x-git-tasks/planUpdate  {session, tool, list|change, by?}        -> {plan, tasks, commit?}
//
// where plan says that the call of the turn is drawn here, and is told on the same
// connection
//
//	x-git-tasks/todo  {session, turnId, state: open|changed|done, lines}
//	x-git-tasks/meta  {session, meta}
//
// What hooks report of sessions lies beside the list; [Server.Reread] takes it in
// whenever that has changed.
//
// # The life of a connection
//
// Who is behind it the request says, by its token where there is a user directory,
// or a token that authenticate brings later; what that person may read is settled
// then. initialize settles the version: the highest that the client offers of 1.x
// and 0.9.x. A client that was cut off comes back with reconnect: it is given what
// it missed, where the last ten thousand actions hold it, else states. A client is
// known until the host ends.
//
// The hub's lock is the one that all numbers are under: a commit is told, numbered
// and put into the queues of those who follow, and a state is taken, while nothing
// else is. What goes to many is encoded once, with the frame around it, and what
// belongs to one client alone when its turn comes. Nobody waits for a client.
//
// # What can go wrong
//
//   - A frame that is no JSON, no message, has no method that there is or params of
//     another shape: an error of JSON-RPC, and the connection goes on; a
//     notification is never answered. A frame that is no text, or longer than 1 MiB,
//     ends it.
//   - No version in common: an error that names those spoken, then the end.
//   - A request is refused or fails: an error of the protocol's few codes, with the
//     refusal itself as data, {code, message, next?}, by the codes of package tools.
//   - A channel that is not there: error -32001. Among initialSubscriptions it is
//     left out, in reconnect it is missing.
//   - A client does not read: over 1 MiB that it did not ask for is thrown away and
//     the connection closed with a reason; one that takes no frame or answers no ping
//     for half a minute is cut off. It comes back by reconnect. Answers are held back
//     by not hearing its next request.
//   - A client asks too often, or for more than 64 channels: an error that says how
//     many are allowed.
//   - A host reports more than 256 sessions that have not ended: an error that says
//     so. Of one that ended, and that nobody follows, nothing is kept but what
//     records and reports say.
//   - A client dispatches an action: it comes back to it alone, refused. The records
//     are the only writer.
//   - A claim runs out: on the channels its task is in doing until that is written,
//     which the host that serves them does at once. When a session is reported as
//     ended its claims are over, and their tasks come as any other change.
//   - Another program reports a session, as hooks do: it is seen, and told of, by
//     [Server.Reread], or else with the next commit that is about it or when somebody
//     asks for it or for the list.
//   - New settings change what somebody may do: their connection ends.
//   - Somebody says that a session is another's, or reports a session of another's or
//     a turn of it: refused where there are users. A planUpdate is taken of whoever may
//     write, as by who signed in.
//   - The list cannot be read at a commit: all connections end with that reason, and
//     nobody can go on from a number before.
//   - The host ends: every connection is told so. Numbers begin anew, and
//     reconnect answers that the client is unknown: it begins with initialize.
package ahp
