package simulation_test

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// TestReadmeRaces plays the commands that the README gives for its figures, by this
// test's own program: the race with few contenders and rounds. What runs whole by
// GIT_TASKS_TEST_FULL alone is played so where all suites are, and need only be there.
func TestReadmeRaces(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	played := 0
	for line := range strings.Lines(string(text)) {
		setting, flags, is := strings.Cut(line, "go test ./cmd/internal/simulation ")
		if setting = strings.TrimSpace(setting); !is || setting != "" && setting != "GIT_TASKS_TEST_FULL=1" {
			continue
		}
		said, err := exec.Command(os.Args[0], small(flags, setting != "")...).CombinedOutput()
		if err != nil || !strings.Contains(string(said), "Test") {
			t.Errorf("%s %v\n%s", line, err, said)
		}
		played++
	}
	if played != 2 {
		t.Errorf("README.md has %d commands that play its figures again, want 2", played)
	}
}

// small gives the flags of go test as its program takes them: few of everything that
// is counted, or no more than the names of the tests.
func small(flags string, named bool) (args []string) {
	few := map[string]string{"-contenders": "4", "-rounds": "2"}
	standard := map[string]string{"-run": "-test.run", "-timeout": "-test.timeout", "-v": "-test.v"}
	if named {
		standard["-run"] = "-test.list"
	}
	words := strings.Fields(flags)
	for i, word := range words {
		if i > 0 && few[words[i-1]] != "" {
			word = few[words[i-1]]
		} else if standard[word] != "" {
			word = standard[word]
		}
		args = append(args, word)
	}
	return args
}
