package channel_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/git-tasks/git-tasks/channel"
	"github.com/git-tasks/git-tasks/tools"
	"github.com/git-tasks/git-tasks/translate"
)

// agents is a program that runs sessions of agents, with the list built in.
type agents struct{ tools map[string]channel.Offer }

func (a *agents) RegisterTool(o channel.Offer)         { a.tools[o.Name] = o }
func (a *agents) Session(string) (owner, title string) { return "user:ana", "Parser" }
func (a *agents) ReportMeta(session, key string, value any) {
	data, _ := json.Marshal(value)
	fmt.Printf("%s: %s %s\n", session, key, data)
}
func (a *agents) DrawCall(c channel.Call) {
	fmt.Printf("%s %s: %s\n", channel.CallName, c.State, strings.Join(c.Lines, ", "))
}

// A Go program that runs agents builds the list in by being its host: the tools
// come to it, and so does what a client of its own is shown.
func ExampleHost() {
	_, s, done := exampleList()
	defer done()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	hub, err := exampleHub(ctx, s)
	if err != nil {
		panic(err)
	}
	host := &agents{map[string]channel.Offer{}}
	list := channel.Attach(hub, host)
	list.StartTurn("one", "turn-1")
	answer, err := host.tools["task_add"].Run(ctx, tools.Who{Session: "one"}, json.RawMessage(`{"title":"Read the lexer"}`))
	fmt.Println(answer.Text, err)
	planned, err := list.PlanUpdate(ctx, translate.Update{Session: "one", Tool: "TodoWrite", List: []translate.Entry{{Text: "Mend it", Status: "completed"}}})
	fmt.Println(planned.Plan, planned.Tasks, err)
	list.EndTurn("one", "turn-1")
	// Output:
	// Update todo list open: - [ ] Read the lexer
	// one: ahpd.tasks {"open":1}
	// t1 todo medium Read the lexer <nil>
	// Update todo list changed: - [ ] Read the lexer, - [x] Mend it
	// p2 [t2] <nil>
	// Update todo list done: - [ ] Read the lexer, - [x] Mend it
}
