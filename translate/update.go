package translate

import "github.com/git-tasks/git-tasks/records"

// Update is what a harness says of its own list, in a form that knows no harness:
// the whole list, or one change to it. Exactly one of List and Change is there.
type Update struct {
	Session string `json:"session"`         // bare or as a URI
	Agent   string `json:"agent,omitempty"` // the subagent whose list it is, which has a plan of its own
	Tool    string `json:"tool"`            // the harness's name for what wrote the list
	// List is the whole list. An empty one clears it; nil says that there is none.
	List   []Entry `json:"list,omitzero"`
	Change *Change `json:"change,omitempty"`
	// ActiveText says that the text of an entry in progress may be its active form,
	// as over ACP.
	ActiveText bool `json:"activeText,omitempty"`
	// Checked says that the list is one of ours and not of a harness, which has moved
	// on already: each entry has an id of its own, and one that goes back, say from
	// completed to pending, refuses the list.
	Checked bool `json:"-"`
	// Call is the harness's id of the call that said it: an update whose call is
	// known already is no news.
	Call string `json:"call,omitempty"`
}

// Entry is one entry of a whole list, in the harness's words.
type Entry struct {
	Text     string `json:"text"`
	Status   string `json:"status,omitempty"`   // "" leaves it as it is
	Priority string `json:"priority,omitempty"` // anything but high, medium and low leaves it as it is
	Active   string `json:"active,omitempty"`   // what is being done, while it is in progress
	ID       string `json:"id,omitempty"`       // where the harness's ids outlive the list
}

// Change is one change to a list: what is empty, or nil, is not named.
type Change struct {
	ID       string   `json:"id"` // the harness's id of the entry
	Text     string   `json:"text,omitempty"`
	Status   string   `json:"status,omitempty"`
	Priority string   `json:"priority,omitempty"`
	Active   string   `json:"active,omitempty"`
	Body     string   `json:"body,omitempty"`
	Labels   []string `json:"labels,omitempty"` // that are to be among the task's
	Note     string   `json:"note,omitempty"`
	// The harness's ids of what it waits for: all of them, such as come to them,
	// and those that from now on wait for it. Ids that the plan does not know are
	// left out, and so are those that would make a cycle.
	BlockedBy    []string `json:"blockedBy,omitzero"`
	AddBlockedBy []string `json:"addBlockedBy,omitempty"`
	AddBlocks    []string `json:"addBlocks,omitempty"`
}

// Memory is what is known of a session beside its plan.
type Memory struct {
	Title string // "" while there is none
	// Active holds the active forms that came before their tasks were in progress,
	// by plan and the harness's id: "p1/7".
	Active map[string]string
	// Left are the steps that a checked list has let go of: they are done, and what
	// the list says of their ids is of other steps now.
	Left []string
	// Held says who else holds a step, "" for nobody, and may be nil: a checked list
	// leaves such a step to them, whatever it says of it.
	Held func(*records.Task) string
	// Place says where the session's plan is, nil where that has to be looked for
	// in all records.
	Place *Place
}

// Place is a session's plan, and every task that may be of it.
type Place struct {
	Plan  string   `json:"plan"`
	Tasks []string `json:"tasks"` // some may be of another plan now, or gone
}

// Plan is what an update comes to.
type Plan struct {
	Edits records.Translation // none where nothing changes
	Book  *records.Book       // after them, but for what only a commit stamps
	ID    string              // of the session's plan, "" where there is none and none is made
	Tasks []string            // of the entries, in their order, or of the change
	Place *Place              // of the plan, with the tasks that are added; nil where there is no plan
	// Active is what Memory is to hold of active forms from now on; nil where that is
	// as it was.
	Active map[string]string
	// Left is what Memory is to hold of steps that were let go of; only a checked list
	// says it, and Finished, how many of its steps are completed only now.
	Left     []string
	Finished int
	// Held are the steps that a checked list left to who holds them, listed ones first.
	Held []*records.Task
}
