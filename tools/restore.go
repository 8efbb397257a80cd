package tools

import (
	"context"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/git-tasks/git-tasks/records"
	"github.com/git-tasks/git-tasks/repo"
)

// restoreTool is what the Tool trailer of a restore's commit says.
const restoreTool = "restore"

// Restored is what [Store.Restore] brought back, as an answer, and the ids of
// the tasks that went in the same commit as the plan and are still away.
type Restored struct {
	Answer
	Away []string
}

// Restore brings a record that was removed or swept back as it could last be
// read, in one commit authored as the caller. With tasks, those that named the
// plan and went in the same commit come with it, as do those alone where the plan
// is back already. A record that is there is a [Conflict], one that no commit
// ever held [NotFound].
func (s *Store) Restore(ctx context.Context, c Caller, id string, tasks bool) (Restored, error) {
	var l *lost
	result, err := s.Update(ctx, c, restoreTool, func(book *records.Book) ([]Step, error) {
		found, err := s.findLost(ctx, id, tasks, l)
		if err != nil {
			return nil, err
		}
		l = found
		step, err := l.step(book, tasks)
		return []Step{step}, err
	})
	if err != nil {
		return Restored{}, err
	}
	var lines list
	for _, id := range result.IDs {
		record, err := result.Book.Record(id)
		if err != nil {
			return Restored{}, AsError(err)
		}
		lines.add(record)
	}
	answer := Answer{Text: strings.Join(lines.lines, "\n"), Records: lines.records, Commit: result.Commit.String()}
	away, err := l.away(result.Book)
	return Restored{answer, away}, err
}

// lost is what history says of a record that left the list.
type lost struct {
	tip     repo.ID // the commit that history was read from
	id      string
	ever    bool           // whether any commit held a file of that name
	file    *records.File  // as it could last be read, nil for never
	removed bool           // whether the commit that last took it away was met
	tasks   []records.File // of a plan: those that named it and went in that commit
}

// findLost reads history for a record, back to where it could last be read, and
// for its tasks back to where it was taken away; unless known is of the same tip.
func (s *Store) findLost(ctx context.Context, id string, tasks bool, known *lost) (*lost, error) {
	if _, _, ok := records.ParseID(id); !ok {
		return nil, &Error{Code: Invalid, Message: records.Visible(id) + " is no id; an id is t and a number for a task, p and a number for a plan."}
	}
	tip, err := s.tip()
	if err != nil || known != nil && known.tip == tip.ID() {
		return known, err
	}
	l := &lost{tip: tip.ID(), id: id}
	for c, err := range tip.Log() {
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return nil, err
		}
		paths, err := tip.Touched(c)
		if err != nil {
			return nil, err
		}
		if !names(paths, id) {
			continue
		}
		if err := s.look(l, c, paths); err != nil {
			return nil, err
		}
		if l.file != nil && (l.removed || !tasks) {
			break
		}
	}
	return l, nil
}

// look takes from a commit that touched the record what it says of it.
func (s *Store) look(l *lost, c repo.Commit, paths []string) error {
	after, err := s.repo.At(c.ID)
	if err != nil {
		return err
	}
	there := false
	for _, p := range paths {
		if !isFileOf(p, l.id) || !isRecordFile(p) || !readRecord(after, p).there {
			continue
		}
		there, l.ever = true, true
		if l.file != nil {
			continue
		}
		believed, _, err := s.unbelieved(after, records.NewBook(after.FS()))
		if err != nil {
			return err
		}
		if l.file, err = readable(after, believed, p, l.id); err != nil {
			return err
		}
	}
	if there || l.removed {
		return nil
	}
	l.removed = true
	l.tasks, err = s.goneWith(c, after, paths, l.id)
	return err
}

// readable gives a file of a snapshot where it is the record of an id. believed are
// the files of the snapshot that say what no tool wrote, as they are without it.
func readable(at *repo.Snapshot, believed []records.File, path, id string) (*records.File, error) {
	if rec := readRecord(at, path); !rec.readable || rec.id != id {
		return nil, nil
	}
	for i, f := range believed {
		if f.Path == path {
			return &believed[i], nil
		}
	}
	data, err := fs.ReadFile(at.FS(), path)
	return &records.File{Path: path, Data: data}, err
}

// goneWith gives the tasks of a plan that the commit which took the plan away
// took with it, as they were before.
func (s *Store) goneWith(c repo.Commit, after *repo.Snapshot, paths []string, plan string) ([]records.File, error) {
	if len(c.Parents) == 0 {
		return nil, nil
	}
	before, err := s.repo.At(c.Parents[0])
	if err != nil {
		return nil, err
	}
	believed, _, err := s.unbelieved(before, records.NewBook(before.FS()))
	if err != nil {
		return nil, err
	}
	var tasks []records.File
	for _, p := range paths {
		if !isRecordFile(p) || readRecord(after, p).there {
			continue
		}
		id := readRecord(before, p).id
		file, err := readable(before, believed, p, id)
		if err != nil {
			return nil, err
		}
		if file == nil || !ofPlan(*file, plan) {
			continue
		}
		tasks = append(tasks, *file)
	}
	return tasks, nil
}

// ofPlan reports whether a file is a task that names the plan.
func ofPlan(file records.File, plan string) bool {
	task, ok := records.Parse(file.Path, file.Data).Record().(*records.Task)
	return ok && task.Plan == plan
}

// step gives the step that brings back what is away in the Book.
func (l *lost) step(book *records.Book, tasks bool) (Step, error) {
	there, err := book.Record(l.id)
	if err != nil {
		return Step{}, err
	}
	var files []records.File
	if there == nil {
		switch {
		case l.file != nil:
			files = append(files, *l.file)
		case l.ever:
			return Step{}, &Error{Code: NotFound, Message: l.id + " was in the list, but never as a record that could be read."}
		default:
			return Step{}, &Error{Code: NotFound, Message: "There never was a record " + l.id + " in the list."}
		}
	}
	if tasks {
		for _, f := range l.tasks {
			if there, err := book.Record(idOfFile(f.Path)); err != nil || there != nil {
				if err != nil {
					return Step{}, err
				}
				continue
			}
			files = append(files, f)
		}
	}
	if len(files) == 0 {
		return Step{}, &Error{Code: Conflict, Message: l.id + " is in the list already."}
	}
	return l.stepOf(files), nil
}

// stepOf gives the step for files; of several, the commit lists the records.
func (l *lost) stepOf(files []records.File) Step {
	step := Step{Edit: records.Restore{Files: files}}
	if len(files) == 1 {
		return step
	}
	tasks := 0
	for _, f := range files {
		record := records.Parse(f.Path, f.Data).Record()
		step.Body = append(step.Body, record.Line())
		if id, _ := record.Name(); id != l.id {
			tasks++
		}
	}
	step.Subject = fmt.Sprintf("%s restore %d tasks", l.id, tasks)
	if tasks == 1 {
		step.Subject = l.id + " restore 1 task"
	}
	return step
}

// away gives the tasks that went with the plan and are not in the Book.
func (l *lost) away(book *records.Book) ([]string, error) {
	var ids []string
	for _, f := range l.tasks {
		record, err := book.Record(idOfFile(f.Path))
		if err != nil {
			return nil, AsError(err)
		}
		if record == nil {
			ids = append(ids, idOfFile(f.Path))
		}
	}
	return slices.Clip(ids), nil
}
