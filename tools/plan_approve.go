package tools

import "github.com/git-tasks/git-tasks/records"

// approveGrant is the only grant that a tool asks for.
const approveGrant = "task:approve"

var planApprove = &Tool{
	Name:    "plan_approve",
	Doc:     "Stamps a plan approved. Needs task:approve.",
	Fields:  []Field{{Name: "plan", Form: PlanID, plain: true, Doc: "plan id"}},
	Example: `{"plan":"p1"}`,
	run:     func(c *call) (Answer, error) { return c.approve(text(c.in.Plan)) },
}

func (c *call) approve(id string) (Answer, error) {
	if err := c.caller.may(approveGrant); err != nil {
		return Answer{}, err
	}
	return c.change(records.Approve{ID: id})
}
