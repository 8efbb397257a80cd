package ahp

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
)

// text is a message in its frame. A server does not mask what it sends, so one is
// made for all who get it, and never changed.
type text struct {
	frame []byte
	head  int // bytes of the header
}

// headRoom is as long as the longest header.
const headRoom = 10

// begin makes a text of so many bytes, or more, which are to be appended.
func begin(size int) []byte { return make([]byte, headRoom, headRoom+size) }

// finish puts the header before what was appended.
func finish(b []byte) text {
	var head [headRoom]byte
	h := append(head[:0], frameText)
	switch n := len(b) - headRoom; {
	case n < 126:
		h = append(h, byte(n))
	case n < 1<<16:
		h = binary.BigEndian.AppendUint16(append(h, 126), uint16(n))
	default:
		h = binary.BigEndian.AppendUint64(append(h, 127), uint64(n))
	}
	frame := b[headRoom-len(h):]
	copy(frame, h)
	return text{frame, len(h)}
}

// encode makes a text of a value.
func encode(value any) (text, error) {
	b := bytes.NewBuffer(begin(0))
	if err := json.NewEncoder(b).Encode(value); err != nil {
		return text{}, err
	}
	return finish(bytes.TrimSuffix(b.Bytes(), []byte("\n"))), nil
}

// Message is the text alone.
func (t text) Message() []byte { return t.frame[t.head:] }
