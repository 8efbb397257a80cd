package records

import "time"

// Edit is one meant change. The set is closed: AddPlan, SetPlan, AddTask,
// SetTask, Approve, ReviewTask, Reclaim, RemoveTask, Remove, Restore and
// Translation, as values.
type Edit interface{ edit() }

// Fields are the fields of a task that a call may name. Nil is "not named". In
// SetTask "" clears a text or the priority, an empty list a list; the title
// cannot be cleared, and a plan of "" takes the task out of its plan.
type Fields struct {
	Title    *string
	Status   *string
	Priority *string
	Labels   *[]string
	Topic    *string
	Plan     *string
	Bot      *string
	Folder   *string
	Session  *string
	// Owner is whose the task is: who is to do it, or does it. The caller's own name
	// with doing beside it is a claim.
	Owner *string
	// LeasedUntil is when the claim ends by itself, the zero time for never; LeaseFor
	// says the same from now on. A task that is not in doing afterwards has no lease.
	LeasedUntil *time.Time
	LeaseFor    *time.Duration
	// Parent is the task that this one stands under: one of the same plan, and none
	// that stands under this one. A task that goes to another plan leaves its parent
	// and its rank behind.
	Parent *string
	// Before and After name a task under the same parent that this one is to stand
	// beside; at most one of them. Without either a task that comes to another parent
	// goes behind all that stand there.
	Before *string
	After  *string
	// BlockedBy is taken without its repeats, then without RemoveBlockedBy, then with
	// AddBlockedBy; at most 64 ids are left then.
	BlockedBy       *[]string
	AddBlockedBy    *[]string
	RemoveBlockedBy *[]string
	// Active is kept as given. It goes when an edit moves the task out of doing,
	// also when that edit names it.
	Active *string
	Note   *string
	Refs   *[]string
	// Metadata is put into what there is, key by key; an empty text takes one out.
	Metadata *map[string]string
	Body     *string
	// Output stands in the body, under the heading Output.
	Output *string
	// Packet is taken whole, as JSON decodes to; an empty one clears it.
	Packet *map[string]any
}

// AddPlan makes a plan, a draft with a created stamp.
type AddPlan struct {
	Title string
	Goal  string
	Scope Scope
	Refs  []string
}

// SetPlan changes a plan's title or status; nil is "not named".
type SetPlan struct {
	Plan   string
	Title  *string
	Status *string
}

// AddTask makes a task, todo with a created stamp whatever Status says. Source is
// of a translated task alone; nil for none.
type AddTask struct {
	Fields
	Source *Source
	// Of is the Markdown file that the task is made of, in the place of Fields; nil
	// for none. It has frontmatter without an id, as a draft has it, and the record
	// keeps its bytes; or a text without any, whose first line is the title and the
	// rest the body. What it says is judged as the input of a tool is, and a refusal
	// names its Path. Stamps and a lease go, as if it did not have them. Where its
	// blockedBy or its parent name other such files, Names has the ids of those, each
	// by the name of the file without its .md.
	Of    *File
	Names map[string]string
}

// SetTask changes the named fields of a task. A task in doing under a live lease is
// its holder's to change ([Held]), and one with an owner is not taken by another
// ([Conflict]), unless Force is set.
type SetTask struct {
	Task string
	Fields
	Force bool
}

// Reclaim makes a task whose claim is over todo and nobody's. Who changes such a
// task makes this edit first.
type Reclaim struct{ Task string }

// RemoveTask takes one task out of the tree, by the rules of SetTask. One that
// others name as their parent stays, also with Force.
type RemoveTask struct {
	Task  string
	Force bool
}

// Approve stamps a task or a plan approved; the id says which. It moves no
// status.
type Approve struct{ ID string }

// ReviewTask stamps a task reviewed; Verdict may be empty.
type ReviewTask struct {
	Task    string
	Verdict Verdict
}

// Remove takes records out of the tree, each at the path it lies at. Where the
// highest id of a collection goes, .highest remembers it, and nothing goes where
// that file cannot be written: the id would be used again. A second file that
// claims the id of a removed one is left alone, and holds the id from then on. One that
// somebody else holds is refused as [Held], and all of them stay.
type Remove struct{ IDs []string }

// Restore brings records back that left the tree: files as they last could be
// read, the path they lay at and the text. The text stays byte for byte, with its
// stamps; a record comes to lie in the folder of its number. One that the tree
// has a file of, readable or not, is a [Conflict].
type Restore struct{ Files []File }

func (AddPlan) edit()    {}
func (SetPlan) edit()    {}
func (AddTask) edit()    {}
func (SetTask) edit()    {}
func (Approve) edit()    {}
func (ReviewTask) edit() {}
func (Reclaim) edit()    {}
func (RemoveTask) edit() {}
func (Remove) edit()     {}
func (Restore) edit()    {}

// Mark is what the stamps of an edit say.
type Mark struct {
	// By is the person behind the call; "" is written as "host".
	By string
	// In is the session of the call as a URI, "" for none.
	In string
	// At is when, written in UTC with milliseconds.
	At time.Time
	// Now is the wall clock, which says whether a lease still counts: stamps may have
	// to be later. The zero time is At.
	Now time.Time
}

// Rules are the settings that decide whether an edit is allowed.
type Rules struct {
	// RequireApproval refuses a move to doing of a task without an approved
	// stamp of its own.
	RequireApproval bool
	// GateOnBlockers refuses a move to doing while a task that the task waits for
	// is open; without it only a claim is refused.
	GateOnBlockers bool
	// CloseGate refuses a move to done while a task that the task waits for is open.
	CloseGate bool
	// KnownUser says whether a name is one of the user directory; nil where there is
	// none, and every name may own a task.
	KnownUser func(name string) bool
	// Gone says whether a session is known on this host to have ended; nil for none.
	Gone func(session string) bool
}

// File is one changed file: its path from the top of the tree and its new text,
// nil for a file that goes.
type File struct {
	Path string
	Data []byte
}

// Outcome is what an edit came to.
type Outcome struct {
	// Book is the Book after the edit; the same one where nothing changed. It
	// reads the changed files from memory until Advance puts it on the tree
	// that was made of them.
	Book *Book
	// Files is what has to be written, in the order of their paths; none means
	// that nothing changed.
	Files []File
	// IDs is what the edit is about, the record first.
	IDs []string
	// Added are those of IDs that are new.
	Added []string
	// What says in a word or two what happened: "add", the new status of a
	// move, "set note, labels", "approved", "reviewed changes", "claim",
	// "release", "reclaim", "remove", "restore", "translate"; "" where nothing
	// changed.
	What string
	// Title is the record's title after the edit, "" for several records.
	Title string
	// Forced is whose claims and assignments Force lifted, each holder once; none
	// where nothing stood in the way.
	Forced []string
	// Reclaimed is whose claim is over and why: "ahp-session:/s2 lease" where its time
	// was up, "… session" where the session is gone.
	Reclaimed string
}

// RefusalKind groups refusals by what the caller can do about them.
type RefusalKind uint8

// The kinds of refusal.
const (
	// Invalid: the input cannot be taken.
	Invalid RefusalKind = iota + 1
	// NotFound: the record that the edit is about does not exist.
	NotFound
	// Conflict: the input is sound, the record's state forbids it.
	Conflict
	// Held: the input is sound, and another holds the task under a live lease. Its
	// words begin as those of any conflict.
	Held
)

// Refusal says why an edit was not made. Nothing was changed and no id used.
type Refusal struct {
	Kind RefusalKind
	// Field is the input's field, "" for none.
	Field string
	// Text is the whole sentence but for the name of the tool: "plan must match
	// the id of a known plan (see plan_list)."
	Text string
	// Given is what was given for an id and is none that a record has, "" where
	// that is not the fault.
	Given string
	// Of is the id of the record that is in the way: the task that is not approved,
	// or that cannot be waited for. "" for none.
	Of string
	// See is the tool that helps on, "" for none: one that shows which ids there
	// are, or makes what is missing.
	See string
}

// Error gives the sentence as it is; whoever shows it puts the tool before it.
func (r *Refusal) Error() string { return r.Text }
