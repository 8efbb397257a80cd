package main

import (
	"context"
	"encoding/json"
	"fmt"
	"time"
)

// hookRows measure what an agent waits for at each change of its own list: a process
// that takes the list, alone and through a host.
func hookRows() []row {
	var all []row
	for _, withHost := range []bool{false, true} {
		r := row{name: "hook-alone", work: "a hook call, a process", unit: "ms", beside: "git --version", budget: "≤ 100 ms", at: upTo(coldFrom), share: timeOf(100),
			run: func(ctx context.Context, b *bench, l *list) (reading, error) { return b.hooks(ctx, l, withHost) }}
		if withHost {
			r.name, r.work = "hook-host", "a hook call, a process, through the host"
		}
		all = append(all, r)
		r.budget, r.share, r.at = "none at this size", nil, from(coldFrom+1)
		all = append(all, r)
	}
	return all
}

// hooks compares a hook call that changes the list with git's own start.
func (b *bench) hooks(ctx context.Context, l *list, withHost bool) (got reading, err error) {
	dir, err := b.copy(l)
	if err != nil {
		return got, err
	}
	if withHost {
		h, err := b.startHost(dir)
		if err != nil {
			return got, err
		}
		defer h.stop()
	}
	turn := 0
	return b.compare(15, false, func() (float64, error) {
		turn++
		payload, err := hookPayload(turn)
		if err != nil {
			return 0, err
		}
		start := time.Now()
		out, err := b.feed(ctx, payload, b.tasks(dir, "--as", "ana", "hook", "claude-code")...)
		spent := milliseconds(time.Since(start))
		if err != nil {
			return 0, err
		}
		if err := b.same("what the hook prints", out, ""); err != nil {
			return 0, err
		}
		return spent, b.checkHook(ctx, l, dir, turn)
	}, func() (float64, error) { return b.start(ctx) })
}

// hookPayload is a list of ten steps of which another one is in progress each turn.
func hookPayload(turn int) (string, error) {
	var todos []map[string]string
	for i := range 10 {
		status := "pending"
		if i == turn%10 {
			status = "in_progress"
		}
		todos = append(todos, map[string]string{"content": fmt.Sprint("Step ", i), "status": status, "activeForm": fmt.Sprint("At step ", i)})
	}
	data, err := json.Marshal(map[string]any{"session_id": "bench", "hook_event_name": "PostToolUse", "tool_name": "TodoWrite",
		"tool_use_id": fmt.Sprint("toolu_", turn), "tool_input": map[string]any{"todos": todos}, "tool_response": map[string]any{"newTodos": todos}})
	return string(data), err
}

// checkHook looks for the one commit of a call, and for the step that it says is in
// progress.
func (b *bench) checkHook(ctx context.Context, l *list, dir string, turn int) error {
	said, err := b.git(ctx, dir, "log", "-1", "--format=%an %s", "main")
	if err != nil {
		return err
	}
	plan := fmt.Sprintf("p%d", len(l.first)+1)
	if err := b.same("the commit of the hook", said, "ana "+plan+" translate TodoWrite"); err != nil {
		return err
	}
	found, err := b.git(ctx, dir, "grep", "-h", "^active: At step ", "main")
	if err != nil {
		return err
	}
	return b.same("the step in progress", found, fmt.Sprint("active: At step ", turn%10))
}
