package records

import (
	"math/rand/v2"
	"os"
	"strings"
	"testing"
)

// heavy is how many rounds a heavy suite runs: a tenth, or all of them when the
// environment asks for the full run.
func heavy(full int) int {
	if os.Getenv("GIT_TASKS_TEST_FULL") == "1" {
		return full
	}
	return full / 10
}

// hostileParts are pieces of text that some YAML parser or writer gets wrong.
var hostileParts = []string{
	"", " ", "  ", "\t", "\n", "\n\n", "\r", "\r\n", "\x00", "\x1b[2J", "\x7f", "\u0085", "\u009b", "\u00a0",
	"\u2028", "\u2029", "\u200d", "\u202e", "\ufeff", "\ufffd", "\ufffe", "\uffff", "\U000e0041", "\U0010ffff",
	"🚀", "👩‍🚀", "日本語", "Über", "é", "שלום", "ａ", "ß", "İ", "№",
	"a", "b c", "word", "id: t1", "title", "key:", ": ", ":", " :", "#", " #", "# x", "-", "- ", "--- ", "---", "...", "\n---\n", "\n...\n",
	"?", "? x", "!", "!x ", "!!str ", "&", "&a ", "*", "*a", "|", "|-\n", ">", ">-\n", "%", "%YAML 1.2", "@", "`",
	"'", "''", `"`, `""`, `\`, `\n`, `\x41`, "[", "]", "{", "}", ",", "[]", "{}", "[a, b]", "{a: b}", "<<", "=", "~", "$", "$(x)",
	"null", "Null", "true", "False", "yes", "NO", "on", "off", "y", "N", ".nan", ".inf", "-.inf", "NaN", "Inf",
	"0", "1", "-1", "+1", "1.0", "1e3", "0x1F", "0o17", "017", "1_000", "0b1", "12:30:45", "190:20:30", "2026-10-18", "2026-10-18T10:00:00.000Z", "2026-10-18 10:00",
	"<<<<<<< a", "=======", "\n>>>>>>> b\n", "ahp-session:/one", "/srv/work", "https://x.y/z?q=1#f", "C:\\x", "t1", "p9", "_", ".", "/",
}

// hostile is a text made to be misread.
func hostile(rnd *rand.Rand) string {
	var b strings.Builder
	for range 1 + rnd.IntN(5) {
		if rnd.IntN(12) == 0 {
			b.WriteRune(anyRune(rnd))
			continue
		}
		b.WriteString(hostileParts[rnd.IntN(len(hostileParts))])
	}
	return b.String()
}

func anyRune(rnd *rand.Rand) rune {
	limit := []rune{0x80, 0x100, 0x3000, 0x110000}[rnd.IntN(4)]
	for {
		if c := rnd.Int32N(limit); c < 0xd800 || c > 0xdfff {
			return c
		}
	}
}

// seeded is a source of randomness that a failure can be repeated with.
func seeded(t testing.TB, seed uint64) *rand.Rand {
	t.Helper()
	return rand.New(rand.NewPCG(seed, 1))
}
