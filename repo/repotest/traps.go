package repotest

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Traps gives a repository every hook and setting that makes git run a command.
// The function that comes back names those that ran since.
func Traps(t testing.TB, dir string) (ran func() []string) {
	t.Helper()
	marks := t.TempDir()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	script := func(name string) string {
		path := filepath.Join(t.TempDir(), "run")
		must(os.WriteFile(path, fmt.Appendf(nil, "#!/bin/sh\ntouch '%s/%s'\ncat\n", marks, name), 0o755))
		return path
	}
	hooks := filepath.Join(dir, "hooks")
	must(os.MkdirAll(hooks, 0o755))
	for _, hook := range []string{"pre-commit", "post-commit", "reference-transaction", "update", "pre-receive",
		"post-receive", "proc-receive", "pre-auto-gc", "post-rewrite", "post-index-change", "fsmonitor-watchman"} {
		must(os.Symlink(script("hook-"+hook), filepath.Join(hooks, hook)))
	}
	for _, key := range []string{"core.fsmonitor", "core.sshCommand", "core.editor", "core.pager", "core.askPass",
		"core.alternateRefsCommand", "core.gitProxy", "diff.external", "diff.x.textconv", "filter.x.clean", "filter.x.smudge",
		"filter.x.process", "merge.x.driver", "gpg.program", "credential.helper", "uploadpack.packObjectsHook",
		"sequence.editor", "alias.repack", "alias.fsck"} {
		value := script("key-" + key)
		if strings.HasPrefix(key, "alias.") || key == "credential.helper" {
			value = "!" + value
		}
		Git(t, dir, "config", key, value)
	}
	must(os.MkdirAll(filepath.Join(dir, "info"), 0o755))
	must(os.WriteFile(filepath.Join(dir, "info", "attributes"), []byte("* filter=x diff=x merge=x\n"), 0o644))
	return func() (names []string) {
		t.Helper()
		entries, err := os.ReadDir(marks)
		must(err)
		for _, e := range entries {
			names = append(names, e.Name())
		}
		return names
	}
}
