package records

// Next gives the number the next record of a kind gets.
func (b *Book) Next(k Kind) (int, error) { return b.next(k) }

// Source gives the text of a record's file and where it lies.
func (b *Book) Source(id string) ([]byte, string, error) { return b.source(id) }

// RankOf gives the rank that a task sorts by.
func RankOf(t *Task) string {
	_, n, _ := ParseID(t.ID)
	return placeOf(n, t.Rank).rank()
}
