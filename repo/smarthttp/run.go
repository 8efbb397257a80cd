package smarthttp

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/git-tasks/git-tasks/repo"
)

// settings are given to git whatever the repository says. The first ones let
// nothing run that a repository names; the last ones are what a host wants of a
// push: checked, synced, and no work behind its back.
var settings = []string{
	"core.hooksPath=/dev/null", "core.fsmonitor=false", "core.alternateRefsCommand=true",
	"gpg.program=false", "gpg.ssh.program=false", "gpg.x509.program=false",
	"uploadpack.allowFilter=true", "uploadpack.allowAnySHA1InWant=false",
	"receive.fsckObjects=true", "receive.unpackLimit=1", "receive.advertisePushOptions=true",
	"receive.autogc=false", "gc.auto=0", "maintenance.auto=false", "core.fsync=all",
}

// speaksVersion2 reports whether a variable tells git of its protocol's second
// version, which names no service in front of the refs.
func speaksVersion2(env string) bool {
	said, ok := strings.CutPrefix(env, "GIT_PROTOCOL=")
	return ok && slices.Contains(strings.Split(said, ":"), "version=2")
}

// call is one run of git.
type call struct {
	service   string // git-upload-pack
	advertise bool   // only say which refs there are
	env       []string
	body      io.Reader
}

func (h *Handler) command(ctx context.Context, c call) *exec.Cmd {
	var args []string
	all := append(append([]string{"safe.directory=" + h.cfg.Dir}, settings...), h.cfg.Settings...)
	if !c.advertise && c.service == "git-receive-pack" {
		all = append(all, fmt.Sprintf("receive.maxInputSize=%d", h.cfg.MaxPush))
	}
	for _, s := range all {
		args = append(args, "-c", s)
	}
	args = append(args, strings.TrimPrefix(c.service, "git-"), "--stateless-rpc")
	if c.advertise {
		args = append(args, "--http-backend-info-refs")
	}
	cmd := exec.CommandContext(ctx, "git", append(args, h.cfg.Dir)...)
	cmd.Env = append(repo.GitEnviron(h.cfg.Environ), c.env...)
	if h.cfg.Agent != "" {
		cmd.Env = append(cmd.Env, "GIT_USER_AGENT="+h.cfg.Agent)
	}
	// A group of its own: a signal meant for the host's terminal leaves a push be,
	// and who is stopped is stopped with the hooks it started.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error {
		err := syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM)
		syscall.Kill(-cmd.Process.Pid, syscall.SIGCONT) // one that was stopped does not hear of it else
		return err
	}
	cmd.WaitDelay = 5 * time.Second
	return cmd
}

// run lets git answer a request.
func (h *Handler) run(w http.ResponseWriter, r *http.Request, c call) {
	ctx, stop := h.span(r, c.service == "git-receive-pack")
	defer stop()
	kind := "result"
	if c.advertise {
		kind, c.body = "advertisement", nil
	}
	head := w.Header()
	head.Set("Content-Type", "application/x-"+c.service+"-"+kind)
	head.Set("Cache-Control", "no-cache, max-age=0, must-revalidate")
	head.Set("X-Content-Type-Options", "nosniff")
	out := &answer{w: w}
	if c.advertise && !slices.ContainsFunc(c.env, speaksVersion2) {
		line := "# service=" + c.service + "\n"
		out.first = fmt.Sprintf("%04x%s0000", len(line)+4, line)
	}
	cmd := h.command(ctx, c)
	var said bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = c.body, out, &limited{w: &said, left: 4 << 10}
	err := cmd.Run()
	if err == nil {
		return
	}
	h.cfg.Log.WarnContext(ctx, "git failed", "service", c.service, "error", err, "said", strings.TrimSpace(said.String()))
	if !out.begun {
		head.Del("Cache-Control")
		http.Error(w, "git failed on the host", http.StatusInternalServerError)
	}
}

// answer hands on what git says as it comes. Once the client is gone it is let
// go: git must not be stopped by somebody who does not listen.
type answer struct {
	w     http.ResponseWriter
	first string // goes before git's first word
	begun bool
	gone  bool
}

func (a *answer) Write(p []byte) (int, error) {
	said := p
	if !a.begun {
		a.begun, said = true, append([]byte(a.first), p...)
	}
	if !a.gone {
		_, err := a.w.Write(said)
		a.gone = err != nil || http.NewResponseController(a.w).Flush() != nil
	}
	return len(p), nil
}

// limited keeps the beginning of a text and lets the rest go.
type limited struct {
	w    io.Writer
	left int
}

func (l *limited) Write(p []byte) (int, error) {
	keep := min(len(p), l.left)
	l.left -= keep
	if _, err := l.w.Write(p[:keep]); err != nil {
		return 0, err
	}
	return len(p), nil
}
