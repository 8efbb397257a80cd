package cli

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"

	urfave "github.com/urfave/cli/v2"

	"github.com/git-tasks/git-tasks/cmd/internal/serve"
	"github.com/git-tasks/git-tasks/records"
	"github.com/git-tasks/git-tasks/repo"
	"github.com/git-tasks/git-tasks/tools"
)

func (f *front) editCommand() *urfave.Command {
	return &urfave.Command{
		Name: "edit", Category: upkeep, ArgsUsage: "ID", Usage: "open the file of a task or a plan in your editor",
		Description: "git tasks edit t1",
		Flags:       []urfave.Flag{&urfave.StringFlag{Name: "resume", Usage: "`FILE` go on with what was refused and kept"}},
		Action: func(c *urfave.Context) error {
			if err := arguments(c, 1, 1); err != nil {
				return err
			}
			return f.with(c, amends, func(o *opened) error {
				if o.c.IsSet("resume") {
					return o.editKept(o.c.Args().First(), o.abs(o.c.String("resume")))
				}
				return o.edit(o.c.Args().First())
			})
		},
	}
}

// edit has a person write a record's file, as it stands, and puts it on the list.
func (o *opened) edit(id string) error {
	was, at, err := o.store.File(id)
	if err != nil {
		return err
	}
	if was.Path == "" {
		return o.noRecord(id)
	}
	desk, err := o.layOut(id, at, was)
	if err != nil {
		return err
	}
	return o.write(desk)
}

// editKept goes on with a file that an edit kept.
func (o *opened) editKept(id, file string) error {
	now, _, err := o.store.File(id)
	if err != nil {
		return err
	}
	if now.Path == "" {
		return o.noRecord(id)
	}
	desk, err := o.findKept(id, now.Path, file)
	if err != nil {
		return err
	}
	return o.write(desk)
}

// write opens the editor, and hands in what was written, until it is taken or the
// person has enough of it. What was written and not taken stays in its file.
func (o *opened) write(d *desk) error {
	for {
		if err := o.runEditor(o.c.Context, d.file); err != nil {
			return o.keep(d, err)
		}
		text, err := d.read()
		if err != nil {
			return o.keep(d, err)
		}
		if bytes.Equal(text, d.was) {
			d.clear()
			o.note(d.id + " is as it was")
			return nil
		}
		before, err := o.record(d.id)
		if err != nil {
			return o.keep(d, err)
		}
		landed, err := o.revise(d.at, records.File{Path: d.path, Data: text})
		if err == nil {
			d.clear()
			return o.revised(d.id, before, landed)
		}
		if code := tools.AsError(err).Code; code != tools.Invalid && code != tools.Conflict && code != tools.Held || !o.again(err) {
			return o.keep(d, err)
		}
	}
}

// revise hands a file in: to the host where one serves the list, as ask does a call.
func (o *opened) revise(at repo.ID, file records.File) (tools.Landed, error) {
	_, named, err := o.named(o.c, "config", "GIT_TASKS_CONFIG")
	if err != nil {
		return tools.Landed{}, err
	}
	if !named {
		landed, ok, err := serve.Revise(o.c.Context, o.store, o.who, o.env.get("XDG_RUNTIME_DIR"), at, file)
		if ok {
			return landed, err
		}
	}
	return o.store.Revise(o.c.Context, o.caller, at, file)
}

// revised says what became of a file that was taken; before is the record ahead of
// that, nil for one that could not be read.
func (o *opened) revised(id string, before any, landed tools.Landed) error {
	for _, line := range landed.Said {
		o.note(line)
	}
	record, err := o.record(id)
	if err != nil {
		return err
	}
	answer := tools.Answer{Records: []any{}}
	if r, ok := record.(records.Record); ok {
		answer.Text, answer.Records = r.Line(), []any{record}
	}
	said := id + " is as you want it already"
	if !landed.Commit.IsZero() {
		answer.Commit = landed.Commit.String()
		said = "changed " + id
		if fields := changedFields(before, record); before != nil && len(fields) > 0 {
			said += ": " + strings.Join(fields, ", ")
		}
	}
	return o.done(answer, said)
}

// again says why a file was refused, and asks whoever sits at the keyboard whether
// to write on.
func (o *opened) again(err error) bool {
	if !o.atKeyboard() || o.c.Context.Err() != nil {
		return false
	}
	o.note("error: " + tools.AsError(err).Message)
	io.WriteString(o.env.Stderr, "git-tasks: write on? [Y/n] ")
	answer, err := o.keyed(o.c.Context)
	return err == nil && (answer == "" || strings.HasPrefix(strings.ToLower(answer), "y"))
}

// keyed reads one line from the keyboard, until ctx ends, and nothing of what comes
// behind it, which is the editor's.
func (f *front) keyed(ctx context.Context) (string, error) {
	type line struct {
		text []byte
		err  error
	}
	read := make(chan line, 1)
	go func() {
		var l line
		for next := make([]byte, 1); l.err == nil && next[0] != '\n'; {
			var n int
			n, l.err = f.env.Stdin.Read(next)
			l.text = append(l.text, next[:n]...)
		}
		read <- l
	}()
	select {
	case l := <-read:
		return strings.TrimSpace(string(l.text)), l.err
	case <-ctx.Done():
		return "", ctx.Err()
	}
}

// keep says of what was written and not taken where it is; of nothing, nothing. Where
// the command is told to stop, the editor may live on and write later: its file stays.
func (o *opened) keep(d *desk, err error) error {
	kept := "what you wrote is in " + d.file + "; git tasks edit " + d.id + " --resume " + quoted(d.file) + " goes on with it"
	if o.c.Context.Err() != nil { // which leaves no place for a hint
		o.note(kept)
		return err
	}
	if text, rerr := d.read(); rerr == nil && bytes.Equal(text, d.was) || errors.Is(rerr, errEmptied) {
		d.clear()
		return err
	}
	return &hinted{err, kept, true}
}
