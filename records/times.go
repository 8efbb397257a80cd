package records

import (
	"strings"
	"time"
)

// timeLayout is how every time is written: UTC, milliseconds, Z.
const timeLayout = "2006-01-02T15:04:05.000Z"

// FormatTime writes a time the way every stamp has it:
// 2026-10-18T10:00:00.000Z. Parts of a millisecond are dropped, never rounded
// up past the moment itself.
func FormatTime(t time.Time) string { return t.UTC().Format(timeLayout) }

// ParseTime reads an ISO-8601 time: a date alone (midnight UTC), or a date, a T
// or one space, and hours and minutes, with seconds, a fraction, and Z, ±hh:mm
// or ±hhmm where given; without a zone it is UTC. Days that the calendar does
// not have are not times.
func ParseTime(s string) (time.Time, bool) {
	if len(s) < len("2026-10-18") || len(s) > 64 {
		return time.Time{}, false
	}
	if len(s) == len("2026-10-18") {
		t, err := time.Parse("2006-01-02", s)
		return t, err == nil
	}
	sep := s[len("2026-10-18")]
	if sep != 'T' && sep != ' ' || strings.ContainsRune(s, ',') {
		return time.Time{}, false
	}
	// time.Parse takes a single digit where the layout has two for the hour.
	if len(s) < len("2026-10-18T10:00") || s[13] != ':' {
		return time.Time{}, false
	}
	layout := "2006-01-02" + string(sep) + "15:04"
	for _, seconds := range []string{":05", ""} {
		// "Z07:00" reads Z as well as an offset; a fraction of seconds is read
		// by time.Parse whether or not the layout has one.
		for _, zone := range []string{"Z07:00", "Z0700", ""} {
			if t, err := time.Parse(layout+seconds+zone, s); err == nil {
				return t.UTC(), true
			}
		}
	}
	return time.Time{}, false
}

// isMoment reports whether FormatTime can have written the text.
func isMoment(s string) bool {
	if len(s) != len(timeLayout) {
		return false
	}
	for i := range len(s) {
		switch want := timeLayout[i]; {
		case want >= '0' && want <= '9':
			if s[i] < '0' || s[i] > '9' {
				return false
			}
		case s[i] != want:
			return false
		}
	}
	two := func(i int) int { return int(s[i]-'0')*10 + int(s[i+1]-'0') }
	month, day := two(5), two(8)
	// The 29th and later are the calendar's to judge.
	if month < 1 || month > 12 || day < 1 || two(11) > 23 || two(14) > 59 || two(17) > 59 {
		return false
	}
	if day <= 28 {
		return true
	}
	_, ok := ParseTime(s)
	return ok
}
