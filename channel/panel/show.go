package panel

import (
	"context"
	"io"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"

	"github.com/git-tasks/git-tasks/records"
	"github.com/git-tasks/git-tasks/tools"
)

// Config says what a panel is shown on.
type Config struct {
	Store   *tools.Store
	In      io.Reader // the terminal
	Out     io.Writer
	Environ []string // NO_COLOR, TERM
	// Edit has a person change a record, on the terminal; what went wrong it says there.
	Edit func(id string) error
}

// Show has the panel on a terminal until somebody quits, or ctx ends: then the
// terminal is as it was. The error is that of the terminal, or of a list that cannot
// be followed.
func Show(ctx context.Context, p *Panel, cfg Config) error {
	book, at, err := cfg.Store.Book()
	if err != nil {
		return err
	}
	p.show(book)
	feed, err := cfg.Store.Feed(at)
	if err != nil {
		return err
	}
	ctx, leave := context.WithCancel(ctx)
	defer leave()
	moved, err := cfg.Store.Moved(ctx)
	if err != nil {
		return err
	}
	signals := cfg.Store.WithClaims(moved)
	program := tea.NewProgram(&terminal{Config: cfg, panel: p}, tea.WithInput(cfg.In),
		tea.WithOutput(cfg.Out), tea.WithEnvironment(cfg.Environ), tea.WithoutSignalHandler())
	// A context of bubbletea's would end it while its reader still reads the terminal.
	defer context.AfterFunc(ctx, program.Quit)()
	told := make(chan struct{})
	go func() {
		defer close(told)
		follow(signals, feed, cfg.Store, program.Send)
	}()
	_, err = program.Run()
	leave()
	<-told
	return err
}

// follow tells of the list whenever it counts as another.
func follow(signals <-chan struct{}, feed *tools.Feed, s *tools.Store, tell func(tea.Msg)) {
	for ok := true; ok; _, ok = <-signals {
		var err error
		for _, err = range feed.Moves() {
			if err != nil {
				break
			}
		}
		var book *records.Book
		if err == nil {
			book, _, err = s.Book()
		}
		if err != nil {
			tell(trouble{err})
			continue
		}
		tell(listed{book})
	}
}

// What the terminal is told of.
type (
	listed  struct{ book *records.Book }
	trouble struct{ err error }
	due     struct{ at time.Time } // something changes by time alone
	edited  struct{ err error }
)

// terminal is a panel on a terminal, as bubbletea has it.
type terminal struct {
	Config
	panel *Panel
	size  size
	lines []line
	due   time.Time // what is waited for
}

// Init does nothing: the first message is the size.
func (t *terminal) Init() tea.Cmd { return nil }

// Update takes a message, and draws.
func (t *terminal) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch m := msg.(type) {
	case tea.WindowSizeMsg:
		t.size = size{m.Width, m.Height}
	case listed:
		t.panel.show(m.book)
	case trouble:
		t.panel.note = "the list cannot be read: " + tools.AsError(m.err).Message
	case edited:
		if m.err != nil {
			t.panel.note = tools.AsError(m.err).Message
		}
	case due:
		t.due = time.Time{}
	case tea.PasteMsg:
		if t.panel.typing {
			t.panel.typed("", m.Content)
		}
	case tea.KeyPressMsg:
		switch t.panel.press(m.String(), m.Text, t.size, t.Store.Now()) {
		case quit:
			return t, tea.Quit
		case open:
			return t, t.edit(t.panel.at)
		}
	}
	return t, t.draw()
}

// draw makes the lines anew, and asks to be told when they change by time.
func (t *terminal) draw() tea.Cmd {
	now := t.Store.Now()
	lines, next, err := t.panel.screen(t.size, now)
	if err != nil {
		t.lines = []line{{text: cut("the list cannot be read: "+records.Visible(tools.AsError(err).Message), t.size.width)}}
		return nil
	}
	t.lines = lines
	if next.IsZero() || !t.due.IsZero() && !next.Before(t.due) {
		return nil
	}
	t.due = next
	return tea.Tick(next.Sub(now), func(time.Time) tea.Msg { return due{next} })
}

// edit lends the terminal to whoever changes a record.
func (t *terminal) edit(id string) tea.Cmd {
	return tea.Exec(lent(func() error { return t.Edit(id) }), func(err error) tea.Msg { return edited{err} })
}

// lent is what has the terminal for a while; it knows its streams.
type lent func() error

// Run does it.
func (l lent) Run() error { return l() }

// SetStdin, SetStdout and SetStderr are bubbletea's to call.
func (lent) SetStdin(io.Reader)  {}
func (lent) SetStdout(io.Writer) {}
func (lent) SetStderr(io.Writer) {}

// style is how a tone looks; a terminal without colours, or somebody who wants none,
// gets what is left of it.
func (t tone) style() lipgloss.Style {
	style := lipgloss.NewStyle()
	switch t {
	case strong:
		return style.Bold(true)
	case faint:
		return style.Faint(true)
	case active:
		return style.Foreground(lipgloss.Cyan)
	case fresh:
		return style.Foreground(lipgloss.Green)
	case stuck:
		return style.Foreground(lipgloss.Yellow)
	}
	return style
}

// View gives the screen.
func (t *terminal) View() tea.View {
	lines := make([]string, len(t.lines))
	for i, l := range t.lines {
		lines[i] = l.tone.style().Reverse(l.here).Render(l.text)
	}
	v := tea.NewView(strings.Join(lines, "\n"))
	v.AltScreen = true
	return v
}
