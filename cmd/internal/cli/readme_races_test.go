package cli_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// playRaces holds the commands that play the figures again to what is there: the
// package, the test, and the flags of its own. To play them takes a quarter of an
// hour.
func playRaces(t *testing.T, script string) {
	for line := range strings.Lines(script) {
		_, command, _ := strings.Cut(line, "go test ./")
		dir, flags, _ := strings.Cut(strings.TrimSpace(command), " ")
		files, err := filepath.Glob(filepath.Join("../../..", dir, "*_test.go"))
		if err != nil || len(files) == 0 {
			t.Fatalf("%s has no tests, %v", dir, err)
		}
		var source strings.Builder
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			source.Write(text)
		}
		words := strings.Fields(flags)
		for i, word := range words {
			switch word {
			case "-run":
				if !strings.Contains(source.String(), "func "+words[i+1]) {
					t.Errorf("no test of %s is named %s", dir, words[i+1])
				}
			case "-contenders", "-rounds":
				if !strings.Contains(source.String(), `flag.Int("`+word[1:]+`"`) {
					t.Errorf("the tests of %s have no flag %s", dir, word)
				}
			}
		}
	}
}
