package repo

import (
	"context"
	"fmt"
	"strconv"
	"strings"
)

// Count gives how many more commits one commit can be reached from than another:
// fewer where history was rewritten, all for the zero ID. git counts them, and of a
// history that goes on looks at the new ones alone.
func (r *Repo) Count(ctx context.Context, from, to ID) (int, error) {
	if to.IsZero() {
		return 0, nil
	}
	span := to.String()
	if !from.IsZero() {
		span = from.String() + "..." + span
	}
	out, err := r.git(ctx, nil, "rev-list", "--count", "--left-right", span)
	if err != nil {
		return 0, err
	}
	more := 0
	for i, field := range strings.Fields(out) {
		n, err := strconv.Atoi(field)
		if err != nil {
			return 0, fmt.Errorf("git counts commits and says %q", out)
		}
		if more += n; i == 0 { // those that only the other one has
			more = -n
		}
	}
	return more, nil
}
