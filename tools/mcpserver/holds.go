package mcpserver

import (
	"net/http"
	"strconv"
	"sync"
	"sync/atomic"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// headerHold is where a request keeps the number of its hold. The SDK hands headers
// on to whoever makes the answer, and nothing else that is the request's own.
const headerHold = "Git-Tasks-Hold"

// holds are those of the requests that are under way, by their numbers.
type holds struct {
	last atomic.Uint64
	open sync.Map
}

// keep notes the hold of a request with these headers, until forget is called.
func (h *holds) keep(one *hold, header http.Header) (forget func()) {
	number := strconv.FormatUint(h.last.Add(1), 10)
	header.Set(headerHold, number)
	h.open.Store(number, one)
	return func() { h.open.Delete(number) }
}

// of gives the hold of the request that a call came with, nil for none.
func (h *holds) of(extra *mcp.RequestExtra) *hold {
	if extra == nil {
		return nil
	}
	if one, ok := h.open.Load(extra.Header.Get(headerHold)); ok {
		return one.(*hold)
	}
	return nil
}
