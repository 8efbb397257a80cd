package tools

import "github.com/git-tasks/git-tasks/records"

var planCreate = &Tool{
	Name: "plan_create",
	Doc:  "Makes a plan, draft. Tasks join it by naming it in their plan field.",
	Fields: []Field{
		{Name: "title", Form: Named, Doc: "what the plan is, in one line"},
		{Name: "goal", Form: Text, Doc: "what it is for, in Markdown"},
		{Name: "scope", Form: ScopeRef, Doc: "where it belongs; the call's folder, else its session, where not given"},
		{Name: "refs", Form: Texts, Doc: "links the plan needs"},
	},
	run: func(c *call) (Answer, error) {
		scope, ok := c.in.scope("scope")
		switch {
		case ok:
		case c.caller.folder != "":
			scope = records.Scope{Kind: "folder", Folder: c.caller.folder}
		case c.caller.session != "":
			scope = records.Scope{Kind: "session", Session: records.BareSession(c.caller.session)}
		default:
			return Answer{}, invalid("scope", "scope must be a folder, bot, or session scope.")
		}
		edit := records.AddPlan{Title: c.in.text("title"), Goal: c.in.text("goal"), Scope: scope}
		if refs := c.in.texts("refs"); refs != nil {
			edit.Refs = *refs
		}
		return c.change(edit)
	},
}
