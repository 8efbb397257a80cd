package serve

import (
	"bufio"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/git-tasks/git-tasks/tools/toolstest"
)

// pipes is a listener whose connections hold nothing back: what one side writes
// the other must read.
type pipes chan net.Conn

func (p pipes) Accept() (net.Conn, error) {
	conn, ok := <-p
	if !ok {
		return nil, net.ErrClosed
	}
	return conn, nil
}

func (p pipes) Close() error { return nil }

func (p pipes) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)} }

func (p pipes) dial() net.Conn {
	near, far := net.Pipe()
	p <- far
	return near
}

// serving answers on pipes until the test ends.
func serving(t *testing.T, h http.Handler) pipes {
	p := make(pipes)
	server := newServer(h, slog.New(slog.DiscardHandler))
	done := make(chan struct{})
	go func() {
		defer close(done)
		server.Serve(p)
	}()
	t.Cleanup(func() {
		close(p)
		server.Close()
		<-done
	})
	return p
}

// TestP28SlowBody: a body that comes a byte a second is cut off after half a
// minute; an answer that is waited for longer is not.
func TestP28SlowBody(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		read := make(chan error, 1)
		p := serving(t, paced(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			_, err := io.ReadAll(r.Body)
			read <- err
			if err == nil {
				<-time.After(time.Hour)
				fmt.Fprint(w, "at last")
			}
		})))
		conn := p.dial()
		go io.Copy(io.Discard, conn)
		began := time.Now()
		fmt.Fprint(conn, "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n")
		for len(read) == 0 {
			conn.Write([]byte(" "))
			<-time.After(time.Second)
		}
		if err, took := <-read, time.Since(began); err == nil || took < bodyWait || took > bodyWait+2*time.Second {
			t.Errorf("the body ended after %v with %v", took, err)
		}
		conn.Close()

		conn = p.dial()
		defer conn.Close()
		fmt.Fprint(conn, "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\n\r\nx")
		resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err != nil {
			t.Fatalf("an answer that takes long: %v", err)
		}
		if body, err := io.ReadAll(resp.Body); string(body) != "at last" {
			t.Errorf("an answer that takes long is %q, %v", body, err)
		}
		if err := <-read; err != nil {
			t.Error(err)
		}
	})
}

// TestP28SlowPush: a push may come slowly for as long as something comes.
func TestP28SlowPush(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		read := make(chan error, 1)
		p := serving(t, paced(steady(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			_, err := io.ReadAll(r.Body)
			read <- err
		}))))
		for sent, want := range map[int]bool{200: true, 100: false} {
			conn := p.dial()
			go io.Copy(io.Discard, conn)
			fmt.Fprint(conn, "POST /records.git/git-receive-pack HTTP/1.1\r\nHost: localhost\r\nContent-Length: 200\r\n\r\n")
			for range sent {
				conn.Write([]byte(" "))
				<-time.After(time.Second)
			}
			began := time.Now()
			err := <-read
			if took := time.Since(began); (err == nil) != want || took > bodyWait {
				t.Errorf("of 200 bytes %d came: it ended %v later with %v", sent, took, err)
			}
			conn.Close()
		}
	})
}

// TestP28SlowAnswer: an answer that its client does not take is given up after
// half a minute.
func TestP28SlowAnswer(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		gone := make(chan time.Duration, 1)
		p := serving(t, paced(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			began := time.Now()
			for {
				if _, err := w.Write(make([]byte, 64<<10)); err != nil {
					gone <- time.Since(began)
					return
				}
			}
		})))
		conn := p.dial()
		defer conn.Close()
		fmt.Fprint(conn, "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
		if took := <-gone; took != partWait {
			t.Errorf("the answer was given up after %v, want %v", took, partWait)
		}
	})
}

// TestP28IdleConnection: a connection on which nothing more is asked is let go after
// two minutes.
func TestP28IdleConnection(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		conn := serving(t, paced(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			<-time.After(time.Hour) // which counts as none of it
		}))).dial()
		defer conn.Close()
		fmt.Fprint(conn, "GET /mcp HTTP/1.1\r\nHost: localhost\r\n\r\n")
		in := bufio.NewReader(conn)
		if _, err := http.ReadResponse(in, nil); err != nil {
			t.Fatal(err)
		}
		began := time.Now()
		if _, err := in.ReadByte(); err != io.EOF || time.Since(began) != idleWait {
			t.Errorf("an idle connection ended after %v with %v, want %v", time.Since(began), err, idleWait)
		}
	})
}

// TestP28SlowStream: whoever writes a stream is never held up by a client that
// does not read it; that stream ends.
func TestP28SlowStream(t *testing.T) {
	t.Parallel()
	took := make(chan int, 1)
	h := newLimits(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for n := 0; ; n++ {
			if _, err := w.Write(make([]byte, 1<<10)); err != nil {
				<-r.Context().Done()
				took <- n
				return
			}
		}
	}), toolstest.New(t), time.Now)
	conn := serving(t, paced(h)).dial()
	defer conn.Close()
	fmt.Fprint(conn, "GET /mcp HTTP/1.1\r\nHost: localhost\r\n\r\n")
	if n := <-took; n < maxQueued>>10 {
		t.Errorf("a stream ended after %d KiB, want %d at least", n, maxQueued>>10)
	}
}

// TestStreamIsWrittenWhole: what was taken for a stream is written before it ends.
func TestStreamIsWrittenWhole(t *testing.T) {
	t.Parallel()
	h := newLimits(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		for i := range 1000 {
			fmt.Fprintf(w, "%d\n", i)
		}
	}), toolstest.New(t), time.Now)
	conn := serving(t, paced(h)).dial()
	defer conn.Close()
	fmt.Fprint(conn, "GET /mcp HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
	resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(resp.Body)
	n := 0
	for ; lines.Scan(); n++ {
		if lines.Text() != fmt.Sprint(n) {
			t.Fatalf("line %d is %q", n, lines.Text())
		}
	}
	if n != 1000 || lines.Err() != nil {
		t.Errorf("%d lines came, %v", n, lines.Err())
	}
}

// untaken is a ResponseWriter whose client takes nothing until it is told to.
type untaken struct {
	http.ResponseWriter
	take <-chan struct{}
}

func (u untaken) Write(part []byte) (int, error) {
	<-u.take
	return len(part), nil
}

func (untaken) SetWriteDeadline(time.Time) error { return nil }

func (untaken) FlushError() error { return nil }

// TestP28StreamsOfAll: what waits for the clients of all streams is bounded; those
// that want more end, and when all is taken nothing counts any more.
func TestP28StreamsOfAll(t *testing.T) {
	t.Parallel()
	var all, ended atomic.Int64
	take := make(chan struct{})
	var queues []*queue
	for range 1024 {
		q := newQueue(untaken{take: take}, func() { ended.Add(1) }, &all)
		for range 8 {
			q.Write(make([]byte, 30<<10))
		}
		queues = append(queues, q)
	}
	if n := all.Load(); n > maxQueuedOfAll || n < maxQueuedOfAll-8*(30<<10) || ended.Load() == 0 { // one that ends gives back all it had
		t.Errorf("%d bytes wait, want %d; %d streams ended", n, maxQueuedOfAll, ended.Load())
	}
	close(take)
	for _, q := range queues {
		q.finish()
	}
	if n := all.Load(); n != 0 {
		t.Errorf("%d bytes are left", n)
	}
}
