package records

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestOutputIsKeptInTheBody(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ body, output, want string }{
		"no body":               {"", "ok", "## Output\n\nok"},
		"none yet":              {"Do it.", "ok\n", "Do it.\n\n## Output\n\nok"},
		"a blank line is there": {"Do it.\n\n", "ok", "Do it.\n\n## Output\n\nok"},
		"replaced at the end":   {"Do it.\n\n## Output\n\nold\n\n### More\nold", "new\nlines", "Do it.\n\n## Output\n\nnew\nlines"},
		"replaced in between":   {"A\n##  Output ##\nold\n# Next\n## Deep\n", "new", "A\n##  Output ##\n\nnew\n\n# Next\n## Deep\n"},
		"underlined heading":    {"## Output\nold\n\nNext\nline\n----\nkept", "new", "## Output\n\nnew\n\nNext\nline\n----\nkept"},
		"the last of two":       {"## Output\nhow it must look\n## Output\nold", "new", "## Output\nhow it must look\n## Output\n\nnew"},
		"in a code fence":       {"```\n## Output\n```", "new", "```\n## Output\n```\n\n## Output\n\nnew"},
		"fence with other ends": {"~~~~\n```\n~~~\n## Output\n~~~~\n## Output\nold\n```\n# x\n```\n# Next", "new", "~~~~\n```\n~~~\n## Output\n~~~~\n## Output\n\nnew\n\n# Next"},
		"a fence left open":     {"```go\nx\n## Output", "new", "```go\nx\n## Output\n```\n\n## Output\n\nnew"},
		"no such headings":      {"# Output\n### Output\n##Output\n    ## Output\n## output", "x", "# Output\n### Output\n##Output\n    ## Output\n## output\n\n## Output\n\nx"},
		"line ends":             {"A\r\n## Output\r\nold\r\n## Next\r\n", "new", "A\r\n## Output\r\n\r\nnew\r\n\r\n## Next\r\n"},
		"cleared":               {"A\n\n## Output\n\nold", " \n", "A"},
		"cleared in between":    {"A\n\n## Output\n\nold\n\n## Next", "", "A\n\n## Next"},
		"nothing to clear":      {"A\n\n", "", "A\n\n"},
		"a heading in it":       {"A", "# make\nok", "A\n\n## Output\n\n```\n# make\nok\n```"},
		"a fence in it":         {"A", "```\n# make\n```", "A\n\n## Output\n\n```\n# make\n```"},
		"an open fence in it":   {"A", "````\nx", "A\n\n## Output\n\n`````\n````\nx\n`````"},
		"a line of dashes":      {"A", "ok\n---", "A\n\n## Output\n\n```\nok\n---\n```"},
		"a comment":             {"A", "<!-- x", "A\n\n## Output\n\n```\n<!-- x\n```"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := putOutput(c.body, c.output)
			if got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
			if again := putOutput(got, c.output); again != got {
				t.Errorf("again it is\n%s", again)
			}
		})
	}
}

// TestOutputTouchesNothingElse: whatever stands in a body, and whatever came out, a
// later output takes the place of an earlier one whole, and nothing else moves.
func TestOutputTouchesNothingElse(t *testing.T) {
	t.Parallel()
	line := rapid.SampledFrom([]string{"a", "", "## Output", "## Output ##", "##Output", "### x", "# T", "## T", "---", "=", "```", "````", "~~~", "```go",
		"<!--", "    ## Output", "\t## Output", "   ## Output", "- ```", "> ## Output", "##", "a\r"})
	text := rapid.Custom(func(t *rapid.T) string { return strings.Join(rapid.SliceOfN(line, 0, 8).Draw(t, "lines"), "\n") })
	rapid.Check(t, func(t *rapid.T) {
		body, first, second := text.Draw(t, "body"), text.Draw(t, "first"), text.Draw(t, "second")
		once := putOutput(body, first)
		m := readMarkdown(body)
		from, to, found := m.output()
		switch {
		case !found && !strings.HasPrefix(once, body),
			found && (!strings.HasPrefix(once, strings.TrimRight(m.text(0, from), "\r\n")) || !strings.HasSuffix(once, m.text(to, len(m.lines)))):
			t.Errorf("%q and %q make %q", body, first, once)
		}
		if strings.TrimSpace(first) == "" || strings.TrimSpace(second) == "" {
			return
		}
		if got, want := putOutput(once, second), putOutput(body, second); got != want {
			t.Errorf("%q with %q, then %q, is %q, want %q", body, first, second, got, want)
		}
	})
}
