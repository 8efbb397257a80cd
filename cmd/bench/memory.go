package main

import (
	"context"
	"fmt"
	"strconv"
	"strings"
)

func memoryRows() []row {
	return []row{{
		name: "memory", work: "memory of the host, its highest", unit: "MiB",
		beside: "the records' own bytes", budget: "≤ 400 MiB", at: anySize,
		share: timeOf(400), run: memoryRow,
	}}
}

// memoryRow has a host read the whole list, answer of it, and change it.
func memoryRow(ctx context.Context, b *bench, l *list) (reading, error) {
	size, err := b.bytesOf(ctx, l)
	if err != nil {
		return reading{}, err
	}
	return b.compare(1, false, func() (float64, error) { return b.hostMemory(ctx, l) },
		func() (float64, error) { return size, nil })
}

func (b *bench) hostMemory(ctx context.Context, l *list) (float64, error) {
	dir, err := b.copy(l)
	if err != nil {
		return 0, err
	}
	h, err := b.startHost(dir)
	if err != nil {
		return 0, err
	}
	mcp := newClient(h.url, connections)
	said, err := mcp.call(ctx, "ana", "task_list", page("task_list", map[string]any{"status": "todo"}))
	if err == nil {
		err = b.same("tasks to do", pageIn(said), l.page("task_list", func(t task) bool { return t.status == "todo" }))
	}
	c := b.newCallers(l, dir, connections, perBurst, mcp.call)
	if err == nil {
		_, err = c.burst(ctx)
	}
	var most float64
	if err == nil {
		most, err = h.memory()
	}
	if serr := h.stop(); err == nil {
		err = serr
	}
	if err != nil {
		return 0, err
	}
	return most, c.check(ctx)
}

// bytesOf is how much text the records of a list are, in MiB.
func (b *bench) bytesOf(ctx context.Context, l *list) (float64, error) {
	out, err := b.git(ctx, l.dir, "ls-tree", "-r", "-l", "main")
	if err != nil {
		return 0, err
	}
	var total int
	for line := range strings.Lines(out) {
		fields := strings.Fields(line)
		if len(fields) != 5 {
			return 0, fmt.Errorf("git ls-tree printed %q", line)
		}
		n, err := strconv.Atoi(fields[3])
		if err != nil {
			return 0, err
		}
		total += n
	}
	return float64(total) / (1 << 20), nil
}
