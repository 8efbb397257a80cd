package cli

import (
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"
)

// width is how many columns of a terminal a text takes, at most: terminals do
// not agree on pictures that are joined of several, and each counts here.
func width(s string) int {
	if isASCII(s) {
		return len(s)
	}
	sum := 0
	for _, n := range columns(s) {
		sum += n
	}
	return sum
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// columns yields where each character begins, and how many columns it takes.
func columns(s string) iter.Seq2[int, int] {
	return func(yield func(int, int) bool) {
		last := 0
		for i, r := range s {
			n := runeWidth(r)
			if r == asPicture && last == 1 {
				n = 1 // a narrow character becomes a picture, and those are wide
			}
			if !yield(i, n) {
				return
			}
			last = n
		}
	}
}

// asPicture is the variation selector that asks for a character as a picture.
const asPicture = '\ufe0f'

func runeWidth(r rune) int {
	switch {
	case r < 0x300:
		return 1
	case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf), 0x1160 <= r && r <= 0x11ff:
		return 0 // accents, joiners, and the later letters of a Korean syllable
	case unicode.Is(wide, r), strings.ContainsRune(wideSigns, r):
		return 2
	}
	return 1
}

// wideSigns are the pictures among the signs that are narrow otherwise.
const wideSigns = "⌚⌛\u2329\u232a⏩⏪⏫⏬⏰⏳◽◾☔☕♈♉♊♋♌♍♎♏♐♑♒♓♿⚓⚡⚪⚫⚽⚾⛄⛅⛎⛔⛪⛲⛳⛵⛺⛽" +
	"✅✊✋✨❌❎❓❔❕❗➕➖➗➰➿⬛⬜⭐⭕🀄🃏🆎"

// wide are the characters that take two columns: those of East Asian scripts and
// the pictures (Unicode's East Asian Width W and F, a little rounded).
var wide = &unicode.RangeTable{
	R16: []unicode.Range16{
		{Lo: 0x1100, Hi: 0x115f, Stride: 1}, {Lo: 0x2e80, Hi: 0x303e, Stride: 1}, {Lo: 0x3041, Hi: 0x3247, Stride: 1},
		{Lo: 0x3250, Hi: 0x4dbf, Stride: 1}, {Lo: 0x4e00, Hi: 0xa4cf, Stride: 1}, {Lo: 0xa960, Hi: 0xa97c, Stride: 1},
		{Lo: 0xac00, Hi: 0xd7a3, Stride: 1}, {Lo: 0xf900, Hi: 0xfaff, Stride: 1}, {Lo: 0xfe10, Hi: 0xfe19, Stride: 1},
		{Lo: 0xfe30, Hi: 0xfe6b, Stride: 1}, {Lo: 0xff01, Hi: 0xff60, Stride: 1}, {Lo: 0xffe0, Hi: 0xffe6, Stride: 1},
	},
	R32: []unicode.Range32{
		{Lo: 0x16fe0, Hi: 0x18d08, Stride: 1}, {Lo: 0x1aff0, Hi: 0x1b2fb, Stride: 1}, {Lo: 0x1f191, Hi: 0x1f19a, Stride: 1},
		{Lo: 0x1f200, Hi: 0x1f265, Stride: 1}, {Lo: 0x1f300, Hi: 0x1f64f, Stride: 1}, {Lo: 0x1f680, Hi: 0x1f6ff, Stride: 1},
		{Lo: 0x1f7e0, Hi: 0x1f7f0, Stride: 1},
		{Lo: 0x1f90c, Hi: 0x1f9ff, Stride: 1}, {Lo: 0x1fa70, Hi: 0x1faff, Stride: 1}, {Lo: 0x20000, Hi: 0x3fffd, Stride: 1},
	},
}
