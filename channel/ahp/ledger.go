package ahp

import (
	"encoding/json"
	"strconv"
)

// What is held of the actions that were sent, for those who come back.
const (
	maxHeld      = 10_000
	maxHeldBytes = 16 << 20
)

// ledger numbers the actions of all channels and holds the last of them. It is
// guarded by the hub's lock, as all is that belongs to a number.
type ledger struct {
	seq   uint64 // of the last action
	held  []entry
	bytes int
}

// entry is an action that was sent.
type entry struct {
	channel string
	params  json.RawMessage // its envelope
}

const beforeParams, afterParams = `{"jsonrpc":"2.0","method":"action","params":`, `}`

// add numbers an action and gives the text that all who follow its channel get.
func (l *ledger) add(channel string, action []byte) text {
	l.seq++
	name, _ := json.Marshal(channel) // a string always can be
	frame := begin(len(beforeParams) + len(name) + len(action) + 64)
	frame = append(frame, beforeParams...)
	frame = append(frame, `{"channel":`...)
	frame = append(frame, name...)
	frame = append(frame, `,"action":`...)
	frame = append(frame, action...)
	frame = append(frame, `,"serverSeq":`...)
	frame = strconv.AppendUint(frame, l.seq, 10)
	frame = append(frame, '}')
	params := frame[headRoom+len(beforeParams) : len(frame) : len(frame)]
	frame = append(frame, afterParams...)
	l.held = append(l.held, entry{channel, params})
	l.bytes += len(params)
	for len(l.held) > maxHeld || l.bytes > maxHeldBytes {
		l.bytes -= len(l.held[0].params)
		l.held[0] = entry{}
		l.held = l.held[1:]
	}
	return finish(frame)
}

// forget lets go of all that is held: nobody can go on from it.
func (l *ledger) forget() {
	l.seq++ // so that whoever is at the number before is behind
	l.held, l.bytes = nil, 0
}

// since gives the actions behind a number; ok is false where they are not all
// held, or the number is yet to come.
func (l *ledger) since(seq uint64) (missed []entry, ok bool) {
	behind := l.seq - seq // wraps around where it is yet to come
	if seq > l.seq || behind > uint64(len(l.held)) {
		return nil, false
	}
	return l.held[len(l.held)-int(behind):], true
}
