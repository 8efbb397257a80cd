package cli

import (
	"errors"
	"io/fs"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"

	urfave "github.com/urfave/cli/v2"

	"github.com/git-tasks/git-tasks/records"
	"github.com/git-tasks/git-tasks/repo"
	"github.com/git-tasks/git-tasks/tools"
)

const idForm = "an id is t and a number for a task, p and a number for a plan"

// hintOf is what a person may do about an error, by the error alone, whatever
// command it came of: what was said with it, another spelling of the id that is at
// fault, what the field takes, and else the command for what agents are told to
// call next.
func hintOf(err error) string {
	var said *hinted
	if errors.As(err, &said) {
		return said.hint
	}
	e := tools.AsError(err)
	var refusal *records.Refusal
	if errors.As(err, &refusal) {
		if hint := idHint(e.Tool, refusal); hint != "" {
			return hint
		}
		if hint := formHint(e.Tool, refusal.Field); hint != "" {
			return hint
		}
	}
	switch {
	case e.Next == "task_list":
		return "git tasks list shows the tasks"
	case e.Next == "plan_list":
		return "git tasks plan list shows the plans"
	case e.Next == "task_approve" && refusal != nil:
		return "git tasks approve " + refusal.Of
	}
	return troubleHint(err)
}

// formHint is what the field of a tool takes, where that is not said by its name.
func formHint(tool, field string) string {
	of := tools.Find(tool)
	if of == nil {
		return ""
	}
	for _, f := range of.Fields {
		switch {
		case f.Name != field:
		case f.Form == tools.Time:
			return "such as 2026-10-18, or 2026-10-18T10:00:00Z"
		case f.Form == tools.Count:
			return "such as 50"
		case f.Form == tools.Span:
			return "such as 30m, 1h30m or 90s"
		case f.Form == tools.Until:
			return "such as 2026-10-18T10:00:00Z, or 0 for no end"
		case f.Form == tools.ScopeRef:
			return "such as --scope folder:/srv/work, bot:NAME or session:ID"
		}
	}
	return ""
}

// idHint says of an id that is at fault what was likely meant by it.
func idHint(tool string, r *records.Refusal) string {
	wants := records.TaskKind
	switch {
	case r.Of != "" && (r.Field == "blockedBy" || r.Field == "addBlockedBy"):
		return "git tasks show " + r.Of + " says what it waits for"
	case r.Of != "" && (r.Kind == records.Conflict || r.Kind == records.Held):
		return "git tasks show " + r.Of + " says where it stands"
	case r.Given == "":
		return ""
	case r.See == "plan_list":
		wants = records.PlanKind
	}
	typed := r.Given
	kind, _, isID := records.ParseID(typed)
	switch {
	case isID && kind == wants:
		return ""
	case isID && !strings.HasPrefix(tool, r.Field+"_"): // not the record that the call is about
		return typed + " is a " + noun(kind)
	case isID && kind == records.PlanKind && tools.Find("plan_"+commandOf(tool)) == nil:
		return typed + " is a plan, and a task is wanted"
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

var nearID = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^#?([TtPp]?)[-#]?0*([1-9][0-9]*)(\.md)?$`) })

// meant is the id that a text is likely to mean, of the kind where it names
// none; "" where it is nothing like an id.
func meant(typed string, kind records.Kind) string {
	match := nearID().FindStringSubmatch(typed)
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

// ofDisk are the troubles that a look at the disk and its folders explains.
var ofDisk = []error{fs.ErrPermission, syscall.ENOSPC, syscall.EROFS, syscall.EDQUOT, syscall.EIO}

// troubleHint is what helps on where neither the list nor the command is at fault.
func troubleHint(err error) string {
	switch e := tools.AsError(err); {
	case e.Code == tools.Unreachable:
		return "git tasks log shows whether it is; asked again, it might be made twice"
	case e.Code == tools.Denied:
		return "git tasks token list shows who may do what"
	case e.Code == tools.Unauthenticated:
		return "--as NAME, or a token in " + tokenVariable + ", says who you are"
	case repo.IsKind(err, repo.Held):
		return "git tasks doctor says whose lock it is"
	case repo.IsKind(err, repo.Busy):
		return "the same again, a little later, may do"
	case repo.IsKind(err, repo.Damaged):
		return "git tasks doctor says what is whole, and any clone has what it fetched"
	case repo.IsKind(err, repo.Unconfirmed):
		return "git tasks log shows it; look at the disk before you go on"
	case errors.Is(err, exec.ErrNotFound):
		return "git must be on PATH"
	case slices.ContainsFunc(ofDisk, func(cause error) bool { return errors.Is(err, cause) }):
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
