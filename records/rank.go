package records

import (
	"cmp"
	"strings"
)

// digits of a rank, in the order of their bytes.
const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

const (
	base = len(digits)
	// firstLength is the place of V, the letter of an id of one digit.
	firstLength = 31
	// middle is what ends every implicit rank, with as much room before it as
	// behind it.
	middle = "V"
)

// ranked is where a task stands among its siblings. Two of them compare as the
// ranks that they stand for do, by number alone in nearly every case.
type ranked struct {
	// above is the highest number whose implicit rank is not behind this one.
	above int
	// key is the rank, "" for the implicit one of above.
	key string
	// id is the number of the task, which decides between equal ranks.
	id int
}

func (a ranked) compare(b ranked) int {
	if a.above != b.above {
		return cmp.Compare(a.above, b.above)
	}
	return cmp.Or(strings.Compare(a.key, b.key), cmp.Compare(a.id, b.id))
}

// rank gives the rank itself.
func (a ranked) rank() string {
	if a.key == "" {
		return implicitRank(a.above)
	}
	return a.key
}

// placeOf gives where a task of a number and a rank stands. A rank that is none
// counts as absent.
func placeOf(id int, rank string) ranked {
	if !validRank(rank) {
		return ranked{above: id, id: id}
	}
	above := implicitBelow(rank)
	if above > 0 && implicitRank(above) == rank {
		rank = ""
	}
	return ranked{above, rank, id}
}

// implicitBelow gives the highest number whose implicit rank is not behind a rank,
// 0 for none.
func implicitBelow(rank string) int {
	length := digitAt(rank, 0) - firstLength + 1
	switch {
	case length < 1:
		return 0
	case length > len(implicitRank(maxNumber))-2:
		return maxNumber
	}
	number, least := 0, 1
	for at := 1; at <= length; at++ {
		if number = number*base + digitAt(rank, at); number > maxNumber {
			return maxNumber
		}
		if at > 1 {
			least *= base
		}
	}
	if number < least || implicitRank(number) > rank {
		return max(number, least) - 1
	}
	return number
}

// validRank reports whether a text is a rank: digits of the alphabet, the last of
// them not 0, since nothing would go before it.
func validRank(rank string) bool {
	return rank != "" && rank[len(rank)-1] != digits[0] && strings.Trim(rank, digits) == ""
}

// implicitRank is the rank of a task that has none of its own: a letter for how
// many digits its number has in base 62, those digits, and V. So new tasks go
// behind all others, wherever they are made, and nothing is written for it.
func implicitRank(number int) string {
	var text [8]byte
	at := len(text) - 1
	text[at] = middle[0]
	for ; number > 0; number /= base {
		at--
		text[at] = digits[number%base]
	}
	length := len(text) - 1 - at
	at--
	text[at] = digits[firstLength+length-1]
	return string(text[at:])
}

// rankBetween gives a rank between two others, low before high, "" for an end
// that is open. It is the middle of the two, rounded up, or a step from the one
// that there is: a rank gets a digit longer with the sixty-first step, or with the
// fifth time in a row that the gap behind the last one is cut.
func rankBetween(low, high string) string {
	switch {
	case low == "" && high == "":
		return middle
	case high == "":
		return stepUp(low)
	case low == "":
		return stepDown(high)
	}
	return rankMiddle(low, high)
}

func stepUp(rank string) string {
	last := len(rank) - 1
	if rank[last] == digits[base-1] {
		return rank + digits[1:2]
	}
	return rank[:last] + next(rank[last], 1)
}

func stepDown(rank string) string {
	last := len(rank) - 1
	if rank[last] == digits[1] {
		return rank[:last] + digits[:1] + digits[base-1:]
	}
	return rank[:last] + next(rank[last], -1)
}

// next gives the digit some places on.
func next(digit byte, by int) string {
	at := strings.IndexByte(digits, digit) + by
	return digits[at : at+1]
}

// rankMiddle takes the two for fractions; a high of "" is one.
func rankMiddle(low, high string) string {
	same := 0
	for same < len(high) && digitAt(low, same) == digitAt(high, same) {
		same++
	}
	head := high[:same]
	low, high = low[min(same, len(low)):], high[same:]
	from, to := digitAt(low, 0), base
	if high != "" {
		to = digitAt(high, 0)
	}
	switch {
	case to-from > 1:
		return head + digits[(from+to+1)/2:][:1]
	case len(high) > 1:
		return head + high[:1]
	}
	return head + digits[from:from+1] + rankMiddle(low[min(1, len(low)):], "")
}

// digitAt gives the place of a digit in the alphabet; behind the end all are 0.
func digitAt(rank string, at int) int {
	if at >= len(rank) {
		return 0
	}
	return strings.IndexByte(digits, rank[at])
}
