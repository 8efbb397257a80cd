package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/git-tasks/git-tasks/records"
	"github.com/git-tasks/git-tasks/repo"
	"github.com/git-tasks/git-tasks/tools"
)

// editsDir is the folder beside the repository for what people are writing: it
// outlives a restart, as no folder for temporary files does.
const editsDir = "edits"

// desk is where a person writes one file.
type desk struct {
	id   string
	path string  // in the tree
	at   repo.ID // the commit that the person was given it of
	was  []byte  // what it said there, nil where that was some time ago
	file string
}

// layOut puts a file where an editor may open it, in a folder of its own: whatever an
// editor keeps beside it goes with it.
func (o *opened) layOut(id string, at repo.ID, was records.File) (*desk, error) {
	top := filepath.Join(o.store.Side(), editsDir)
	err := os.MkdirAll(top, 0o700)
	dir := ""
	if err == nil {
		dir, err = os.MkdirTemp(top, at.Short()+"-")
	}
	if of := new(fs.PathError); errors.As(err, &of) {
		err = of.Err // of a name that nobody has seen
	}
	if err != nil {
		return nil, fmt.Errorf("making room for what you write in %s: %w", top, err)
	}
	d := &desk{id: id, path: was.Path, at: at, was: was.Data, file: filepath.Join(dir, id+".md")}
	if err := os.WriteFile(d.file, was.Data, 0o600); err != nil {
		d.clear()
		return nil, err
	}
	return d, nil
}

// findKept finds the desk that a file was left on: the name of its folder says which
// commit it was read at.
func (o *opened) findKept(id, path, file string) (*desk, error) {
	at, _, ok := strings.Cut(filepath.Base(filepath.Dir(file)), "-")
	top := filepath.Dir(filepath.Dir(file))
	if !ok || filepath.Base(file) != id+".md" || top != filepath.Join(o.store.Side(), editsDir) {
		return nil, withHint(usage("--resume must be a file of %s that git tasks edit kept, in %s", id, filepath.Join(o.store.Side(), editsDir)),
			"the refusal named it")
	}
	if _, err := os.Stat(file); err != nil {
		return nil, usage("--resume: there is no file %s", file)
	}
	commit, err := o.store.FindCommit(at)
	if err != nil {
		return nil, err
	}
	return &desk{id: id, path: path, at: commit, file: file}, nil
}

// examineEdits names what was written and is on no list: refused, or not handed in yet.
func examineEdits(store *tools.Store) (found []tools.Finding) {
	files, _ := filepath.Glob(filepath.Join(store.Side(), editsDir, "*", "*.md")) // the pattern is one
	for _, file := range files {
		id := strings.TrimSuffix(filepath.Base(file), ".md")
		found = append(found, tools.Finding{State: tools.Notable, Topic: "edits", Text: "an edit of " + id + " is not on the list: it is open, or was refused",
			Mend: "git tasks edit " + id + " --resume " + quoted(file) + " goes on with it"})
	}
	return found
}

// errEmptied says that the file is gone: nothing was written then.
var errEmptied = errors.New("the editor took the file away")

// read reads what was written.
func (d *desk) read() ([]byte, error) {
	f, err := os.Open(d.file)
	if errors.Is(err, os.ErrNotExist) {
		return nil, errEmptied
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxStdin))
	if err == nil && len(text) > records.MaxRecord {
		err = &tools.Error{Code: tools.Invalid, Message: fmt.Sprintf("%s is longer than a record may be: %d MiB", filepath.Base(d.file), records.MaxRecord>>20)}
	}
	return text, err
}

// clear takes the desk away.
func (d *desk) clear() { os.RemoveAll(filepath.Dir(d.file)) }

// runEditor has the person's editor open a file, and waits for its end.
func (f *front) runEditor(ctx context.Context, file string) error {
	editor, err := f.editor(ctx)
	if err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, "sh", "-c", editor+` "$@"`, editor, file)
	cmd.Dir, cmd.Env = f.env.Dir, f.env.Environ
	cmd.Stdin, cmd.Stdout, cmd.Stderr = f.env.Stdin, f.env.Stdout, f.env.Stderr
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) } // an editor saves what it has then
	cmd.WaitDelay = stopWait / 2
	if f.json {
		cmd.Stdout = f.env.Stderr
	}
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		failed := &tools.Error{Code: tools.Internal, Message: "nothing was changed: the editor " + editor + " ended with " + err.Error(), Err: err}
		if f.env.get("GIT_EDITOR")+f.env.get("VISUAL")+f.env.get("EDITOR") == "" {
			return withHint(failed, "GIT_EDITOR names the editor to open, as in GIT_EDITOR=nano git tasks edit ID")
		}
		return failed
	}
	return nil
}

// editor is the person's, as git picks it: GIT_EDITOR, core.editor, VISUAL, EDITOR. It
// is asked outside of any repository: none names a program that is run.
func (f *front) editor(ctx context.Context) (string, error) {
	cmd := exec.CommandContext(ctx, "git", "var", "GIT_EDITOR")
	cmd.Dir, cmd.Env = f.env.Dir, append(f.env.Environ[:len(f.env.Environ):len(f.env.Environ)], "GIT_DIR=/dev/null")
	out, err := cmd.Output()
	editor := strings.TrimSpace(string(out))
	if err != nil || editor == "" {
		if errors.Is(err, exec.ErrNotFound) {
			return "", err
		}
		return "", withHint(&tools.Error{Code: tools.Internal, Message: "there is no editor: git names none", Err: err}, "GIT_EDITOR names one")
	}
	return editor, nil
}
