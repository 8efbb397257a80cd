package main

import "context"

const connections = 32

func mcpRows() []row {
	return []row{{
		name: "mcp", work: "the same over MCP HTTP, 32 connections", unit: perSecond,
		beside: "git commit-tree + update-ref", budget: "≥ 2000/s", at: anySize,
		share: func(r reading) float64 { return 2000 / r.figure },
		run:   mcpRow,
	}}
}

// mcpRow has 32 clients write through a host.
func mcpRow(ctx context.Context, b *bench, l *list) (reading, error) {
	dir, err := b.copy(l)
	if err != nil {
		return reading{}, err
	}
	theirs, err := b.copy(l)
	if err != nil {
		return reading{}, err
	}
	h, err := b.startHost(dir)
	if err != nil {
		return reading{}, err
	}
	c := b.newCallers(l, dir, connections, perBurst, newClient(h.url, connections).call)
	var got reading
	if _, err = c.burst(ctx); err == nil {
		got, err = b.compare(5, true, func() (float64, error) { return c.burst(ctx) },
			func() (float64, error) { return b.gitCommits(ctx, theirs, 20) })
	}
	if serr := h.stop(); err == nil {
		err = serr
	}
	if err != nil {
		return got, err
	}
	return got, c.check(ctx)
}
