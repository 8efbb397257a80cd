package sweep_test

import (
	"flag"
	"os"
	"testing"
)

// TestMain runs a tenth of the histories, and all where whole suites are asked
// for.
func TestMain(m *testing.M) {
	if os.Getenv("GIT_TASKS_TEST_FULL") != "1" { // the command line still has the last word
		if err := flag.Set("rapid.checks", "10"); err != nil {
			panic(err)
		}
	}
	os.Exit(m.Run())
}
