package tools

// Code says what sort of refusal or failure an [Error] is.
type Code string

// The codes; the list is closed, and each has a row in codes.
const (
	Invalid  Code = "invalid"   // the input cannot be taken
	NotFound Code = "not_found" // there is no record that the call is about
	Conflict Code = "conflict"  // the state of the list is in the way
	Held     Code = "held"      // another holds what the call needs: a task, a lock, a list
	Busy     Code = "busy"      // too much at once: the same call again, later, may do
	Denied   Code = "denied"    // whoever asks may not: the person lacks a grant
	Internal Code = "internal"  // the disk or the repository failed

	// Unauthenticated: the list has users, and whoever asks has not said who they
	// are, or has with a token that is nobody's.
	Unauthenticated Code = "unauthenticated"

	// Unreachable: no host answers for the list. With a call under way, which may
	// then be carried out or not, only a process that calls through a host says so.
	Unreachable Code = "unreachable"
)

// codes is what each code is at each front, the one that anything else counts as
// first. No front has a table of its own: what is not here is said by HTTP,
// JSON-RPC or git alone, and about the form of a message.
var codes = []struct {
	code   Code
	exit   int // of the command line
	status int // of HTTP
	mcp    int // of a request of MCP that is no call of a tool
	ahp    int // of a request of the Agent Host Protocol
}{
	{Internal, 1, 500, -32603, -32603},
	{Invalid, 2, 400, -32602, -32602},
	{NotFound, 3, 404, -32602, -32001},
	{Conflict, 4, 409, -32600, -32011},
	{Held, 4, 423, -32600, -32011},
	{Busy, 4, 429, -32600, -32011},
	{Denied, 5, 403, -32600, -32009},
	{Unauthenticated, 5, 401, -32600, -32007},
	{Unreachable, 6, 503, -32603, -32603},
}

// Codes gives every code.
func Codes() []Code {
	list := make([]Code, len(codes))
	for i, row := range codes {
		list[i] = row.code
	}
	return list
}

// Exit is the exit code of a command that ends with an error of this code; one
// that is not of the list counts as internal.
func (c Code) Exit() int { return codes[c.row()].exit }

// Status is the HTTP status of a request that ends so.
func (c Code) Status() int { return codes[c.row()].status }

// MCP is the code of the JSON-RPC error that a request of the Model Context
// Protocol ends with: a prompt, a resource, a subscription. The protocol has few,
// so the error itself goes with it as data. A call of a tool never ends so: it is
// answered with a result that has isError, which the model reads, where a client
// may keep an error of the protocol from it.
func (c Code) MCP() int { return codes[c.row()].mcp }

// AHP is the code of the JSON-RPC error that a request of the Agent Host Protocol
// ends with, by the list of that protocol: what is held or busy is a conflict to it.
func (c Code) AHP() int { return codes[c.row()].ahp }

func (c Code) row() int {
	for i, row := range codes {
		if row.code == c {
			return i
		}
	}
	return 0
}
