package repotest

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"iter"
	"os/exec"
	"time"

	"github.com/git-tasks/git-tasks/repo"
)

// Import commits proposals on top of a branch (its full name: refs/heads/main)
// of the repository at dir by one git fast-import: thousands a second, and one
// pack that holds them all. The commits are as the write door would have made
// them, by the committer given, in the second that each proposal names; so a
// list of any size can be made whose history is the door's own. Names are taken
// as they are. It needs no test, so that measurements can use it too; the
// environment is fenced off as for every git here.
func Import(dir, ref string, committer repo.Person, proposals iter.Seq[repo.Proposal]) error {
	env := fenced("/nonexistent")
	cmd := exec.Command("git", "-c", "fastimport.unpackLimit=0", "fast-import", "--quiet", "--done")
	cmd.Dir, cmd.Env = dir, env
	in, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	var said bytes.Buffer
	cmd.Stderr = &said
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("git fast-import: %w", err)
	}
	tip, _ := Run(dir, env, "", "git", "rev-parse", "--verify", "-q", ref)
	werr := writeImport(in, ref, tip, committer, proposals)
	in.Close()
	if err := cmd.Wait(); err != nil {
		return fmt.Errorf("git fast-import: %w: %s", err, said.String())
	}
	return werr
}

// writeImport speaks to git fast-import. Only the first commit names its parent:
// each next one is put on the branch as the stream left it.
func writeImport(to io.Writer, ref, tip string, committer repo.Person, proposals iter.Seq[repo.Proposal]) error {
	w := bufio.NewWriterSize(to, 1<<20)
	for p := range proposals {
		at := importTime(p.At)
		message := p.Message.String()
		fmt.Fprintf(w, "commit %s\nauthor %s <%s> %s\ncommitter %s <%s> %s\ndata %d\n%s\n",
			ref, p.Author.Name, p.Author.Mail, at, committer.Name, committer.Mail, at, len(message), message)
		if tip != "" {
			fmt.Fprintf(w, "from %s\n", tip)
			tip = ""
		}
		for _, f := range p.Files {
			if f.Data == nil {
				fmt.Fprintf(w, "D %s\n", f.Path)
				continue
			}
			fmt.Fprintf(w, "M 100644 inline %s\ndata %d\n", f.Path, len(f.Data))
			w.Write(f.Data)
			w.WriteByte('\n')
		}
	}
	w.WriteString("done\n")
	return w.Flush()
}

func importTime(at time.Time) string { return fmt.Sprintf("%d +0000", max(0, at.Unix())) }
