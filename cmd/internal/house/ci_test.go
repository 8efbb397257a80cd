package house

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestCI holds the workflow to what the README says of systems, and .ci/run to the
// bash that the oldest of them has, 3.2.
func TestCI(t *testing.T) {
	t.Parallel()
	read := func(path string) string {
		data, err := os.ReadFile(filepath.Join(root(t), filepath.FromSlash(path)))
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	workflow := read(".github/workflows/test.yml")
	for _, want := range []string{"os: [ubuntu-latest, macos-latest]\n", "- run: .ci/run\n", "go-version-file: go.mod\n"} {
		if !strings.Contains(workflow, want) {
			t.Errorf("the workflow lacks %q", want)
		}
	}
	if !strings.Contains(readme(t), "`.github/workflows/test.yml` runs `.ci/run` as well") {
		t.Error("README.md does not say what the workflow does")
	}
	later := regexp.MustCompile(`\b(mapfile|readarray|coproc|wait -n|(declare|local|typeset) -[Ang])\b|\$\{\w+(,,|\^\^|@[A-Z])|&>>|\|&`)
	for _, script := range []string{".ci/run", ".ci/vulncheck"} {
		for _, line := range strings.Split(read(script), "\n") {
			code, _, _ := strings.Cut(line, "#")
			if found := later.FindString(code); found != "" {
				t.Errorf("%s: %s came after bash 3.2", script, found)
			}
		}
	}
}
