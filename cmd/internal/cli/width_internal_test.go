package cli

import "testing"

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

// TestFitKeepsToTheTerminal cuts lines of every width to every width: what is
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
			f := &front{env: Env{Width: columns}}
			got := f.fit(line)
			if n := width(got); n > columns || n < columns-1 {
				t.Errorf("%q on %d columns takes %d: %q", piece, columns, n, got)
			}
		}
	}
}
