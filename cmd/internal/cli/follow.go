package cli

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	urfave "github.com/urfave/cli/v2"

	"github.com/git-tasks/git-tasks/repo/watch"
	"github.com/git-tasks/git-tasks/tools"
	"github.com/git-tasks/git-tasks/translate"
)

// maxLists is how many lists one line may name.
const maxLists = 100

func (f *front) followCommand() *urfave.Command {
	return &urfave.Command{
		Name: "follow", Category: upkeep, ArgsUsage: "[LIST...]", Usage: "keep the lists that Claude Code writes as files as plans",
		Description: "git tasks follow --once shared-list",
		Flags: []urfave.Flag{
			&urfave.StringFlag{Name: "dir", Usage: "`DIR` the folder of its lists, instead of ~/.claude/tasks"},
			&urfave.BoolFlag{Name: "once", Usage: "take the lists that are named as they are now, and end"},
		},
		Action: func(c *urfave.Context) error {
			if err := arguments(c, 0, maxLists); err != nil {
				return err
			}
			if c.Bool("once") && c.NArg() == 0 {
				return withHint(usage("--once needs a LIST"), "example: "+c.Command.Description)
			}
			dir, err := f.claudeTasks(c)
			if err != nil {
				return err
			}
			return f.with(c, writes, func(o *opened) error { return (&follower{opened: o, dir: dir, seen: map[string]string{}}).follow() })
		},
	}
}

// claudeTasks is where Claude Code keeps its lists, a folder each.
func (f *front) claudeTasks(c *urfave.Context) (string, error) {
	if c.IsSet("dir") {
		return f.abs(c.String("dir")), nil
	}
	if dir := f.env.get("CLAUDE_CONFIG_DIR"); filepath.IsAbs(dir) {
		return filepath.Join(dir, "tasks"), nil
	}
	home := f.env.get("HOME")
	if !filepath.IsAbs(home) {
		return "", usage("HOME must name a folder by an absolute path, or --dir the folder of the lists")
	}
	return filepath.Join(home, ".claude", "tasks"), nil
}

// follower follows the files of lists.
type follower struct {
	*opened
	dir  string
	seen map[string]string // what each file looked like when it was last taken, by list and name
}

// follow takes the lists that are named, and from then on each that changes: of
// those that are named, or of all. What others left behind it does not touch.
func (w *follower) follow() error {
	named := w.c.Args().Slice()
	signals, err := watch.Folder(w.c.Context, w.dir)
	if err != nil {
		return &tools.Error{Code: tools.Invalid, Message: err.Error()}
	}
	there := w.lists(named)
	for _, list := range there {
		if changed := w.look(list); len(named) > 0 && changed {
			w.take(list)
		}
	}
	if w.c.Bool("once") {
		for _, list := range named {
			if !slices.Contains(there, list) {
				w.note("there is no list " + list + " in " + w.dir)
			}
		}
		return nil
	}
	w.note("following " + w.dir + "; Ctrl-C ends it")
	for range signals {
		for _, list := range w.lists(named) {
			if w.look(list) {
				w.take(list)
			}
		}
	}
	return nil
}

// lists are the lists that there are, or of these the named ones.
func (w *follower) lists(named []string) []string {
	entries, _ := os.ReadDir(w.dir) // a folder that is not there yet holds none
	var lists []string
	for _, e := range entries {
		if e.IsDir() && (len(named) == 0 || slices.Contains(named, e.Name())) {
			lists = append(lists, e.Name())
		}
	}
	return lists
}

// files are the tasks of a list, by their numbers.
func (w *follower) files(list string) []os.DirEntry {
	entries, _ := os.ReadDir(filepath.Join(w.dir, list))
	files := slices.DeleteFunc(entries, func(e os.DirEntry) bool {
		return !e.Type().IsRegular() || strings.HasPrefix(e.Name(), ".") || filepath.Ext(e.Name()) != ".json"
	})
	number := func(e os.DirEntry) int {
		n, _ := strconv.Atoi(strings.TrimSuffix(e.Name(), ".json"))
		return n
	}
	slices.SortStableFunc(files, func(a, b os.DirEntry) int { return cmp.Compare(number(a), number(b)) })
	return files
}

// look reports whether a file of a list is another than it was. One that is gone
// says nothing: the harness clears away what is done.
func (w *follower) look(list string) (changed bool) {
	for _, e := range w.files(list) {
		info, err := e.Info()
		if err != nil {
			continue
		}
		file, now := list+"/"+e.Name(), fmt.Sprint(info.Size(), " ", info.ModTime().UnixNano())
		changed = changed || w.seen[file] != now
		w.seen[file] = now
	}
	return changed
}

// take makes a list the plan of the session of its name. A file that cannot be read
// is being written, or none of the harness's: it is named where nothing looks again.
func (w *follower) take(list string) {
	said := translate.Said{Session: list}
	for _, e := range w.files(list) {
		file := filepath.Join(w.dir, list, e.Name())
		data, err := os.ReadFile(file)
		var one translate.Said
		if err == nil {
			one, err = translate.Read("claude-tasks", data, list)
		}
		if err != nil && w.c.Bool("once") {
			w.note(file + " is not kept: " + tools.AsError(err).Message)
		}
		said.Updates = append(said.Updates, one.Updates...)
	}
	// Once more, since a task may wait for one that came after it.
	said.Updates = append(said.Updates, said.Updates...)
	in, err := w.in(said)
	if err == nil && len(said.Updates) > 0 {
		err = in.takeSaid(said)
	}
	if err != nil {
		w.note("the list " + list + " is not kept: " + tools.AsError(err).Message)
	}
}
