package cli

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	urfave "github.com/urfave/cli/v2"

	"github.com/git-tasks/git-tasks/records"
	"github.com/git-tasks/git-tasks/tools"
)

func (f *front) listCommand() *urfave.Command {
	return &urfave.Command{
		Name: "list", Usage: "list tasks, open work first",
		Description: "git tasks list --ready --plan p1",
		Flags:       flagsOf("task_list"),
		Action: func(c *urfave.Context) error {
			if err := arguments(c, 0, 0); err != nil {
				return err
			}
			in, err := f.inputOf(c, "task_list")
			if err != nil {
				return err
			}
			return f.with(c, reads, func(o *opened) error {
				answer, err := o.call("task_list", in)
				if err != nil {
					return err
				}
				return o.tasks(openFirst(tasksIn(answer)), notesIn(answer))
			})
		},
	}
}

// shownTask is a task in a list for people.
type shownTask struct {
	*records.Task
	record any    // as the answer has it
	indent string // what its line is indented by: two spaces a task that it stands under
}

// tasksIn gives the tasks of an answer.
func tasksIn(answer tools.Answer) []shownTask {
	var tasks []shownTask
	lines := strings.Split(answer.Text, "\n")
	for i, r := range answer.Records {
		t, ok := r.(*records.Task)
		if listed, is := r.(*records.Listed); is {
			t, ok = listed.Task, true
		}
		if ok {
			line := lines[i]
			tasks = append(tasks, shownTask{t, r, line[:len(line)-len(strings.TrimLeft(line, " "))]})
		}
	}
	return tasks
}

// notesIn gives the notes of an answer in the words of a command.
func notesIn(answer tools.Answer) []string {
	notes := slices.Clone(answer.Notes)
	for i, note := range notes {
		notes[i] = pageLine().ReplaceAllString(note, "$1 --after $2")
	}
	return notes
}

// pageLine is the line on what a limit left out, which names the field of the
// tool; a person types the flag.
var pageLine = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(\d+ more tasks? match(?:es)?; go on with) after (t\d+)$`)
})

// attention is the order in which a list shows statuses: what is under way first,
// what is over last.
var attention = [...]records.Status{records.Doing, records.Review, records.Blocked, records.Todo, records.Done, records.Dropped}

// openFirst sorts tasks by attention, else as they come. What stands under a task
// stays behind it.
func openFirst(tasks []shownTask) []shownTask {
	var places [len(attention) + 1][]shownTask // one for each, and the first for any other
	place, indent := 0, 0                      // of the task that stands under no other
	for i, t := range tasks {
		if i == 0 || len(t.indent) <= indent {
			place, indent = 1+slices.Index(attention[:], t.Status), len(t.indent)
		}
		places[place] = append(places[place], t)
	}
	return slices.Concat(places[:]...)
}

func (o *opened) tasks(tasks []shownTask, notes []string) error {
	if o.json {
		document := tools.Answer{Records: []any{}}
		for _, t := range tasks {
			document.Records = append(document.Records, t.record)
		}
		return o.listDocument(document, notes)
	}
	if len(tasks) == 0 {
		o.printf("No tasks match.\n")
		o.noteEmpty(notes, "git tasks add TITLE makes one")
	}
	o.taskTable(tasks)
	o.notes(notes)
	return nil
}

// noteEmpty says how to begin, to whoever asked for everything and got nothing.
func (o *opened) noteEmpty(notes []string, how string) {
	if len(notes) == 0 && o.c.NumFlags() == 0 && !o.noList {
		o.note("there is nothing here yet; " + how)
	}
}

// listDocument prints a list as a document. What is not in it is for whoever looks on
// as well.
func (o *opened) listDocument(answer tools.Answer, notes []string) error {
	for _, note := range notes {
		o.note(note)
	}
	answer.Notes = notes
	return o.document(answer)
}

func (o *opened) taskTable(tasks []shownTask) {
	var t table
	for _, task := range tasks {
		priority := task.Priority
		if priority == "" {
			priority = records.Medium
		}
		t.add(task.Status, task.ID, string(task.Status), string(priority), task.indent+records.Visible(task.Title))
	}
	o.table(t)
}

func (o *opened) notes(notes []string) {
	for _, note := range notes {
		o.printf("%s\n", note)
	}
}
