package serve_test

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"

	"github.com/git-tasks/git-tasks/repo"
	"github.com/git-tasks/git-tasks/repo/repotest"
)

// TestP28Flood: big messages, deep ones, bodies that are zipped, or come a byte at a
// time, answers that are not read, paths that are not there, subscriptions without
// end, and sockets that say nothing leave a host small, and another client served.
func TestP28Flood(t *testing.T) {
	t.Parallel()
	messages := 20
	if os.Getenv("GIT_TASKS_TEST_FULL") != "" {
		messages = 60
	}
	dir := repotest.New(t)
	if err := os.WriteFile(filepath.Join(filepath.Dir(dir), "config.json"), []byte("{}"), 0o600); err != nil {
		t.Fatal(err)
	}
	var files []repo.File
	for i := 1; i <= 5; i++ {
		files = append(files, repo.File{Path: fmt.Sprintf("tasks/t%d.md", i),
			Data: fmt.Appendf(nil, "---\nid: t%d\ntitle: B\nstatus: todo\npriority: medium\nlabels: []\n---\n\n%s\n", i, strings.Repeat("x", 1_000_000))})
	}
	repotest.Foreign(t, dir, "refs/heads/main", "mia", "x", files...)
	p := startProcess(t, dir)
	list := strings.NewReplacer("task_add", "task_list", `{"title":"A"}`, "{}").Replace(addTask)
	header := "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\nGit-Tasks-As: eve\r\n" +
		"Mcp-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: task_list\r\n"
	for _, kind := range []struct {
		sockets int
		says    string
	}{
		{500, "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4000000\r\n"},
		{60, header + fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(list), list)},
		{60, header + "Content-Length: 4000000\r\n\r\n{"},
	} {
		for range kind.sockets {
			conn, err := net.Dial("tcp", strings.TrimPrefix(p.url, "http://"))
			if err != nil {
				t.Fatal(err)
			}
			defer conn.Close()
			conn.(*net.TCPConn).SetReadBuffer(4 << 10)
			io.WriteString(conn, kind.says)
		}
	}
	big := strings.Replace(addTask, `"title":"A"`, `"title":"A","body":"`+strings.Repeat("x", 1<<20)+`"`, 1)
	deep := strings.Replace(addTask, `"A"`, strings.Repeat("[", 1_000_000)+strings.Repeat("]", 1_000_000), 1)
	var senders sync.WaitGroup
	senders.Go(func() { floodChannels(t, p.url, messages) })
	for n := range 8 {
		as := fmt.Sprintf("Git-Tasks-As: ana %d", n) // each has room for one at a time
		senders.Go(func() {
			for i := n; i < messages; i += 8 {
				if status, answer := ask(t, http.MethodPost, p.url+"/mcp", big, as); status != 200 || !strings.Contains(answer, "Invalid task_add input: body") {
					t.Errorf("a big message is answered %d %.200s", status, answer)
				}
			}
			if status, answer := ask(t, http.MethodPost, p.url+"/mcp", deep, as); status != 400 {
				t.Errorf("a deep message is answered %d %.200s", status, answer)
			}
			if status, answer := ask(t, http.MethodPost, p.url+"/mcp", "\x1f\x8b\x08", "Content-Encoding: gzip"); status != 400 {
				t.Errorf("a zipped message is answered %d %.200s", status, answer)
			}
			for i := range 50 {
				if status, answer := ask(t, http.MethodGet, fmt.Sprintf("%s/%d/%d", p.url, n, i), ""); status != 404 {
					t.Errorf("a path that is not there is answered %d %.200s", status, answer)
				}
			}
		})
	}
	for range 20 {
		if status, answer := ask(t, http.MethodPost, p.url+"/mcp", addTask, "Git-Tasks-As: bob"); status != 200 || !strings.Contains(answer, "todo medium A") {
			t.Errorf("another client is answered %d %s", status, answer)
		}
	}
	senders.Wait()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.pid))
	if err != nil {
		t.Skipf("the host's memory is not told here: %v", err)
	}
	peak, err := strconv.Atoi(regexp.MustCompile(`VmHWM:\s+(\d+) kB`).FindStringSubmatch(string(status))[1])
	if err != nil {
		t.Fatal(err)
	}
	if most := 256 << 10; peak > most && !raced() {
		t.Errorf("the host took %d KiB at most, want %d", peak, most)
	}
	t.Logf("%d big messages: at most %d KiB", messages, peak)
}

// floodChannels subscribes over and over, 10 000 times in a whole run, sends messages
// that are big and deep, and asks without reading the answers.
func floodChannels(t *testing.T, url string, messages int) {
	conn, _ := socket(t, url, "Sec-WebSocket-Extensions: permessage-deflate")
	say(t, conn, hello)
	times := messages * 170
	if raced() { // where each takes long, and others wait
		times = messages
	}
	for i := range times {
		if answer := say(t, conn, subscribe(i)); !strings.Contains(answer, "Resource not found") {
			t.Errorf("a subscribe is answered %.200s", answer)
			return
		}
	}
	deep := strings.Repeat("[", 1<<20)
	for range messages / 4 {
		if answer := say(t, conn, deep); !strings.Contains(answer, "-32700") {
			t.Errorf("a deep message is answered %.200s", answer)
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	for uri := "x-ahpd-plans://" + strings.Repeat("9", 1<<19); ; { // which is said back
		if conn.Write(ctx, websocket.MessageText, []byte(`{"jsonrpc":"2.0","id":2,"method":"subscribe","params":{"channel":"`+uri+`"}}`)) != nil {
			return // it is not heard any more
		}
	}
}

// raced reports whether the race detector is in the program, which keeps a shadow
// of all memory.
func raced() bool {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return false
	}
	for _, s := range info.Settings {
		if s.Key == "-race" {
			return s.Value == "true"
		}
	}
	return false
}
