package serve

import (
	"context"
	"net/http"
	"path/filepath"
	"sync"

	"github.com/git-tasks/git-tasks/channel"
	"github.com/git-tasks/git-tasks/channel/ahp"
	"github.com/git-tasks/git-tasks/repo/watch"
	"github.com/git-tasks/git-tasks/tools"
)

// channels speaks the Agent Host Protocol. It follows the list from the first
// client on: until there is one, no commit is made into actions.
type channels struct {
	ctx   context.Context
	store *tools.Store
	calls func(person, from string) (reason string)

	mu     sync.Mutex
	server *ahp.Server // nil until the first client
	end    context.CancelFunc
}

// ServeHTTP takes the connection of a client over.
func (c *channels) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	server, err := c.open()
	if err != nil {
		c.store.Log().Error("plans cannot be followed", "door", "ahp", "error", err)
		http.Error(w, "Plans cannot be followed; the host's log says why.", tools.Unreachable.Status())
		return
	}
	server.ServeHTTP(w, r)
}

// open gives the server, and tries again where it could not be had before.
func (c *channels) open() (*ahp.Server, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.server != nil {
		return c.server, nil
	}
	ctx, end := context.WithCancel(c.ctx)
	server, err := c.follow(ctx)
	if err != nil {
		end()
		return nil, err
	}
	c.server, c.end = server, end
	return server, nil
}

func (c *channels) follow(ctx context.Context) (*ahp.Server, error) {
	moved, err := c.store.Moved(ctx)
	if err != nil {
		return nil, err
	}
	hub, err := channel.NewHub(c.store, moved)
	if err != nil {
		return nil, err
	}
	reports, err := watch.Folder(ctx, filepath.Join(c.store.Side(), "sessions"))
	if err != nil {
		return nil, err
	}
	server, err := ahp.New(ctx, ahp.Config{Store: c.store, Hub: hub, Calls: c.calls})
	if err != nil {
		return nil, err
	}
	go c.reread(server, reports)
	return server, nil
}

// reread has what hooks report of sessions, beside the list, told to those who follow
// them.
func (c *channels) reread(server *ahp.Server, reports <-chan struct{}) {
	for range reports {
		if err := server.Reread(); err != nil {
			c.store.Log().Warn("what hooks report of sessions cannot be read", "door", "ahp", "error", err)
		}
	}
}

// now gives the server, nil where nobody ever came.
func (c *channels) now() *ahp.Server {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.server
}

// judge ends the connections of those whose standing is another one now.
func (c *channels) judge() {
	if server := c.now(); server != nil {
		server.Judge()
	}
}

// stop ends all connections, and returns when they are gone or ctx has ended.
func (c *channels) stop(ctx context.Context) {
	server := c.now()
	if server == nil {
		return
	}
	c.end()
	gone := make(chan struct{})
	go func() {
		server.Wait()
		close(gone)
	}()
	select {
	case <-gone:
	case <-ctx.Done():
	}
}
