package serve_test

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/coder/websocket"
)

// follower is a client of plans and sessions over the Agent Host Protocol, written from what the
// protocol says alone: it shares nothing with the host but the wire. It asks one
// thing at a time, and takes in whatever comes before the answer.
type follower struct {
	id     string
	url    func() string // of the host, which may be another one by now
	rand   *rand.Rand
	states map[string]state // by channel
	seq    uint64           // the last that it was told
	conn   *websocket.Conn
	asked  int

	actions, compared, replays, snapshots, starts int
}

// state is a channel as the follower knows it.
type state interface {
	reduce(a wireAction) error // to the next one, where the action can follow from this
	text() string              // in one form
	gone() bool                // nothing is left that would have to be removed
}

// planState is that of a plan.
type planState struct {
	plan  any
	tasks map[string]any // by id
}

// sessionState is that of a session, as it stands on the wire.
type sessionState map[string]any

type wireAction struct {
	Channel         string
	Action          struct{ Type, TaskID string }
	ServerSeq       uint64
	RejectionReason string
	raw             map[string]any
}

type wireSnapshot struct {
	Resource string
	State    map[string]any
	FromSeq  uint64
}

type wireMessage struct {
	ID     *int
	Method string
	Params json.RawMessage
	Result json.RawMessage
	Error  *struct {
		Code    int
		Message string
	}
}

// errLost says that the connection is gone, as it may be at any time.
var errLost = errors.New("the connection is lost")

// ask sends a request and gives its result, or the code of its error.
func (f *follower) ask(method string, params map[string]any) (result json.RawMessage, code int, err error) {
	f.asked++
	if params["channel"] == nil {
		params["channel"] = "ahp-root://"
	}
	data, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": f.asked, "method": method, "params": params})
	if err != nil {
		return nil, 0, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	if err := f.conn.Write(ctx, websocket.MessageText, data); err != nil {
		return nil, 0, errLost
	}
	for {
		_, data, err := f.conn.Read(ctx)
		if err != nil {
			return nil, 0, errLost
		}
		var m wireMessage
		if err := json.Unmarshal(data, &m); err != nil {
			return nil, 0, fmt.Errorf("%s: %w", data, err)
		}
		switch {
		case m.Method == "action":
			if err := f.take(m.Params); err != nil {
				return nil, 0, err
			}
		case m.ID != nil && *m.ID == f.asked && m.Error != nil:
			return nil, m.Error.Code, nil
		case m.ID != nil && *m.ID == f.asked:
			return m.Result, 0, nil
		default:
			return nil, 0, fmt.Errorf("nobody asked for %s", data)
		}
	}
}

// take takes in an action.
func (f *follower) take(params json.RawMessage) error {
	var a wireAction
	var whole struct{ Action map[string]any }
	if err := errors.Join(json.Unmarshal(params, &a), json.Unmarshal(params, &whole)); err != nil {
		return err
	}
	a.raw = whole.Action
	if a.RejectionReason != "" {
		if a.ServerSeq < f.seq {
			return fmt.Errorf("an echo has number %d after %d", a.ServerSeq, f.seq)
		}
		f.seq = a.ServerSeq
		return nil
	}
	if a.ServerSeq <= f.seq {
		return fmt.Errorf("number %d came after %d", a.ServerSeq, f.seq)
	}
	f.seq = a.ServerSeq
	f.actions++
	state := f.states[a.Channel]
	if state == nil {
		return fmt.Errorf("%s came, which is not followed", a.Channel)
	}
	return state.reduce(a)
}

func (s *planState) gone() bool { return len(s.tasks) == 0 }

func (s *planState) reduce(a wireAction) error {
	id := a.Action.TaskID
	task, _ := a.raw["task"].(map[string]any)
	if task != nil {
		id, _ = task["id"].(string)
	}
	_, known := s.tasks[id]
	switch strings.TrimPrefix(a.Action.Type, "x-ahpd-plans/") {
	case "set":
		s.plan = a.raw["plan"]
		return nil
	case "taskAdded":
		s.tasks[id] = task
		known = !known
	case "taskSet":
		s.tasks[id] = task
	case "taskRemoved":
		delete(s.tasks, id)
	default:
		return nil // a client lets be what it does not know
	}
	if !known {
		return fmt.Errorf("number %d is %s of %s, which does not follow from what there was", a.ServerSeq, a.Action.Type, id)
	}
	return nil
}

func (s *planState) text() string {
	tasks := []any{}
	ids := []string{}
	for id := range s.tasks {
		ids = append(ids, id)
	}
	number := func(id string) int { n, _ := strconv.Atoi(id[1:]); return n }
	slices.SortFunc(ids, func(a, b string) int { return cmp.Compare(number(a), number(b)) })
	for _, id := range ids {
		tasks = append(tasks, s.tasks[id])
	}
	data, _ := json.Marshal(map[string]any{"plan": s.plan, "tasks": tasks})
	return string(data)
}

func (s sessionState) gone() bool { return true }

func (s sessionState) reduce(a wireAction) error {
	changes, _ := a.raw["changes"].(map[string]any)
	chat := s["chats"].([]any)[0].(map[string]any)
	switch a.Action.Type {
	case "session/titleChanged":
		s["title"] = a.raw["title"]
	case "session/metaChanged":
		s["_meta"] = a.raw["_meta"]
	case "session/chatUpdated":
		for key, value := range changes {
			chat[key] = value
		}
		s["status"] = chat["status"] // as its only chat has it
	}
	return nil
}

func (s sessionState) text() string {
	if m, ok := s["_meta"].(map[string]any); ok && len(m) == 0 {
		delete(s, "_meta")
	}
	data, _ := json.Marshal(map[string]any(s))
	return string(data)
}

// enter takes in a snapshot; where the channel was followed it must be what the
// follower has.
func (f *follower) enter(s wireSnapshot, fresh bool) error {
	var next state = sessionState(s.State)
	if tasks, ok := s.State["tasks"].([]any); ok {
		plan := &planState{plan: s.State["plan"], tasks: map[string]any{}}
		for _, t := range tasks {
			plan.tasks[t.(map[string]any)["id"].(string)] = t
		}
		next = plan
	}
	if s.FromSeq < f.seq {
		return fmt.Errorf("the state of %s is of number %d, and %d was told before", s.Resource, s.FromSeq, f.seq)
	}
	f.seq = s.FromSeq
	if known := f.states[s.Resource]; known != nil && !fresh {
		f.compared++
		if got, want := known.text(), next.text(); got != want {
			return fmt.Errorf("at number %d %s is\n%s\nand a fresh subscribe gives\n%s", f.seq, s.Resource, got, want)
		}
	}
	f.states[s.Resource] = next
	return nil
}

// subscribe follows a channel, or looks whether what it has of it is right.
func (f *follower) subscribe(uri string) error {
	result, code, err := f.ask("subscribe", map[string]any{"channel": uri})
	switch {
	case err != nil:
		return err
	case code == -32001:
		if known := f.states[uri]; known != nil && !known.gone() {
			return fmt.Errorf("%s is gone, and its tasks were not removed: %s", uri, known.text())
		}
		return nil // whoever followed it hears of it when it comes back
	case code != 0:
		return fmt.Errorf("subscribe is answered %d", code)
	}
	var r struct{ Snapshot wireSnapshot }
	if err := json.Unmarshal(result, &r); err != nil {
		return err
	}
	return f.enter(r.Snapshot, false)
}

// connect opens a connection and goes on from where the last one was cut off.
func (f *follower) connect() error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	conn, _, err := websocket.Dial(ctx, f.url()+"/ahp", nil)
	if err != nil {
		return errLost
	}
	conn.SetReadLimit(-1)
	f.conn = conn
	uris := []string{}
	for uri := range f.states {
		uris = append(uris, uri)
	}
	seen := f.seq
	if f.rand.IntN(4) == 0 {
		seen += 1_000_000 // which the host has not come to
	}
	result, code, err := f.ask("reconnect", map[string]any{"clientId": f.id, "lastSeenServerSeq": seen, "subscriptions": uris})
	switch {
	case err != nil:
		return err
	case code == -32008:
		return f.initialize(uris)
	case code != 0:
		return fmt.Errorf("reconnect is answered %d", code)
	}
	var r struct {
		Type      string
		Actions   []json.RawMessage
		Missing   []string
		Snapshots []wireSnapshot
	}
	if err := json.Unmarshal(result, &r); err != nil {
		return err
	}
	if r.Type == "snapshot" {
		f.snapshots++
		return f.startFrom(r.Snapshots)
	}
	f.replays++
	for _, uri := range r.Missing {
		delete(f.states, uri)
	}
	for _, a := range r.Actions {
		if err := f.take(a); err != nil {
			return fmt.Errorf("in a replay: %w", err)
		}
	}
	return nil
}

// initialize begins anew.
func (f *follower) initialize(uris []string) error {
	result, code, err := f.ask("initialize", map[string]any{"protocolVersions": []string{"0.9.1", "1.1.0"}, "clientId": f.id, "initialSubscriptions": uris})
	if err != nil || code != 0 {
		return errors.Join(err, fmt.Errorf("initialize is answered %d", code))
	}
	var r struct {
		ProtocolVersion string
		ServerSeq       uint64
		Snapshots       []wireSnapshot
	}
	if err := json.Unmarshal(result, &r); err != nil {
		return err
	}
	f.starts++
	f.seq = r.ServerSeq
	return f.startFrom(r.Snapshots)
}

func (f *follower) startFrom(states []wireSnapshot) error {
	f.states = map[string]state{}
	f.seq = 0
	for _, s := range states {
		if err := f.enter(s, true); err != nil {
			return err
		}
	}
	return nil
}

// step does one thing that a client may do, to one of the channels.
func (f *follower) step(channels []string) error {
	if f.conn == nil {
		return f.connect()
	}
	uri := channels[f.rand.IntN(len(channels))]
	switch f.rand.IntN(20) {
	case 0:
		f.conn.CloseNow()
		f.conn = nil
		return nil
	case 1, 2:
		_, _, err := f.ask("unsubscribe", map[string]any{"channel": uri}) // what was sent before comes before the answer
		if err == nil {
			delete(f.states, uri)
		}
		return err
	case 3:
		_, _, err := f.ask("dispatchAction", map[string]any{"channel": uri, "clientSeq": f.asked,
			"action": map[string]any{"type": "x-ahpd-plans/taskRemoved", "taskId": "t1"}})
		return err
	case 4, 5, 6, 7:
		return f.subscribe(uri)
	default:
		_, _, err := f.ask("ping", map[string]any{})
		return err
	}
}
