package records

import "iter"

// Plan is what a number of tasks are for. It is kept as a Task is, with Goal as
// the text below the frontmatter. A *Plan that came out of a Book is shared:
// copy it before changing it.
type Plan struct {
	ID       string   `json:"id,omitempty"`
	Scope    Scope    `json:"scope"`
	Title    string   `json:"title"`
	Status   Status   `json:"status,omitempty"`
	Refs     []string `json:"refs,omitempty"`
	Created  *Stamp   `json:"created,omitempty"`
	Approved *Stamp   `json:"approved,omitempty"`
	Finished *Stamp   `json:"finished,omitempty"`
	Reviewed *Stamp   `json:"reviewed,omitempty"`
	Goal     string   `json:"goal,omitempty"`
}

// Stamps yields the stamps the plan has, by name, in the order of the file.
func (p *Plan) Stamps() iter.Seq2[string, *Stamp] { return stampsOf(p.appendStamps(nil)) }

// Name gives the id and the title.
func (p *Plan) Name() (id, title string) { return p.ID, p.Title }

// Line gives the plan in one line, title last: "p1 draft Ship it", the title as
// Visible shows it.
func (p *Plan) Line() string {
	return p.ID + " " + string(p.Status) + " " + Visible(p.Title)
}
