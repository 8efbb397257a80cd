package serve_test

import (
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"github.com/git-tasks/git-tasks/repo"
	"github.com/git-tasks/git-tasks/repo/repotest"
)

// TestP19HostRunsNothingOfTheRepository: a host of a repository that names
// commands wherever git would run them starts, answers, takes in what another
// program committed and rolls packs up, and runs none of them.
func TestP19HostRunsNothingOfTheRepository(t *testing.T) {
	t.Parallel()
	dir := repotest.New(t)
	repotest.Foreign(t, dir, "refs/heads/main", "mia", "x", repo.File{Path: ".gitattributes", Data: []byte("* filter=x diff=x merge=x\n")},
		repo.File{Path: ".gitmodules", Data: []byte("[submodule \"x\"]\n\tpath = x\n\turl = https://192.0.2.1/x\n")},
		repo.File{Path: "tasks/new.md", Data: []byte("---\ntitle: a draft\n---\n")})
	ran := repotest.Traps(t, dir)
	if err := os.WriteFile(filepath.Join(filepath.Dir(dir), "config.json"),
		[]byte(`{"plugins": [{"name": "@ahpd/tasks", "options": {"sweepAfterDays": 1}}]}`), 0o600); err != nil {
		t.Fatal(err)
	}
	p := startProcess(t, dir)
	for range 40 {
		if status, answer := ask(t, http.MethodPost, p.url+"/mcp", addTask, "Git-Tasks-As: ana"); status != 200 || strings.Contains(answer, "isError") {
			t.Fatalf("a call is answered %d %s", status, answer)
		}
	}
	if h := healthOf(t, p.url); h.Packs > 32 || h.Commit == "" {
		t.Errorf("the health is %+v", h)
	}
	p.Process.Signal(syscall.SIGTERM)
	p.Wait()
	for _, name := range ran() {
		t.Errorf("%s ran", name)
	}
}

// TestP24NothingInARecordIsFetched: whatever a record names, the host connects to
// nothing for it.
func TestP24NothingInARecordIsFetched(t *testing.T) {
	t.Parallel()
	strace, err := exec.LookPath("strace")
	if err != nil {
		t.Skip("strace is not there to tell what a process connects to")
	}
	calls := filepath.Join(t.TempDir(), "calls")
	if out, err := exec.Command(strace, "-o", calls, "true").CombinedOutput(); err != nil {
		t.Skipf("strace cannot be used here: %v %s", err, out)
	}
	dir := repotest.New(t)
	const ref = "http://192.0.2.1/secret"
	body := "---\nid: t1\ntitle: " + ref + "\nstatus: todo\nplan: p1\nrefs: [" + ref + ", file:///etc/passwd, \"javascript:alert(1)\", ssh://192.0.2.1/x, \"ext::sh -c id\"]\n---\n" +
		"![](" + ref + ")\n<img src=" + ref + ">\n@import " + ref + "\n"
	repotest.Foreign(t, dir, "refs/heads/main", "eve", "x", repo.File{Path: "tasks/t1.md", Data: []byte(body)},
		repo.File{Path: "plans/p1.md", Data: []byte("---\nid: p1\ntitle: P\nstatus: active\nscope: {kind: folder, folder: " + ref + "}\nrefs: [" + ref + "]\n---\n")})
	if err := os.WriteFile(filepath.Join(filepath.Dir(dir), "config.json"), []byte("{}"), 0o600); err != nil {
		t.Fatal(err)
	}
	p := startProcess(t, dir, strace, "-f", "-qq", "-e", "trace=connect,execve", "-o", calls)
	meta := strings.TrimSuffix(addTask[strings.Index(addTask, `"_meta"`):], "}}")
	for _, c := range [][2]string{
		{"tools/call", `"name":"task_list","arguments":{}`}, {"tools/call", `"name":"plan_show","arguments":{"plan":"p1"}`},
		{"tools/call", `"name":"task_set","arguments":{"task":"t1","status":"doing","refs":["` + ref + `"],"body":"` + ref + `"}`},
		{"resources/read", `"uri":"x-ahpd-plans://p1"`}, {"prompts/get", `"name":"tasks","arguments":{"plan":"p1"}`},
	} {
		name := regexp.MustCompile(`"(?:name|uri)":"([^"]*)"`).FindStringSubmatch(c[1])[1]
		request := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":%q,"params":{%s,%s}}`, c[0], c[1], meta)
		status, answer := ask(t, http.MethodPost, p.url+"/mcp", request, "Git-Tasks-As: ana", "Mcp-Method: "+c[0], "Mcp-Name: "+name)
		if status != 200 || !strings.Contains(answer, ref) {
			t.Errorf("%s is answered %d %s", c, status, answer)
		}
	}
	conn, _ := socket(t, p.url)
	say(t, conn, hello)
	if answer := say(t, conn, subscribe(1)); !strings.Contains(answer, ref) {
		t.Errorf("a subscribe is answered %s", answer)
	}
	conn.CloseNow()
	syscall.Kill(p.pid, syscall.SIGTERM)
	p.Wait()
	log, err := os.ReadFile(calls)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(log), "execve(") {
		t.Errorf("strace saw nothing:\n%s", log)
	}
	for line := range strings.Lines(string(log)) {
		if strings.Contains(line, "connect(") {
			t.Errorf("the host connects: %s", line)
		}
	}
}
