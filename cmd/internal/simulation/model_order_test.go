package simulation_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// row is among whom a task stands: those of its plan below the same parent, 0 for
// those below none.
type row struct {
	plan  string
	above int
}

// rowOf gives the row that a task stands in. A parent that is gone, or in another plan,
// is none.
func (m *model) rowOf(t modelTask) row {
	var n int
	if _, err := fmt.Sscanf(t.parent, "t%d", &n); err != nil || m.tasks[n].plan != t.plan || !m.knows(n) {
		n = 0
	}
	return row{t.plan, n}
}

func (m *model) knows(n int) bool { _, known := m.tasks[n]; return known }

// indent is what the line of a task begins with.
func (m *model) indent(n int) string {
	deep := 0
	for at := m.rowOf(m.tasks[n]).above; at != 0; at = m.rowOf(m.tasks[at]).above {
		deep++
	}
	return strings.Repeat("  ", min(deep, 6))
}

// stand puts a task, as it will be, below another, where that is named, or beside one:
// behind all below a new parent.
func (m *model) stand(t *modelTask, n int, named map[string]string) (may, moved bool) {
	if parent, ok := named["parent"]; ok && parent != t.parent {
		var above int
		if _, err := fmt.Sscanf(parent, "t%d", &above); parent != "" && (err != nil || !m.knows(above) || above == n || m.tasks[above].plan != t.plan) {
			return false, false
		}
		for at := above; at != 0; at = m.rowOf(m.tasks[at]).above {
			if at == n {
				return false, false
			}
		}
		t.parent = parent
		m.put(n, m.rowOf(*t), len(m.shown))
	}
	for _, side := range []string{"before", "after"} {
		beside, ok := named[side]
		if !ok {
			continue
		}
		var anchor int
		if _, err := fmt.Sscanf(beside, "t%d", &anchor); err != nil || !m.knows(anchor) || anchor == n || m.rowOf(m.tasks[anchor]) != m.rowOf(*t) {
			return false, false
		}
		at := slices.Index(m.shown, anchor)
		if side == "after" {
			at++
		}
		was := m.standing(m.rowOf(*t))
		m.put(n, m.rowOf(*t), at)
		moved = !slices.Equal(m.standing(m.rowOf(*t)), was)
	}
	return true, moved
}

// standing gives the tasks of a row in their order.
func (m *model) standing(in row) (list []int) {
	for _, n := range m.shown {
		if m.rows[n] == in {
			list = append(list, n)
		}
	}
	return list
}

// put puts a task into a row, ahead of the one that is listed at a place.
func (m *model) put(n int, in row, at int) {
	if is := slices.Index(m.shown, n); is >= 0 {
		m.shown = slices.Delete(m.shown, is, is+1)
		if is < at {
			at--
		}
	}
	m.shown = slices.Insert(m.shown, min(at, len(m.shown)), n)
	m.rows[n] = in
}

// listed holds the order of a list to the one before: in each row, those that stood in
// it stand as they did, but for what was moved.
func (m *model) listed(got []int) string {
	if !slices.Equal(slices.Sorted(slices.Values(got)), slices.Sorted(maps.Keys(m.tasks))) {
		return fmt.Sprintf("the list has %v", got)
	}
	was, is := map[row][]int{}, map[row][]int{}
	stays := func(n int) bool {
		stood, there := m.rows[n]
		return there && m.knows(n) && stood == m.rowOf(m.tasks[n])
	}
	for _, n := range m.shown {
		if stays(n) {
			was[m.rows[n]] = append(was[m.rows[n]], n)
		}
	}
	for _, n := range got {
		if stays(n) {
			is[m.rows[n]] = append(is[m.rows[n]], n)
		}
	}
	for in, want := range was {
		if !slices.Equal(is[in], want) {
			return fmt.Sprintf("in %+v the order is %v, want %v", in, is[in], want)
		}
	}
	m.shown = got
	clear(m.rows)
	for n, t := range m.tasks {
		m.rows[n] = m.rowOf(t)
	}
	return ""
}

// listing is what task_list answers.
type listing string

// sorted is it without its order.
func (l listing) sorted() string {
	lines := strings.Split(string(l), "\n")
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

// numbers gives the tasks in their order.
func (l listing) numbers() (list []int) {
	for line := range strings.Lines(string(l)) {
		var n int
		if _, err := fmt.Sscanf(strings.TrimLeft(line, " "), "t%d ", &n); err == nil {
			list = append(list, n)
		}
	}
	return list
}
