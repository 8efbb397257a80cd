package cli_test

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/git-tasks/git-tasks/cmd/internal/cli"
)

// TestNewcomer types at every command of the table what somebody types who does
// not know it yet, and holds what each answers to testdata/newcomer: what is
// wrong, and what to do. A new command fails here until somebody wrote its
// answers with -update, and read them.
func TestNewcomer(t *testing.T) {
	t.Parallel()
	program := programOf(t)
	for _, path := range commandPaths(t, bench(t)) {
		name := strings.TrimPrefix(strings.Join(path, "-")+".txt", "-")
		if len(path) == 0 {
			name = "git-tasks.txt"
		}
		t.Run(strings.Join(path, " "), func(t *testing.T) {
			t.Parallel()
			n := newNewcomer(t, path)
			n.mistypes()
			n.ids()
			n.values()
			n.trouble()
			n.outside(program)
			golden(t, filepath.Join("testdata/newcomer", name), n.said.String())
		})
	}
}

// TestNewcomerWithAHost types the same where a host serves the list: nobody can
// tell by an answer.
func TestNewcomerWithAHost(t *testing.T) {
	t.Parallel()
	for _, path := range [][]string{{"add"}, {"set"}, {"list"}, {"show"}, {"edit"}, {"approve"}, {"review"}, {"call"},
		{"plan", "add"}, {"plan", "set"}, {"plan", "list"}, {"plan", "show"}, {"plan", "approve"}} {
		t.Run(strings.Join(path, " "), func(t *testing.T) {
			t.Parallel()
			n := newNewcomer(t, path)
			host(t, n.env, 2)
			n.mistypes()
			n.ids()
			n.values()
			file := filepath.Join("testdata/newcomer", strings.Join(path, "-")+".txt")
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if got := n.said.String(); !*update && !strings.HasPrefix(string(want), got) {
				t.Errorf("%s is\n%s\nand with a host the answers are\n%s", file, want, got)
			}
		})
	}
}

// newcomer is somebody at one command, in a home where there is a list.
type newcomer struct {
	t       *testing.T
	env     cli.Env
	path    []string
	help    string
	example []string // the words behind "git tasks" of the command's example
	said    strings.Builder
}

func newNewcomer(t *testing.T, path []string) *newcomer {
	n := &newcomer{t: t, env: bench(t), path: path}
	must(t, n.env, "add", "Fix the login")
	must(t, n.env, "plan", "add", "Ship it", "--goal", "Soon")
	n.help = must(t, n.env, append(path, "--help")...)
	_, line, _ := strings.Cut(n.help, "example: ")
	line, _, _ = strings.Cut(line, "\n")
	if _, behind, ok := strings.Cut(line, "git tasks "); ok {
		n.example = words(behind)
	} else {
		n.example = path
	}
	return n
}

// words splits a line as a shell does, as far as an example needs it.
func words(line string) []string {
	var list []string
	line, _, _ = strings.Cut(line, " >")
	for _, w := range regexp.MustCompile(`"[^"]*"|'[^']*'|[^ ]+`).FindAllString(line, -1) {
		list = append(list, strings.TrimPrefix(strings.Trim(w, `"'`), "/srv/"))
	}
	return list
}

// types runs one line and writes down what it answers.
func (n *newcomer) types(args ...string) (code int) { return n.typesIn(n.env, args...) }

func (n *newcomer) typesIn(env cli.Env, args ...string) (code int) {
	n.t.Helper()
	ctx, stop := context.WithCancel(n.t.Context())
	defer stop()
	var out strings.Builder
	env.Args, env.Host, env.User = append([]string{"git-tasks"}, args...), "desk", func() string { return "ana" }
	env.Program, env.Stdin, env.Stdout, env.Stderr = "/usr/bin/git-tasks", io.NopCloser(strings.NewReader("")), &out, &out
	if len(n.path) > 0 && n.path[0] == "serve" {
		env.Stdout = stopping{&out, stop} // one that does start is stopped
	}
	if len(n.path) > 0 && (n.path[0] == "watch" || n.path[0] == "follow" && !slices.Contains(args, "--once")) {
		env.Stderr = stopping{&out, stop}
	}
	code = cli.Run(ctx, env)
	n.write(env.Dir, args, out.String(), code)
	return code
}

type stopping struct {
	io.Writer
	stop func()
}

func (s stopping) Write(b []byte) (int, error) {
	defer s.stop()
	return s.Writer.Write(b)
}

// differ are parts of answers that are not the same everywhere, or at all times.
var differ = []struct {
	form *regexp.Regexp
	say  string
}{
	{regexp.MustCompile(`git version [^\n]*`), "git version 2.39.5, /usr/bin/git"},
	{regexp.MustCompile(`(?s)\.TH "GIT.*\ngit\(1\)\n`), "the manual page\n"},
	{regexp.MustCompile(`\d+ MiB free`), "9999 MiB free"},
	{regexp.MustCompile(`127\.0\.0\.1:\d{5}`), "127.0.0.1:7433"},
	{regexp.MustCompile(`"time":"[^"]*"`), `"time":"now"`},
	{regexp.MustCompile(`\([0-9a-f]{10}\)`), "(1234567890)"},
	{regexp.MustCompile(`(?m)^[0-9a-f]{10}  `), "1234567890  "},
	{regexp.MustCompile(`behind commit [0-9a-f]{10}`), "behind commit 1234567890"},
	{regexp.MustCompile(`(?m)^[A-Za-z0-9_-]{43}$`), "0123456789012345678901234567890123456789012"},
	{regexp.MustCompile(`"(commit|token)":"[^"]*"`), `"$1":"…"`},
}

func (n *newcomer) write(home string, args []string, out string, code int) {
	out = strings.ReplaceAll(out, home, "/home/ana")
	for _, d := range differ {
		out = d.form.ReplaceAllString(out, d.say)
	}
	n.said.WriteString("$ git tasks")
	for _, arg := range args {
		if arg == "" || strings.ContainsAny(arg, ` "{#`) {
			arg = "'" + arg + "'"
		}
		n.said.WriteString(" " + arg)
	}
	n.said.WriteString("\n" + out + "[" + strconv.Itoa(code) + "]\n\n")
}

func (n *newcomer) section(name string) { n.said.WriteString("# " + name + "\n\n") }

// with is the command and what is typed behind it.
func (n *newcomer) with(args ...string) []string {
	return append(append([]string{}, n.path...), args...)
}

// swapped is a word whose last two letters came in the wrong order.
func swapped(word string) string {
	if len(word) < 2 {
		return word + word
	}
	i := len(word) - 2
	return word[:i] + word[i+1:] + word[i:i+1]
}

// flags are those of the command alone, with the name of their value, "" for none.
func (n *newcomer) flags() (names []string, value map[string]string) {
	value = map[string]string{}
	for _, match := range regexp.MustCompile(`(?m)^  --([a-z-]+)(?: ([A-Z:]+)\b)?`).FindAllStringSubmatch(n.help, -1) {
		if !strings.HasPrefix(match[0], "  --repo") && len(n.path) > 0 {
			names, value[match[1]] = append(names, match[1]), match[2]
		}
	}
	return names, value
}

func (n *newcomer) mistypes() {
	n.section("nothing behind it, too much, and typing errors")
	if !(len(n.path) == 1 && n.path[0] == "serve") {
		n.types(n.path...)
	}
	n.types(n.with("one", "two", "three")...)
	if last := len(n.path) - 1; last >= 0 {
		n.types(append(append([]string{}, n.path[:last]...), swapped(n.path[last]))...)
	}
	n.types(n.with("--rpeo", "x")...)
	n.types(n.with("--repo")...)
	n.types(n.with("-x")...)
	if len(n.path) > 0 && n.path[0] == "call" {
		n.types("call", "nope", "{}")
		n.types("call", "task_add")
		n.types("call", "task_add", "{title:x}")
	}
	names, value := n.flags()
	if len(names) > 0 {
		n.types(n.with("--"+swapped(names[0]), "x")...)
	}
	for _, name := range names {
		if value[name] != "" {
			n.types(n.with("--" + name)...)
			return
		}
	}
}

// ids types the example with every id that is none.
func (n *newcomer) ids() {
	at := -1
	for i, word := range n.example {
		if at < 0 && i >= len(n.path) && regexp.MustCompile(`^[tp]\d+$`).MatchString(word) && !strings.HasPrefix(n.example[i-1], "--") {
			at = i
		}
	}
	if at < 0 {
		return
	}
	n.section("an id that there is not")
	for _, id := range []string{"t99", "p99", "T1", "P1", "t01", "1", "#1", "t1.md", "nope", "", "t1,t2"} {
		line := append([]string{}, n.example...)
		line[at] = id
		n.types(line...)
	}
}

// values gives every flag of the command a value that it may not take, and
// keeps what was refused.
func (n *newcomer) values() {
	names, value := n.flags()
	if len(names) == 0 || n.path[0] == "completion" {
		return
	}
	n.section("a value that a flag does not take")
	for _, name := range names {
		line := n.without("--" + name)
		switch value[name] {
		case "":
			n.refused(append(line, "--"+name+"=perhaps")...)
		case "ID":
			for _, id := range []string{"t99", "p99", "T1", "1", "one"} {
				n.refused(slices.Concat(line, []string{"--" + name, id})...)
			}
		default:
			n.refused(slices.Concat(line, []string{"--" + name, "nope"})...)
			n.refused(slices.Concat(line, []string{"--" + name, ""})...)
		}
	}
}

// without is the example but for a flag.
func (n *newcomer) without(flag string) []string {
	line := []string{}
	for i := 0; i < len(n.example); i++ {
		if n.example[i] != flag {
			line = append(line, n.example[i])
		} else if i+1 < len(n.example) && !strings.HasPrefix(n.example[i+1], "--") {
			i++ // and its value
		}
	}
	return line
}

// refused types a line, and forgets it where it is taken.
func (n *newcomer) refused(args ...string) {
	n.t.Helper()
	before := n.said.String()
	if n.types(args...) == 0 {
		n.said.Reset()
		n.said.WriteString(before)
	}
}

// trouble types the example where what it needs is missing or broken.
func (n *newcomer) trouble() {
	if strings.Contains(n.help, " COMMAND [ARGUMENTS]") {
		return // its parts have trouble of their own
	}
	n.section("no list yet")
	n.typesIn(bench(n.t), n.example...)
	n.section("a repository that there is not")
	n.types(append(n.example, "--repo", "missing.git")...)
	n.section("a folder that is no repository")
	if err := os.MkdirAll(filepath.Join(n.env.Dir, "data", "photos"), 0o755); err != nil {
		n.t.Fatal(err)
	}
	n.types(append(n.example, "--repo", "data")...)
	n.section("a settings file that is damaged, and one that there is not")
	if err := os.WriteFile(filepath.Join(n.env.Dir, "broken.json"), []byte("{\"users\": [{\"id\" \"ana\"}]}\n"), 0o600); err != nil {
		n.t.Fatal(err)
	}
	n.types(append(n.example, "--config", "broken.json")...)
	n.types(append(n.example, "--config", "missing.json")...)
	n.section("nowhere to keep anything")
	lost := n.env
	lost.Environ = append(append([]string{}, n.env.Environ...), "HOME=")
	n.typesIn(lost, n.example...)
}
