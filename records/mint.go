package records

// mint is the number a new record gets. A file that stands where the record
// would go, in a tree that no follow-up has seen yet, makes it look at every
// name there is.
func (b *Book) mint(k Kind) (int, error) {
	n, err := b.Next(k)
	if err != nil {
		return 0, err
	}
	l, err := b.at(PathOf(FormatID(k, n)))
	if err != nil || l == nil {
		return n, err
	}
	names, err := b.listed(k)
	if err != nil {
		return 0, err
	}
	b.mu.Lock()
	b.tops[k-TaskKind] = max(b.tops[k-TaskKind], names.highest+1)
	b.mu.Unlock()
	return b.Next(k)
}
