package clone

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

// pushing is how a plain git push goes while a branch is checked out, and where to.
type pushing struct{ branch, address, text string }

// pushSettings has a plain git push go to refs/for/BRANCH, which the list merges
// into the branch where the clone is stale. A list in a folder that does not take
// such pushes, and what is behind an address and no host of git-tasks, would keep
// them in a ref that nobody looks at: there git pushes as it always does.
//
// A push that came through counts as fetched, since the list has it from then on:
// git status says so, and what the list added to it comes with the next pull. Pull
// puts what was not pushed yet on top of what the list has, unless the person told
// git how to.
func (c *Clone) pushSettings(ctx context.Context, done *Installed) (pushing, error) {
	remote, branch := c.upstream(ctx)
	if remote == "" {
		done.Said = append(done.Said, "the clone has no remote, so git push stays as it is")
		return pushing{}, nil
	}
	p := pushing{branch: branch, address: c.ask(ctx, "config", "--get", "remote."+remote+".url")}
	if !c.isSet(ctx, "pull.rebase") {
		p.text = "[pull]\n\trebase = true\n"
	}
	folder, isFolder := c.folderOf(p.address)
	switch {
	case isFolder && !c.landsIn(ctx, folder, branch):
		done.Said = append(done.Said, fmt.Sprintf("%s takes no pushes to refs/for/%s, so git push stays as it is; "+
			"git tasks init there, then this again, and a stale clone is merged as well", folder, branch))
		return p, nil
	case !isFolder && !c.landsAt(ctx, remote, p.address):
		done.Said = append(done.Said, fmt.Sprintf("the remote %s does not say that it lands pushes to refs/for/%s, so git push stays as it is; "+
			"where it does (a list of git-tasks by ssh), git config remote.%s.push HEAD:refs/for/%s has a stale clone merged as well", remote, branch, remote, branch))
		return p, nil
	}
	p.text += fmt.Sprintf("[remote %s]\n\tpush = %s\n\tfetch = %s\n", quotedSetting(remote),
		quotedSetting("HEAD:refs/for/"+branch), quotedSetting("+refs/for/*:refs/remotes/"+remote+"/*"))
	return p, nil
}

// upstream gives the remote and the branch on it that what is checked out follows,
// remote "" where there is none.
func (c *Clone) upstream(ctx context.Context) (remote, branch string) {
	here := c.ask(ctx, "symbolic-ref", "-q", "--short", "HEAD")
	remote = c.ask(ctx, "config", "--get", "branch."+here+".remote")
	branch = strings.TrimPrefix(c.ask(ctx, "config", "--get", "branch."+here+".merge"), "refs/heads/")
	if remote != "" && remote != "." && branch != "" {
		return remote, branch
	}
	if c.ask(ctx, "config", "--get", "remote.origin.url") == "" {
		return "", ""
	}
	return "origin", strings.TrimPrefix(c.ask(ctx, "symbolic-ref", "-q", "--short", "refs/remotes/origin/HEAD"), "origin/")
}

// ask gives one line of git's, "" where it has none to give.
func (c *Clone) ask(ctx context.Context, args ...string) string {
	out, err := c.git(ctx, args...)
	if err != nil {
		return ""
	}
	return strings.TrimSuffix(string(out), "\n")
}

// isSet reports whether a setting is made outside of what Install made.
func (c *Clone) isSet(ctx context.Context, key string) bool {
	for _, line := range strings.Split(c.ask(ctx, "config", "--show-origin", "--get-all", key), "\n") {
		if line != "" && !strings.Contains(line, pushFile+"\t") {
			return true
		}
	}
	return false
}

// folderOf gives the folder that a remote is in, if it is in one.
func (c *Clone) folderOf(address string) (folder string, ok bool) {
	folder = strings.TrimPrefix(address, "file://")
	if !filepath.IsAbs(folder) {
		folder = filepath.Join(c.top, folder)
	}
	_, err := os.Stat(folder)
	return folder, err == nil
}

// landsIn reports whether a list in a folder says in its settings that it lands
// what is pushed to refs/for/BRANCH.
func (c *Clone) landsIn(ctx context.Context, folder, branch string) bool {
	for _, prefix := range strings.Split(c.ask(ctx, "--git-dir="+gitFolder(folder), "config", "--get-all", "receive.procReceiveRefs"), "\n") {
		_, plain, ok := strings.Cut(prefix, ":") // git lets kinds of updates stand before it
		if !ok {
			plain = prefix
		}
		if plain = strings.TrimSuffix(plain, "/"); plain != "" && strings.HasPrefix("refs/for/"+branch+"/", plain+"/") {
			return true
		}
	}
	return false
}

// agentMark is what a host's git begins its name with; git shows what the other
// side says of itself in a trace alone.
var agentMark = regexp.MustCompile(`(?m)< .*\bagent=git-tasks/`)

// landsAt reports whether a remote behind an address is a host of git-tasks. Any
// other would keep the push in a ref that nobody looks at. One that cannot be asked
// now is what it was when it was asked before.
func (c *Clone) landsAt(ctx context.Context, remote, address string) bool {
	args := []string{"ls-remote", "--quiet", remote, "HEAD"}
	if host := webHost(address); host != "" {
		args = append([]string{"-c", "credential." + host + ".helper=" + tokenHelper}, args...)
	}
	cmd := exec.CommandContext(ctx, "git", args...)
	var said bytes.Buffer
	cmd.Dir, cmd.Env, cmd.Stderr = c.top, append(slices.Clip(c.environ), "GIT_TRACE_PACKET=1"), &said
	cmd.WaitDelay = time.Second
	if cmd.Run() == nil {
		return agentMark.Match(said.Bytes())
	}
	before, err := os.ReadFile(filepath.Join(c.common, pushFile))
	return err == nil && bytes.Contains(before, []byte("HEAD:refs/for/"))
}

// gitFolder is the git directory of a repository at a path.
func gitFolder(path string) string {
	if info, err := os.Stat(filepath.Join(path, ".git")); err == nil && info.IsDir() {
		return filepath.Join(path, ".git")
	}
	return path
}
