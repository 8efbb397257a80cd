package serve

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"runtime/debug"
	"strings"
	"time"

	"github.com/git-tasks/git-tasks/records"
	"github.com/git-tasks/git-tasks/records/detail"
	"github.com/git-tasks/git-tasks/repo"
	"github.com/git-tasks/git-tasks/tools"
	"github.com/git-tasks/git-tasks/translate"
)

const (
	askWait    = 10 * time.Second // for a process to say what it asks, and to take the answer
	answerWait = 30 * time.Second // for a host to answer one call
)

// asked is one call as a process says it, once it is welcome. The input is bytes:
// what is wrong with it is the tool's to say.
type asked struct {
	Tool  string `json:"tool"`
	Input []byte `json:"input"`

	Push    *pushAsked         `json:"push,omitempty"`    // in place of both
	Updates []translate.Update `json:"updates,omitempty"` // the same
	Revise  *reviseAsked       `json:"revise,omitempty"`  // the same
}

// told is what a host says to it: an answer, whose plans stand before its tasks as
// in every answer; a refusal; or that nothing was done since it stops.
type told struct {
	Text      string            `json:"text,omitempty"`
	Plans     []*records.Plan   `json:"plans,omitempty"`
	Tasks     []*records.Task   `json:"tasks,omitempty"`
	Listed    []*records.Listed `json:"listed,omitempty"`
	Detail    *detail.Task      `json:"detail,omitempty"`
	Commit    string            `json:"commit,omitempty"`
	Replaced  string            `json:"replaced,omitempty"`
	Notes     []string          `json:"notes,omitempty"`
	Error     *tools.Error      `json:"error,omitempty"`
	Withdrawn bool              `json:"withdrawn,omitempty"`
	Said      []string          `json:"said,omitempty"`   // of a push that landed
	Pusher    string            `json:"pusher,omitempty"` // of a push that is judged
	Planned   *tools.Planned    `json:"planned,omitempty"`

	Refusal *records.Refusal `json:"refusal,omitempty"` // behind the error
	By      string           `json:"by,omitempty"`      // the tool that refused
}

// answerCall makes the one call that a process came for. The process going away
// withdraws it, as long as it is not being written.
func (h *host) answerCall(ctx context.Context, who tools.Who, in io.Reader, conn net.Conn) error {
	conn.SetReadDeadline(time.Now().Add(askWait))
	var what asked
	if err := json.NewDecoder(in).Decode(&what); err != nil {
		return fmt.Errorf("reading what it asks: %w", err)
	}
	conn.SetReadDeadline(time.Time{})
	ctx, leave := context.WithCancel(ctx)
	defer leave()
	go func() {
		io.Copy(io.Discard, in) // until it is gone, or this is over
		leave()
	}()
	said := h.tell(ctx, who, what)
	conn.SetWriteDeadline(time.Now().Add(askWait))
	err := json.NewEncoder(conn).Encode(said)
	var number *json.UnsupportedValueError
	if errors.As(err, &number) { // one that JSON has not; whoever asked reads the record itself
		err = json.NewEncoder(conn).Encode(told{Text: said.Text, Commit: said.Commit})
	}
	return err
}

// tell carries a call out. A panic in it is that call's affair alone.
func (h *host) tell(ctx context.Context, who tools.Who, what asked) (said told) {
	defer func() {
		if p := recover(); p != nil {
			h.Store.Log().Error("a panic was caught", "door", "socket", "in", what.Tool, "panic", fmt.Sprint(p), "stack", string(debug.Stack()))
			said = told{Error: &tools.Error{Code: tools.Internal, Message: what.Tool + " failed; the host's log says why."}}
		}
	}()
	if what.Push != nil {
		return h.tellPush(ctx, *what.Push)
	}
	caller, err := h.Store.Caller(who)
	if err != nil {
		return refusal(err)
	}
	if what.Updates != nil {
		return h.tellUpdate(ctx, caller, what.Updates)
	}
	if what.Revise != nil {
		return h.tellRevise(ctx, caller, *what.Revise)
	}
	answer, err := tools.Call(ctx, h.Store, caller, what.Tool, what.Input)
	if err != nil {
		return undone(ctx, err)
	}
	said = told{Text: answer.Text, Commit: answer.Commit, Replaced: answer.Replaced, Notes: answer.Notes}
	for _, record := range answer.Records {
		switch r := record.(type) {
		case *records.Plan:
			said.Plans = append(said.Plans, r)
		case *records.Task:
			said.Tasks = append(said.Tasks, r)
		case *records.Listed:
			said.Listed = append(said.Listed, r)
		case *detail.Task:
			said.Detail = r
		}
	}
	return said
}

// undone says why something was not done: it was refused, or ctx ended before it
// was, and whoever asked may do it.
func undone(ctx context.Context, err error) told {
	if ctx.Err() != nil && errors.Is(err, ctx.Err()) && !repo.IsKind(err, repo.Unconfirmed) {
		return told{Withdrawn: true}
	}
	return refusal(err)
}

func refusal(err error) told {
	said := told{Error: tools.AsError(err)}
	said.By = said.Error.Tool
	errors.As(err, &said.Refusal)
	return said
}

// refused is the error as it was before it was told, nil for none.
func (said told) refused() error {
	if said.Error == nil {
		return nil
	}
	if said.Error.Tool = said.By; said.Refusal != nil {
		said.Error.Err = said.Refusal
	}
	return said.Error
}

// Call makes one call through the host that serves the list, where one of this
// version does. Where ok is false nothing was done, and whoever asks does it
// itself. An error is the refusal of the call; [tools.Unreachable] is of a host
// that went away or stopped answering with a change under way, which may then be
// made or not.
func Call(ctx context.Context, s *tools.Store, who tools.Who, runtime, tool string, input []byte) (answer tools.Answer, ok bool, err error) {
	_, tip, err := s.Book()
	if err != nil {
		return tools.Answer{}, false, nil // which says the same to whoever goes on
	}
	said, there, err := askHost(ctx, s, who, runtime, asked{Tool: tool, Input: input})
	switch {
	case !there:
		return tools.Answer{}, false, nil
	case ctx.Err() != nil:
		return tools.Answer{}, true, ctx.Err()
	case err == nil && said.Withdrawn:
		return tools.Answer{}, false, nil
	case err == nil:
		return heard(s, said)
	case isRead(tool) || gone(s) && isTip(s, tip):
		return tools.Answer{}, false, nil
	}
	return tools.Answer{}, true, &tools.Error{Code: tools.Unreachable, Err: err,
		Message: "the host went away, or stopped answering, with this change under way; it may be made or not, so look before you call again"}
}

// askHost asks the host of a list one thing, and waits for what it says; there is
// false where no host of this version is. The error is of one that is, and that did
// not answer, or of ctx.
func askHost(ctx context.Context, s *tools.Store, who tools.Who, runtime string, what asked) (said told, there bool, err error) {
	conn := dial(s, hello{Ref: s.Ref(), Person: who.Person, Session: who.Session, Folder: who.Folder, Agent: who.Agent, Calls: tools.Version()}, runtime, welcomeCall)
	if conn == nil {
		return said, false, nil
	}
	defer conn.Close()
	conn.SetDeadline(time.Now().Add(answerWait))
	defer context.AfterFunc(ctx, func() { conn.SetDeadline(time.Now()) })()
	if err = ctx.Err(); err == nil {
		err = json.NewEncoder(conn).Encode(what)
	}
	if err == nil {
		err = json.NewDecoder(conn).Decode(&said)
	}
	return said, true, err
}

func isRead(tool string) bool {
	t := tools.Find(tool)
	return t == nil || t.ReadOnly
}

// gone reports whether no host holds the list: nothing of what one was doing is
// under way any more.
func gone(s *tools.Store) bool {
	_, held := Running(s)
	return !held
}

func isTip(s *tools.Store, id repo.ID) bool {
	_, now, err := s.Book()
	return err == nil && now == id
}

// heard is the answer or the refusal that a host told.
func heard(s *tools.Store, said told) (answer tools.Answer, ok bool, err error) {
	if err := said.refused(); err != nil {
		return tools.Answer{}, true, err
	}
	answer = tools.Answer{Text: said.Text, Records: []any{}, Commit: said.Commit, Replaced: said.Replaced, Notes: said.Notes}
	for _, p := range said.Plans {
		answer.Records = append(answer.Records, p)
	}
	for _, t := range said.Tasks {
		answer.Records = append(answer.Records, t)
	}
	for _, t := range said.Listed {
		answer.Records = append(answer.Records, t)
	}
	if said.Detail != nil {
		answer.Records = append(answer.Records, said.Detail)
	}
	if id, _, _ := strings.Cut(said.Text, " "); len(answer.Records) == 0 && said.Commit != "" {
		book, _, err := s.Book()
		if err != nil {
			return answer, true, err
		}
		record, err := book.Record(id)
		if err != nil {
			return answer, true, err
		}
		answer.Records = append(answer.Records, record)
	}
	return answer, true, nil
}
