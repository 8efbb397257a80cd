package cli_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-tasks/git-tasks/tools"
)

const readme = "../../../README.md"

// block gives what stands in the README between a mark and its end.
func block(t *testing.T, text, mark string) (before, inside, after string) {
	t.Helper()
	before, rest, ok := strings.Cut(text, "<!-- "+mark+" -->\n")
	inside, after, ok2 := strings.Cut(rest, "<!-- end -->")
	if !ok || !ok2 {
		t.Fatalf("README.md has no block %q", mark)
	}
	return before + "<!-- " + mark + " -->\n", inside, "<!-- end -->" + after
}

func readReadme(t *testing.T) string {
	t.Helper()
	data, err := os.ReadFile(readme)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// toolTable is the README's table, from the definitions that also make the
// schemas and the help.
func toolTable() string {
	var b strings.Builder
	b.WriteString("\n| tool | input | what it does |\n| --- | --- | --- |\n")
	for _, tool := range tools.All() {
		var fields []string
		for _, f := range tool.Fields {
			name := f.Name
			if f.Required() {
				name = "**" + name + "**"
			}
			fields = append(fields, name)
		}
		b.WriteString("| `" + tool.Name + "` | " + strings.Join(fields, ", ") + " | " + tool.Doc + " |\n")
	}
	return b.String() + "\n"
}

func TestReadmeToolTable(t *testing.T) {
	t.Parallel()
	before, inside, after := block(t, readReadme(t), "tools")
	want := toolTable()
	if inside == want {
		return
	}
	if !*update {
		t.Fatalf("the README's table of tools is not that of the code (-update writes it):\n%s", want)
	}
	if err := os.WriteFile(readme, []byte(before+want+after), 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestReadmeSession plays the README's session and compares what it prints.
func TestReadmeSession(t *testing.T) {
	t.Parallel()
	_, session, _ := block(t, readReadme(t), "session")
	script, expected := toScript(session)
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "session.txtar"), []byte(script+expected), 0o644); err != nil {
		t.Fatal(err)
	}
	play(t, dir)
}

// toScript makes a testscript of a session: each command, and the file that
// its output is compared with. Where it was made is no part of the session.
func toScript(session string) (script, files string) {
	n := 0
	for line := range strings.Lines(strings.TrimSpace(session) + "\n") {
		line = strings.TrimPrefix(line, "    ")
		command, ok := strings.CutPrefix(line, "$ ")
		if !ok {
			files += strings.Replace(line, "folder: /srv/work", "folder: WORK", 1)
			continue
		}
		n++
		name := "out" + string(rune('a'+n))
		command = strings.Replace(strings.TrimSpace(command), "~/", "$HOME/", 1)
		script += "exec " + strings.Replace(command, "git tasks", "git-tasks", 1) + "\n" +
			"cp stdout got\nexec sed -i s|folder:.*|folder:\\x20WORK| got\ncmp got " + name + "\n"
		files += "-- " + name + " --\n"
	}
	return script, files
}
