package records

import (
	"sync"
	"unicode/utf8"
)

const (
	// textStep is how many bytes of a text begin in one of its blocks, textReach how
	// many of what follows belong to it as well: what is looked for and is no longer
	// than one more than that lies in the block that it begins in.
	textStep, textReach = 64, 31
	// gram is how many letters in a row are looked at together, textRows how many
	// kinds of them are told apart, textLeast how long a word must be for that to rule
	// much out.
	gram, textRows, textLeast = 5, 256, 8
)

// textIndex is what the titles and bodies of a chunk hold, block by block: which
// kinds of letters in a row. A word can only be where all of its own are. It is a
// guess that leaves few blocks to look at, and takes half the room of the texts.
type textIndex struct {
	texts [chunkSize][2]string // title and body
	slot  []uint8              // of each block; a record's stand side by side, the title's first
	first [chunkSize]int32     // the first block of each slot
	width int                  // words of a row
	rows  []uint64             // textRows of them: a bit for each block
}

// textLook is the text index of a chunk. It is made when it is asked for a second
// time: in a chunk that was just changed, a look at each text costs less.
type textLook struct {
	mu    sync.Mutex
	asked bool
	index *textIndex
}

// texts gives the chunk's index, nil where each text is to be looked at.
func (c *chunk) texts() *textIndex {
	t := &c.look
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.asked && t.index == nil {
		t.index = c.indexTexts()
	}
	t.asked = true
	return t.index
}

func (c *chunk) indexTexts() *textIndex {
	x := &textIndex{}
	for i := range c.slots {
		x.first[i] = int32(len(x.slot))
		if t := c.taskAt(i); t != nil {
			x.texts[i] = [2]string{t.Title, t.Body}
			for range blocksOf(t.Title) + blocksOf(t.Body) {
				x.slot = append(x.slot, uint8(i))
			}
		}
	}
	x.width = (len(x.slot) + 63) / 64
	x.rows = make([]uint64, textRows*x.width)
	for i, texts := range x.texts {
		block := int(x.first[i])
		x.add(texts[0], block)
		x.add(texts[1], block+blocksOf(texts[0]))
	}
	return x
}

// taskAt gives the task that holds a place, nil for none.
func (c *chunk) taskAt(i int) *Task {
	if l := c.slots[i]; l.record() != nil {
		return l.task
	}
	return nil
}

func blocksOf(text string) int { return (len(text) + textStep - 1) / textStep }

// add notes what is in the blocks of a text, from the one of a number on.
func (x *textIndex) add(text string, block int) {
	for i := 0; i+gram <= len(text); i++ {
		row := rowOf(text[i:])*x.width + (block+i/textStep)/64
		x.rows[row] |= 1 << ((block + i/textStep) % 64)
		if i >= textStep && i%textStep <= textReach-gram { // the block before reaches here
			before := block + i/textStep - 1
			x.rows[rowOf(text[i:])*x.width+before/64] |= 1 << (before % 64)
		}
	}
}

// rowOf gives the kind of the letters that a text begins with, whatever their case.
func rowOf(text string) int {
	n := uint32(0)
	for i := range gram {
		n = n*0x9e3779b1 + uint32(small(text[i]))
	}
	return int(n * 0x9e3779b1 >> 24)
}

func small(c byte) byte {
	if c >= 'A' && c <= 'Z' {
		c += 'a' - 'A'
	}
	return c
}

// holding gives those of a chunk's places whose title or body holds a word, which
// is in small letters.
func (c *chunk) holding(word string, found slots) (is slots) {
	if x := c.texts(); x != nil && indexed(word) {
		x.search(word, found, &is)
		return is
	}
	for i := range found.each {
		if t := c.taskAt(i); holds(t.Title, word) || holds(t.Body, word) {
			is.add(i)
		}
	}
	return is
}

// indexed reports whether an index says something of a word: other letters than
// those of ASCII have cases that a look at bytes does not tell.
func indexed(word string) bool {
	for i := range len(word) {
		if word[i] >= utf8.RuneSelf {
			return false
		}
	}
	return len(word) >= textLeast
}

// search looks at the blocks that have all that a word has.
func (x *textIndex) search(word string, found slots, is *slots) {
	var buffer [64]uint64 // of most chunks
	left := append(buffer[:0], x.row(word)...)
	start := word[:min(len(word), textReach+1)]
	for i := 1; i+gram <= len(start); i++ {
		some := uint64(0)
		for w, blocks := range x.row(start[i:])[:len(left)] {
			left[w] &= blocks
			some |= left[w]
		}
		if some == 0 {
			return
		}
	}
	s := skipsOf(word)
	for w, blocks := range left {
		for block := range (slots{blocks}).each {
			block += 64 * w
			if i := int(x.slot[block]); found.has(i) && !is.has(i) && s.find(word, x.text(i, block, len(word))) {
				is.add(i)
			}
		}
	}
}

// row gives the blocks that hold the letters that a text begins with, or others of
// their kind.
func (x *textIndex) row(text string) []uint64 {
	return x.rows[rowOf(text)*x.width:][:x.width]
}

// text gives as much of a record's title or body as a word of a length may take
// that begins in a block.
func (x *textIndex) text(i, block, length int) string {
	text, n := x.texts[i][0], block-int(x.first[i])
	if titles := blocksOf(text); n >= titles {
		text, n = x.texts[i][1], n-titles
	}
	return text[n*textStep : min(len(text), (n+1)*textStep+length-1)]
}

// skips says of each letter how far behind it a word may end next (Horspool). Most of
// the blocks that are looked at hold all of a word, but not in its order.
type skips struct {
	far  [256]uint8 // 0 for the last letter of the word
	last uint8      // for that one
}

// skipsOf makes those of a word in small letters of ASCII.
func skipsOf(word string) (s skips) {
	last := len(word) - 1
	farthest := uint8(min(len(word), 255))
	s.last = farthest
	for c := range s.far {
		s.far[c] = farthest
	}
	for i := range last {
		c, far := word[i], uint8(min(last-i, 255))
		s.far[c], s.far[large(c)] = far, far
		if c == word[last] {
			s.last = far
		}
	}
	s.far[word[last]], s.far[large(word[last])] = 0, 0
	return s
}

func large(c byte) byte {
	if c >= 'a' && c <= 'z' {
		c -= 'a' - 'A'
	}
	return c
}

// find reports whether a text holds the word, whatever the case of its letters.
func (s *skips) find(word, text string) bool {
	for end := len(word); end <= len(text); {
		far := s.far[text[end-1]]
		if far == 0 {
			if sameLetters(text[end-len(word):end], word) {
				return true
			}
			far = s.last
		}
		end += int(far)
	}
	return false
}
