package detail_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/git-tasks/git-tasks/records/detail"
)

// whole is a packet with all that must be there.
const whole = `{"objective":"Write the parser","scope":"module","scopePath":"internal/parse","repo":"srv/work",
	"branchPolicy":"new branch from main","acceptanceTests":["go test ./internal/parse/..."],
	"resources":["the plan",{"kind":"file","value":"parse.go"}],"commitPolicy":"one commit a step",
	"reportingContract":"commit id and test output","escalationPolicy":"stop and ask","verificationPlan":["run the tests twice"],
	"model":"", "reporting_targets":[]}`

func TestPacketFaults(t *testing.T) {
	t.Parallel()
	every := []string{
		"objective must be a non-empty string", "scope must be workspace, module, single_file, feature, repository, service, or custom",
		"repo must be a non-empty string", "branchPolicy must be a non-empty string", "acceptanceTests or acceptanceCriteria must say when it is done",
		"commitPolicy must be a non-empty string", "reportingContract must be a non-empty string",
		"escalationPolicy or recoveryPolicy must say what to do when it goes wrong",
	}
	for name, c := range map[string]struct {
		changes string // to the whole one; null takes a key out
		faults  []string
	}{
		"whole":           {`{}`, nil},
		"criteria do":     {`{"acceptanceTests":null,"acceptanceCriteria":["it parses"]}`, nil},
		"recovery does":   {`{"escalationPolicy":null,"recoveryPolicy":"try again"}`, nil},
		"scope alone":     {`{"scope":"workspace","scopePath":null}`, nil},
		"no path":         {`{"scope":"single_file","scopePath":null}`, []string{"scopePath must be there where scope is single_file"}},
		"blank path":      {`{"scope":"custom","scopePath":" "}`, []string{"scopePath must be a non-empty string"}},
		"scope unknown":   {`{"scope":"Module"}`, every[1:2]},
		"no list":         {`{"acceptanceTests":"go test"}`, []string{"acceptanceTests must be an array of strings"}},
		"empty lists":     {`{"acceptanceTests":[],"acceptanceCriteria":[]}`, every[4:5]},
		"blank entry":     {`{"acceptanceTests":["ok",""],"verificationPlan":[1]}`, []string{"acceptanceTests[1] must be a non-empty string", "verificationPlan[0] must be a non-empty string"}},
		"resources":       {`{"resources":[{"kind":"file","value":""},{},7]}`, []string{"resources[0].value must be a non-empty string", "resources[1].kind must be a non-empty string", "resources[1].value must be a non-empty string", "resources[2] must be a non-empty string"}},
		"resources a map": {`{"resources":{}}`, []string{"resources must be an array of strings, or of objects with kind and value"}},
		"worktree blank":  {`{"worktree":"","repo":7}`, []string{"repo must be a non-empty string", "worktree must be a non-empty string"}},
		"nothing": {`{"objective":null,"scope":null,"scopePath":null,"repo":null,"branchPolicy":null,"acceptanceTests":null,"resources":null,
			"commitPolicy":null,"reportingContract":null,"escalationPolicy":null,"verificationPlan":null}`, every},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var packet map[string]any
			for _, text := range []string{whole, c.changes} {
				if err := json.Unmarshal([]byte(text), &packet); err != nil {
					t.Fatal(err)
				}
			}
			if got := detail.PacketFaults(packet); !slices.Equal(got, c.faults) {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(c.faults, "\n"))
			}
		})
	}
}
