package tools

import (
	"encoding/json"
	"strconv"
	"time"

	"github.com/git-tasks/git-tasks/records"
)

// lastMilli is the last millisecond that a time of four digits a year can say.
var lastMilli = time.Date(9999, 12, 31, 23, 59, 59, 999e6, time.UTC).UnixMilli()

// readUntil reads the end of a lease: an ISO-8601 time, or Unix milliseconds as a
// number or as its digits. 0 is the zero time.
func (f Field) readUntil(raw json.RawMessage) (any, error) {
	digits := string(raw)
	var s string
	if json.Unmarshal(raw, &s) == nil {
		if at, ok := records.ParseTime(s); ok {
			return at, nil
		}
		digits = s
	}
	switch ms, err := strconv.ParseInt(digits, 10, 64); {
	case err != nil || ms < 0 || ms > lastMilli:
		return nil, f.must("an ISO-8601 timestamp, or 0 for none")
	case ms == 0:
		return time.Time{}, nil
	default:
		return time.UnixMilli(ms).UTC(), nil
	}
}

// maxSpan is how long a lease may be asked for: a year is more than any work takes.
const maxSpan = 366 * 24 * time.Hour

// readSpan reads how long from now on.
func (f Field) readSpan(raw json.RawMessage) (any, error) {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		if d, err := time.ParseDuration(s); err == nil && d >= time.Millisecond && d <= maxSpan {
			return d, nil
		}
	}
	return nil, f.must("a length of time such as 30m")
}
