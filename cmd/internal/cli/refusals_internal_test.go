package cli

import (
	"bytes"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/git-tasks/git-tasks/records"
	"github.com/git-tasks/git-tasks/repo"
	"github.com/git-tasks/git-tasks/repo/repotest"
	"github.com/git-tasks/git-tasks/tools"
)

// refusals is a command line for every reason that there is to refuse one, on a
// list with t1, which waits for nothing, t2, which waits for t1, p1, and many
// others.
var refusals = [][]string{
	{"set", "t1", "--title", ""},
	{"set", "t1", "--title", strings.Repeat("long ", 60)},
	{"set", "t1", "--status", "waiting"},
	{"plan", "set", "p1", "--status", "todo"},
	{"set", "t1", "--priority", "urgent"},
	{"review", "t1", "--verdict", "ok"},
	{"set", "t1", "--topic", "two\nlines"},
	{"set", "t1", "--status", "doing"},
	{"set", "t1", "--blocked-by", "t1"},
	{"set", "t1", "--blocked-by", "t2"},
	{"set", "t1", "--note", strings.Repeat("x", 70<<10)},
	append([]string{"set", "t1"}, manyBlockers()...),
	{"call", "plan_create", `{"title":"P","scope":{"kind":"host"}}`},
	{"set", "t9", "--status", "done"},
	{"show", "t9"},
	{"set", "t1", "--plan", "p9"},
	{"call", "task_add", `{"title":"A","plan":"p1","parent":"t1"}`},
	{"call", "task_add", `{"title":"A","parent":"t1","before":"t2"}`},
	{"set", "t1", "--before", "t2", "--after", "t101"},
	{"set", "t1", "--metadata", "=x"},
	{"set", "t1", "--leased-until", "2026-10-18T10:00:00Z"},
	{"set", "t1", "--owner", "mia", "--config", "users.json"},
	{"call", "task_claim", `{"task":"t2"}`},
	{"approve", "t1", "--config", "users.json"},
	{"approve", "t1", "--config", "users.json", "--as", ""},
	{"restore", "t1"},
	{"nonsense"},
	{"set", "t1", "--colour", "red"},
	{"add"},
	{"list", "--repo", "nowhere"},
	{"list", "--repo", "checked-out"},
	{"list", "--repo", "damaged"},
	{"add", "A", "--repo", "locked"},
	{"list", "--repo", "tree", "--branch", "tasks"},
	{"delete", "t1"},
	{"plan", "close", "p1"},
	{"set", "t1", "--plan", "t1"},
	{"set", "p1", "--note", "x"},
	{"add", "A", "--config", "role.json"},
	{"add", "A", "--config", "grant.json"},
	{"add", "A", "--config", "plugin.json"},
	{"call", "task_add", `{"title":"\ud800"}`},
	{"set", "t1"},
	{"hook", "session"},
	{"hook", "pre-receive"},
	{"install", "hooks", "--repo", "nowhere"},
	{"clone", ""},
	{"clone", "nowhere", ""},
	{"init", ""},
	{"init", "users.json"},
	{"fmt", "--all", "t1.md"},
	{"install", "clone", "--url", "http://127.0.0.1:7433/mcp"},
	{"install", "hooks", "--url", "http://127.0.0.1:7433/mcp"},
}

// storeFailures are the troubles with the disk that a change of a list meets, as a
// real store words them.
func storeFailures(t *testing.T, dir string) (list []error) {
	t.Helper()
	for _, cause := range []error{syscall.ENOSPC, syscall.EROFS, syscall.EACCES, syscall.EIO} {
		s, err := tools.Open(tools.Config{Path: filepath.Join(dir, ".local/share/git-tasks/records.git"),
			Fault: func(string, string) error { return cause }})
		if err != nil {
			t.Fatal(err)
		}
		_, err = tools.Call(t.Context(), s, s.HostCaller(), "task_add", []byte(`{"title":"A"}`))
		s.Close()
		list = append(list, err)
	}
	_, err := tools.Open(tools.Config{Path: filepath.Join(dir, "nowhere")})
	return append(list, err)
}

// failures are those that no command line brings about on its own.
var failures = []error{
	&repo.Error{Kind: repo.Unsupported, Text: "the repository at LIST keeps its refs in reftable"},
	&repo.Error{Kind: repo.Busy, Text: "refs/heads/main was moved by others 64 times in a row"},
	&tools.Error{Code: tools.Unreachable, Message: "the host went away"},
	&repo.Error{Kind: repo.Unconfirmed, Text: "the commit is on the branch, and the disk did not confirm it"},
	&exec.Error{Name: "git", Err: exec.ErrNotFound},
}

// TestRefusalsGolden holds every refusal to its words: what an agent's call is
// told, the hint that a person gets beside it, and the document with --json.
// -update writes the file anew.
func TestRefusalsGolden(t *testing.T) {
	t.Parallel()
	dir := refusalLists(t)
	var b strings.Builder
	for _, args := range refusals {
		var out [2]bytes.Buffer
		var codes [2]int
		for i, more := range [][]string{nil, {"--json"}} {
			env := refusalEnv(dir, &out[i])
			env.Args = append(append([]string{"git-tasks"}, args...), more...)
			codes[i] = Run(t.Context(), env)
		}
		if codes[0] != codes[1] || codes[0] == 0 {
			t.Errorf("%.80q ends with %d", args, codes)
		}
		fmt.Fprintf(&b, "$ git tasks %s\n%s%sexit %d\n\n", shortened(args), &out[0], &out[1], codes[0])
	}
	for _, err := range append(storeFailures(t, dir), failures...) {
		var out [2]bytes.Buffer
		code := 0
		for i := range out {
			f := &front{env: refusalEnv(dir, &out[i]), json: i == 1}
			code = f.fail(t.Context(), err)
		}
		fmt.Fprintf(&b, "%s%sexit %d\n\n", &out[0], &out[1], code)
	}
	got := strings.ReplaceAll(b.String(), dir, "DIR")
	got = regexp.MustCompile(`\(\d+ s old\)`).ReplaceAllString(got, "(N s old)")
	got = regexp.MustCompile(`git-tasks\.\d+\.[0-9.]+keep`).ReplaceAllString(got, "git-tasks.N.keep")
	got = regexp.MustCompile(`[0-9a-f]{40}`).ReplaceAllString(got, "COMMIT")
	const file = "testdata/refusals.golden"
	if flag.Lookup("update").Value.String() == "true" {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("refusals are now (-update writes them)\n%s", got)
	}
	holdsAll(t, got)
}

// TestCodesEndCommands plays every row of the table: a command ends with its exit
// code, and prints the error as a person, an agent and a program get it.
func TestCodesEndCommands(t *testing.T) {
	t.Parallel()
	for _, code := range tools.Codes() {
		err := &tools.Error{Code: code, Message: "no <way>", Next: "task_list"}
		for _, form := range []struct {
			front
			want string
		}{
			{front{}, "git-tasks: error: no <way>\nhint: git tasks list shows the tasks\n"},
			{front{plain: true}, "no <way>\n"},
			{front{json: true}, `{"error":{"code":"` + string(code) + `","message":"no <way>","next":"task_list","hint":"git tasks list shows the tasks"}}` + "\n"},
			{front{json: true, plain: true}, `{"error":{"code":"` + string(code) + `","message":"no <way>","next":"task_list"}}` + "\n"},
		} {
			var out bytes.Buffer
			form.env = Env{Stderr: &out}
			if exit := form.fail(t.Context(), fmt.Errorf("adding: %w", err)); exit != code.Exit() || out.String() != form.want {
				t.Errorf("%s ends with %d and %q, want %d and %q", code, exit, &out, code.Exit(), form.want)
			}
		}
	}
}

// holdsAll wants every code and every word that records refuses with.
func holdsAll(t *testing.T, golden string) {
	t.Helper()
	for _, code := range tools.Codes() {
		if !strings.Contains(golden, `{"error":{"code":"`+string(code)+`"`) {
			t.Errorf("there is no refusal of the code %s", code)
		}
	}
	file, err := parser.ParseFile(token.NewFileSet(), "../../../records/refusals.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(file, func(n ast.Node) bool {
		if literal, ok := n.(*ast.BasicLit); ok && literal.Kind == token.STRING {
			words, err := strconv.Unquote(literal.Value)
			if err != nil {
				t.Fatal(err)
			}
			words, _, _ = strings.Cut(words, "%")
			if strings.HasPrefix(words, "must ") && !strings.Contains(golden, words) {
				t.Errorf("nothing is refused because it %s", words)
			}
		}
		return true
	})
}

// many is how many others there are, from t101 on: more than one task may wait
// for.
const many = 65

func manyBlockers() (flags []string) {
	for n := range many {
		flags = append(flags, "--blocked-by", fmt.Sprintf("t%d", 101+n))
	}
	return flags
}

func shortened(args []string) string {
	line := strings.Join(args, " ")
	if len(line) > 80 {
		line = line[:80] + "…"
	}
	return strconv.Quote(line)
}

func refusalEnv(dir string, out *bytes.Buffer) Env {
	return Env{Stdin: io.NopCloser(strings.NewReader("no JSON")), Stdout: out, Stderr: out, Dir: dir, Host: "desk.example.org", User: func() string { return "ana" },
		Environ: []string{"HOME=" + dir}, Now: func() time.Time { return time.Date(2026, 10, 18, 10, 0, 0, 0, time.UTC) }}
}

// refusalLists makes the lists that the refusals are about, in one folder.
func refusalLists(t *testing.T) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{"add|A", "add|B|--blocked-by|t1", "plan|add|P", "init|damaged", "init|locked"} {
		var out bytes.Buffer
		env := refusalEnv(dir, &out)
		if env.Args = append([]string{"git-tasks"}, strings.Split(line, "|")...); Run(t.Context(), env) != 0 {
			t.Fatalf("%s: %s", line, &out)
		}
	}
	var others []repo.File
	for n := range many {
		id := fmt.Sprintf("t%d", 101+n)
		others = append(others, repo.File{Path: records.PathOf(id), Data: []byte("---\nid: " + id + "\ntitle: x\nstatus: todo\n---\n")})
	}
	repotest.Foreign(t, filepath.Join(dir, ".local/share/git-tasks/records.git"), "refs/heads/main", "mia", "many", others...)
	repotest.Git(t, dir, "init", "-q", "-b", "main", "checked-out")
	repotest.Git(t, dir, "init", "-q", "-b", "tasks", "tree")
	for name, text := range map[string]string{
		"damaged/refs/heads/main":       "no commit\n",
		"locked/refs/heads/main.lock":   "",
		"role.json":                     "{\"users\":[{\"id\":\"ana\",\n\"roles\":[\"aprover\"]}]}",
		"grant.json":                    "{\"roles\":{\n\"lead\":[\"task:aprove\"]}}",
		"plugin.json":                   "{\"plugins\":[\n{\"name\":\"@ahpd/task\"}]}",
		"users.json":                    `{"users":[{"id":"ana","roles":["member"]}]}`,
		".config/git-tasks/config.json": `{"plugins":[{"name":"@ahpd/tasks","options":{"requireApproval":true}}]}`,
	} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}
