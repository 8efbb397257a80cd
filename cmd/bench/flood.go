package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"
)

// floodRows are what other clients, and the host, have of some that ask for much,
// read nothing, and send slowly.
func floodRows() []row {
	return []row{
		{name: "flood-p99", work: "a client's p99 while others flood the host", unit: "ms",
			beside: "the same without them", budget: "≤ 200 ms", at: upTo(10_000), share: timeOf(200), run: floodRow(slowest)},
		{name: "flood-memory", work: "memory of the host in that, its highest", unit: "MiB",
			beside: "the same without them", budget: "≤ 256 MiB", at: upTo(10_000), share: timeOf(256), run: floodRow(highest)},
	}
}

// floodFigure takes the two figures of a flood.
type floodFigure func(alone, flooded floodReading) reading

type floodReading struct{ p99, memory float64 }

func slowest(alone, flooded floodReading) reading { return reading{flooded.p99, alone.p99} }
func highest(alone, flooded floodReading) reading { return reading{flooded.memory, alone.memory} }

// floodRow has a client that does no harm at work, first alone and then beside a
// flood, and holds all that it is told to what must come of it.
func floodRow(figure floodFigure) func(context.Context, *bench, *list) (reading, error) {
	return func(ctx context.Context, b *bench, l *list) (reading, error) {
		dir, err := b.copy(l)
		if err != nil {
			return reading{}, err
		}
		h, err := b.startHost(dir)
		if err != nil {
			return reading{}, err
		}
		w := &worker{b: b, list: l, mcp: newClient(h.url, 1)}
		w.callers = b.newCallers(l, dir, 1, perBurst, w.call)
		got, err := w.both(ctx, h, figure)
		if serr := h.stop(); err == nil {
			err = serr
		}
		if err != nil {
			return reading{}, err
		}
		return got, w.callers.check(ctx)
	}
}

// worker is the client that does no harm: it changes the list and looks at a page.
type worker struct {
	b       *bench
	list    *list
	mcp     *client
	callers *callers

	mu   sync.Mutex // of what all callers share
	took []float64  // of each call
}

func (w *worker) both(ctx context.Context, h *host, figure floodFigure) (reading, error) {
	alone, err := w.reading(ctx, h)
	if err != nil {
		return reading{}, err
	}
	f, err := w.b.startFlood(ctx, h.url, w.list)
	if err != nil {
		return reading{}, err
	}
	defer f.stop()
	flooded, err := w.reading(ctx, h)
	return figure(alone, flooded), err
}

// reading works for a while, and looks at the host.
func (w *worker) reading(ctx context.Context, h *host) (got floodReading, err error) {
	w.took = nil
	for range 5 {
		if _, err := w.callers.burst(ctx); err != nil {
			return got, err
		}
	}
	slices.Sort(w.took)
	got.p99 = w.took[(len(w.took)*99-1)/100]
	got.memory, err = h.memory()
	return got, err
}

// call is a door that is timed, and looks at a page that no call of it changes.
func (w *worker) call(ctx context.Context, by, tool string, input any) (string, error) {
	timed := func(tool string, input any) (string, error) {
		start := time.Now()
		said, err := w.mcp.call(ctx, by, tool, input)
		w.mu.Lock()
		defer w.mu.Unlock()
		w.took = append(w.took, milliseconds(time.Since(start)))
		return said, err
	}
	done := func(t task) bool { return t.status == "done" }
	said, err := timed("task_list", page("task_list", map[string]any{"status": "done"}))
	if err == nil {
		w.mu.Lock()
		err = w.b.same("tasks done", pageIn(said), w.list.page("task_list", done))
		w.mu.Unlock()
	}
	if err != nil {
		return "", err
	}
	return timed(tool, input)
}

// flood is clients that the host must not suffer by.
type flood struct {
	address string
	on      context.Context
	end     context.CancelFunc
	all     sync.WaitGroup
}

// startFlood has two that say who they are, each with so many connections of each
// kind, do what they should not until it is stopped.
func (b *bench) startFlood(ctx context.Context, to string, l *list) (*flood, error) {
	at, err := url.Parse(to)
	if err != nil {
		return nil, err
	}
	f := &flood{address: at.Host}
	f.on, f.end = context.WithCancel(ctx)
	many, large := 100, 4
	if b.quick {
		many, large = 4, 1
	}
	for _, name := range []string{"mallory", "trent"} {
		list := f.request(name, "tools/call", "task_list", map[string]any{"name": "task_list", "arguments": struct{}{}})
		uri := "x-ahpd-plans://" + l.middlePlan()
		plan := f.request(name, "resources/read", uri, map[string]any{"uri": uri})
		listen := f.request(name, "subscriptions/listen", "", map[string]any{"notifications": map[string]any{"resourceSubscriptions": []string{uri}}})
		body := f.request(name, "tools/call", "task_add", map[string]any{"name": "task_add",
			"arguments": map[string]any{"title": "x", "body": strings.Repeat("x", 1<<20)}})
		for range many {
			f.each(list, time.Second) // and reads nothing
			f.each(plan, time.Second)
			f.each(listen, time.Hour)
			f.each(list[:40], time.Hour) // half a header
			f.slow(body)                 // a byte a second
		}
		for range large {
			f.each(body, time.Second/4) // which is refused when it is all there
		}
	}
	return f, nil
}

// request is a request as it goes over the wire.
func (f *flood) request(as, method, name string, params map[string]any) string {
	params["_meta"] = meta
	body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
	if err != nil {
		panic(err) // texts can always be encoded
	}
	header := ""
	if name != "" {
		header = "Mcp-Name: " + name + "\r\n"
	}
	return fmt.Sprintf("POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\n"+
		"Mcp-Protocol-Version: 2026-07-28\r\nMcp-Method: %s\r\nGit-Tasks-As: %s\r\n%sContent-Length: %d\r\n\r\n%s", method, as, header, len(body), body)
}

// each has one client more send a request, read nothing for a while, and begin anew.
func (f *flood) each(request string, pause time.Duration) {
	f.all.Go(func() {
		for f.dialed(func(conn net.Conn) {
			io.WriteString(conn, request) // who is cut off begins anew
			f.wait(pause)
		}) {
		}
	})
}

// slow has one client more send a request a byte at a time.
func (f *flood) slow(request string) {
	f.all.Go(func() {
		for f.dialed(func(conn net.Conn) {
			header, body, _ := strings.Cut(request, "\r\n\r\n")
			_, err := io.WriteString(conn, header+"\r\n\r\n")
			for i := 0; err == nil && f.wait(time.Second); i++ {
				_, err = io.WriteString(conn, body[i:i+1])
			}
		}) {
		}
	})
}

// dialed does something with a connection of its own that takes in little, and
// reports whether the flood goes on.
func (f *flood) dialed(do func(net.Conn)) bool {
	conn, err := net.Dial("tcp", f.address)
	if err != nil {
		return f.wait(100 * time.Millisecond)
	}
	defer conn.Close()
	defer context.AfterFunc(f.on, func() { conn.SetDeadline(time.Now()) })()
	conn.(*net.TCPConn).SetReadBuffer(4 << 10)
	do(conn)
	return f.wait(0)
}

// wait waits, and reports whether the flood goes on.
func (f *flood) wait(d time.Duration) bool {
	select {
	case <-f.on.Done():
		return false
	case <-time.After(d):
		return true
	}
}

func (f *flood) stop() {
	f.end()
	f.all.Wait()
}
