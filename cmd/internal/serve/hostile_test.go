package serve_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/git-tasks/git-tasks/repo/repotest"
)

// raw sends bytes as they are, and gives every status that comes back until the
// host closes the connection, and all that it said.
func raw(t *testing.T, url, bytes string) (statuses []int, said string) {
	t.Helper()
	conn, err := net.Dial("tcp", strings.TrimPrefix(url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	conn.SetDeadline(time.Now().Add(20 * time.Second))
	go func() {
		io.WriteString(conn, bytes)
		if strings.Contains(bytes, "chunked") {
			conn.(*net.TCPConn).CloseWrite() // no more of it comes
		}
	}()
	var all strings.Builder
	in := bufio.NewReader(io.TeeReader(conn, &all))
	for {
		resp, err := http.ReadResponse(in, nil)
		if err != nil {
			return statuses, all.String()
		}
		io.Copy(io.Discard, resp.Body)
		statuses = append(statuses, resp.StatusCode)
	}
}

// TestHostileRequests: what no client sends is refused, or answered as what it is,
// and never as somebody else's; the token is never said back.
func TestHostileRequests(t *testing.T) {
	t.Parallel()
	const token, canary = "token-of-ana", "token-of-"
	r := begin(t, users("ana"), nil)
	request := func(line string, headers ...string) string {
		return line + "\r\n" + strings.Join(append(headers, ""), "\r\n")
	}
	good := []string{"Host: localhost", "Authorization: Bearer " + token, "Content-Type: application/json",
		"Accept: application/json, text/event-stream", "Mcp-Protocol-Version: 2026-07-28", "Mcp-Method: tools/call", "Mcp-Name: task_add"}
	length := fmt.Sprintf("Content-Length: %d", len(addTask))
	post := func(body string, change map[string]string, more ...string) string {
		var headers []string
		for _, h := range good {
			name, _, _ := strings.Cut(h, ":")
			if to, ok := change[name]; !ok {
				headers = append(headers, h)
			} else if to != "" {
				headers = append(headers, to)
			}
		}
		return request("POST /mcp HTTP/1.1", append(headers, more...)...) + "\r\n" + body
	}
	none, last := map[string]string{}, "Connection: close"
	for name, c := range map[string]struct {
		bytes string
		want  []int
	}{
		"as it should be":           {post(addTask, none, length, last), []int{200}},
		"three in one":              {strings.Repeat(post(addTask, none, length), 2) + post(addTask, none, length, last), []int{200, 200, 200}},
		"of an old HTTP":            {strings.Replace(post(addTask, none, length), "HTTP/1.1", "HTTP/1.0", 1), []int{200}},
		"without a host":            {strings.Replace(post(addTask, map[string]string{"Host": ""}, length), "HTTP/1.1", "HTTP/1.0", 1), []int{403}},
		"with two hosts":            {post(addTask, none, length, "Host: evil.example"), []int{400}},
		"for another by its URL":    {strings.Replace(post(addTask, none, length), "POST /mcp", "POST http://evil.example/mcp", 1), []int{403}},
		"with two tokens":           {post(addTask, none, length, last, "Authorization: Bearer wrong"), []int{401}},
		"with one token twice":      {post(addTask, none, length, last, "Authorization: Bearer "+token), []int{401}},
		"with no and a token":       {post(addTask, map[string]string{"Authorization": "Authorization: "}, length, last, last, "Authorization: Bearer "+token), []int{401}},
		"with an empty token":       {post(addTask, map[string]string{"Authorization": "Authorization: "}, length, last), []int{401}},
		"with a blank behind":       {post(addTask, map[string]string{"Authorization": "Authorization : Bearer " + token}, length), []int{400}},
		"with two lengths":          {post(addTask, none, length, "Content-Length: 3"), []int{400}},
		"with bad chunks":           {post("zz\r\n", none, "Transfer-Encoding: chunked"), []int{408}},
		"with an endless chunk":     {post("ffffffffffffffff\r\nx", none, "Transfer-Encoding: chunked"), []int{408}},
		"with another encoding":     {post(addTask, none, length, "Transfer-Encoding: gzip"), []int{501}},
		"with a huge header":        {post(addTask, none, length, "X: "+strings.Repeat("a", 100_000)), []int{431}},
		"with a NUL":                {post(addTask, none, length, "X: a\x00b"), []int{400}},
		"with two sites":            {post(addTask, none, length, "Sec-Fetch-Site: same-origin", "Sec-Fetch-Site: cross-site"), []int{403}},
		"of a session of nobody":    {post(addTask, none, length, last, "Mcp-Session-Id: nobody"), []int{404}},
		"by a longer path":          {request("GET //mcp?token="+token+" HTTP/1.1", "Host: localhost", last) + "\r\n", []int{404}},
		"by a way round":            {request("GET /x/../mcp?token="+token+" HTTP/1.1", "Host: localhost", last) + "\r\n", []int{404}},
		"for all, from outside":     {request("OPTIONS * HTTP/1.1", "Host: evil.example") + "\r\n", []int{403}},
		"for all":                   {request("OPTIONS * HTTP/1.1", "Host: localhost", last) + "\r\n", []int{400}},
		"for a tunnel":              {request("CONNECT evil.example:80 HTTP/1.1", "Host: localhost", last) + "\r\n", []int{403}},
		"of HTTP/2":                 {"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", []int{403}},
		"with a token for a method": {request(token+" /mcp HTTP/1.1", "Host: localhost", last) + "\r\n", []int{405}},
		"of no HTTP":                {"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n", []int{400}},
	} {
		got, said := raw(t, r.url, c.bytes)
		if fmt.Sprint(got) != fmt.Sprint(c.want) {
			t.Errorf("a request %s is answered %v, want %v:\n%.300s", name, got, c.want, said)
		}
		if strings.Contains(said, canary) {
			t.Errorf("a request %s is answered with the token:\n%s", name, said)
		}
	}
	if strings.Contains(r.log.String(), canary) {
		t.Errorf("the log has the token:\n%s", r.log)
	}
	if n := repotest.Git(t, r.dir, "rev-list", "--count", "main"); n != "5" {
		t.Errorf("%s tasks were made, want 5", n)
	}
}
