package ahp

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/git-tasks/git-tasks/tools"
)

// TestCodesOverAHP plays every row of the table: a request that is refused ends with
// the row's code and the refusal's own words, has the refusal itself with it, and says
// where to sign in where that would help.
func TestCodesOverAHP(t *testing.T) {
	t.Parallel()
	for _, code := range tools.Codes() {
		f := faultOf(fmt.Errorf("subscribing: %w", &tools.Error{Code: code, Message: "refused as " + string(code), Next: "task_list"}))
		wire, err := json.Marshal(f)
		var said struct {
			Code    int
			Message string
			Data    struct {
				tools.Error
				Resources []json.RawMessage
			}
		}
		if err == nil {
			err = json.Unmarshal(wire, &said)
		}
		of := said.Data
		if err != nil || said.Code != code.AHP() || said.Message != "refused as "+string(code) || of.Code != code || of.Message != said.Message ||
			of.Next != "task_list" || (of.Resources != nil) != (code == tools.Unauthenticated) {
			t.Errorf("%s is answered %s, %v; want code %d", code, wire, err, code.AHP())
		}
	}
}
