package cli

import (
	"errors"
	"io/fs"
	"regexp"
	"strings"
	"syscall"

	urfave "github.com/urfave/cli/v2"

	"github.com/git-tasks/git-tasks/records"
	"github.com/git-tasks/git-tasks/tools"
)

const idForm = "an id is t and a number for a task, p and a number for a plan"

// hintFor is what helps on from a refusal: another spelling of the id, else the
// command that shows what there is, else what the flag takes.
func hintFor(e *tools.Error, tool string, in input) string {
	field := ""
	var refusal *records.Refusal
	if errors.As(e, &refusal) {
		field = refusal.Field
	}
	if e.Code == tools.Unreachable {
		return "git tasks log shows whether it is; asked again, it might be made twice"
	}
	if hint := idHint(tool, field, in); hint != "" {
		return hint
	}
	switch e.Next {
	case "task_list":
		return "git tasks list shows the tasks"
	case "plan_list":
		return "git tasks plan list shows the plans"
	case "task_approve":
		task, _ := in["task"].(string)
		return "git tasks approve " + task
	}
	for _, f := range tools.Find(tool).Fields {
		switch {
		case f.Name != field:
		case f.Form == tools.Time:
			return "such as 2026-10-18, or 2026-10-18T10:00:00Z"
		case f.Form == tools.Count:
			return "such as 50"
		case f.Form == tools.ScopeRef:
			return "such as --scope folder:/srv/work, bot:NAME or session:ID"
		}
	}
	return ""
}

// idHint says of an id that no record has what was likely meant by it.
func idHint(tool, field string, in input) string {
	wants := records.TaskKind
	switch field {
	case "plan":
		wants = records.PlanKind
	case "task", "blockedBy", "after":
	default:
		return ""
	}
	typed, _ := in[field].(string)
	if list, ok := in[field].([]string); ok && len(list) == 1 {
		typed = list[0]
	}
	kind, _, isID := records.ParseID(typed)
	switch {
	case isID && kind == wants:
		return ""
	case isID && !strings.HasPrefix(tool, field+"_"): // not the record that the call is about
		return typed + " is a " + noun(kind)
	case isID && tool == "task_review":
		return typed + " is a plan; only tasks are reviewed"
	case isID && kind == records.PlanKind:
		return typed + " is a plan: git tasks plan " + commandOf(tool) + " " + typed
	case isID:
		return typed + " is a task: git tasks " + commandOf(tool) + " " + typed
	}
	if near, _, ok := records.ParseID(meant(typed, wants)); ok && near != wants && tool != "task_approve" {
		return idForm // approve takes both
	}
	return meantHint(typed, wants)
}

func noun(k records.Kind) string {
	if k == records.PlanKind {
		return "plan"
	}
	return "task"
}

// commandOf is the word of the command that calls a tool about one record.
func commandOf(tool string) string {
	_, word, _ := strings.Cut(tool, "_")
	return word
}

// meantHint is what may have been meant by a text that is no id, and else what
// an id is.
func meantHint(typed string, kind records.Kind) string {
	if id := meant(typed, kind); id != "" {
		return "did you mean " + id + "?"
	}
	if strings.ContainsAny(typed, ", ") {
		return "one id at a time"
	}
	return idForm
}

var nearID = regexp.MustCompile(`^#?([TtPp]?)[-#]?0*([1-9][0-9]*)(\.md)?$`)

// meant is the id that a text is likely to mean, of the kind where it names
// none; "" where it is nothing like an id.
func meant(typed string, kind records.Kind) string {
	match := nearID.FindStringSubmatch(typed)
	if match == nil {
		return ""
	}
	letter := strings.ToLower(match[1])
	if letter == "" {
		letter = noun(kind)[:1]
	}
	id := letter + match[2]
	if _, _, ok := records.ParseID(id); !ok {
		return ""
	}
	return id
}

// troubleHint is what helps on where neither the list nor the command is at fault.
func troubleHint(err error) string {
	if errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EROFS) {
		return "git tasks doctor says what may be written, and how much room there is"
	}
	return ""
}

// settingsHint is what helps on where the settings file cannot be read.
func settingsHint(err error) error {
	if tools.AsError(err).Code != tools.Invalid {
		return err
	}
	return withHint(err, "mend that line; until then every command that goes by the settings refuses")
}

// flagHint says what a flag takes.
func flagHint(flag urfave.Flag) string {
	value, doc := valueAndDoc(flag.(urfave.DocGenerationFlag).GetUsage())
	return strings.TrimRight("--"+flag.Names()[0]+" "+value+": "+doc, ": ")
}
