package simulation_test

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/git-tasks/git-tasks/records"
)

// model is what the list must be, in plain values.
type model struct {
	tasks   map[int]modelTask
	plans   map[int]modelPlan
	broken  map[int]modelTask // tasks whose files cannot be read now
	drafts  map[string]modelDraft
	hands   []string // who committed by hand since the door last did, in order
	used    [2][]int // every number that was ever a task's, a plan's
	highest [2]int   // ever used: of tasks, of plans
	approve bool     // a task must be approved first

	now   func() time.Time
	shown []int       // all tasks in the order that they were listed in last
	rows  map[int]row // among whom each stood then
}

type modelTask struct {
	title, status, priority, note, active, plan   string
	approvedBy, startedBy, finishedBy, reviewedBy string

	owner, parent, heldBy, until string
}

type modelPlan struct{ title, status, finishedBy string }

type modelDraft struct{ title, by string }

func newModel(approve bool, now func() time.Time) *model {
	return &model{tasks: map[int]modelTask{}, plans: map[int]modelPlan{}, broken: map[int]modelTask{},
		drafts: map[string]modelDraft{}, rows: map[int]row{}, approve: approve, now: now}
}

// byHand notes that somebody committed beside the door.
func (m *model) byHand(who string) {
	if !slices.Contains(m.hands, who) {
		m.hands = append(m.hands, who)
	}
}

// mint is what each commit of ours does first: the drafts get their ids, author
// by author, each one's in the order of their paths.
func (m *model) mint() {
	for _, who := range m.hands {
		for _, path := range slices.Sorted(maps.Keys(m.drafts)) {
			if d := m.drafts[path]; d.by == who {
				m.tasks[m.next(0)] = modelTask{title: d.title, status: "todo"}
			}
		}
	}
	clear(m.drafts)
	m.hands = nil
}

// next takes the next number of the tasks (0) or the plans (1).
func (m *model) next(kind int) int {
	m.highest[kind]++
	m.used[kind] = append(m.used[kind], m.highest[kind])
	return m.highest[kind]
}

// arrive is a task that somebody brings with a number of their own, above all.
func (m *model) arrive(n int, title string) {
	m.highest[0] = n - 1
	m.tasks[m.next(0)] = modelTask{title: title, status: "todo"}
}

// sweepPlan takes a finished plan off with its tasks, but not with those whose
// files cannot be read, and gives the line that says so.
func (m *model) sweepPlan(n int) (line string, finished bool) {
	if p, known := m.plans[n]; !known || p.status != "done" && p.status != "dropped" {
		return "", false
	}
	m.mint()
	id := fmt.Sprintf("p%d", n)
	before := len(m.tasks)
	maps.DeleteFunc(m.tasks, func(_ int, t modelTask) bool { return t.plan == id })
	delete(m.plans, n)
	if gone := before - len(m.tasks); gone != 1 {
		return fmt.Sprintf("%s: %d tasks", id, gone), true
	}
	return id + ": 1 task", true
}

// addTask gives the number of the new task.
func (m *model) addTask(t modelTask) int {
	m.mint()
	t.status = "todo"
	n := m.next(0)
	m.tasks[n] = t
	return n
}

func (m *model) addPlan(title string) int {
	m.mint()
	n := m.next(1)
	m.plans[n] = modelPlan{title: title, status: "draft"}
	return n
}

// setTask changes the fields that are named, and says whether the call is
// refused and whether it changes anything.
func (m *model) setTask(n int, by string, named map[string]string) (refused, changed bool) {
	old, ok := m.tasks[n]
	if !ok {
		return true, false
	}
	counts := old.asOf(m.now())
	_, force := named["force"]
	if !force && !counts.opens(by, named) {
		return true, false
	}
	t := counts
	if status, ok := named["status"]; ok {
		if status == "doing" && t.status != "doing" && m.approve && t.approvedBy == "" {
			return true, false
		}
		t.move(status, by)
	}
	for name, value := range named {
		switch name {
		case "note":
			t.note = value
		case "plan":
			if t.plan != value {
				t.plan, t.parent = value, ""
			}
		case "priority":
			if value != "medium" || t.priority != "" {
				t.priority = value
			}
		case "active":
			t.active = value
		}
	}
	if counts.status == "doing" && t.status != "doing" {
		t.active = ""
	}
	if !t.hold(counts, by, named, m.now()) {
		return true, false
	}
	may, moved := m.stand(&t, n, named)
	if changed = may && (moved || t != old); changed {
		m.mint()
		m.tasks[n] = t
	}
	return !may, changed
}

// editTask is one line that somebody changed in a task's file, and says what is
// wrong with it.
func (m *model) editTask(e handEdit, by string) string {
	t, known := m.tasks[e.task]
	switch {
	case !known:
		return fmt.Sprintf("t%d was edited by hand, and there is no such task", e.task)
	case e.key == "title":
		t.title = e.value
	case e.value == t.status:
	default:
		if m.approve && e.value == "doing" && t.approvedBy == "" {
			return "the gate took a task that is begun before it is approved"
		}
		if t.status == "doing" {
			t.active, t.heldBy, t.until = "", "", ""
		}
		if e.value == "todo" {
			t.owner = ""
		}
		t.move(e.value, by)
	}
	m.tasks[e.task] = t
	return ""
}

func (t *modelTask) move(status, by string) {
	t.status = status
	switch status {
	case "doing":
		t.startedBy = cmp.Or(t.startedBy, by)
	case "review", "done", "dropped":
		t.finishedBy = cmp.Or(t.finishedBy, by)
	}
}

func (m *model) setPlan(n int, by, status string) (refused, changed bool) {
	p, ok := m.plans[n]
	if !ok {
		return true, false
	}
	if p.status == status {
		return false, false
	}
	p.status = status
	if status == "done" || status == "dropped" {
		p.finishedBy = cmp.Or(p.finishedBy, by)
	}
	m.mint()
	m.plans[n] = p
	return false, true
}

// taskList is what task_list must say of all tasks, by their numbers, without the line
// on files that cannot be read.
func (m *model) taskList() string {
	var lines []string
	for _, n := range slices.Sorted(maps.Keys(m.tasks)) {
		t := m.tasks[n].asOf(m.now())
		lines = append(lines, fmt.Sprintf("%st%d %s %s %s", m.indent(n), n, t.status, cmp.Or(t.priority, "medium"), t.title))
	}
	return strings.Join(append(cmpList(lines, "No tasks match."), m.notes()...), "\n")
}

func (m *model) planList() string {
	var lines []string
	for _, n := range slices.Sorted(maps.Keys(m.plans)) {
		lines = append(lines, fmt.Sprintf("p%d %s %s", n, m.plans[n].status, m.plans[n].title))
	}
	return strings.Join(append(cmpList(lines, "No plans match."), m.notes()...), "\n")
}

func cmpList(lines []string, empty string) []string {
	if len(lines) == 0 {
		return []string{empty}
	}
	return lines
}

func (m *model) notes() []string {
	var notes []string
	if paths := slices.Sorted(maps.Keys(m.drafts)); len(paths) == 1 {
		notes = append(notes, "1 draft waits for its id: "+paths[0])
	} else if len(paths) > 1 {
		notes = append(notes, fmt.Sprintf("%d drafts wait for their ids: %s", len(paths), strings.Join(paths, "; ")))
	}
	paths := map[string]bool{}
	for n := range m.broken {
		paths[records.PathOf(fmt.Sprintf("t%d", n))] = true
	}
	if names := slices.Sorted(maps.Keys(paths)); len(names) > 0 {
		note := fmt.Sprintf("%d records could not be read: ", len(names))
		if len(names) == 1 {
			note = "1 record could not be read: "
		}
		for i, name := range names {
			names[i] = name + ":2: " + brokenReason
		}
		notes = append(notes, note+strings.Join(names, "; "))
	}
	return notes
}

func by(s *records.Stamp) string {
	if s == nil {
		return ""
	}
	return s.By
}

// differs compares a plan with the model's.
func (p modelPlan) differs(is *records.Plan) string {
	if got := (modelPlan{is.Title, string(is.Status), by(is.Finished)}); got != p {
		return fmt.Sprintf("%s is %+v, want %+v", is.ID, got, p)
	}
	return ""
}

// modelOf is what the model knows of a task.
func modelOf(t *records.Task) modelTask {
	is := modelTask{title: t.Title, status: string(t.Status), priority: string(t.Priority), note: t.Note, active: t.Active, plan: t.Plan,
		approvedBy: by(t.Approved), startedBy: by(t.Started), finishedBy: by(t.Finished), reviewedBy: by(t.Reviewed),
		owner: t.Owner, parent: t.Parent}
	if t.Lease != nil {
		is.heldBy, is.until = t.Lease.By, t.Lease.Until
	}
	return is
}

// differs compares a task with the model's.
func (t modelTask) differs(is *records.Task) string {
	got := modelOf(is)
	if got == t {
		return ""
	}
	return fmt.Sprintf("%s is %+v, want %+v", is.ID, got, t)
}

// differs compares a Book with the model, task by task and plan by plan.
func (m *model) differs(is *records.Book) string {
	for n, want := range m.tasks {
		task, err := is.Task(fmt.Sprintf("t%d", n))
		if err != nil || task == nil {
			return fmt.Sprintf("t%d is %v, %v", n, task, err)
		}
		if d := want.differs(task); d != "" {
			return d
		}
	}
	for n, want := range m.plans {
		plan, err := is.Plan(fmt.Sprintf("p%d", n))
		if err != nil || plan == nil {
			return fmt.Sprintf("p%d is %v, %v", n, plan, err)
		}
		if d := want.differs(plan); d != "" {
			return d
		}
	}
	return ""
}
