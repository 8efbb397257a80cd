package ahp_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http/httptest"

	"github.com/coder/websocket"

	"github.com/git-tasks/git-tasks/channel"
	"github.com/git-tasks/git-tasks/channel/ahp"
	"github.com/git-tasks/git-tasks/tools"
	"github.com/git-tasks/git-tasks/tools/toolstest"
)

// A host mounts the server at one URL. A client opens a WebSocket there,
// subscribes, and is told of every change.
func Example() {
	s, done, err := toolstest.OpenExample(tools.Config{})
	if err != nil {
		panic(err)
	}
	defer done()
	call := func(tool, input string) {
		if _, err := tools.Call(context.Background(), s, s.HostCaller(), tool, json.RawMessage(input)); err != nil {
			panic(err)
		}
	}
	call("plan_create", `{"title":"Ship it","scope":{"kind":"bot","bot":"b"}}`)

	ctx, cancel := context.WithCancel(context.Background())
	moved, err := s.Moved(ctx)
	if err != nil {
		panic(err)
	}
	hub, err := channel.NewHub(s, moved)
	if err != nil {
		panic(err)
	}
	server, err := ahp.New(ctx, ahp.Config{Store: s, Hub: hub})
	if err != nil {
		panic(err)
	}
	web := httptest.NewServer(server)
	defer web.Close()
	defer server.Wait()
	defer cancel()

	client, _, err := websocket.Dial(ctx, web.URL, nil)
	if err != nil {
		panic(err)
	}
	err = client.Write(ctx, websocket.MessageText, []byte(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"channel":"ahp-root://",
		"protocolVersions":["1.1.0"],"clientId":"me","initialSubscriptions":["x-ahpd-plans://p1"]}}`))
	if err != nil {
		panic(err)
	}
	for range 2 {
		_, data, err := client.Read(ctx)
		if err != nil {
			panic(err)
		}
		var m struct {
			Result struct{ ProtocolVersion string }
			Params struct {
				ServerSeq int
				Action    struct {
					Type string
					Task struct{ Title string }
				}
			}
		}
		if err := json.Unmarshal(data, &m); err != nil {
			panic(err)
		}
		if m.Result.ProtocolVersion != "" {
			fmt.Println("speaks", m.Result.ProtocolVersion)
			call("task_add", `{"title":"Write it down","plan":"p1"}`)
			continue
		}
		fmt.Println(m.Params.Action.Type, m.Params.Action.Task.Title)
	}
	server.Judge() // where the settings changed
	// Output:
	// speaks 1.1.0
	// x-ahpd-plans/taskAdded Write it down
}
