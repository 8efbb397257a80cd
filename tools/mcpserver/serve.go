package mcpserver

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/git-tasks/git-tasks/tools"
)

// Client is whom a process serves on its standard input and output.
type Client struct {
	Who     tools.Who     // that the process was started for
	Offered []*tools.Tool // that the client may call

	// Ask makes a call of a tool where another process has the list open; where ok is
	// false nothing was done, and the call is made here. It is asked anew for each
	// call, since that process comes and goes. nil is no such process, ever.
	Ask func(ctx context.Context, who tools.Who, tool string, input []byte) (answer tools.Answer, ok bool, err error)
}

// who is whom a call is of: a subagent speaks through the process of its session.
func (c *Client) who(meta mcp.Meta) (tools.Who, error) {
	one := c.Who
	err := saidOf(meta, metaAgent, &one.Agent)
	return one, err
}

// ask makes a call that came with some _meta elsewhere.
func (c *Client) ask(ctx context.Context, req *mcp.CallToolRequest) (answer tools.Answer, ok bool, err error) {
	if c.Ask == nil {
		return answer, false, nil
	}
	who, err := c.who(req.Params.Meta)
	if err != nil {
		return answer, true, err
	}
	return c.Ask(ctx, who, req.Params.Name, req.Params.Arguments)
}

// Serve serves one client, a message a line, and closes in and out when it is done. It
// returns nil when in closes, and ctx's error when that ends first; in both cases after
// what is running has finished and been answered. Any other error is one of reading in or
// writing out.
func Serve(ctx context.Context, s *tools.Store, client Client, in io.ReadCloser, out io.WriteCloser) error {
	p := &patient{room: newRoom()}
	p.room.patient = true
	caller := func(_ *mcp.RequestExtra, meta mcp.Meta) (tools.Caller, error) {
		who, err := client.who(meta)
		if err != nil {
			return tools.Caller{}, err
		}
		return s.Caller(who)
	}
	server := (&door{store: s, callerOf: caller, held: p.holds.of, ask: client.ask}).server(client.Offered, mcp.ServerOptions{})
	answers := &lineWriter{out: out}
	messages, feed := io.Pipe()
	read := make(chan error, 1)
	go func() {
		err := copyMessages(feed, in, answers)
		read <- err
		feed.Close()
	}()
	stop := context.AfterFunc(ctx, func() { feed.Close() })
	defer stop()
	defer in.Close()

	// The session does not hear of ctx: it would drop answers.
	p.Transport = &mcp.IOTransport{Reader: messages, Writer: answers, MaxLineLength: -1}
	session, err := server.Connect(context.WithoutCancel(ctx), p, nil)
	if err != nil {
		return fmt.Errorf("serving MCP: %w", err)
	}
	if err := session.Wait(); err != nil {
		return fmt.Errorf("serving MCP: %w", err)
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	select {
	case err := <-read:
		if err != nil && !errors.Is(err, io.ErrClosedPipe) {
			return fmt.Errorf("reading MCP messages: %w", err)
		}
	default: // the client stopped listening before it stopped speaking
	}
	return nil
}

// patient is a transport that tells the SDK of the end of its input only when
// every call it has read is answered. The SDK, told at once, would cancel the
// calls and throw their answers away. It also reads no more than is answered: a
// client that does not read its answers waits with what it asks.
type patient struct {
	mcp.Transport
	room  *room
	holds holds
}

// Connect is the transport's, with the connection made patient.
func (p *patient) Connect(ctx context.Context) (mcp.Connection, error) {
	c, err := p.Transport.Connect(ctx)
	if err != nil {
		return nil, err
	}
	conn := &patientConn{Connection: c, patient: p, running: map[jsonrpc.ID]func(){}}
	conn.idle = sync.NewCond(&conn.mu)
	return conn, nil
}

type patientConn struct {
	mcp.Connection
	patient *patient
	mu      sync.Mutex
	idle    *sync.Cond            // running has come down, or nobody can be answered
	running map[jsonrpc.ID]func() // calls read and not answered, and what is told of their end
	broken  bool                  // the output cannot be written
}

// Read gives the next message, and waits with an error until nothing runs. A
// call with the id of one that runs is answered here: the SDK would leave it
// unanswered.
func (c *patientConn) Read(ctx context.Context) (jsonrpc.Message, error) {
	for {
		c.await(callsOfUser - 1)
		msg, err := c.Connection.Read(ctx)
		taken := c.take(msg, err)
		if taken || err != nil {
			return msg, err
		}
		id := msg.(*jsonrpc.Request).ID
		fault := &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: "the id of a call that still runs"}
		if err := c.Connection.Write(ctx, &jsonrpc.Response{ID: id, Error: fault}); err != nil {
			return nil, err
		}
	}
}

// take counts a call that was read, and says whether it may be carried out.
func (c *patientConn) take(msg jsonrpc.Message, err error) bool {
	if err != nil {
		c.await(0)
	}
	if !isCall(msg) {
		return true
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	req := msg.(*jsonrpc.Request)
	if c.running[req.ID] != nil {
		return false
	}
	hold, _ := c.patient.room.enter("", false) // which refuses nobody
	header := http.Header{}
	forget := c.patient.holds.keep(hold, header)
	req.Extra = &mcp.RequestExtra{Header: header}
	c.running[req.ID] = func() { forget(); hold.leave() }
	return true
}

// await waits until no more than so many calls run, or nobody can be answered.
func (c *patientConn) await(most int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for len(c.running) > most && !c.broken {
		c.idle.Wait()
	}
}

// Write sends a message, and counts it where it is an answer.
func (c *patientConn) Write(ctx context.Context, msg jsonrpc.Message) error {
	err := c.Connection.Write(ctx, msg)
	c.mu.Lock()
	defer c.mu.Unlock()
	if answer, ok := msg.(*jsonrpc.Response); ok {
		if end := c.running[answer.ID]; end != nil {
			end()
		}
		delete(c.running, answer.ID)
	}
	c.broken = c.broken || err != nil
	c.idle.Broadcast()
	return err
}

// Close closes the connection under a Read that may be waiting.
func (c *patientConn) Close() error {
	err := c.Connection.Close()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.broken = true
	c.idle.Broadcast()
	return err
}

// isCall reports whether msg will be answered. A subscription is not counted:
// its answer is its end, and that is the client's to bring about.
func isCall(msg jsonrpc.Message) bool {
	req, ok := msg.(*jsonrpc.Request)
	return ok && req.IsCall() && req.Method != "subscriptions/listen"
}
