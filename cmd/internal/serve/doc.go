// Package serve is the host: one process that keeps a list open and answers
// whoever asks over HTTP.
//
// # Shape
//
// One listener, on 127.0.0.1:7433 unless told otherwise:
//
//	/mcp          the tools over the Model Context Protocol, see tools/mcpserver
//	/records.git  the repository, to clone, fetch and push, see repo/smarthttp
//	/ahp          plans, sessions and chats over the Agent Host Protocol, see channel/ahp
//	/healthz      a [Health] as JSON
//
// Beside it, where a folder is named for that, files become tasks, see tools/inbox.
//
// One host serves a repository. It holds a lock on the file git-tasks/host beside
// the repository for as long as it lives; in it stand, as JSON, its process, when
// it started and where it listens:
//
//	{"pid": 4242, "start": "2026-10-18T10:00:00Z",
//	 "address": "http://127.0.0.1:7433", "version": "v1.2.3"}
//
// Beside the listener there is a socket, git-tasks/socket, that only its own user
// can open. A process of this machine comes by it for a single call. It says in one
// line who it was started for, which branch it is about and its version, which must
// be the host's; then it sends the tool and the input in one document and is told
// the answer in another. [Call] is its side. So git tasks mcp, which serves its
// client itself and comes anew with each call, lives on when the host goes, writes by
// itself while there is none, and through the next one. One that has changed the
// settings says which file, and waits until the host goes by it ([Reload]).
//
// # The life of one request
//
// Its header must come within five seconds. Before anything else looks at it,
// whatever its path and method, its Host must be this machine by a name that no web
// page can choose, and its Origin, if it has one, that same Host: a page that has a
// browser send it here is refused with 403. Then the calls of its user are counted;
// then it goes to its route, which reads at most 4 MiB of body, in half a minute; a
// push may bring 512 MiB, and take as long as something comes. An answer may take as
// long as it takes, but nobody may be slow to read it: each part of it, 64 KiB, must
// be taken within half a minute. Until it is, the host holds so much for one user and
// so much for all, and no more (see tools/mcpserver). What is written to a stream
// waits for its client, so that no client holds another up, and a client that leaves
// 256 KiB unread, or has more to come when 16 MiB wait for all, loses the stream.
//
// # The life of a push
//
// With a user directory git is asked for a name and a token, or brings the token
// as Bearer; a fetch needs the grant session:read, a push session:write. Its git
// calls itself git-tasks/VERSION (agent, in the protocol): by that a clone knows that
// what it pushes to refs/for is landed here. git runs
// with hooks from a folder of the host's, which find a secret of this one push in
// their environment ([PushSecret]). They say it to the host by its socket, which
// tells them whose the push is, and lands it as that person's. A push by path has
// none: it comes to the host the same way ([Land]), and is whose its commits say.
//
// # The life of a host
//
// It takes the lock, listens, says where (and tells systemd, where that started
// it), and sweeps the list once and then every hour. When it is told to it reads
// its settings again; calls from then on go by them, and the streams of those for
// whom something changed end. When it is told to stop it takes no more requests,
// answers those under way, and closes every stream, all within a second.
//
// # What can go wrong
//
//   - The address is not of this machine alone, and there is no user directory: it
//     ends before a socket is open. New settings that would bring that about are
//     not taken. Where there is one, a call on such an address that brings no user's
//     token is refused with 401.
//   - Another host serves the repository: it ends, and names that host. The lock
//     goes with its process, however that ends, and is tried for a second, since who
//     only looks for a host holds it for an instant as well.
//   - The port is taken: it ends.
//   - The settings cannot be read when it is told to, or are not the file that was
//     changed: that is logged, or said to who changed it, and the old ones stand.
//   - A client calls too often, holds too many streams, or has git run too often at
//     once: 429, in words that say how many are allowed.
//   - The socket cannot be made, or the host is about another branch: whoever would
//     use it opens the list itself. Both ways are safe.
//   - The host goes, or hangs, with a process's call under way: a call that only
//     reads is made again by the process, and so is a change where no host holds
//     the list any more and the branch has not moved. Else the process says that
//     it may be made or not; it never asks twice.
//   - A claim that is over cannot be written as such: that is logged, and tried again
//     every few seconds. No host runs, or this one has stopped: nothing is written, and
//     to all who ask the list the task is todo and nobody's all the same.
//   - systemd cannot be told: that is logged.
//   - The list cannot be read: /healthz answers 503 with the reason.
package serve
