package cli_test

import (
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/git-tasks/git-tasks/cmd/internal/cli"
	"github.com/git-tasks/git-tasks/records"
)

// bench is a place to run command lines in: an empty home, a fixed clock.
func bench(t *testing.T) cli.Env {
	t.Helper()
	dir := t.TempDir()
	return cli.Env{
		Environ: append(covered(), "HOME="+dir, "PATH="+os.Getenv("PATH"), "GIT_CONFIG_NOSYSTEM=1", "GIT_TASKS_AS=ana"),
		Dir:     dir, Now: func() time.Time { return time.Date(2026, 10, 18, 10, 0, 0, 0, time.UTC) },
	}
}

func must(t *testing.T, env cli.Env, args ...string) string {
	t.Helper()
	out, code := run(t, env, args...)
	if code != 0 {
		t.Fatalf("git-tasks %s ended with %d:\n%s", strings.Join(args, " "), code, out)
	}
	return out
}

// commandPaths reads the commands off the help of the program.
func commandPaths(t *testing.T, env cli.Env, path ...string) [][]string {
	t.Helper()
	paths := [][]string{path}
	_, list, _ := strings.Cut(must(t, env, append([]string{"help"}, path...)...), "[FLAGS]\n\n")
	list, _, _ = strings.Cut(list, "\n\n")
	list, also, _ := strings.Cut(list, "  also:  ")
	also, _, _ = strings.Cut(also, "(")
	for _, name := range strings.Fields(strings.ReplaceAll(also, ",", " ")) {
		paths = append(paths, commandPaths(t, env, append(append([]string{}, path...), name)...)...)
	}
	for line := range strings.Lines(list) {
		name := strings.Fields(line)[0]
		if strings.HasPrefix(name, "-") || !strings.HasPrefix(line, "  ") || strings.HasPrefix(line, "   ") {
			continue
		}
		paths = append(paths, commandPaths(t, env, append(append([]string{}, path...), name)...)...)
	}
	return paths
}

func TestHelpFitsOneScreen(t *testing.T) {
	t.Parallel()
	env := bench(t)
	paths := commandPaths(t, env)
	if len(paths) < 18 {
		t.Fatalf("the help names only %d commands: %v", len(paths), paths)
	}
	for _, path := range paths {
		name := strings.Join(path, " ")
		text := must(t, env, append(path, "--help")...)
		if n := strings.Count(text, "\n"); n > 24 {
			t.Errorf("the help of %q has %d lines", name, n)
		}
		if strings.Count(text, "example: git") != 1 && strings.Count(text, "example: claude") != 1 {
			t.Errorf("the help of %q has not one example:\n%s", name, text)
		}
		for line := range strings.Lines(text) {
			if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > 80 {
				t.Errorf("the help of %q has a line of %d columns: %s", name, n, line)
			}
		}
	}
}

func TestTerminalLinesAreCutAndColoured(t *testing.T) {
	t.Parallel()
	env := bench(t)
	for _, title := range []string{"short", strings.Repeat("long ", 10), strings.Repeat("日本", 20), "e\u0301 and then some more words"} {
		must(t, env, "add", title)
	}
	must(t, env, "set", "t1", "--status", "doing")
	env.Width = 40
	const want = "\x1b[1mt1  doing  medium  short\x1b[0m\n" +
		"t2  todo   medium  long long long long …\n" +
		"t3  todo   medium  日本日本日本日本日本…\n" +
		"t4  todo   medium  e\u0301 and then some more…\n"
	if got := must(t, env, "list"); got != want {
		t.Errorf("a terminal of 40 columns got\n%q\nwant\n%q", got, want)
	}
	for _, variable := range []string{"NO_COLOR=1", "TERM=dumb"} {
		plain := env
		plain.Environ = append([]string{variable}, env.Environ...)
		if got := must(t, plain, "list"); strings.Contains(got, "\x1b") {
			t.Errorf("with %s a terminal got %q", variable, got)
		}
	}
	env.Width = 0
	if got := must(t, env, "list"); strings.Contains(got, "…") || strings.Contains(got, "\x1b") {
		t.Errorf("what is no terminal got %q", got)
	}
}

// TestWideTextKeepsColumns looks at what an agent's pipe and a narrow terminal
// get of names and titles in which characters and columns are not the same.
func TestWideTextKeepsColumns(t *testing.T) {
	t.Parallel()
	env := bench(t)
	for _, c := range []struct{ by, title string }{
		{"ana", strings.Repeat("word ", 40) + "end"}, {"山田", "日本語の題"}, {"Ame\u0301lie", "שלום עולם " + strings.Repeat("שלום ", 10)},
		{"🎉", "✅ done 👩\u200d👩 and a long tail of plain words"},
	} {
		must(t, env, "add", c.title, "--as", c.by)
	}
	must(t, env, "set", "t2", "--priority", "low")
	piped := "t1  todo  medium  " + strings.Repeat("word ", 40) + "end\n" +
		"t2  todo  low     日本語の題\n" +
		"t3  todo  medium  שלום עולם " + strings.Repeat("שלום ", 10) + "\n" +
		"t4  todo  medium  ✅ done 👩\u200d👩 and a long tail of plain words\n"
	if got := must(t, env, "list"); got != piped {
		t.Errorf("a pipe got\n%s\nwant\n%s", got, piped)
	}
	var log strings.Builder
	for line := range strings.Lines(must(t, env, "log")) {
		if strings.Contains(line, "  key add: ") {
			continue
		}
		name, what, _ := strings.Cut(strings.TrimPrefix(line[10:], "  2026-10-18 10:00  "), "t")
		log.WriteString(name + "t" + what[:1] + "\n")
	}
	const columns = "ana        t2\n🎉         t4\nAme\u0301lie     t3\n山田       t2\nana        t1\n"
	if log.String() != columns {
		t.Errorf("the log has\n%s\nwant\n%s", log.String(), columns)
	}
	env.Width = 40
	const narrow = "t1  todo  medium  word word word word w…\n" +
		"t2  todo  low     日本語の題\n" +
		"t3  todo  medium  שלום עולם שלום שלום ש…\n" +
		"t4  todo  medium  ✅ done 👩\u200d👩 and a lo…\n"
	if got := must(t, env, "list"); got != narrow {
		t.Errorf("a terminal of 40 columns got\n%s\nwant\n%s", got, narrow)
	}
	const whole = "t1  " + "word word word word word word word\n    "
	if got := must(t, env, "show", "t1"); !strings.HasPrefix(got, whole) || strings.Count(got, "word") != 40 {
		t.Errorf("show on a terminal does not wrap, or cuts:\n%s", got)
	}
}

func TestFullDiskOfTheAnswerIsAFailure(t *testing.T) {
	t.Parallel()
	env := bench(t)
	var errs strings.Builder
	env.Args, env.Host, env.User = []string{"git-tasks", "add", "a"}, "h", func() string { return "" }
	env.Stdout, env.Stderr = full{}, &errs
	if code := cli.Run(t.Context(), env); code != 1 || !strings.Contains(errs.String(), "could not be printed: the disk is full") {
		t.Errorf("ended with %d: %s", code, errs.String())
	}
	if got := must(t, env, "list"); got != "t1  todo  medium  a\n" {
		t.Errorf("the list is %q", got)
	}
}

// TestSignalStopsACommand ends the context as main does on a signal: nothing is
// written, and an agent's server ends well.
func TestSignalStopsACommand(t *testing.T) {
	t.Parallel()
	env := bench(t)
	must(t, env, "add", "a")
	ctx, stop := context.WithCancel(t.Context())
	stop()
	for _, c := range []struct {
		command, says string
		code          int
	}{{"check", "git-tasks: error: stopped by a signal\n", 1}, {"mcp", "", 0}} {
		var errs strings.Builder
		in, out := io.Pipe()
		env.Args, env.Host, env.User = []string{"git-tasks", c.command}, "h", func() string { return "" }
		env.Stdin, env.Stdout, env.Stderr = in, io.Discard, &errs
		if code := cli.Run(ctx, env); code != c.code || errs.String() != c.says {
			t.Errorf("%s ended with %d, want %d, and said %q", c.command, code, c.code, errs.String())
		}
		out.Close()
	}
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errFull{} }

type errFull struct{}

func (errFull) Error() string { return "the disk is full" }

// TestCaseA6HostileTitles brings titles through the command line, the file and
// back, as text.
func TestCaseA6HostileTitles(t *testing.T) {
	t.Parallel()
	env := bench(t)
	titles := []string{"Build ~$15,000 $& $` $' \\1 ${x} %s %d", "fix #12 now", "a: b", "- [ ] x", "no", "2026-10-18",
		"@ana `run` !now &a *b |c >d {e} [f] ?g %h", `it's "quoted" \n \u0041`, " ends with space ", "---", "é 🎉 e\u0301",
		"-", "--", "plan", "help", "--x y", "a,b", "-1"}
	var want strings.Builder
	for _, title := range titles {
		must(t, env, "add", "--note", title, "--label", title, "--", title)
		want.WriteString(title + "\n")
	}
	var got strings.Builder
	for i := range titles {
		got.WriteString(titleOf(t, must(t, env, "show", "--json", "t"+strconv.Itoa(i+1))) + "\n")
	}
	if got.String() != want.String() {
		t.Errorf("titles came back as\n%s\nwant\n%s", got.String(), want.String())
	}
	must(t, env, "check", "--repo", filepath.Join(env.Dir, ".local/share/git-tasks/records.git"))
}

// titleOf reads the document that show prints of a task, whose title, note and
// only label are to be the same.
func titleOf(t *testing.T, document string) string {
	t.Helper()
	var task records.Task
	if err := json.Unmarshal([]byte(document), &task); err != nil {
		t.Fatal(err)
	}
	if task.Note != task.Title || len(task.Labels) != 1 || task.Labels[0] != task.Title {
		t.Errorf("title %q, note %q, labels %q", task.Title, task.Note, task.Labels)
	}
	return task.Title
}
