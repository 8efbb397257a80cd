package repo

import "sync"

// maxMemory bounds the bytes of objects that are kept in memory.
const maxMemory = 16 << 20

// memory keeps objects: what the last batches made, and the trees read last.
// Those asked for stay: they are kept in two generations, and when the young one
// is full, the old one goes, with all in it that nobody asked for meanwhile. Its
// trees are well-formed. The zero value is empty; it is safe for concurrent use.
type memory struct {
	mu         sync.Mutex
	young, old map[ID]object
	bytes      int // in young
}

func (m *memory) get(id ID) (object, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if obj, ok := m.young[id]; ok {
		return obj, true
	}
	obj, ok := m.old[id]
	if ok {
		m.keep(id, obj)
	}
	return obj, ok
}

func (m *memory) put(id ID, obj object) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if _, ok := m.young[id]; !ok {
		m.keep(id, obj)
	}
}

// keep puts an object into the young generation. With the lock held.
func (m *memory) keep(id ID, obj object) {
	if m.young == nil || m.bytes+len(obj.data) > maxMemory/2 {
		m.young, m.old, m.bytes = map[ID]object{}, m.young, 0
	}
	m.young[id] = obj
	m.bytes += len(obj.data) + len(id)
}
