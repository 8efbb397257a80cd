package tools

import "github.com/git-tasks/git-tasks/records"

var planCreate = &Tool{
	Name: "plan_create",
	Doc:  "Makes a plan, draft. Tasks join it by naming it in their plan field.",
	Fields: []Field{
		{Name: "title", Form: Named, Doc: "what the plan is, in one line"},
		{Name: "goal", Form: Text, Kind: Markdown, Doc: "what it is for, in Markdown"},
		{Name: "scope", Form: ScopeRef, Doc: "where it belongs; the call's folder, else its session, where not given"},
		{Name: "refs", Form: Texts, Doc: "links the plan needs"},
	},
	Example: `{"title":"Ship the parser"}`,
	run: func(c *call) (Answer, error) {
		edit := records.AddPlan{Title: text(c.in.Title), Goal: c.in.Goal}
		switch {
		case c.in.Scope != nil:
			edit.Scope = *c.in.Scope
		case c.caller.folder != "":
			edit.Scope = records.Scope{Kind: records.FolderScope, Folder: c.caller.folder}
		case c.caller.session != "":
			edit.Scope = records.Scope{Kind: records.SessionScope, Session: records.BareSession(c.caller.session)}
		default:
			return Answer{}, invalid("scope", "scope "+records.MustBeScope)
		}
		if c.in.Refs != nil {
			edit.Refs = *c.in.Refs
		}
		return c.change(edit)
	},
}
