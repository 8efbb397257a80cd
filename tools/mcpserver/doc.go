// Package mcpserver offers the tools over the Model Context Protocol. It holds
// nothing of its own: a call's arguments go to [tools.Call] as they came, and
// the answer or refusal goes back in the tool's own words.
//
// # Wire shape
//
// tools/list is made of the tools' own definitions, all or those of
// [tools.Tool.Core]; it is the same bytes whatever the list of tasks holds. A call
// that went well is answered with
//
//	content            one text: a line per record
//	structuredContent  {"records":[…], "commit":"<40 digits>", "notes":["…"]}; no
//	                   commit where nothing was written, no notes where all lines
//	                   of a list are of its records
//
// and a refusal, which is a result and never a protocol error, with
//
//	isError            true
//	content            one text: the refusal
//	structuredContent  {"error":{"code":"invalid","message":"…","next":"task_list"}};
//	                   next is the tool that helps on, where there is one
//
// where code is a [tools.Code]. Any other request (a prompt, a resource, a
// subscription) that is refused or fails ends with a JSON-RPC error: the row that
// the code has for MCP, the same text, and as data what stands under error above.
// Text of records is data: it stands in content, in records and in notes, and
// nowhere else.
//
// Both eras of the protocol are served: clients that open with initialize
// (2024-11-05 to 2025-11-25), and those that name the version in each request
// (2026-07-28).
//
// Over HTTP a plan is also a resource, x-ahpd-plans://p1: two contents, the JSON
// and the text of plan_show. Who subscribes to it is told when it or a task that
// names it changes, and reads it again. Both need the grant session:read where
// there is a user directory. Plans are offered by the form of their URI alone: a
// list of them would hand titles to a model that asked for none.
//
// The prompt tasks, which clients show as a command, is two messages: how the list
// is kept true, always the same, and what is open: of the plan that is named, else
// of the session, else all, each line of a record behind "| ", which nothing in a
// record can take away. Plan ids are completed, for it and for the URI of a plan.
//
// What goes over the wire in either era, line by line, stands in the transcripts
// of testdata, which a test plays.
//
// # The life of a call
//
// The server asks who is behind the request (a [CallerOf] of the door: on standard
// input and output the person, session and folder that the process was started with,
// and the subagent that _meta says; over HTTP what the request's token, headers and
// _meta say), and hands the [tools.Caller] down. Calls run side by side; each is
// answered when its commit is on disk.
//
// [Serve] may have its calls made by another process while there is one
// ([Client]), whose coming and going the client does not notice. It reads one
// message a line, and no more than 64 calls ahead of what its client has read of
// the answers; lists and plans are made one at a time. When its input closes it
// takes no more, lets what is running finish, answers it, and returns.
//
// [Handler] serves any number of clients at one URL: a request that names version
// 2026-07-28 or later and no session is answered by itself; any other belongs to a
// session, which ends an hour after its client was last heard of. A session that
// was opened with a token is bound to its user, and ends when new settings change
// what that user may do. One user has 64 of them, all together 1024; of more the
// least used ends, and its client, which is answered 404, opens another.
//
// A call that says all in itself, in the plainest form there is, is read once and
// answered without the SDK, to the byte as with it. The SDK decodes a request fifteen
// times, with 32 KiB for each: that was nine tenths of the memory a call took. What
// is not plain in any way, the SDK judges and answers.
//
// Over HTTP an answer is made whole, and then taken by its client in blocks of 64
// KiB; by then nothing is left of what made it. What is large in it never passes
// through the SDK: there a name stands for it, and it takes the place of the name
// behind.
//
// What the host holds of bodies and of answers is counted: 8 MiB for one user, or
// for whoever goes by one name, and 32 MiB for all, where what is up to 64 KiB
// never counts, and what is alone always passes. Lists, plans and large bodies wait
// for their turn before anything is made of them: one of a user at a time, four in
// all, and of answers of a MiB or more one. 64 calls of a user may be under way,
// and 1024 in all.
//
// # What can go wrong
//
//   - A line that is no JSON, no JSON-RPC message, a batch, longer than 16 MiB, or
//     whose id is no string and no whole number is answered with a JSON-RPC error
//     and dropped; the next line is read as if it had not been there. The same over
//     HTTP, with status 400.
//   - An unknown tool or method, or parameters of the wrong shape: a JSON-RPC
//     error for that request, which repeats nothing that was sent. A notification
//     that nobody knows is let be.
//   - A resource that is no plan: a JSON-RPC error, resource not found; the same for
//     a prompt of a plan that is not known, in the words of a refusal.
//   - A stream breaks off: what changes until the client has another one it is not
//     told. A session keeps its subscriptions; a client without one asks again. It
//     should read the plan again.
//   - The branch cannot be watched: that is logged, and nobody is told of updates.
//   - A panic in a tool or in a request: it is answered with code internal, the
//     stack is logged, the server lives on.
//   - A client that cancels a call: it is withdrawn while it waits for the write
//     door. One that is being written is carried out, and the client must look.
//   - Over HTTP, a token that is nobody's: 401, and a line in the log without it. A
//     body of more than 4 MiB: 413. A session that is unknown: 404; that is another
//     user's: 403.
//   - More than is held is asked for or sent, or the turn does not come within ten
//     seconds: the call is refused with code busy, in words that say what to do; a
//     request with 429 where there is no call yet.
//   - The output cannot be written: Serve returns the error; what was being
//     written to the repository is still finished.
package mcpserver
