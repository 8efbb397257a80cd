package repo

import "bytes"

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
