package cli

import (
	"path/filepath"
	"slices"
	"strings"
	"time"

	urfave "github.com/urfave/cli/v2"

	"github.com/git-tasks/git-tasks/records"
	"github.com/git-tasks/git-tasks/tools"
)

// completeWithin is how long a shell may wait for ids: a person who presses the
// tab key waits with it.
const completeWithin = 300 * time.Millisecond

// candidate is a word that may stand where the cursor is, and what it is.
type candidate struct{ word, about string }

// completeCommand is what the shells' scripts run. The last argument is the word
// at the cursor, the others stand before it. Whatever fails, nothing is printed:
// a person who is typing has asked nothing.
func (f *front) completeCommand() *urfave.Command {
	return &urfave.Command{
		Name: "complete", Hidden: true, ArgsUsage: "-- WORD…", Usage: "print the words that may stand last",
		Description: "git tasks complete -- show t",
		Action: func(c *urfave.Context) error {
			for _, one := range f.complete(c.Args().Slice()) {
				f.printf("%s\t%s\n", one.word, one.about)
			}
			return nil
		},
	}
}

// complete gives what may stand in place of the last word, and begins as it does.
func (f *front) complete(words []string) []candidate {
	if len(words) == 0 {
		return nil
	}
	before, at := words[:len(words)-1], words[len(words)-1]
	if at == "=" { // bash takes it for a word
		before, at = words, ""
	}
	if n := len(before); n > 1 && before[n-1] == "=" {
		before = before[:n-1]
	}
	p := program(f.app())
	line := arrange(p, before)
	glued := ""
	var found []candidate
	flag, value, isGlued := strings.Cut(at, "=")
	switch pending := pendingFlag(line, before); {
	case pending != "":
		found = f.valuesOf(line, pending)
	case line.err != nil: // nobody knows what the next word is
	case slices.Contains(before, "--"):
		found = f.argumentsFor(line)
	case isGlued && strings.HasPrefix(flag, "--"):
		glued, at = flag+"=", value
		found = f.valuesOf(line, strings.TrimLeft(flag, "-"))
	case strings.HasPrefix(at, "-"):
		found = flagsAt(line)
	case len(line.at.Subcommands) > 0:
		found = commandsAt(line)
	default:
		found = f.argumentsFor(line)
	}
	var fit []candidate
	for _, one := range found {
		if strings.HasPrefix(one.word, at) {
			fit = append(fit, candidate{glued + one.word, one.about})
		}
	}
	return fit
}

// pendingFlag gives the flag that the word at the cursor is the value of, "" for
// none.
func pendingFlag(line *commandLine, before []string) string {
	if len(before) == 0 {
		return ""
	}
	last := before[len(before)-1]
	if line.err == nil || !flagForm().MatchString(last) || strings.Contains(last, "=") {
		return ""
	}
	name := strings.TrimLeft(last, "-")
	flag := flagNamed(slices.Concat(line.program.Flags, line.at.Flags), name)
	if _, isBool := flag.(*urfave.BoolFlag); flag == nil || isBool {
		return ""
	}
	return name
}

func commandsAt(line *commandLine) []candidate {
	var found []candidate
	for _, c := range line.at.VisibleCommands() {
		found = append(found, candidate{c.Name, c.Usage})
	}
	if line.at == line.program && !line.help {
		found = append(found, candidate{"help", "what a command does"})
	}
	return found
}

func flagsAt(line *commandLine) []candidate {
	var found []candidate
	for _, flag := range slices.Concat(line.at.Flags, line.program.Flags) {
		_, about := valueAndDoc(flag.(urfave.DocGenerationFlag).GetUsage())
		one := candidate{"--" + flag.Names()[0], about}
		if !slices.ContainsFunc(found, func(o candidate) bool { return o.word == one.word }) {
			found = append(found, one)
		}
	}
	return append(found, candidate{"--help", "what the command does"})
}

// valuesOf gives the values of a flag, none where the shell knows better: a path.
func (f *front) valuesOf(line *commandLine, flag string) []candidate {
	switch flag {
	case "plan":
		return f.ids(line, records.PlanKind)
	case "blocked-by":
		return f.ids(line, records.TaskKind)
	case "client":
		return clientCandidates()
	case "until":
		return wordsOf(untils()...)
	case "role":
		return wordsOf("viewer", "member", "approver", "admin")
	}
	if of, ok := flagNamed(line.at.Flags, flag).(*choiceFlag); ok {
		return wordsOf(of.choices...)
	}
	return nil
}

// argumentsFor gives the next argument of a command.
func (f *front) argumentsFor(line *commandLine) []candidate {
	if len(line.arguments) > 0 {
		return nil
	}
	switch path := strings.Join(line.path, " "); path {
	case "set", "review", "claim", "release", "rm":
		return f.ids(line, records.TaskKind)
	case "plan set", "plan show", "plan approve", "panel", "graph":
		return f.ids(line, records.PlanKind)
	case "show", "approve", "log", "watch", "edit":
		return append(f.ids(line, records.TaskKind), f.ids(line, records.PlanKind)...)
	case "call":
		var found []candidate
		for _, tool := range tools.All() {
			found = append(found, candidate{tool.Name, tool.Doc})
		}
		return found
	case "completion":
		return wordsOf(shells()...)
	case "install", "uninstall":
		return append(clientCandidates(), candidate{cloneName, "the clone you are in"}, candidate{hooksName, "what pushes to the list go through"})
	case "restore":
		return f.fromList(line, removed)
	case "token revoke":
		return f.usersWithToken(line)
	}
	return nil
}

func clientCandidates() []candidate {
	var found []candidate
	for _, c := range mcpClients() {
		found = append(found, candidate{c.name, c.called})
	}
	return found
}

// usersWithToken gives whoever a token can be taken from.
func (f *front) usersWithToken(line *commandLine) []candidate {
	file := f.abs(f.global(line, "config", "GIT_TASKS_CONFIG"))
	if file == "" {
		config, err := f.home("XDG_CONFIG_HOME", ".config")
		if err != nil {
			return nil
		}
		file = filepath.Join(config, "git-tasks", "config.json")
	}
	settings, err := tools.LoadSettings(file)
	if err != nil {
		return nil
	}
	var found []candidate
	for _, u := range settings.Users {
		if u.Token != "" {
			found = append(found, candidate{u.ID, records.Visible(strings.Join(u.Roles, ", "))})
		}
	}
	return found
}

func wordsOf(words ...string) []candidate {
	found := make([]candidate, len(words))
	for i, word := range words {
		found[i].word = word
	}
	return found
}

// ids gives the ids of the list that the words name, with their titles.
func (f *front) ids(line *commandLine, kind records.Kind) []candidate {
	return f.fromList(line, func(store *tools.Store) []candidate { return present(store, kind) })
}

// fromList reads candidates of the list that the words name; none where it
// cannot be read in time. The reading that is too late is left to itself: the
// process ends.
func (f *front) fromList(line *commandLine, read func(*tools.Store) []candidate) []candidate {
	path, branch := f.global(line, "repo", "GIT_TASKS_REPO"), f.global(line, "branch", "GIT_TASKS_BRANCH")
	if path == "" {
		data, err := f.home("XDG_DATA_HOME", ".local/share")
		if err != nil {
			return nil
		}
		path = filepath.Join(data, "git-tasks", "records.git")
	}
	found := make(chan []candidate, 1)
	go func() {
		store, err := tools.Open(tools.Config{Path: f.abs(path), Branch: branch, Environ: f.env.Environ})
		if err != nil {
			found <- nil
			return
		}
		defer store.Close()
		found <- read(store)
	}()
	select {
	case ids := <-found:
		return ids
	case <-time.After(completeWithin):
		return nil
	}
}

// global gives the value of a flag of the program as it was typed, else of its
// variable.
func (f *front) global(line *commandLine, flag, variable string) string {
	for _, word := range slices.Backward(line.globals) {
		if value, ok := strings.CutPrefix(word, "--"+flag+"="); ok {
			return value
		}
	}
	return f.env.get(variable)
}

// removed gives the records that the log names and the list has no more, what
// went last first.
func removed(store *tools.Store) []candidate {
	book, _, err := store.Book()
	if err != nil {
		return nil
	}
	events, err := store.History("")
	if err != nil {
		return nil
	}
	var found []candidate
	seen := map[string]bool{}
	for _, event := range events {
		for _, word := range strings.Fields(event.What) {
			id := strings.TrimSuffix(word, ",")
			if _, _, ok := records.ParseID(id); !ok {
				break // behind the ids stands what was done
			}
			if seen[id] {
				continue
			}
			seen[id] = true
			if record, err := book.Record(id); err == nil && record == nil {
				found = append(found, candidate{id, records.Visible(event.What)})
			}
		}
	}
	return found
}

// present gives what is open before what is over: that is what somebody types
// the id of.
func present(store *tools.Store, kind records.Kind) []candidate {
	book, _, err := store.Book()
	if err != nil {
		return nil
	}
	var open, over []candidate
	add := func(id, title string, status records.Status) {
		one := candidate{id, records.Visible(title)}
		if !status.Open() {
			over = append(over, one)
		} else {
			open = append(open, one)
		}
	}
	if kind == records.PlanKind {
		plans, err := book.Plans()
		if err != nil {
			return nil
		}
		for p := range plans {
			add(p.ID, p.Title, p.Status)
		}
		return append(open, over...)
	}
	tasks, err := book.Tasks()
	if err != nil {
		return nil
	}
	for t := range tasks {
		add(t.ID, t.Title, t.Status)
	}
	return append(open, over...)
}
