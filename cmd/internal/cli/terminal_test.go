package cli_test

import (
	"strings"
	"testing"

	"github.com/git-tasks/git-tasks/cmd/internal/cli"
)

// terminals are what output is printed to: a pipe, and terminals of three widths.
var terminals = []struct {
	name  string
	width int
}{{"pipe", 0}, {"40", 40}, {"80", 80}, {"200", 200}}

// TestTerminalOutput prints everything that has lines of its own to terminals of
// three widths and to a pipe, and holds it to testdata/terminal. What stands there
// was looked at on a real terminal.
func TestTerminalOutput(t *testing.T) {
	t.Parallel()
	env := bench(t)
	crowd(t, env)
	empty := bench(t)
	must(t, empty, "init")
	for _, at := range terminals {
		var said strings.Builder
		say := func(env cli.Env, args ...string) {
			env.Width, env.Dir = at.width, "/home/ana"
			out, _ := run(t, env, args...)
			for _, d := range differ {
				out = d.form.ReplaceAllString(out, d.say)
			}
			said.WriteString("$ git tasks " + strings.Join(args, " ") + "\n" + out + "\n")
		}
		for _, args := range [][]string{{"list"}, {"list", "--status", "dropped"}, {"show", "t1", "--log"}, {"show", "t3"}, {"log"},
			{"plan", "list"}, {"plan", "show", "p1"}, {"plan", "--help"}, {"add", "--help"}, {"show", "t99"}} {
			say(env, args...)
		}
		for _, args := range [][]string{{"list"}, {"plan", "list"}, {"log"}} {
			say(empty, args...)
		}
		if at.width == 40 { // on which the flags of every command stand one below the other
			say(env, "help")
		}
		golden(t, "testdata/terminal/"+at.name+".txt", said.String())
	}
}

// crowd fills a list with what is hard to print: long, wide, from right to left.
func crowd(t *testing.T, env cli.Env) {
	t.Helper()
	env.Dir = "/home/ana" // which the records say
	long := strings.Repeat("goes on and ", 8) + "ends"
	must(t, env, "plan", "add", "Ship the parser", "--goal", "A goal that "+long+".\n\n- a point\n- 日本語"+strings.Repeat("日本語", 20))
	must(t, env, "add", "Fix the login", "--priority", "high", "--label", "docs", "--plan", "p1", "--note", "It "+long)
	must(t, env, "add", "A title that "+long)
	must(t, env, "add", strings.Repeat("日本語の題", 9))
	must(t, env, "add", "שלום "+strings.Repeat("עולם ", 12), "--as", "עברית")
	must(t, env, "add", "🎉 party 👩\u200d👩\u200d👧 family ❤\ufe0f heart 🇩🇪 flag "+long)
	must(t, env, "add", "short", "--as", "A person with a very long name indeed, the third")
	for _, move := range [][2]string{{"t1", "doing"}, {"t2", "blocked"}, {"t3", "done"}, {"t4", "review"}} {
		must(t, env, "set", move[0], "--status", move[1])
	}
}
