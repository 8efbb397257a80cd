package cli

import (
	"errors"
	"io"
	"slices"
	"syscall"

	urfave "github.com/urfave/cli/v2"

	"github.com/git-tasks/git-tasks/records"
	"github.com/git-tasks/git-tasks/repo"
	"github.com/git-tasks/git-tasks/tools"
)

// untils are what a watch may wait for.
func untils() []string { return []string{"ready", "done", "any"} }

// mostWatched is how many ids one line may name.
const mostWatched = 100

func (f *front) watchCommand() *urfave.Command {
	return &urfave.Command{
		Name: "watch", ArgsUsage: "[ID...]", Usage: "print each change as it lands, whoever makes it",
		Description: "git tasks watch --until ready",
		Flags: []urfave.Flag{
			&urfave.StringFlag{Name: "since", Usage: "`COMMIT` go on behind this one, with what was missed"},
			&urfave.StringFlag{Name: "plan", Usage: "`ID` only this plan and its tasks"},
			&urfave.StringFlag{Name: "until", Usage: "`WHAT` wait, and print what ended it: ready (one is), done (all are over), any (change)"},
		},
		Action: func(c *urfave.Context) error {
			if err := arguments(c, 0, mostWatched); err != nil {
				return err
			}
			return f.with(c, reads, (*opened).watch)
		},
	}
}

// watching is one watch: what it looks at, and what it waits for.
type watching struct {
	*opened
	ids   []string // "" and none are everything
	plan  string
	until string
}

func (o *opened) watch() error {
	w := &watching{opened: o, ids: o.c.Args().Slice(), plan: o.c.String("plan"), until: o.c.String("until")}
	if o.noList {
		return &tools.Error{Code: tools.Invalid, Message: "there is nothing to watch"}
	}
	if o.c.IsSet("until") && !slices.Contains(untils(), w.until) {
		return withHint(usage("--until must be ready, done, or any"), "example: "+o.c.Command.Description)
	}
	if w.until == "done" && len(w.ids) == 0 && !o.c.IsSet("plan") {
		return withHint(usage("--until done needs an ID, or --plan"), "example: "+o.c.Command.Description)
	}
	from, err := w.start()
	if err != nil {
		return err
	}
	feed, err := o.store.Feed(from)
	if err != nil {
		return err
	}
	signals, err := o.store.Moved(o.c.Context)
	if err != nil {
		return err
	}
	if w.waits() {
		signals = o.store.WithClaims(signals)
	}
	if ended, err := w.isOver(); ended || err != nil {
		return w.readerGone(err)
	}
	o.note("watching " + behind(from) + "; Ctrl-C ends it")
	return w.readerGone(w.follow(feed, signals))
}

// follow prints what is watched, at each signal, until the watch is over.
func (w *watching) follow(feed *tools.Feed, signals <-chan struct{}) error {
	for ok := true; ok; _, ok = <-signals {
		for m, err := range feed.Moves() {
			if err != nil {
				w.note(err.Error() + "; watching on")
				break
			}
			if ended, err := w.told(m); ended || err != nil {
				return err
			}
		}
		if ended, err := w.isOver(); ended || err != nil {
			return err
		}
	}
	if w.until != "" {
		return &tools.Error{Code: tools.Internal, Message: "stopped before it was " + w.until}
	}
	return nil
}

// behind says where a watch begins.
func behind(from repo.ID) string {
	if from.IsZero() {
		return "from the first commit on"
	}
	return "behind commit " + from.Short()
}

// readerGone makes it a good end that whoever read the lines has enough of them.
func (w *watching) readerGone(err error) error {
	if !errors.Is(err, syscall.EPIPE) {
		return err
	}
	w.out.Reset(io.Discard)
	return nil
}

// start gives the commit that the watch begins behind. Without --since every
// record that is named must be there: a name that was mistyped would wait for
// ever.
func (w *watching) start() (repo.ID, error) {
	book, now, err := w.store.Book()
	if err != nil {
		return now, err
	}
	if kind, _, _ := records.ParseID(w.plan); w.c.IsSet("plan") && kind != records.PlanKind {
		return now, withHint(usage("--plan must be the id of a plan"), "git tasks plan list shows the plans")
	}
	if w.c.IsSet("since") {
		from, err := w.store.FindCommit(w.c.String("since"))
		if err != nil {
			err = withHint(err, "git tasks log shows the commits")
		}
		return from, err
	}
	named := w.ids
	if w.plan != "" {
		named = append(slices.Clone(named), w.plan)
	}
	for _, id := range named {
		record, err := book.Record(id)
		if err != nil {
			return now, err
		}
		if record == nil {
			return now, w.noRecord(id)
		}
	}
	return now, nil
}

// told prints what is watched of a move, and reports whether the watch is over.
func (w *watching) told(m tools.Move) (over bool, err error) {
	changes := slices.DeleteFunc(slices.Clone(m.Changes), func(c records.Change) bool { return !w.watched(c) })
	switch {
	case m.At.IsZero():
		w.note("the branch is gone; watching on")
	case m.Jump:
		w.note("history was rewritten, or merged from aside; what follows is the difference")
	}
	if w.waits() {
		return false, nil
	}
	for _, c := range changes {
		if err := w.change(m, c); err != nil {
			return true, err
		}
	}
	return w.until == "any" && len(changes) > 0, w.out.Flush()
}

// waits reports whether the watch is for how the list stands, and not for changes.
func (w *watching) waits() bool { return w.until == "ready" || w.until == "done" }

// watched reports whether a change is about what is watched.
func (w *watching) watched(c records.Change) bool {
	if len(w.ids) == 0 && w.plan == "" {
		return true
	}
	for _, t := range []*records.Task{c.Before, c.After} {
		if t != nil && (w.plan != "" && t.Plan == w.plan || slices.Contains(w.ids, t.ID)) {
			return true
		}
	}
	for _, p := range []*records.Plan{c.PlanBefore, c.PlanAfter} {
		if p != nil && (p.ID == w.plan || slices.Contains(w.ids, p.ID)) {
			return true
		}
	}
	return false
}

// isOver prints what the watch waits for, where that is so now.
func (w *watching) isOver() (bool, error) {
	if !w.waits() {
		return false, nil
	}
	book, at, err := w.store.Book()
	if err != nil {
		return false, err
	}
	all, err := w.selected(book)
	if err != nil {
		return false, err
	}
	var met []records.Record
	for _, r := range all {
		ok, err := w.meets(book, r)
		if err != nil {
			return false, err
		}
		if ok {
			met = append(met, r)
		}
	}
	switch {
	case w.until == "ready" && len(met) > 0:
		met = met[:1]
	case w.until == "ready", len(met) < len(all), len(all) == 0 && w.plan != "": // whose tasks are still to come
		return false, nil
	}
	for _, r := range met {
		if err := w.line(watchedChange{Commit: at.String(), Change: w.until}, r); err != nil {
			return true, err
		}
	}
	return true, w.out.Flush()
}

// meets reports whether a record is what the watch waits for.
func (w *watching) meets(book *records.Book, r records.Record) (bool, error) {
	switch r := r.(type) {
	case *records.Task:
		if w.until == "ready" {
			return book.Ready(r, w.store.Options().RequireApproval)
		}
		return !r.Status.Open(), nil
	case *records.Plan:
		return w.until == "done" && !r.Status.Open(), nil
	}
	return false, nil
}

// selected gives the records that the watch looks at, as they are now: those that
// are named, and the tasks of the plan; without either, all tasks.
func (w *watching) selected(book *records.Book) ([]records.Record, error) {
	var all []records.Record
	for _, id := range w.ids {
		record, err := book.Record(id)
		if err != nil {
			return nil, err
		}
		if record != nil { // one that was removed is over
			all = append(all, record)
		}
	}
	tasks, err := book.Tasks()
	if w.plan != "" {
		tasks, err = book.TasksOf(w.plan)
	}
	if err != nil || len(w.ids) > 0 && w.plan == "" {
		return all, err
	}
	for t := range tasks {
		all = append(all, t)
	}
	return all, nil
}
