package panel

import (
	"fmt"
	"io"
	"strings"
	"time"

	"charm.land/lipgloss/v2"

	"github.com/git-tasks/git-tasks/records"
	"github.com/git-tasks/git-tasks/tools"
)

// size is that of a terminal; zero is one that has no end.
type size struct{ width, height int }

// line is one line of the screen.
type line struct {
	text string
	tone tone
	here bool // the cursor is on it
}

const (
	most    = 10 // rows that the short list takes
	free    = 14 // rows of the terminal that it leaves to others
	around  = 4  // lines of the tree's screen that are no rows and no notes
	mostOf  = 3  // notes that have a line of their own
	pointer = "› "
)

// room is how many rows the view may take.
func (p *Panel) room(l *look, height int) int {
	if p.Tree {
		return max(0, height-around-len(l.notes))
	}
	return max(0, min(most, height-free))
}

// screen draws the panel, and says when what it shows changes by time alone.
func (p *Panel) screen(at size, now time.Time) (lines []line, next time.Time, err error) {
	l, err := p.look(now)
	if err != nil {
		return nil, next, err
	}
	items := l.items
	room := p.room(l, at.height)
	p.settle(items, room)
	shown := items[p.top:min(len(items), p.top+room)]
	head := p.head(l.all)
	if p.filter != "" && !p.typing {
		head += "  /" + records.Visible(p.filter)
	}
	lines = append(lines, line{text: cut(head, at.width), tone: strong}, line{text: strings.Repeat("─", at.width), tone: faint})
	for i, text := range p.rows(shown, max(1, at.width-lipgloss.Width(pointer)), now) {
		it := shown[i]
		drawn := line{tone: it.tone(), here: it.ID == p.at}
		ahead := "  "
		if drawn.here {
			ahead = pointer
		}
		drawn.text = cut(ahead+text, at.width)
		lines = append(lines, drawn)
	}
	if len(l.all) == 0 && len(l.notes) == 0 {
		lines = append(lines, line{text: cut("  nothing here yet", at.width), tone: faint})
	}
	hidden := append(append([]item{}, items[:p.top]...), items[min(len(items), p.top+room):]...)
	if text := more(hidden); text != "" {
		lines = append(lines, line{text: cut("  "+text, at.width), tone: faint})
	}
	for _, note := range l.notes {
		lines = append(lines, line{text: cut("  "+note, at.width), tone: stuck})
	}
	lines = append(lines, line{text: cut(p.foot(), at.width), tone: faint})
	return lines[:min(len(lines), at.height)], l.next, nil
}

// settle finds the row of the cursor, and has it shown. A task that left takes the
// cursor to what is in its place.
func (p *Panel) settle(items []item, room int) {
	if p.at != "" {
		row := -1
		for i, it := range items {
			if it.ID == p.at {
				row = i
			}
		}
		switch {
		case row >= 0:
			p.row = row
		case len(items) > 0:
			p.row = min(p.row, len(items)-1)
			p.at = items[p.row].ID
		}
		p.top = min(p.top, p.row)
		p.top = max(p.top, p.row-room+1)
	}
	p.top = max(0, min(p.top, len(items)-room))
}

// foot is the last line: a filter that is typed, something to be said, or the keys.
func (p *Panel) foot() string {
	switch {
	case p.typing:
		return "/" + records.Visible(p.filter) + "_  Enter keeps the filter, Esc ends it"
	case p.note != "":
		return records.Visible(p.note)
	case p.Tree:
		return "↑↓ move  ←→ fold  / filter  Enter edit  t list  q quit"
	}
	return "↑↓ move  / filter  Enter edit  t tree  q quit"
}

// Print writes the panel once, with every task of its view, for what is no terminal.
func (p *Panel) Print(w io.Writer, now time.Time) error {
	l, err := p.look(now)
	if err != nil {
		return err
	}
	text := p.head(l.all) + "\n"
	for _, row := range append(p.rows(l.items, 0, now), tools.Notes(p.book)...) {
		text += row + "\n"
	}
	_, err = fmt.Fprint(w, text)
	return err
}
