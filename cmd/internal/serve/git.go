package serve

import (
	"context"
	"crypto/rand"
	"net/http"
	"strings"
	"sync"

	"github.com/git-tasks/git-tasks/repo/smarthttp"
	"github.com/git-tasks/git-tasks/tools"
)

// PushSecret is the variable in which the hooks of a push by HTTP find what they
// tell the host to be told whose it is.
const PushSecret = "GIT_TASKS_PUSH"

// agent begins what a host's git says of itself. Clones know by it that what is
// pushed to refs/for is landed there.
const agent = "git-tasks/"

// pushers are the people behind the pushes that are under way, by the secret of
// each. It is of this one push, and nobody who pushes another way knows one.
type pushers struct {
	mu sync.Mutex
	by map[string]string
}

func (p *pushers) find(secret string) (person string, ok bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	person, ok = p.by[secret]
	return person, ok
}

func (p *pushers) add(person string) (secret string) {
	secret = rand.Text()
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.by == nil {
		p.by = map[string]string{}
	}
	p.by[secret] = person
	return secret
}

func (p *pushers) forget(secret string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.by, secret)
}

// secretOf is where a request keeps the secret of its push.
type secretOf struct{}

// gitDoor serves clones, fetches and pushes of the list. Pushes go through the
// host's own hooks, and nothing is written to the repository's settings or hooks.
func (h *host) gitDoor() http.Handler {
	ref := h.Store.Ref()
	settings := []string{"core.hooksPath=" + h.Hooks, "receive.procReceiveRefs=" + ref, "receive.procReceiveRefs=refs/for",
		"uploadpack.hideRefs=refs", "uploadpack.hideRefs=!" + ref}
	if ref != "refs/heads/main" { // HEAD is then the code that the list lies beside
		settings = append(settings, "uploadpack.hideRefs=HEAD")
	}
	git := smarthttp.New(smarthttp.Config{Dir: h.Store.Dir(), Log: h.Store.Log(), Authorize: h.authorize, Settings: settings,
		Environ: h.Environ, Agent: agent + tools.Version()})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		reason, release := h.limits.enterGit(r)
		if reason != "" {
			tooMany(w, reason)
			return
		}
		defer release()
		secret := new(string)
		defer func() { h.pushers.forget(*secret) }()
		git.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), secretOf{}, secret)))
	})
}

// authorize settles who asks: without a user directory nobody is asked, and the
// people of a push are the authors of its commits; with one it is the user whose
// token comes as Bearer, or as the password of Basic.
func (h *host) authorize(r *http.Request, push bool) (env []string, err error) {
	st := h.Store.Settings()
	if len(st.Users) == 0 {
		return nil, nil
	}
	person, ok := gitPerson(st, r)
	if !ok {
		return nil, refusedGit(&tools.Error{Code: tools.Unauthenticated,
			Message: "this list has users: name yourself, and give your token as the password"})
	}
	grant := "session:read"
	if push {
		grant = "session:write"
	}
	caller, err := h.Store.Caller(tools.Who{Person: person})
	if err != nil {
		return nil, refusedGit(err)
	}
	if err := caller.May(grant); err != nil {
		return nil, refusedGit(err)
	}
	if secret, ok := r.Context().Value(secretOf{}).(*string); ok && push {
		*secret = h.pushers.add(person)
		env = append(env, PushSecret+"="+*secret)
	}
	return env, nil
}

// refusedGit is an error as git is answered with it. What failed here is nothing
// that whoever asks is told: the log has it.
func refusedGit(err error) error {
	e := tools.AsError(err)
	if e.Code == tools.Internal {
		return err
	}
	return &smarthttp.Error{Status: e.Code.Status(), Text: e.Message}
}

// gitPerson gives the user that a request of git's comes from. The name that comes
// with a token as password must be its user's.
func gitPerson(st *tools.Settings, r *http.Request) (person string, ok bool) {
	if token := tools.Bearer(r); token != "" {
		return st.Person(token)
	}
	name, token, ok := r.BasicAuth()
	if !ok {
		return "", false
	}
	person, ok = st.Person(strings.TrimSpace(token))
	return person, ok && name == person
}
