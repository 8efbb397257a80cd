package house

import (
	"encoding/json"
	"go/ast"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/git-tasks/git-tasks/"

// fixtures may be imported by the tests of any package.
var fixtures = []string{"repo/repotest", "tools/toolstest"}

// played are packages that the tests of one put in the place of another program.
var played = map[string]string{"cmd/internal/cli": "repo/smarthttp"} // a server that asks a clone for its token

// layers says which packages of ours a package may import, its tests too.
var layers = map[string]struct{ imports, reason string }{
	"records":                 {"", "records is pure: what tasks and plans are, without git, disk or clock"},
	"records/detail":          {"records", "detail is pure: all about one task, as it is told"},
	"records/graph":           {"records", "graph is pure: what waits for what, as it is drawn"},
	"repo":                    {"", "repo is git as a store of text files and knows no tasks"},
	"repo/watch":              {"", "repo/watch only says that something changed"},
	"repo/repotest":           {"repo", "repotest gives tests real repositories"},
	"repo/smarthttp":          {"repo", "smarthttp serves a repository and knows no list"},
	"translate":               {"records", "translate is pure: a harness's list to edits"},
	"tools":                   {"records records/detail records/graph repo repo/watch translate", "tools is what can be asked; fronts stand on it, never the other way"},
	"tools/toolstest":         {"tools records repo repo/repotest", "toolstest gives tests a list"},
	"channel":                 {"tools records repo translate", "a channel follows the store, and a host built on it hands its harnesses' lists in"},
	"channel/ahp":             {"channel tools records repo translate", "a wire says what a channel tells"},
	"channel/panel":           {"tools records", "a panel shows a Book, and follows the store"},
	"hooks":                   {"tools repo", "hooks land what git brings"},
	"tools/mcpserver":         {"tools records records/detail", "a front prints what tools.Call returns"},
	"tools/inbox":             {"tools records repo repo/watch", "the inbox is a caller like any other, with files for its input"},
	"tools/sweep":             {"tools records", "the sweep is a caller like any other"},
	"tools/worker":            {"tools records", "a worker is a caller like any other, that runs commands"},
	"cmd/internal/cli":        {importsOf(commandLine), "each import of the command line has its reason in a table of its own"},
	"cmd/internal/clone":      {"records tools", "a clone holds the records and what git keeps of them; the list itself is elsewhere"},
	"cmd/internal/install":    {"tools", "settings files of other programs know no list"},
	"cmd/internal/serve":      {"channel channel/ahp records records/detail repo repo/smarthttp repo/watch tools tools/inbox tools/mcpserver tools/sweep translate", "the host stands on all that it serves, and under the command that starts it"},
	"cmd/internal/simulation": {"channel hooks records repo tools tools/sweep cmd/internal/cli", "the simulation plays all of it together, and its binary is what the hooks of its lists run"},
	"cmd/internal/house":      {"", "the rules import nothing of what they judge"},
	"cmd/bench":               {"channel records repo tools cmd/internal/cli tools/sweep", "the bench is a program beside ours: it calls tools, reads channels, and starts git-tasks as anybody does"},
	"cmd/git-tasks":           {"cmd/internal/cli", "main only starts the command line"},
}

// commandLine are the packages that the command line may import, each for the
// commands that stand on it.
var commandLine = []struct{ path, reason string }{
	{"tools", "every command that asks the list, or changes it, calls it"},
	{"records", "what tools answer is printed field by field"},
	{"records/detail", "show prints all of a task"},
	{"repo", "init makes a repository; errors of one have a hint each"},
	{"repo/watch", "follow looks at a harness's list whenever its files change"},
	{"translate", "follow and the agent hooks make edits of a harness's list"},
	{"hooks", "init and the hidden hook commands are what git runs at a push"},
	{"tools/mcpserver", "mcp offers the tools on standard input and output"},
	{"tools/worker", "work runs a command for each task that is ready"},
	{"tools/sweep", "sweep looks once, as the host does every day"},
	{"channel/panel", "panel shows the list on the terminal"},
	{"cmd/internal/serve", "serve is the host, and commands go through it where it runs"},
	{"cmd/internal/clone", "clone, fmt and the merge driver work in a person's clone"},
	{"cmd/internal/install", "install and uninstall write the settings of MCP clients"},
}

func importsOf(rows []struct{ path, reason string }) string {
	var paths []string
	for _, row := range rows {
		paths = append(paths, row.path)
	}
	return strings.Join(paths, " ")
}

// fences says which packages may import a module of others, and why we have it.
var fences = []struct{ path, packages, reason string }{
	{"gopkg.in/yaml.v3", "records", "reads frontmatter"},
	{"github.com/go-git/go-git/v5", "repo", "reads and encodes git objects"},
	{"github.com/go-git/go-billy/v5", "repo", "is how go-git is given a file system"},
	{"golang.org/x/crypto", "repo", "signs commits in SSH's form"},
	{"github.com/klauspost/compress", "repo", "compresses trees in a tenth of the time"},
	{"github.com/fsnotify/fsnotify", "repo/watch", "tells of changed files"},
	{"github.com/modelcontextprotocol/go-sdk", "tools/mcpserver", "speaks MCP"},
	{"charm.land/bubbletea/v2", "channel/panel", "drives a terminal: keys, sizes, what is drawn anew"},
	{"charm.land/lipgloss/v2", "channel/panel", "counts columns and colours lines"},
	{"github.com/coder/websocket", "channel/ahp", "speaks WebSocket"},
	{"github.com/robfig/cron/v3", "tools/sweep", "keeps the hours"},
	{"github.com/urfave/cli/v2", "cmd/internal/cli", "reads the command line"},
}

// testOnly are the modules that nothing but tests may import, and why we have
// them.
var testOnly = []struct{ path, reason string }{
	{"github.com/goccy/go-yaml", "is the second parser that must read the same"},
	{"github.com/pelletier/go-toml/v2", "is the second parser of TOML"},
	{"github.com/rogpeppe/go-internal", "plays script tests"},
	{"pgregory.net/rapid", "makes the histories of property tests"},
}

type listed struct {
	ImportPath, Name                   string
	Imports, TestImports, XTestImports []string
	Standard                           bool
}

func listPackages(t *testing.T) []listed {
	t.Helper()
	cmd := exec.Command("go", "list", "-json=ImportPath,Name,Imports,TestImports,XTestImports", "./...")
	cmd.Dir = root(t)
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	var packages []listed
	for dec := json.NewDecoder(strings.NewReader(string(out))); dec.More(); {
		var p listed
		if err := dec.Decode(&p); err != nil {
			t.Fatal(err)
		}
		packages = append(packages, p)
	}
	return packages
}

func TestLayers(t *testing.T) {
	t.Parallel()
	packages := listPackages(t)
	for _, f := range fences {
		if !slices.ContainsFunc(packages, func(p listed) bool {
			return slices.ContainsFunc(p.Imports, func(i string) bool { return within(i, f.path) })
		}) {
			t.Errorf("the fence of %s guards a module that nobody imports", f.path)
		}
	}
	for _, row := range commandLine {
		if !slices.ContainsFunc(packages, func(p listed) bool {
			return p.ImportPath == module+"cmd/internal/cli" && slices.Contains(p.Imports, module+row.path)
		}) {
			t.Errorf("the command line does not import %s, which it may since %s", row.path, row.reason)
		}
	}
	for _, p := range packages {
		name := strings.TrimPrefix(p.ImportPath, module)
		rule, ok := layers[name]
		if !ok {
			t.Errorf("%s has no row in the table of layers: say what it is for and what it may import", name)
			continue
		}
		tests := slices.Concat(p.TestImports, p.XTestImports)
		for _, may := range strings.Fields(rule.imports) {
			if !slices.Contains(p.Imports, module+may) && !slices.Contains(tests, module+may) {
				t.Errorf("%s may import %s and does not: take it out of the table", name, may)
			}
		}
		for _, imported := range p.Imports {
			ours, isOurs := strings.CutPrefix(imported, module)
			switch {
			case isOurs && !slices.Contains(strings.Fields(rule.imports), ours):
				t.Errorf("%s imports %s: %s", name, ours, rule.reason)
			case !isOurs && strings.Contains(strings.Split(imported, "/")[0], "."):
				checkFence(t, name, imported)
			}
		}
		for _, imported := range tests {
			ours, isOurs := strings.CutPrefix(imported, module)
			switch {
			case isOurs:
				if ours != name && !slices.Contains(testMay(rule.imports+" "+played[name], tests), ours) {
					t.Errorf("the tests of %s import %s: %s", name, ours, rule.reason)
				}
			case strings.Contains(strings.Split(imported, "/")[0], ".") && !isTestOnly(imported) && !fenced(imported):
				t.Errorf("the tests of %s import %s, which has no row in the table of fences", name, imported)
			}
		}
	}
}

// testMay gives what the tests of a package may import of ours: what it may
// itself, the fixtures, and what those it uses hand out.
func testMay(imports string, tests []string) []string {
	may := append(strings.Fields(imports), fixtures...)
	for _, f := range fixtures {
		if slices.Contains(tests, module+f) {
			may = append(may, strings.Fields(layers[f].imports)...)
		}
	}
	return may
}

// TestPure holds the packages that are pure to it: nothing of the system, and
// no clock.
func TestPure(t *testing.T) {
	t.Parallel()
	for _, s := range sources(t) {
		dir := filepath.ToSlash(filepath.Dir(s.path))
		if s.isTest() || dir != "records" && dir != "translate" {
			continue
		}
		for _, spec := range s.file.Imports {
			switch strings.Trim(spec.Path.Value, `"`) {
			case "os", "os/exec", "net", "net/http", "syscall", "path/filepath", "log", "log/slog":
				t.Errorf("%s: %s imports %s; it is given all that it reads", s.at(spec), dir, spec.Path.Value)
			}
		}
		ast.Inspect(s.file, func(n ast.Node) bool {
			if sel, ok := n.(*ast.SelectorExpr); ok && sel.Sel.Name == "Now" {
				if x, ok := sel.X.(*ast.Ident); ok && x.Name == "time" {
					t.Errorf("%s: %s asks for the time; it is given it", s.at(sel), dir)
				}
			}
			return true
		})
	}
}

func checkFence(t *testing.T, name, imported string) {
	for _, f := range fences {
		if !within(imported, f.path) {
			continue
		}
		if !slices.Contains(strings.Fields(f.packages), name) {
			t.Errorf("%s imports %s, which %s and is fenced to %s", name, imported, f.reason, f.packages)
		}
		return
	}
	t.Errorf("%s imports %s, which has no row in the table of fences", name, imported)
}

// TestModules holds go.mod to the tables: each module we name has its fence, and
// the fence's reason beside it.
func TestModules(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile(filepath.Join(root(t), "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	reasons := map[string]string{}
	for _, f := range fences {
		reasons[f.path] = f.reason
	}
	for _, m := range testOnly {
		reasons[m.path] = m.reason
	}
	for line := range strings.Lines(string(data)) {
		words := strings.Fields(line)
		if len(words) < 2 || !strings.HasPrefix(words[1], "v") || strings.HasSuffix(strings.TrimSpace(line), "// indirect") {
			continue
		}
		_, reason, _ := strings.Cut(strings.TrimSpace(line), "// ")
		if want, ok := reasons[words[0]]; !ok || reason != want {
			t.Errorf("go.mod says of %s %q, the table of fences %q", words[0], reason, want)
		}
		delete(reasons, words[0])
	}
	for path := range reasons {
		t.Errorf("%s has a fence and is not in go.mod", path)
	}
}

func isTestOnly(imported string) bool {
	for _, m := range testOnly {
		if within(imported, m.path) {
			return true
		}
	}
	return false
}

func fenced(imported string) bool {
	for _, f := range fences {
		if within(imported, f.path) {
			return true
		}
	}
	return false
}

func within(imported, module string) bool {
	return imported == module || strings.HasPrefix(imported, module+"/")
}
