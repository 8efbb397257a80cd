package repo

import "bytes"

const (
	// maxInsert is what one piece of a delta may hold that stands there itself,
	// maxCopy what one may copy; git could copy more.
	maxInsert, maxCopy = 0x7f, 0xffff
)

// appendDelta adds what makes next of base, where all that differs lies in one
// place, as when a folder got or lost or changed an entry.
func appendDelta(out, base, next []byte) []byte {
	head := common(base, next, false)
	tail := common(base[head:], next[head:], true)
	out = appendVarint(appendVarint(out, len(base)), len(next))
	out = appendCopy(out, 0, head)
	for middle := next[head : len(next)-tail]; len(middle) > 0; {
		n := min(len(middle), maxInsert)
		out = append(append(out, byte(n)), middle[:n]...)
		middle = middle[n:]
	}
	return appendCopy(out, len(base)-tail, tail)
}

// common gives how many bytes two texts have in common where they begin, or end.
func common(a, b []byte, end bool) (n int) {
	const stride = 64
	most := min(len(a), len(b))
	part := func(s []byte, size int) []byte {
		if end {
			return s[len(s)-n-size : len(s)-n]
		}
		return s[n : n+size]
	}
	for size := stride; size > 0; {
		if n+size <= most && bytes.Equal(part(a, size), part(b, size)) {
			n += size
		} else {
			size /= 2
		}
	}
	return n
}

// appendCopy adds the pieces that copy n bytes of the base from at on: which bytes
// of the place and the length are not zero, then those, the lowest first.
func appendCopy(out []byte, at, n int) []byte {
	for n > 0 {
		size := min(n, maxCopy)
		op := len(out)
		out = append(out, 0x80)
		for i, c := range []byte{byte(at), byte(at >> 8), byte(at >> 16), byte(at >> 24), byte(size), byte(size >> 8)} {
			if c != 0 {
				out[op] |= 1 << i
				out = append(out, c)
			}
		}
		at, n = at+size, n-size
	}
	return out
}

// appendVarint adds a length as varint reads it.
func appendVarint(out []byte, n int) []byte {
	for ; n >= 0x80; n >>= 7 {
		out = append(out, byte(n)|0x80)
	}
	return append(out, byte(n))
}

// varint reads a length: seven bits a byte, the lowest first; negative where it
// does not end.
func varint(data []byte) (n int, rest []byte) {
	for i, c := range data[:min(len(data), 8)] {
		n |= int(c&0x7f) << (7 * i)
		if c&0x80 == 0 {
			return n, data[i+1:]
		}
	}
	return -1, nil
}

// applyDelta makes an object of its base: a delta is the two lengths, then
// pieces that are copied out of the base or stand there themselves.
func applyDelta(base, delta []byte) ([]byte, error) {
	from, delta := varint(delta)
	size, delta := varint(delta)
	if from != len(base) || size < 0 || size > maxObject {
		return nil, errNotHere
	}
	out := bytes.NewBuffer(make([]byte, 0, size))
	for len(delta) > 0 {
		op := delta[0]
		delta = delta[1:]
		if op&0x80 == 0 {
			n := int(op)
			if n == 0 || n > len(delta) {
				return nil, errNotHere
			}
			out.Write(delta[:n])
			delta = delta[n:]
			continue
		}
		var at, n int
		for i := range 7 {
			if op>>i&1 == 0 {
				continue
			}
			if len(delta) == 0 {
				return nil, errNotHere
			}
			if i < 4 {
				at |= int(delta[0]) << (8 * i)
			} else {
				n |= int(delta[0]) << (8 * (i - 4))
			}
			delta = delta[1:]
		}
		if n == 0 {
			n = 0x10000
		}
		if at+n > len(base) || out.Len()+n > size {
			return nil, errNotHere
		}
		out.Write(base[at : at+n])
	}
	if out.Len() != size {
		return nil, errNotHere
	}
	return out.Bytes(), nil
}
