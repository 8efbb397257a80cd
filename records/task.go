package records

import "iter"

// Priority is how urgent a task is. Its zero value reads as Medium.
type Priority string

// The three priorities.
const (
	High   Priority = "high"
	Medium Priority = "medium"
	Low    Priority = "low"
)

// valid reports whether p is one of the three; the zero value is not.
func (p Priority) valid() bool { return p == High || p == Medium || p == Low }

// Task is one piece of work: the frontmatter of its file as fields, in the
// order they are written, and the text below it as Body. A field that the file
// does not have, or has empty, is the zero value. A *Task that came out of a
// Book is shared: copy it before changing it.
type Task struct {
	ID        string            `json:"id,omitempty"`
	Title     string            `json:"title"`
	Status    Status            `json:"status,omitempty"`
	Priority  Priority          `json:"priority,omitempty"`
	Labels    []string          `json:"labels,omitempty"`
	Topic     string            `json:"topic,omitempty"`
	Plan      string            `json:"plan,omitempty"`
	Bot       string            `json:"bot,omitempty"`
	Folder    string            `json:"folder,omitempty"`
	Session   string            `json:"session,omitempty"`
	Owner     string            `json:"owner,omitempty"`
	Lease     *Lease            `json:"lease,omitempty"`
	Parent    string            `json:"parent,omitempty"`
	Rank      string            `json:"rank,omitempty"`
	BlockedBy []string          `json:"blockedBy,omitempty"`
	Refs      []string          `json:"refs,omitempty"`
	Active    string            `json:"active,omitempty"`
	Note      string            `json:"note,omitempty"`
	Metadata  map[string]string `json:"metadata,omitempty"`
	// Packet holds what a harness handed over with the task, as JSON holds it:
	// text, float64, bool, nil, []any and map[string]any.
	Packet   map[string]any `json:"packet,omitempty"`
	Source   *Source        `json:"source,omitempty"`
	Created  *Stamp         `json:"created,omitempty"`
	Approved *Stamp         `json:"approved,omitempty"`
	Started  *Stamp         `json:"started,omitempty"`
	Finished *Stamp         `json:"finished,omitempty"`
	Reviewed *Stamp         `json:"reviewed,omitempty"`
	// Body is the long text, byte for byte as the file has it but for the blank
	// line after the frontmatter and the newline at its end.
	Body string `json:"body,omitempty"`
}

// Stamps yields the stamps the task has, by name, in the order of the file.
func (t *Task) Stamps() iter.Seq2[string, *Stamp] { return stampsOf(t.appendStamps(nil)) }

// Name gives the id and the title.
func (t *Task) Name() (id, title string) { return t.ID, t.Title }

// Line gives the task in one line, title last: "t1 todo medium Read the plan".
// An absent priority shows as medium, the title as Visible shows it.
func (t *Task) Line() string {
	priority := t.Priority
	if priority == "" {
		priority = Medium
	}
	return t.ID + " " + string(t.Status) + " " + string(priority) + " " + Visible(t.Title)
}
