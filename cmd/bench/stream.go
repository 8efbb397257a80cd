package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"time"

	"github.com/git-tasks/git-tasks/records"
	"github.com/git-tasks/git-tasks/repo"
)

// fastImport writes a shape's history to the branch main of an empty repository,
// each change as the commit that the write door would have made of it. Records
// stay whole, as the door writes them, and trees have chains of deltas shorter
// than those that git itself would make.
func fastImport(ctx context.Context, dir string, env []string, s *shape) error {
	cmd := exec.CommandContext(ctx, "git", "-C", dir, "-c", "core.compression=1",
		"fast-import", "--quiet", "--depth=20", "--big-file-threshold=1")
	cmd.Env = env
	in, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	var said strings.Builder
	cmd.Stderr = &said
	if err := cmd.Start(); err != nil {
		return err
	}
	out := bufio.NewWriterSize(in, 1<<20)
	for c := range s.history {
		writeCommit(out, c)
		if ctx.Err() != nil {
			break
		}
	}
	werr := out.Flush()
	if cerr := in.Close(); werr == nil {
		werr = cerr
	}
	if err := cmd.Wait(); err != nil {
		return fmt.Errorf("git fast-import into %s: %w: %s", dir, err, said.String())
	}
	return werr
}

// writeCommit writes one change as fast-import reads it. The parent is the
// commit before.
func writeCommit(w io.Writer, c change) {
	id, title := c.record.Name()
	message := repo.Message{Subject: id + " " + c.what + ": " + title, Trailers: []repo.Trailer{{Key: "Tool", Value: c.tool}}}
	if c.in != "" {
		message.Trailers = append(message.Trailers, repo.Trailer{Key: "Session", Value: c.in})
	}
	text, data := message.String(), c.record.Encode()
	fmt.Fprintf(w, "commit refs/heads/main\nauthor %s <%s@localhost> %s\ncommitter git-tasks <git-tasks@localhost> %s\n",
		c.by, c.by, seconds(c.at), seconds(c.at))
	fmt.Fprintf(w, "data %d\n%sM 100644 inline %s\ndata %d\n%s\n", len(text), text, records.PathOf(id), len(data), data)
}

func seconds(t time.Time) string { return fmt.Sprintf("%d +0000", t.Unix()) }
