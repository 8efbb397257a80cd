package main

import (
	"io"
	"os"
	"regexp"
	"strings"
	"testing"
)

// benchLine is what the README and the package's doc tell people to type: the
// whole command, or in code of its own the flags alone of a longer one.
var benchLine = regexp.MustCompile("(?m)(?:`|^//\t)((?:go (?:run|test) \\./cmd/bench )?-(?:only|size|soak) [^`>\n]*)")

// A figure in the README counts while its command is one that people can give:
// its flags are those of this program, its rows are measured, and the files that
// it reads are there.
func TestCommandsInTheReadme(t *testing.T) {
	t.Parallel()
	found := 0
	for _, file := range []string{"../../README.md", "doc.go"} {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range benchLine.FindAllStringSubmatch(string(text), -1) {
			if strings.HasPrefix(m[1], "go test") || strings.HasPrefix(m[1], "-soak") {
				continue // flags of the tests, which go itself parses
			}
			found++
			args := strings.Fields(strings.TrimPrefix(m[1], "go run ./cmd/bench"))
			o, err := parseOrder(around{args: args, cache: t.TempDir(), stdout: io.Discard, stderr: io.Discard})
			if err != nil {
				t.Errorf("%s: %s: %v", file, m[1], err)
				continue
			}
			if _, err := choose(o.only); err != nil {
				t.Errorf("%s: %s: %v", file, m[1], err)
			}
			if o.kept != "" {
				if _, err := os.Stat("../../" + o.kept); err != nil {
					t.Errorf("%s: %s: %v", file, m[1], err)
				}
			}
		}
	}
	if found < 6 {
		t.Errorf("%d commands found in the README and doc.go, fewer than stand there", found)
	}
}
