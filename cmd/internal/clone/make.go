package clone

import (
	"context"
	"fmt"
	"io"
	"net/url"
	"os"
	"os/exec"
	"strings"
	"time"
)

// Source is what is cloned, and where to.
type Source struct {
	From   string // an address or an absolute path, as git takes them
	To     string // the folder, absolute
	Branch string // "" for the one that is checked out there
}

// tokenVariable is where a token for an address may be; it itself is never written.
const tokenVariable = "GIT_TASKS_TOKEN"

// Make clones a list by git's own clone, and gives the clone. What git says while
// it does so goes to said.
func Make(ctx context.Context, s Source, environ []string, said io.Writer) (*Clone, error) {
	if at, err := url.Parse(s.From); err == nil && at.User != nil && isWeb(at) {
		if _, has := at.User.Password(); has {
			return nil, refused("the address holds a password, which git would write into the clone's settings; leave it out: "+
				"git asks for it, or %s holds a token", tokenVariable)
		}
	}
	if entries, err := os.ReadDir(s.To); err == nil && len(entries) > 0 {
		return nil, refused("%s holds other files; name a folder that is empty or not there", s.To)
	}
	var args []string
	if host := webHost(s.From); host != "" {
		args = append(args, "-c", "credential."+host+".helper="+tokenHelper)
	}
	args = append(args, "clone")
	if s.Branch != "" {
		args = append(args, "--branch", s.Branch)
	}
	cmd := exec.CommandContext(ctx, "git", append(args, "--", s.From, s.To)...)
	cmd.Env, cmd.Stdout, cmd.Stderr = environ, said, said
	cmd.WaitDelay = time.Second
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("git clone %s: %w", s.From, err)
	}
	return Find(ctx, s.To, environ)
}

// FolderOf gives the name of the folder that git clone makes for an address or a
// path, "" where it has none to give.
func FolderOf(from string) string {
	from = strings.TrimRight(from, "/")
	from = strings.TrimRight(strings.TrimSuffix(from, "/.git"), "/")
	from = from[strings.LastIndexAny(from, "/:")+1:]
	return strings.TrimSuffix(from, ".git")
}

func isWeb(at *url.URL) bool { return at.Scheme == "http" || at.Scheme == "https" }

// tokenHelper is how git takes the token from its variable, whenever it needs one.
// Where that is empty git goes on as ever.
const tokenHelper = `!f() { [ "$1" = get ] && [ -n "$` + tokenVariable + `" ] && echo username=token && echo "password=$` + tokenVariable + `"; }; f`

// webHost gives the host of an address of HTTP, as git's settings name it, "" for
// any other.
func webHost(address string) string {
	at, err := url.Parse(address)
	if err != nil || !isWeb(at) {
		return ""
	}
	return at.Scheme + "://" + at.Host
}
