package tools

import (
	"fmt"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// unkept says what of a JSON value would not be kept as it was sent, "" where all
// is: JSON can say half of a character, and bytes that are no character, and reading
// it would put another one in their place.
func unkept(raw []byte) string {
	for i := 0; i < len(raw); {
		r, size := utf8.DecodeRune(raw[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			return fmt.Sprintf("byte 0x%02x is none", raw[i])
		case r != '\\':
			i += size
			continue
		}
		high, isHigh := unit(raw[i:])
		low, _ := unit(raw[min(i+6, len(raw)):])
		switch {
		case !isHigh:
			i += 2
		case !utf16.IsSurrogate(high):
			i += 6
		case utf16.DecodeRune(high, low) == utf8.RuneError:
			return string(raw[i:i+6]) + " is half of a character"
		default:
			i += 12
		}
	}
	return ""
}

// unit reads an escape such as \u00e9 at the beginning of a text.
func unit(raw []byte) (rune, bool) {
	if len(raw) < 6 || raw[0] != '\\' || raw[1] != 'u' {
		return 0, false
	}
	n, err := strconv.ParseUint(string(raw[2:6]), 16, 16)
	return rune(n), err == nil
}
