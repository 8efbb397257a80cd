// Package graph draws what waits for what: the tasks of a list, or of a plan, as
// lines for a terminal or an agent, or as a Mermaid diagram for a page that renders
// one.
//
// # Shape
//
// An arrow goes from a task to each that names it in blockedBy. As text a task
// stands under the first of those that it waits for, two spaces deeper, and below it
// the titles of all of them:
//
//	Task Graph:
//	✅ t1 [DONE] Read the plan
//	  🚧 t2 [DOING] Write the parser
//	    └─ depends on: Read the plan
//
// Where it comes up again, under another one, a line says that it stands above:
// `🚧 t2 … (above)`. What waits for nothing in the graph is a root; roots, and what
// waits for one task, come in the order of a list.
//
// As Mermaid it is a flowchart in a code fence, a node for each task with the colour
// of its status; what a list has at its end stands in comments:
//
//	```mermaid
//	flowchart TD
//	  %% 1 record could not be read: tasks/t7.md:3: ...
//
// # The life of one
//
// [Of] reads the tasks of a Book, and forgets the Book. A Graph never changes.
//
// # What can go wrong
//
// Tasks may wait for each other in a circle, which hands can write and no tool does:
// none of them is a root, so the first of the list begins one, and the way round ends
// at the line that says "above". A chain may be endless in effect: what is deeper
// than 40 levels stands at the 40th.
//
// A title may be made to break out of a line, a label or the fence. In text it is one
// line, as records.Visible shows it; in a diagram everything that has a meaning there
// is written by its number. What renders diagrams takes so many characters and arrows
// and no more: finished tasks are left out first, then the last of the list, and a
// node says how many.
package graph
