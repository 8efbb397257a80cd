package mcpserver

import (
	"context"
	"fmt"
	"log/slog"
	"runtime/debug"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/git-tasks/git-tasks/tools"
)

// CallerOf says who is behind a request, by what came with it and the _meta of its
// parameters. An error is a refusal of that call, in the words of
// [tools.AsError]. Over HTTP extra has the headers and the token, meta the session
// and folder; on standard input and output there is neither, and extra may be
// nil.
type CallerOf func(extra *mcp.RequestExtra, meta mcp.Meta) (tools.Caller, error)

// New gives a server that offers every tool of a store. It can be connected to
// any number of clients at once, over any transport of the SDK.
func New(s *tools.Store, callerOf CallerOf) *mcp.Server {
	d := &door{store: s, callerOf: callerOf, held: func(*mcp.RequestExtra) *hold { return nil }}
	return d.server(tools.All(), mcp.ServerOptions{})
}

// server is New with what not all servers have: only some tools, and more options.
func (d *door) server(offered []*tools.Tool, options mcp.ServerOptions) *mcp.Server {
	options.Instructions = Instructions
	options.Logger = warnings(d.store.Log())
	options.Capabilities = &mcp.ServerCapabilities{Tools: &mcp.ToolCapabilities{}, Prompts: &mcp.PromptCapabilities{}}
	options.CompletionHandler = d.complete
	options.SetCacheable = cacheable
	if options.SubscribeHandler != nil {
		options.Capabilities.Resources = &mcp.ResourceCapabilities{} // no list of them that could change
	}
	server := mcp.NewServer(implementation(), &options)
	for _, t := range offered {
		call := d.call(t)
		server.AddTool(definition(t), func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return call(ctx, req), nil
		})
	}
	d.offerPrompt(server)
	server.AddReceivingMiddleware(d.recovered)
	return server
}

// implementation is what we say of ourselves.
func implementation() *mcp.Implementation {
	return &mcp.Implementation{Name: "git-tasks", Title: "Tasks and plans", Version: tools.Version()}
}

// cacheable says who may keep a result: what stands in records is for whoever
// asked, since another one may not be allowed to read it.
func cacheable(_ context.Context, req mcp.Request, c *mcp.Cacheable) {
	if _, reads := req.(*mcp.ReadResourceRequest); reads {
		c.CacheScope = "private"
	}
}

// warnings is a log for the SDK, which tells of every request.
func warnings(log *slog.Logger) *slog.Logger {
	return slog.New(severe{log.Handler()}).With("door", "mcp")
}

// severe lets warnings and errors through.
type severe struct{ slog.Handler }

// Enabled reports whether a record of a level is handed on.
func (s severe) Enabled(ctx context.Context, level slog.Level) bool {
	return level >= slog.LevelWarn && s.Handler.Enabled(ctx, level)
}

// WithAttrs is the handler's, still severe.
func (s severe) WithAttrs(attrs []slog.Attr) slog.Handler { return severe{s.Handler.WithAttrs(attrs)} }

// WithGroup is the handler's, still severe.
func (s severe) WithGroup(name string) slog.Handler { return severe{s.Handler.WithGroup(name)} }

// definition is a tool as tools/list has it. No tool reaches beyond the list,
// and each change of it can be undone from history: none is destructive.
func definition(t *tools.Tool) *mcp.Tool {
	no := false
	return &mcp.Tool{
		Name:        t.Name,
		Description: t.Doc,
		InputSchema: t.Schema(),
		Annotations: &mcp.ToolAnnotations{
			ReadOnlyHint:    t.ReadOnly,
			IdempotentHint:  t.Idempotent,
			DestructiveHint: &no,
			OpenWorldHint:   &no,
		},
	}
}

// door is where calls come in.
type door struct {
	store    *tools.Store
	callerOf CallerOf
	held     func(*mcp.RequestExtra) *hold // what is under way of the request that a call came with

	// ask makes a call in another process, where ok; nil is none.
	ask func(context.Context, *mcp.CallToolRequest) (answer tools.Answer, ok bool, err error)
}

// toolCall answers a call of a tool.
type toolCall func(context.Context, *mcp.CallToolRequest) *mcp.CallToolResult

// call answers calls of one tool. Everything that a tool can say is a
// result; a protocol error is for what never reached a tool.
func (d *door) call(t *tools.Tool) toolCall {
	return func(ctx context.Context, req *mcp.CallToolRequest) (result *mcp.CallToolResult) {
		defer func() {
			if p := recover(); p != nil {
				d.logPanic(t.Name, p)
				result = refused(&tools.Error{Code: tools.Internal, Message: t.Name + " failed; the server's log says why."})
			}
		}()
		caller, err := d.callerOf(req.Extra, req.Params.Meta)
		if err != nil {
			return refused(tools.AsError(err))
		}
		hold := d.held(req.Extra)
		defer hold.called()
		if t.ReadOnly {
			err = hold.myTurn(ctx)
		}
		var answer tools.Answer
		if err == nil {
			answer, err = d.carryOut(ctx, caller, req)
		}
		if err == nil {
			err = hold.largeTurn(ctx, weight(answer))
		}
		if err == nil {
			result = answered(answer)
			err = hold.made(length(result))
		}
		if err != nil {
			return refused(tools.AsError(err))
		}
		return lightened(result, hold)
	}
}

// carryOut makes a call, in another process where one does that.
func (d *door) carryOut(ctx context.Context, caller tools.Caller, req *mcp.CallToolRequest) (tools.Answer, error) {
	if d.ask != nil {
		if answer, ok, err := d.ask(ctx, req); ok {
			return answer, err
		}
	}
	return tools.Call(ctx, d.store, caller, req.Params.Name, req.Params.Arguments)
}

// recovered puts errors in the protocol's form, and keeps a panic below it, in the
// SDK or in a handler, from ending the process: the request that met it is answered
// with an error.
func (d *door) recovered(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (result mcp.Result, err error) {
		defer func() {
			if p := recover(); p != nil {
				d.logPanic(method, p)
				result, err = nil, failed(&tools.Error{Code: tools.Internal, Message: method + " failed; the server's log says why."})
			}
		}()
		if result, err = next(ctx, method, req); err != nil && ctx.Err() == nil {
			err = failed(err)
		}
		return result, err
	}
}

func (d *door) logPanic(what string, p any) {
	d.store.Log().Error("a panic was caught", "door", "mcp", "in", what, "panic", fmt.Sprint(p), "stack", string(debug.Stack()))
}
