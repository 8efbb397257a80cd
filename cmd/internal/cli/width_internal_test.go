package cli

import (
	"strings"
	"testing"
)

func TestWidth(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int{
		"": 0, "plain": 5, "Fünf": 4, "Fu\u0308nf": 4, "日本語": 6, "ｆｕｌｌ": 8, "ﾊﾝ": 2, "한국어": 6, "\u1112\u1161\u11ab": 2,
		"שלום": 4, "שָׁלוֹם": 4, "مرحبا": 5, "ไทย": 3, "น้ำ": 2, "नि": 2,
		"🎉": 2, "✅ done": 7, "⭐": 2, "★": 1, "❤": 1, "❤\ufe0f": 2, "🖥\ufe0f": 2, "🇩🇪": 2, "👩\u200d👩": 4, "👍🏽": 4,
		"…": 1, "→": 1, "─": 1, "a\u200bb": 2, "𝔘": 1, "𠮷": 2,
	} {
		if got := width(text); got != want {
			t.Errorf("%q takes %d columns, want %d", text, got, want)
		}
	}
}

// TestCutKeepsToTheTerminal cuts lines of every width to every width: what is
// left takes no more columns than there are, and as many as a wide character
// lets it.
func TestFitKeepsToTheTerminal(t *testing.T) {
	t.Parallel()
	for _, piece := range []string{"long ", "日本", "ab日", "e\u0301", "👩\u200d👩", "❤\ufe0f", "🇩🇪", "שלום "} {
		line := "t1  todo  medium  "
		for width(line) < 100 {
			line += piece
		}
		for columns := 2; columns < 100; columns++ {
			got := cut(line, columns)
			if n := width(got); n > columns || n < columns-1 {
				t.Errorf("%q on %d columns takes %d: %q", piece, columns, n, got)
			}
		}
	}
}

// TestWrappedLosesNothing cuts texts of every kind into lines of every width: no
// line is wider but for a word that is, no word is broken, and all is there.
func TestWrappedLosesNothing(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"", " ", "one", "a text of words, some long and some very-very-very-long-indeed",
		"日本語のとても長い題名です", "mixed 日本語 and words", "שלום עולם זו כותרת ארוכה", "    indented code stays so",
		"e\u0301te\u0301 👩\u200d👩 ❤\ufe0f 🇩🇪 end", "see https://example.org/a/very/long/address/that/is/one/word for more",
	} {
		for room := 2; room < 70; room++ {
			lines := wrapped(text, room)
			for _, line := range lines {
				if width(line) > room && strings.Contains(strings.TrimSpace(line), " ") {
					t.Errorf("%q on %d columns has the line %q", text, room, line)
				}
			}
			if got, want := strings.ReplaceAll(strings.Join(lines, ""), " ", ""), strings.ReplaceAll(text, " ", ""); got != want {
				t.Errorf("%q on %d columns became %q", text, room, lines)
			}
		}
	}
	if got := strings.Join(wrapped("日本語のとても長い題名です", 8), "|"); got != "日本語の|とても長|い題名で|す" {
		t.Errorf("wide characters are cut as %s", got)
	}
}
