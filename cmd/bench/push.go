package main

import (
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/git-tasks/git-tasks/records"
)

// pushOver is how much longer a push may take than git's own, in milliseconds:
// two hooks, a process each.
const pushOver = 30

func pushRows() []row {
	return []row{{name: "push", work: "push of one record by path, no host", unit: "ms", beside: "git push of the same commit, no hooks",
		budget: "≤ 30 ms over", at: anySize, share: func(r reading) float64 { return max(0, r.figure-r.beside) / pushOver }, run: pushRow}}
}

// pushRow has a clone push the same commits to the list, through its hooks, and to
// a repository of the same history and settings that has none.
func pushRow(ctx context.Context, b *bench, l *list) (reading, error) {
	p, err := b.newPusher(ctx, l)
	if err != nil {
		return reading{}, err
	}
	got, err := b.compare(15, false, func() (float64, error) {
		if err := p.commit(ctx); err != nil {
			return 0, err
		}
		return p.push(ctx, p.ours)
	}, func() (float64, error) { return p.push(ctx, p.plain) })
	if err != nil {
		return got, err
	}
	return got, p.check(ctx)
}

// pusher is a clone that shares the objects of the list.
type pusher struct {
	b                  *bench
	list               *list
	ours, plain, clone string
	first              string // commit of both before the first push
	commits            int
	tip, text          string // of the clone: its commit, and the record that it changed
}

func (b *bench) newPusher(ctx context.Context, l *list) (*pusher, error) {
	p := &pusher{b: b, list: l}
	var err error
	if p.ours, err = b.copy(l); err != nil {
		return nil, err
	}
	if p.plain, err = b.copy(l); err != nil {
		return nil, err
	}
	if _, err := b.run(ctx, append(b.program, "init", p.ours)...); err != nil {
		return nil, err
	}
	p.clone = filepath.Join(p.ours, "clone")
	if _, err := b.git(ctx, p.ours, "clone", "-q", "--bare", "--shared", ".", p.clone); err != nil {
		return nil, err
	}
	// The first push to a list that was imported lets it write what it keeps beside
	// its records (.highest); that, and the key it has now, the others get as commits.
	if err := p.commit(ctx); err != nil {
		return nil, err
	}
	p.commits = 0
	if _, err := b.git(ctx, p.clone, "push", "-q", p.ours, "main:main"); err != nil {
		return nil, err
	}
	for _, dir := range []string{p.plain, p.clone} {
		if _, err := b.git(ctx, dir, "fetch", "-q", p.ours, "main:main"); err != nil {
			return nil, err
		}
	}
	p.first, err = b.git(ctx, p.clone, "rev-parse", "main")
	return p, err
}

// commit changes one record in the clone as a person does, by a line more.
func (p *pusher) commit(ctx context.Context) error {
	p.commits++
	id := p.list.middle(p.commits)
	was, err := p.b.git(ctx, p.clone, "show", "main:"+records.PathOf(id))
	if err != nil {
		return err
	}
	p.text = was + fmt.Sprintf("\nPushed %d.", p.commits)
	cmd := exec.CommandContext(ctx, "git", "-C", p.clone, "fast-import", "--quiet", "--date-format=now")
	cmd.Env = p.b.environ
	cmd.Stdin = strings.NewReader(fmt.Sprintf("commit refs/heads/main\ncommitter ana <ana@localhost> now\ndata <<END\npush %d\nEND\n"+
		"from refs/heads/main^0\nM 100644 inline %s\ndata %d\n%s\n", p.commits, records.PathOf(id), len(p.text)+1, p.text+"\n"))
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("git fast-import: %w: %s", err, out)
	}
	p.tip, err = p.b.git(ctx, p.clone, "rev-parse", "main")
	return err
}

// push pushes what the clone has, and holds what came of it to that.
func (p *pusher) push(ctx context.Context, to string) (float64, error) {
	spent, _, err := p.b.timed(ctx, "git", "-C", p.clone, "push", "-q", to, "main:main")
	if err != nil {
		return 0, err
	}
	got, err := p.b.git(ctx, to, "rev-parse", "main")
	if err != nil {
		return 0, err
	}
	if err := p.b.same("the commit that was pushed", got, p.tip); err != nil {
		return 0, err
	}
	text, err := p.b.git(ctx, to, "show", "main:"+records.PathOf(p.list.middle(p.commits)))
	if err != nil {
		return 0, err
	}
	return spent, p.b.same("the record that was pushed", text, p.text)
}

// check holds both to every commit that was pushed, and ours to a gate that is
// there: what would break a record it takes no more than before.
func (p *pusher) check(ctx context.Context) error {
	for _, dir := range []string{p.ours, p.plain} {
		count, err := p.b.git(ctx, dir, "rev-list", "--count", p.first+"..main")
		if err != nil {
			return err
		}
		if err := p.b.same("commits that were pushed", count, fmt.Sprint(p.commits)); err != nil {
			return err
		}
	}
	if _, err := p.b.git(ctx, p.clone, "push", "-q", p.ours, "main:refs/heads/other"); err == nil {
		return fmt.Errorf("the list took another branch: its hooks were not run")
	}
	return p.b.sound(ctx, p.list, p.ours)
}
