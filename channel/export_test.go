package channel

// SetLimit sets how many moves a reader of the hub may be behind.
func (h *Hub) SetLimit(n int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.limit = n
}
