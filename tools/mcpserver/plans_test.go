package mcpserver_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/git-tasks/git-tasks/repo"
	"github.com/git-tasks/git-tasks/repo/repotest"
	"github.com/git-tasks/git-tasks/tools"
	"github.com/git-tasks/git-tasks/tools/toolstest"
)

// follower is a client that hears of updates.
func follower(t *testing.T, url, era string, h spoken) (*mcp.ClientSession, <-chan string) {
	t.Helper()
	heard := make(chan string, 100)
	c := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, &mcp.ClientOptions{
		ResourceUpdatedHandler: func(_ context.Context, req *mcp.ResourceUpdatedNotificationRequest) { heard <- req.Params.URI }})
	session, err := c.Connect(context.Background(), &mcp.StreamableClientTransport{Endpoint: url, HTTPClient: &http.Client{Transport: h}},
		&mcp.ClientSessionOptions{ProtocolVersion: era})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { session.Close() })
	return session, heard
}

// await waits for an update, and wants it to be of a plan.
func await(t *testing.T, heard <-chan string, want string) {
	t.Helper()
	select {
	case got := <-heard:
		if got != want {
			t.Errorf("an update of %s, want %s", got, want)
		}
	case <-time.After(10 * time.Second):
		t.Fatalf("no update of %s came", want)
	}
}

// warm changes p1 until the subscription is heard of: a client of the newer era
// does not wait for its acknowledgement.
func warm(t *testing.T, session *mcp.ClientSession, heard <-chan string) {
	t.Helper()
	for range 5 {
		call(t, session, "plan_approve", `{"plan":"p1"}`)
		select {
		case <-heard:
			return
		case <-time.After(3 * time.Second):
		}
	}
	t.Fatal("the subscription was never heard of")
}

// TestPlansAreFollowed: in every version a client reads a plan and hears of what
// changes in it, through a tool or by another program.
func TestPlansAreFollowed(t *testing.T) {
	t.Parallel()
	for _, era := range versions {
		t.Run(era, func(t *testing.T) {
			t.Parallel()
			dir := repotest.New(t)
			session, heard := follower(t, hosted(t, toolstest.Open(t, tools.Config{Path: dir})), era,
				headers("Git-Tasks-As", "ana", "Git-Tasks-Folder", "/srv/work"))
			call(t, session, "plan_create", `{"title":"Ship it"}`)
			call(t, session, "plan_create", `{"title":"Another"}`)
			const uri = "x-ahpd-plans://p1"
			if err := session.Subscribe(t.Context(), &mcp.SubscribeParams{URI: uri}); err != nil {
				t.Fatal(err)
			}
			warm(t, session, heard)
			call(t, session, "task_add", `{"title":"not of it","plan":"p2"}`)
			call(t, session, "task_add", `{"title":"Build","plan":"p1"}`)
			await(t, heard, uri)
			repotest.Foreign(t, dir, "refs/heads/main", "eve", "x", repo.File{Path: "tasks/t3.md",
				Data: []byte("---\nid: t3\ntitle: by hand\nstatus: todo\nplan: p1\n---\n")})
			await(t, heard, uri)
			got, err := session.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: uri})
			if err != nil {
				t.Fatal(err)
			}
			want := "p1 draft Ship it\nt2 todo medium Build\nt3 todo medium by hand"
			if len(got.Contents) != 2 || got.Contents[1].Text != want || !strings.Contains(got.Contents[0].Text, `"title":"Build"`) {
				t.Errorf("the plan reads %+v, want %q", got.Contents, want)
			}
		})
	}
}

// TestUnknownPlans: what is no plan is neither read nor followed.
func TestUnknownPlans(t *testing.T) {
	t.Parallel()
	url := hosted(t, toolstest.New(t))
	for _, era := range eras {
		session, _ := follower(t, url, era, headers("Git-Tasks-As", "ana"))
		for _, uri := range []string{"x-ahpd-plans://p9", "x-ahpd-plans://t1", "x-ahpd-plans://../p1", "file:///etc/passwd"} {
			if _, err := session.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: uri}); err == nil {
				t.Errorf("%s: %s was read", era, uri)
			}
		}
		list, err := session.ListResourceTemplates(t.Context(), nil)
		if err != nil || len(list.ResourceTemplates) != 1 || list.ResourceTemplates[0].URITemplate != "x-ahpd-plans://{id}" {
			t.Errorf("%s: the templates are %+v, %v", era, list, err)
		}
	}
}

const listen = `{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{"notifications":{` +
	`"resourceSubscriptions":["x-ahpd-plans://p1"]},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",` +
	`"io.modelcontextprotocol/clientCapabilities":{},"io.modelcontextprotocol/clientInfo":{"name":"x","version":"1"}}}}`

// TestReadingNeedsTheGrant: with a user directory, plans are read and followed by
// those who hold session:read.
func TestReadingNeedsTheGrant(t *testing.T) {
	t.Parallel()
	s := toolstest.Open(t, tools.Config{Path: repotest.New(t), Settings: withTokens(&tools.Settings{
		Roles: map[string][]string{"viewer": {"session:read"}}, Users: []tools.User{{ID: "ana", Roles: []string{"viewer"}}}})})
	toolstest.Direct(t, toolstest.List{Store: s}, tools.Who{Person: "ana", Folder: "/srv/work"}, "plan_create", `{"title":"Ship it"}`)
	url := hosted(t, s)
	for _, era := range eras {
		for _, person := range []string{"ana", "mia", ""} {
			authorization := ""
			if person != "" {
				authorization = "Bearer " + tokenOf(person)
			}
			session, _ := follower(t, url, era, headers("Authorization", authorization))
			may := person == "ana"
			_, read := session.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "x-ahpd-plans://p1"})
			if may != (read == nil) {
				t.Errorf("%s, %q: reading gave %v", era, person, read)
			}
			if era < "2026" {
				err := session.Subscribe(t.Context(), &mcp.SubscribeParams{URI: "x-ahpd-plans://p1"})
				if may != (err == nil) {
					t.Errorf("%s, %q: following gave %v", era, person, err)
				}
			} else if !may { // this client does not tell of the refusal
				_, _, answer := post(t, url, listen, headers("Authorization", authorization,
					"Mcp-Protocol-Version", era, "Mcp-Method", "subscriptions/listen"))
				if !strings.Contains(answer, "session:read here.") && !strings.Contains(answer, "Sign in") {
					t.Errorf("%s, %q: following is answered %s", era, person, answer)
				}
			}
		}
	}
}

// TestErasFollowOnePlan: clients of every version follow one plan at one URL, and
// each hears of what any of them changes.
func TestErasFollowOnePlan(t *testing.T) {
	t.Parallel()
	s := toolstest.New(t)
	toolstest.Direct(t, toolstest.List{Store: s}, tools.Who{Folder: "/srv/work"}, "plan_create", `{"title":"Ship it"}`)
	url := hosted(t, s)
	type client struct {
		session *mcp.ClientSession
		heard   <-chan string
	}
	clients := map[string]client{}
	for _, era := range versions {
		session, heard := follower(t, url, era, headers("Git-Tasks-As", "ana"))
		if err := session.Subscribe(t.Context(), &mcp.SubscribeParams{URI: "x-ahpd-plans://p1"}); err != nil {
			t.Fatalf("%s: %v", era, err)
		}
		warm(t, session, heard)
		clients[era] = client{session, heard}
	}
	for _, c := range clients { // of the others' warming up
		for len(c.heard) > 0 {
			<-c.heard
		}
	}
	for _, by := range versions {
		call(t, clients[by].session, "task_add", `{"title":"A","plan":"p1"}`)
		for _, c := range clients {
			await(t, c.heard, "x-ahpd-plans://p1")
		}
	}
}

// TestP28FollowedPlans: a session, and a stream, follows sixty-four plans and no
// more; one that is left makes room.
func TestP28FollowedPlans(t *testing.T) {
	t.Parallel()
	dir := repotest.New(t)
	var files []repo.File
	var all []string
	for i := 1; i <= 65; i++ {
		files = append(files, repo.File{Path: fmt.Sprintf("plans/p%d.md", i),
			Data: fmt.Appendf(nil, "---\nid: p%d\ntitle: T\nstatus: draft\nscope: {kind: folder, folder: /srv}\n---\n", i)})
		all = append(all, fmt.Sprintf("x-ahpd-plans://p%d", i))
	}
	repotest.Foreign(t, dir, "refs/heads/main", "mia", "x", files...)
	url := hosted(t, toolstest.Open(t, tools.Config{Path: dir}))
	const want = "at most 64 plans can be followed at once; end one of them first."

	session := dial(t, url, "2025-11-25", nil)
	for i, uri := range all {
		err := session.Subscribe(t.Context(), &mcp.SubscribeParams{URI: uri})
		if (err != nil) != (i == 64) || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("plan %d: %v", i+1, err)
		}
	}
	if err := session.Unsubscribe(t.Context(), &mcp.UnsubscribeParams{URI: all[7]}); err != nil {
		t.Fatal(err)
	}
	for _, uri := range []string{all[8], all[64]} {
		if err := session.Subscribe(t.Context(), &mcp.SubscribeParams{URI: uri}); err != nil {
			t.Errorf("%s: %v", uri, err)
		}
	}
	list, err := json.Marshal(all)
	if err != nil {
		t.Fatal(err)
	}
	_, _, answer := post(t, url, strings.Replace(listen, `["x-ahpd-plans://p1"]`, string(list), 1),
		headers("Mcp-Protocol-Version", "2026-07-28", "Mcp-Method", "subscriptions/listen"))
	if !strings.Contains(answer, want) {
		t.Errorf("following 65 by one stream is answered %s", answer)
	}
	for range 8 {
		all = append(all, all...) // 16 640, as much as a stream would keep of it
	}
	if list, err = json.Marshal(all); err != nil {
		t.Fatal(err)
	}
	status, _, answer := post(t, url, strings.Replace(listen, `["x-ahpd-plans://p1"]`, string(list), 1),
		headers("Mcp-Protocol-Version", "2026-07-28", "Mcp-Method", "subscriptions/listen"))
	if status != http.StatusRequestEntityTooLarge || answer != "A request for a stream may bring at most 64 KiB.\n" {
		t.Errorf("following 16 640 by one stream is answered %d %.200s", status, answer)
	}
}
