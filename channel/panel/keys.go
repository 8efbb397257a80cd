package panel

import (
	"slices"
	"time"
	"unicode/utf8"
)

// act is what a key asks of whoever has the panel.
type act uint8

const (
	nothing act = iota
	quit
	open // the record that the cursor is on
)

// press takes a key, by its name, and the text that it types, "" for none.
func (p *Panel) press(key, text string, at size, now time.Time) act {
	p.note = ""
	if p.typing {
		p.typed(key, text)
		return nothing
	}
	switch key {
	case "q", "ctrl+c":
		return quit
	case "t", "tab":
		p.Tree, p.top = !p.Tree, 0
	case "/":
		p.typing = true
	case "esc":
		p.at, p.filter, p.top = "", "", 0
	case "enter", "e":
		l, err := p.look(now)
		if err == nil && slices.ContainsFunc(l.items, func(it item) bool { return it.ID == p.at }) {
			return open
		}
	default:
		p.walk(key, at, now)
	}
	return nothing
}

// typed takes a key that belongs to the filter.
func (p *Panel) typed(key, text string) {
	switch key {
	case "enter":
		p.typing = false
	case "esc", "ctrl+c":
		p.typing, p.filter = false, ""
	case "backspace":
		_, last := utf8.DecodeLastRuneInString(p.filter)
		p.filter = p.filter[:len(p.filter)-last]
	default:
		p.filter += text
	}
	p.top = 0
}

// walk moves the cursor, or folds what it is on.
func (p *Panel) walk(key string, at size, now time.Time) {
	l, err := p.look(now)
	if err != nil || len(l.items) == 0 {
		return // the next drawing says why
	}
	items := l.items
	room := p.room(l, at.height)
	p.settle(items, room)
	row, page := p.row, max(1, room-1)
	if p.at == "" {
		row, page = -1, page+1 // the first key comes from above
	}
	switch key {
	case "down", "j":
		row++
	case "up", "k":
		row--
	case "pgdown":
		row += page
	case "pgup":
		row -= page
	case "home", "g":
		row = 0
	case "end", "G":
		row = len(items) - 1
	case "left", "h", "right", "l", "space":
		if p.at != "" && p.Tree {
			p.fold(key, items)
		}
		return
	default:
		return
	}
	p.row = max(0, min(row, len(items)-1))
	p.at = items[p.row].ID
}

// fold folds or unfolds the task of the cursor; left on what has nothing to fold goes
// to what it stands under.
func (p *Panel) fold(key string, items []item) {
	it := items[p.row]
	p.folds++
	switch isFolded := p.folded[it.ID]; {
	case key == "space" && it.children:
		p.folded[it.ID] = !isFolded
	case key == "right" || key == "l":
		delete(p.folded, it.ID)
	case key == "space":
	case it.children && !isFolded:
		p.folded[it.ID] = true
	default:
		for i := p.row - 1; i >= 0; i-- {
			if items[i].Depth < it.Depth {
				p.row, p.at = i, items[i].ID
				return
			}
		}
	}
}
