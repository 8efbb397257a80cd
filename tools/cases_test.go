package tools_test

import (
	"testing"

	"github.com/git-tasks/git-tasks/tools/toolstest"
)

// TestCases plays every case that all fronts share; restarted plays the same
// with the list closed and opened again between any two steps.
func TestCases(t *testing.T) {
	t.Parallel()
	for name, reopen := range map[string]bool{"kept open": false, "20 restarted": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, c := range toolstest.Cases() {
				t.Run(c.Name, func(t *testing.T) {
					t.Parallel()
					toolstest.Play(t, c, toolstest.Direct, reopen)
				})
			}
		})
	}
}
