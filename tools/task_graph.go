package tools

import (
	"strings"

	"github.com/git-tasks/git-tasks/records/graph"
)

// The formats of a graph.
const (
	graphText    = "text"
	graphMermaid = "mermaid"
)

var taskGraph = &Tool{
	Name:       "task_graph",
	Doc:        "Shows what waits for what: each task under the first that it waits for.",
	ReadOnly:   true,
	Idempotent: true,
	Fields: []Field{
		{Name: "plan", Form: Text, Kind: PlanRef, Doc: "only tasks of this plan"},
		{Name: "format", Form: Choice, Choices: []string{graphText, graphMermaid}, Doc: "text where absent"},
	},
	Example: `{"plan":"p1"}`,
	run: func(c *call) (Answer, error) {
		plan := text(c.in.Plan)
		if err := c.knownPlan(plan); err != nil {
			return Answer{}, err
		}
		g, err := graph.Of(c.book, plan)
		if err != nil {
			return Answer{}, err
		}
		answer := Answer{Records: []any{}, Notes: Notes(c.book)}
		if c.in.Format == graphMermaid {
			answer.Text = g.Mermaid(answer.Notes...)
		} else {
			answer.Text = strings.Join(append([]string{g.Text()}, answer.Notes...), "\n")
		}
		for _, task := range g.Tasks() {
			answer.Records = append(answer.Records, task)
		}
		return answer, nil
	},
}
