package cli_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-tasks/git-tasks/cmd/internal/cli"
	"github.com/git-tasks/git-tasks/tools"
	"github.com/git-tasks/git-tasks/tools/toolstest"
)

// TestCases plays the cases that the tools play themselves by git tasks call.
func TestCases(t *testing.T) {
	t.Parallel()
	for _, c := range toolstest.Cases() {
		t.Run(c.Name, func(t *testing.T) {
			t.Parallel()
			toolstest.Play(t, c, byCall, false)
		})
	}
}

// byCall makes a call as an agent with a shell does: the text is the whole of
// standard output, or of standard error, and the exit code says which.
func byCall(t testing.TB, list toolstest.List, who tools.Who, tool, input string) toolstest.Result {
	t.Helper()
	out, errs, code := asPerson(t, list, who, "call", tool, input)
	if code == 0 {
		if errs != "" {
			t.Errorf("call %s %s said %q beside its answer", tool, input, errs)
		}
		return toolstest.Result{Text: strings.TrimSuffix(out, "\n"), Commit: newest(t, list, who, tool, input)}
	}
	if out != "" {
		t.Errorf("call %s %s was refused and answered %q", tool, input, out)
	}
	_, document, again := asPerson(t, list, who, "call", tool, input, "--json")
	var said struct{ Error tools.Error }
	if err := json.Unmarshal([]byte(document), &said); err != nil || again != code || said.Error.Code.Exit() != code {
		t.Errorf("call %s %s ends with %d, and with --json with %d: %s", tool, input, code, again, document)
	}
	return toolstest.Result{Text: strings.TrimSuffix(errs, "\n"), Code: said.Error.Code}
}

// newest gives the commit of a call that made one: call itself names none.
func newest(t testing.TB, list toolstest.List, who tools.Who, tool, input string) string {
	t.Helper()
	events, err := list.History("")
	if err != nil || len(events) == 0 || events[0].Tool != tool || !events[0].At.Equal(list.Now()) {
		return ""
	}
	return events[0].Commit
}

// asPerson runs a command on a list as somebody.
func asPerson(t testing.TB, list toolstest.List, who tools.Who, args ...string) (out, errs string, code int) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	args = append([]string{"git-tasks", "--repo", list.Dir, "--as", who.Person, "--config", settingsOf(t, list.Settings)}, args...)
	if who.Session != "" {
		args = append(args, "--session", who.Session)
	}
	code = cli.Run(t.Context(), cli.Env{Args: args, Stdout: &stdout, Stderr: &stderr, Dir: who.Folder,
		Environ: []string{"HOME=" + t.TempDir(), "GIT_TASKS_AGENT=" + who.Agent}, Host: "localhost", Now: list.Now, User: func() string { return "root" }})
	return stdout.String(), stderr.String(), code
}

// settingsOf writes settings as the file that says them.
func settingsOf(t testing.TB, st *tools.Settings) string {
	t.Helper()
	document := map[string]any{}
	if st != nil {
		var users []map[string]any
		for _, u := range st.Users {
			users = append(users, map[string]any{"id": u.ID, "roles": append([]string{}, u.Roles...), "mail": u.Mail})
		}
		document["roles"] = st.Roles
		if st.Roles == nil {
			document["roles"] = map[string][]string{}
		}
		document["users"] = append([]map[string]any{}, users...)
		options := map[string]any{"requireApproval": st.RequireApproval, "gateOnBlockers": st.GateOnBlockers, "closeGate": st.CloseGate}
		if st.SweepAfterDays > 0 {
			options["sweepAfterDays"] = st.SweepAfterDays
		}
		document["plugins"] = []map[string]any{{"name": "@ahpd/tasks", "options": options}}
	}
	data, err := json.Marshal(document)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "config.json")
	if err := os.WriteFile(file, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}
