package cli_test

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/git-tasks/git-tasks/cmd/internal/cli"
)

// hookFile gives a settings file with hooks as a person wrote them, nil for none.
func hookFile(t *rapid.T) []byte {
	pick := func(name string, of ...string) string { return rapid.SampledFrom(of).Draw(t, name) }
	if rapid.IntRange(0, 4).Draw(t, "there") == 0 {
		return nil
	}
	group := `{"matcher": "Bash", "hooks": [{"type": "command", "command": "other hook"}]}`
	events := ""
	for _, event := range []string{"PostToolBatch", "PostToolUse", "AfterTool", "Stop"} {
		list := pick(event, "", "[]", "[ ]", "["+group+"]", "[\n      "+group+", // keep\n    ]", `[{"hooks": []}]`)
		if list == "" {
			continue
		}
		if events != "" {
			events += ","
		}
		events += pick("apart", " ", "\n    ") + `"` + event + `": ` + list
	}
	members := []string{pick("theme", "", `"theme": "dark" /* of mine */`), pick("hooks", "", `"hooks": {}`, `"hooks": {`+events+pick("end", "}", "\n  }", " }"))}
	said := ""
	for _, m := range members {
		if m != "" && said != "" {
			said += ","
		}
		if m != "" {
			said += pick("apart", " ", "\n  ") + m
		}
	}
	return []byte("{" + said + pick("close", "}", "\n}", "\n}\n", " } // the end\n"))
}

// TestUninstallGivesHooksBack: whatever hooks a person has, ours come beside them,
// and the file comes back byte for byte.
func TestUninstallGivesHooksBack(t *testing.T) {
	t.Parallel()
	clients := map[string]struct{ file, event string }{
		"claude-code": {".claude/settings.json", "PostToolBatch"}, "codex": {".codex/hooks.json", "PostToolUse"},
		"gemini": {".gemini/settings.json", "AfterTool"}}
	env := bench(t)
	env.Program = "/opt/git tasks/git-tasks"
	rapid.Check(t, func(r *rapid.T) {
		client := rapid.SampledFrom([]string{"claude-code", "codex", "gemini"}).Draw(r, "client")
		path := filepath.Join(env.Dir, clients[client].file)
		before := hookFile(r)
		err := os.RemoveAll(filepath.Dir(path))
		if err == nil && before != nil {
			if err = os.MkdirAll(filepath.Dir(path), 0o755); err == nil {
				err = os.WriteFile(path, before, 0o600)
			}
		}
		if err != nil {
			r.Fatal(err)
		}
		try(t, r, env, "install", client, "--as", "pilot", "--project")
		between, err := os.ReadFile(path)
		if err != nil || bytes.Count(between, []byte(`"'/opt/git tasks/git-tasks' --as=pilot hook `+client+`"`)) < 4 ||
			!bytes.Contains(between, []byte(`"`+clients[client].event+`"`)) {
			r.Fatalf("%s: the hooks are not in\n%s\n%v", client, between, err)
		}
		if said := try(t, r, env, "install", client, "--as", "pilot", "--project"); !strings.Contains(said, "hooks stand in ") {
			r.Fatalf("once more it says\n%s", said)
		}
		try(t, r, env, "uninstall", client, "--project")
		after, err := os.ReadFile(path)
		if !bytes.Equal(after, before) || (err == nil) != (before != nil) {
			r.Fatalf("%s: %v\n%q\nbecame\n%q\nand then\n%q", client, err, before, between, after)
		}
	})
}

// TestInstalledHooksRun runs what stands in the settings, as the client does.
func TestInstalledHooksRun(t *testing.T) {
	t.Parallel()
	env := bench(t)
	must(t, env, "install", "claude-code")
	data, err := os.ReadFile(filepath.Join(env.Dir, ".claude/settings.json"))
	if err != nil {
		t.Fatal(err)
	}
	var settings struct {
		Hooks map[string][]struct {
			Hooks []struct{ Command string }
		}
	}
	if err := json.Unmarshal(data, &settings); err != nil {
		t.Fatal(err)
	}
	for _, event := range []string{"PostToolBatch", "SessionStart", "UserPromptSubmit", "Stop", "SessionEnd"} {
		groups := settings.Hooks[event]
		if len(groups) != 1 || len(groups[0].Hooks) != 1 || !strings.HasSuffix(groups[0].Hooks[0].Command, " --as=ana hook claude-code") {
			t.Errorf("%s has %+v", event, groups)
		}
	}
}

// TestPluginHandsOn has the plugin for OpenCode hand events on as OpenCode would
// tell it of them: in their order, without those that say nothing.
func TestPluginHandsOn(t *testing.T) {
	t.Parallel()
	env := bench(t)
	said := filepath.Join(env.Dir, "said")
	out := runPlugin(t, env, "echo \"$@\" >> '"+said+"'\ncat >> '"+said+"'\necho >> '"+said+"'\n", `
const tell = (type, properties) => plugin.event({ event: { type, properties } })
const status = (type) => tell("session.status", { sessionID: "s", status: { type } })
await Promise.all([status("busy"), tell("todo.updated", { sessionID: "s", todos: [] }), tell("message.updated", {}), status("busy"),
  tell("session.updated", { info: { id: "s", title: "T" } }), tell("session.updated", { info: { id: "s", title: "T" } }),
  status("idle"), tell("session.idle", { sessionID: "s" }), status("busy")])
`)
	got, err := os.ReadFile(said)
	if err != nil || out != "" {
		t.Fatal(err, out)
	}
	const line = "--as=ana hook opencode\n"
	const busy = line + `{"type":"session.status","properties":{"sessionID":"s","status":{"type":"busy"}}}` + "\n"
	if want := busy + line + `{"type":"todo.updated","properties":{"sessionID":"s","todos":[]}}` + "\n" +
		line + `{"type":"session.updated","properties":{"info":{"id":"s","title":"T"}}}` + "\n" +
		line + `{"type":"session.idle","properties":{"sessionID":"s"}}` + "\n" + busy; string(got) != want {
		t.Errorf("the plugin hands on\n%s\nnot\n%s", got, want)
	}
}

// TestPluginTellsTheModel: what a hook answers for the model goes to it behind the next
// message of the session's user, once.
func TestPluginTellsTheModel(t *testing.T) {
	t.Parallel()
	got := runPlugin(t, bench(t), `case "$(cat)" in
*session.compacted*|*chat.message*'"two"'*) echo '{"hookSpecificOutput":{"hookEventName":"x","additionalContext":"1 open"}}' ;;
*) echo no JSON ;;
esac
`, `
await plugin.event({ event: { type: "session.compacted", properties: { sessionID: "one" } } })
for (const session of ["one", "one", "two", "three"]) {
  const parts = [{ id: "prt_1", sessionID: session, messageID: "msg_1", type: "text", text: "go on" }]
  await plugin["chat.message"]({ sessionID: session }, { message: {}, parts })
  console.log(session, JSON.stringify(parts.slice(1)))
}
await plugin["chat.message"]({ sessionID: "two" }, { message: {}, parts: [] })
`)
	part := func(session string) string {
		return session + ` [{"id":"prt_10","sessionID":"` + session + `","messageID":"msg_1","type":"text","text":"1 open","synthetic":true}]` + "\n"
	}
	if want := part("one") + "one []\n" + part("two") + "three []\n"; got != want {
		t.Errorf("the model is told\n%s\nnot\n%s", got, want)
	}
}

// runPlugin installs the plugin for a program of some lines of shell, plays some lines
// of JavaScript with it, and gives what they print.
func runPlugin(t *testing.T, env cli.Env, program, script string) string {
	t.Helper()
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("there is no node here to run a plugin with")
	}
	env.Program = filepath.Join(env.Dir, "a program")
	run := filepath.Join(env.Dir, "run.mjs")
	script = "import { GitTasks } from \"./.config/opencode/plugins/git-tasks.js\"\nconst plugin = await GitTasks({})" + script
	for file, text := range map[string]string{env.Program: "#!/bin/sh\n" + program, run: script} {
		if err := os.WriteFile(file, []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	must(t, env, "install", "opencode")
	cmd := exec.Command(node, run)
	cmd.Dir = env.Dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return string(out)
}
