package cli

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	urfave "github.com/urfave/cli/v2"

	"github.com/git-tasks/git-tasks/records"
	"github.com/git-tasks/git-tasks/tools"
	"github.com/git-tasks/git-tasks/tools/worker"
)

// workLease is how long a claim of a worker holds by itself, where nothing else is
// said, leastLease is what a lease must have, which is renewed half way, and mostLease
// what task_claim takes.
const (
	workLease  = 30 * time.Minute
	leastLease = 2 * time.Second
	mostLease  = 366 * 24 * time.Hour
)

func (f *front) workCommand() *urfave.Command {
	priorities := flagNamed(flagsOf("task_claim"), "priority").(*choiceFlag).choices
	return &urfave.Command{
		Name: "work", Category: upkeep, ArgsUsage: "[-- CMD [ARG...]]", Usage: "claim ready tasks, and run a command for each",
		Description: "git tasks work --exec ./do-task --until-empty",
		Flags: []urfave.Flag{
			&urfave.StringFlag{Name: "exec", Usage: "`CMD` a line for the shell, in place of CMD behind --"},
			&urfave.StringFlag{Name: "plan", Usage: "`ID` only tasks of this plan"},
			&urfave.GenericFlag{Name: "label", Value: &texts{}, Usage: "`TEXT` only tasks with this label (may be repeated)"},
			&choiceFlag{&urfave.StringFlag{Name: "priority", Usage: "`TEXT` only tasks of this priority: " + anyOf(priorities)}, priorities},
			&urfave.BoolFlag{Name: "once", Usage: "do one task, and end"},
			&urfave.StringFlag{Name: "max", Usage: "`N` do so many tasks, and end"},
			&urfave.BoolFlag{Name: "until-empty", Usage: "end when none is ready, and none that is being done may lead to one"},
			&urfave.StringFlag{Name: "lease", Usage: "`SPAN` how long a claim holds by itself (30m); renewed half way"},
		},
		Action: func(c *urfave.Context) error {
			cfg, err := workOf(c)
			if err != nil {
				return err
			}
			ctx, stop := hungUp(c.Context)
			defer stop()
			c.Context = ctx
			return f.with(c, writes, func(o *opened) error {
				if c.IsSet("plan") {
					if err := o.isPlan(cfg.Plan); err != nil {
						return err
					}
				}
				return o.work(cfg)
			})
		},
	}
}

// workOf reads what a worker is to do off the command line.
func workOf(c *urfave.Context) (cfg worker.Config, err error) {
	example := "example: " + c.Command.Description
	line, argv := c.String("exec"), c.Args().Slice()
	switch {
	case c.IsSet("exec") == (len(argv) > 0):
		return cfg, withHint(usage("git tasks work needs --exec CMD, or -- CMD"), example)
	case c.IsSet("exec") && strings.TrimSpace(line) == "", len(argv) > 0 && argv[0] == "":
		return cfg, withHint(usage("CMD must not be empty"), example)
	case c.IsSet("exec"):
		argv = []string{"/bin/sh", "-c", line}
	}
	cfg = worker.Config{Command: argv, Plan: c.String("plan"), Priority: c.String("priority"), Lease: workLease, UntilEmpty: c.Bool("until-empty")}
	if labels, ok := c.Generic("label").(*texts); ok {
		cfg.Labels = labels.values
	}
	if of := flagNamed(c.Command.Flags, "priority").(*choiceFlag); c.IsSet("priority") && !slices.Contains(of.choices, cfg.Priority) {
		return cfg, withHint(usage("--priority must be %s", anyOf(of.choices)), example)
	}
	if c.Bool("once") {
		cfg.Max = 1
	}
	if c.IsSet("max") {
		if cfg.Max, err = strconv.Atoi(c.String("max")); err != nil || cfg.Max < 1 || c.Bool("once") {
			return cfg, withHint(usage("--max must be a whole number from 1, and not with --once"), example)
		}
	}
	if c.IsSet("lease") {
		if cfg.Lease, err = time.ParseDuration(c.String("lease")); err != nil || cfg.Lease < leastLease || cfg.Lease > mostLease {
			return cfg, withHint(usage("--lease must be a length of time such as 30m, of at least %s and at most %.0fh", leastLease, mostLease.Hours()), example)
		}
	}
	return cfg, nil
}

// isPlan refuses what is no plan's id: a worker would wait for its tasks for ever.
func (o *opened) isPlan(id string) error {
	if kind, _, _ := records.ParseID(id); kind != records.PlanKind {
		return withHint(usage("--plan must be the id of a plan"), "git tasks plan list shows the plans")
	}
	book, _, err := o.store.Book()
	if err != nil {
		return err
	}
	plan, err := book.Plan(id)
	if err == nil && plan == nil {
		return o.noRecord(id)
	}
	return err
}

// work is a worker, until it is told to stop or has done what it was asked.
func (o *opened) work(cfg worker.Config) error {
	who := o.who
	isOwn := !o.c.IsSet("session")
	if isOwn {
		who.Session = o.store.OwnSession("work")
	}
	caller, err := o.store.Caller(who)
	if err != nil {
		return err
	}
	cfg.Store, cfg.Caller, cfg.Dir = o.store, caller, o.env.Dir
	if cfg.Environ, err = o.workEnviron(caller); err != nil {
		return err
	}
	cfg.Stdout, cfg.Stderr = o.env.Stdout, o.env.Stderr
	if o.json {
		cfg.Stdout = o.env.Stderr // what the commands print is no document of ours
	}
	tasks, failed := 0, 0
	cfg.Said = func(e worker.Event) {
		if e.What == worker.Claimed {
			tasks++
		} else if e.Failed() {
			failed++
		}
		o.workSaid(e)
	}
	if err := o.store.WatchSession(o.c.Context, caller.Session(), os.Getpid()); err != nil {
		return err
	}
	defer o.leaves(caller.Session(), isOwn)
	if err := worker.Run(o.c.Context, cfg); err != nil {
		return err
	}
	if failed > 0 {
		return &tools.Error{Code: tools.Internal, Message: fmt.Sprintf("%d of %d tasks were not done", failed, tasks)}
	}
	return nil
}

// workEnviron is what a worker's command finds, so that git tasks in it is about the
// same list and in the same name.
func (o *opened) workEnviron(caller tools.Caller) ([]string, error) {
	list, _, err := o.repository(o.c)
	if err != nil {
		return nil, err
	}
	environ := append(o.env.Environ[:len(o.env.Environ):len(o.env.Environ)], "GIT_TASKS_REPO="+list, "GIT_TASKS_AS="+caller.By())
	for name, named := range map[string]func() (string, bool, error){
		"GIT_TASKS_BRANCH": func() (string, bool, error) { return o.named(o.c, "branch", "GIT_TASKS_BRANCH") },
		"GIT_TASKS_CONFIG": func() (string, bool, error) { return o.settingsFile(o.c) },
	} {
		value, ok, err := named()
		if err != nil {
			return nil, err
		}
		if ok {
			environ = append(environ, name+"="+value)
		}
	}
	return environ, nil
}

// workSaid prints what happened to a task.
func (o *opened) workSaid(e worker.Event) {
	if o.json {
		if o.document(e) == nil {
			o.flush() // whoever reads no longer does not keep the work from going on
		}
		return
	}
	switch {
	case e.What == worker.Claimed:
		o.note(e.Task + " " + e.What + ": " + e.Title)
	case e.Why != "":
		o.note(e.Task + " " + e.What + ": " + e.Why)
	default:
		o.note(e.Task + " " + e.What)
	}
}
