package cli

import (
	"encoding/json"

	"github.com/git-tasks/git-tasks/cmd/internal/serve"
	"github.com/git-tasks/git-tasks/tools"
)

// call calls a tool as the one who runs the command. A refusal keeps its words.
func (o *opened) call(tool string, in input) (tools.Answer, error) {
	raw, err := in.json(tool)
	if err != nil {
		return tools.Answer{}, err
	}
	return o.ask(tool, raw)
}

// ask makes one call of a tool: through the host where one serves the list, which
// has read it already, else here. Both are the same to whoever asks. A process
// with settings of its own goes by itself, since the host goes by others.
func (o *opened) ask(tool string, raw json.RawMessage) (tools.Answer, error) {
	_, named, err := o.named(o.c, "config", "GIT_TASKS_CONFIG")
	if err != nil {
		return tools.Answer{}, err
	}
	if !named {
		answer, ok, err := serve.Call(o.c.Context, o.store, o.who, o.env.get("XDG_RUNTIME_DIR"), tool, raw)
		if ok {
			return answer, err
		}
	}
	return tools.Call(o.c.Context, o.store, o.caller, tool, raw)
}

// done prints what a tool answered about the one record that it changed, and
// beside it what was done and the commit.
func (o *opened) done(answer tools.Answer, said string) error {
	if o.json {
		return o.document(answer)
	}
	o.printf("%s\n", answer.Text)
	if err := o.flush(); err != nil {
		return err
	}
	if answer.Commit != "" {
		said += " (" + short(answer.Commit) + ")"
	}
	o.note(said)
	return nil
}

// short is a commit as people write it.
func short(commit string) string { return commit[:min(10, len(commit))] }
