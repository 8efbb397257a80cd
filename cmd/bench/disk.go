package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"

	"github.com/git-tasks/git-tasks/records"
	"github.com/git-tasks/git-tasks/repo"
	"github.com/git-tasks/git-tasks/tools"
)

func diskRows() []row {
	return []row{{
		name: "disk", work: "disk after roll-up, ten changes a task", unit: "MiB",
		beside: "git fast-import + git gc", budget: "≤ 2 ×", at: upTo(1000),
		share: ratioOf(2), run: diskRow,
	}}
}

// diskRow has the tools make a list, task by task and change by change, and git
// make its own repository of the same commits.
func diskRow(ctx context.Context, b *bench, l *list) (reading, error) {
	ours, err := os.MkdirTemp(b.scratch, "disk-")
	if err != nil {
		return reading{}, err
	}
	if _, err := repo.Init(ours); err != nil {
		return reading{}, err
	}
	s, err := tools.Open(tools.Config{Path: ours})
	if err != nil {
		return reading{}, err
	}
	err = retell(ctx, s, l.shape)
	if cerr := s.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		return reading{}, err
	}
	theirs := filepath.Join(b.scratch, "collected.git")
	if err := b.retold(ctx, ours, theirs); err != nil {
		return reading{}, err
	}
	if err := b.sameHistory(ctx, l, ours, theirs); err != nil {
		return reading{}, err
	}
	return b.compare(1, false, func() (float64, error) { return diskOf(ours) }, func() (float64, error) { return diskOf(theirs) })
}

// retell makes a shape's plans and tasks one after the other by one caller, and
// the changes behind them by 64, each of whom has tasks of its own.
func retell(ctx context.Context, s *tools.Store, sh *shape) error {
	later := make([][]change, manyCallers)
	for c := range sh.history {
		if c.what != "add" {
			n := 0
			if k, number, _ := records.ParseID(idOf(c.record)); k == records.TaskKind {
				n = number % manyCallers
			}
			later[n] = append(later[n], c)
			continue
		}
		if err := tell(ctx, s, c); err != nil {
			return err
		}
	}
	errs := make([]error, manyCallers)
	var all sync.WaitGroup
	for i, list := range later {
		all.Go(func() {
			for _, c := range list {
				if errs[i] = tell(ctx, s, c); errs[i] != nil {
					return
				}
			}
		})
	}
	all.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

func idOf(r records.Record) string {
	id, _ := r.Name()
	return id
}

// tell makes the call that makes a change.
func tell(ctx context.Context, s *tools.Store, c change) error {
	input := map[string]any{}
	switch r := c.record.(type) {
	case *records.Plan:
		input["plan"] = r.ID
		switch c.tool {
		case "plan_create":
			input = map[string]any{"title": r.Title, "goal": r.Goal, "scope": r.Scope}
		case "plan_set":
			input["status"] = r.Status
		}
	case *records.Task:
		input["task"] = r.ID
		switch c.what {
		case "add":
			input = map[string]any{"title": r.Title, "plan": r.Plan, "folder": r.Folder, "labels": r.Labels,
				"priority": r.Priority, "blockedBy": r.BlockedBy, "body": r.Body}
		case "approved", "reviewed":
		case "set labels":
			input["labels"] = r.Labels
		case "set note":
			input["note"] = r.Note
		default:
			input["status"] = r.Status
		}
	}
	for name, value := range input {
		if v, ok := value.([]string); value == records.Priority("") || ok && v == nil {
			delete(input, name)
		}
	}
	who, err := s.Caller(tools.Who{Person: c.by, Session: c.in})
	if err != nil {
		return err
	}
	data, err := json.Marshal(input)
	if err != nil {
		return err
	}
	answer, err := tools.Call(ctx, s, who, c.tool, data)
	if err != nil {
		return fmt.Errorf("%s %s: %w", c.tool, data, err)
	}
	if got, _, _ := strings.Cut(answer.Text, " "); got != idOf(c.record) {
		return fmt.Errorf("%s of %s was answered %q", c.tool, idOf(c.record), answer.Text)
	}
	return nil
}

// retold gives git the same commits by fast-import, and lets it collect.
func (b *bench) retold(ctx context.Context, from, to string) error {
	if _, err := b.run(ctx, "git", "init", "-q", "--bare", "--template=", to); err != nil {
		return err
	}
	export := exec.CommandContext(ctx, "git", "-C", from, "fast-export", "--reencode=no", "main")
	imported := exec.CommandContext(ctx, "git", "-C", to, "fast-import", "--quiet")
	export.Env, imported.Env = b.environ, b.environ
	stream, err := export.StdoutPipe()
	if err != nil {
		return err
	}
	imported.Stdin = stream
	if err := export.Start(); err != nil {
		return err
	}
	if out, err := imported.CombinedOutput(); err != nil {
		return fmt.Errorf("git fast-import: %w: %s", err, out)
	}
	if err := export.Wait(); err != nil {
		return fmt.Errorf("git fast-export: %w", err)
	}
	_, err = b.git(ctx, to, "gc", "-q")
	return err
}

// sameHistory checks that the two repositories hold the same commits, as many as
// the shape has changes, and that git finds nothing wrong with ours.
func (b *bench) sameHistory(ctx context.Context, l *list, ours, theirs string) error {
	var tips, counts [2]string
	for i, dir := range []string{ours, theirs} {
		var err error
		if tips[i], err = b.git(ctx, dir, "rev-parse", "main"); err != nil {
			return err
		}
		if counts[i], err = b.git(ctx, dir, "rev-list", "--count", "main"); err != nil {
			return err
		}
	}
	if err := b.same("the commit that both are at", tips[0], tips[1]); err != nil {
		return err
	}
	if err := b.same("commits", counts[0], fmt.Sprint(l.tasks*changes+3*len(l.first))); err != nil {
		return err
	}
	out, err := b.git(ctx, ours, "fsck", "--strict", "--no-dangling", "--no-progress")
	if err != nil {
		return err
	}
	return b.same("git fsck", out, "")
}

// diskOf is what a folder takes on the disk, in MiB: whole blocks.
func diskOf(dir string) (float64, error) {
	var blocks int64
	err := filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		if st, ok := info.Sys().(*syscall.Stat_t); ok {
			blocks += st.Blocks
		}
		return nil
	})
	return float64(slices.Max([]int64{blocks, 1})) * 512 / (1 << 20), err
}
