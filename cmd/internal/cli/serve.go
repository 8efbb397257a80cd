package cli

import (
	"log/slog"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"

	urfave "github.com/urfave/cli/v2"

	"github.com/git-tasks/git-tasks/cmd/internal/serve"
	"github.com/git-tasks/git-tasks/hooks"
	"github.com/git-tasks/git-tasks/repo"
	"github.com/git-tasks/git-tasks/tools"
)

func (f *front) serveCommand() *urfave.Command {
	return &urfave.Command{
		Name: "serve", Usage: "run the host: agents and programs reach the list by HTTP",
		Description: "git tasks serve --listen 127.0.0.1:0",
		Flags: []urfave.Flag{
			&urfave.StringFlag{Name: "inbox", Usage: "`DIR` a folder whose Markdown files become tasks"},
			&urfave.StringFlag{Name: "listen", Usage: "`HOST:PORT` where to listen (" + serve.DefaultListen + "); port 0 takes a free one"},
		},
		Action: func(c *urfave.Context) error {
			if err := arguments(c, 0, 0); err != nil {
				return err
			}
			if c.IsSet("inbox") && c.String("inbox") == "" {
				return usage("--inbox must name a folder")
			}
			f.daemon = true
			return f.with(c, serves, func(o *opened) error { return o.serve() })
		},
	}
}

// serve is the host until the command is told to stop.
func (o *opened) serve() error {
	listen := serve.DefaultListen
	if o.c.IsSet("listen") {
		listen = o.c.String("listen")
	}
	if _, err := o.store.Enroll(o.c.Context); err != nil {
		o.store.Log().Warn("the list has no key that its branch names; its commits go by the committer's name", "error", err)
	}
	hangUp := make(chan os.Signal, 1)
	signal.Notify(hangUp, syscall.SIGHUP)
	defer signal.Stop(hangUp)
	folder, err := o.hostHooks()
	if err != nil {
		return err
	}
	file, _, err := o.settingsFile(o.c)
	if err != nil {
		return err
	}
	return serve.Run(o.c.Context, serve.Config{
		Hooks: folder, Inbox: o.inbox(),
		Store: o.store, Listen: listen, Names: []string{o.env.Host}, Runtime: o.env.get("XDG_RUNTIME_DIR"),
		Environ:  o.env.Environ,
		Thrift:   o.env.get("GOGC") == "" && o.env.get("GOMEMLIMIT") == "", // else somebody knows better
		Notify:   o.env.get("NOTIFY_SOCKET"),
		Settings: func() (*tools.Settings, error) { return o.settings(o.c) }, SettingsFile: file, Reload: hangUp,
		Ready: o.ready,
	})
}

// inbox is the folder whose files become tasks, "" where none is named.
func (o *opened) inbox() string {
	if !o.c.IsSet("inbox") {
		return ""
	}
	return o.abs(o.c.String("inbox"))
}

// hostHooks writes the scripts that pushes by HTTP go through beside the
// repository, and those that pushes by path go through into it, if it is ours.
func (o *opened) hostHooks() (folder string, err error) {
	dir := o.store.Dir()
	if err := o.equip(dir); err != nil && !repo.IsKind(err, repo.Unsupported) {
		o.store.Log().Warn("pushes by path are not checked", "error", err)
	}
	s := hooks.Script{Program: o.env.Program, Mend: "git-tasks serve",
		Flags: []string{"--repo", ".", "--branch", strings.TrimPrefix(o.store.Ref(), "refs/heads/")}}
	if file, named, err := o.settingsFile(o.c); err != nil {
		return "", err
	} else if named {
		s.Flags = append(s.Flags, "--config", file)
	}
	folder = filepath.Join(o.store.Side(), "hooks")
	return folder, hooks.Write(folder, s)
}

// ready prints where everything is, before anybody is connected.
func (o *opened) ready(address string) error {
	list, _, err := o.repository(o.c)
	if err != nil {
		return err
	}
	mcp, git, ahp := address+"/mcp", address+"/records.git", "ws"+strings.TrimPrefix(address, "http")+"/ahp"
	if o.json {
		if err := o.document(struct {
			List   string `json:"list"`
			MCP    string `json:"mcp"`
			Git    string `json:"git"`
			AHP    string `json:"ahp"`
			Inbox  string `json:"inbox,omitempty"`
			Health string `json:"health"`
		}{list, mcp, git, ahp, o.inbox(), address + "/healthz"}); err != nil {
			return err
		}
		return o.flush()
	}
	config, named, err := o.settingsFile(o.c)
	if err != nil {
		return err
	}
	if !named {
		config = ""
	}
	o.printf("list  %s\nmcp   %s\ngit   %s\nahp   %s\n", visibleText(list), mcp, git, ahp)
	if folder := o.inbox(); folder != "" {
		o.printf("inbox %s\n", visibleText(folder))
	}
	for _, client := range clients() {
		o.printf("%s:\n", client.name)
		for _, line := range client.connect(mcp, len(o.store.Settings().Users) > 0, config) {
			o.printf("  %s\n", line)
		}
	}
	return o.flush()
}

// serviceLog is what a host logs: text for whoever looks at a terminal, JSON for
// a program that collects it.
func (f *front) serviceLog() *slog.Logger {
	if file, ok := f.env.Stderr.(*os.File); ok && terminalWidth(file) > 0 {
		return slog.New(slog.NewTextHandler(file, nil))
	}
	return slog.New(slog.NewJSONHandler(f.env.Stderr, nil))
}
