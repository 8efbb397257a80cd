package cli

import (
	"fmt"
	"strings"

	"github.com/git-tasks/git-tasks/records"
	"github.com/git-tasks/git-tasks/translate"
)

// maxShown is how many open tasks a session is told of when it starts.
const maxShown = 30

// remind gives the harness what is open in the plan of a session, for the model to
// read; nothing where nothing is.
func (o *opened) remind(said translate.Said, session string) error {
	if session == "" {
		return nil
	}
	text, err := o.openTasks(session)
	if err != nil || text == "" {
		return err
	}
	if err := o.store.Told(o.c.Context, said.Session); err != nil {
		return err
	}
	return o.tellModel(said, text)
}

// remindAtTimes gives the harness the open steps of the session at the beginning of a
// turn, where they were out of sight for long.
func (o *opened) remindAtTimes(said translate.Said) error {
	text, err := o.store.Remind(o.c.Context, said.Session, func() ([]*records.Task, error) {
		_, tasks, err := o.planOf(said.Session)
		return tasks, err
	})
	if err != nil || text == "" {
		return err
	}
	return o.tellModel(said, text)
}

// tellModel answers a hook with a text for the model.
func (o *opened) tellModel(said translate.Said, text string) error {
	return o.document(map[string]any{"hookSpecificOutput": map[string]string{
		"hookEventName": said.Event, "additionalContext": text}})
}

// openTasks tells of a session's plan: how much of it is open, and what; "" where
// nothing is.
func (o *opened) openTasks(session string) (string, error) {
	plan, tasks, err := o.planOf(session)
	if err != nil {
		return "", err
	}
	var open []string
	for _, t := range tasks {
		if t.Status.Open() {
			open = append(open, t.Line())
		}
	}
	if len(open) == 0 {
		return "", nil
	}
	lines := []string{fmt.Sprintf(`Plan %s "%s": %d open of %d.`, plan.ID, records.Visible(plan.Title), len(open), len(tasks))}
	lines = append(lines, open[:min(len(open), maxShown)]...)
	if more := len(open) - maxShown; more > 0 {
		lines = append(lines, fmt.Sprintf("… %d more: plan_show %s", more, plan.ID))
	}
	return strings.Join(lines, "\n"), nil
}

// planOf gives the plan of a session with its tasks, nil where there is none.
func (o *opened) planOf(session string) (*records.Plan, []*records.Task, error) {
	scope := records.Scope{Kind: records.SessionScope, Session: records.BareSession(session)}
	found, err := o.ask("plan_list", asJSON(map[string]any{"scope": scope}))
	if err != nil || len(found.Records) == 0 {
		return nil, nil, err
	}
	plan, ok := found.Records[0].(*records.Plan)
	if !ok {
		return nil, nil, fmt.Errorf("plan_list gave %T", found.Records[0])
	}
	shown, err := o.ask("plan_show", asJSON(map[string]string{"plan": plan.ID}))
	if err != nil {
		return nil, nil, err
	}
	var tasks []*records.Task
	for _, r := range shown.Records {
		if t, ok := r.(*records.Task); ok {
			tasks = append(tasks, t)
		}
	}
	return plan, tasks, nil
}
