package hooks_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-tasks/git-tasks/hooks"
	"github.com/git-tasks/git-tasks/repo"
	"github.com/git-tasks/git-tasks/repo/repotest"
	"github.com/git-tasks/git-tasks/tools"
)

func TestInstall(t *testing.T) {
	t.Parallel()
	dir := repotest.New(t)
	s := hooks.Script{Program: "/opt/it's here/git-tasks", Flags: []string{"--repo", "."}, Mend: "git-tasks init it"}
	if err := hooks.Install(dir, s); err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"receive.unpackLimit=1", "core.hooksPath=hooks", "receive.procReceiveRefs=refs/heads/main\nrefs/for"} {
		name, want, _ := strings.Cut(key, "=")
		if got := repotest.Git(t, dir, "config", "--get-all", name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	config, err := os.ReadFile(filepath.Join(dir, "config"))
	if err != nil {
		t.Fatal(err)
	}
	s.Program = "/elsewhere/git-tasks" // it was moved
	if err := hooks.Install(dir, s); err != nil {
		t.Fatal(err)
	}
	if again, err := os.ReadFile(filepath.Join(dir, "config")); err != nil || string(again) != string(config) {
		t.Errorf("the settings were written again: %s, %v", again, err)
	}
	out, err := repotest.Run(dir, []string{"PATH=/nowhere"}, "", filepath.Join(dir, "hooks", "pre-receive"))
	if err == nil || !strings.Contains(err.Error(), "neither at /elsewhere/git-tasks nor on PATH") || !strings.Contains(err.Error(), "git-tasks init it") {
		t.Errorf("without a binary the script says %q, %v", out, err)
	}
}

// A hook of somebody else's, and a repository of somebody else's, stay as they are.
func TestInstallLeavesOthersAlone(t *testing.T) {
	t.Parallel()
	dir := repotest.New(t)
	theirs := filepath.Join(dir, "hooks", "proc-receive")
	if err := os.MkdirAll(filepath.Dir(theirs), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(theirs, []byte("#!/bin/sh\n"), 0o777); err != nil {
		t.Fatal(err)
	}
	err := hooks.Install(dir, hooks.Script{})
	if err == nil || !strings.Contains(err.Error(), theirs+" is not git-tasks' own") || repo.IsKind(err, repo.Unsupported) {
		t.Errorf("over another's hook: %v", err)
	}
	if got, err := os.ReadFile(theirs); err != nil || string(got) != "#!/bin/sh\n" {
		t.Errorf("another's hook is %q now, %v", got, err)
	}
	other := t.TempDir()
	repotest.Git(t, other, "init", "-q", "--bare", ".")
	if err := hooks.Install(other, hooks.Script{}); !repo.IsKind(err, repo.Unsupported) {
		t.Errorf("into another's repository: %v", err)
	}
	if _, err := os.Stat(filepath.Join(other, "hooks", "pre-receive")); err == nil {
		t.Error("another's repository has our hook")
	}
}

// theirHook puts a pre-receive of somebody else's into a repository.
func theirHook(t *testing.T, dir, text string) (file string) {
	t.Helper()
	file = filepath.Join(dir, "hooks", "pre-receive")
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o755); err != nil {
		t.Fatal(err)
	}
	return file
}

// An install that ended after it gave a hook its second name left that hook at
// work; the next one goes on from there, and so does taking it out.
func TestInstallGoesOn(t *testing.T) {
	t.Parallel()
	dir := repotest.New(t)
	file := theirHook(t, dir, "#!/bin/sh\n# theirs\n")
	was, err := os.Stat(file)
	if err != nil {
		t.Fatal(err)
	}
	aside := file + ".before-git-tasks"
	if err := os.Link(file, aside); err != nil {
		t.Fatal(err)
	}
	if err := hooks.Install(dir, hooks.Script{Program: "/bin/sh"}); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(file); err != nil { // as somebody may who wants it off
		t.Fatal(err)
	}
	for _, want := range []bool{true, false} {
		if changed, err := hooks.Uninstall(dir); err != nil || changed != want {
			t.Errorf("taken out: %v, %v; want %v", changed, err, want)
		}
	}
	now, err := os.Stat(file)
	if err != nil || !os.SameFile(was, now) {
		t.Errorf("theirs is not the same file: %v", err)
	}
	if _, err := os.Lstat(aside); err == nil {
		t.Error("theirs has its second name still")
	}
}

// The script hands on what git hands over, and says where it lies, beside which the
// hook of others lies.
func TestScript(t *testing.T) {
	t.Parallel()
	dir := repotest.New(t)
	theirHook(t, dir, "#!/bin/sh\n")
	program := filepath.Join(t.TempDir(), "git's tasks")
	if err := os.WriteFile(program, []byte("#!/bin/sh\necho \"$@\"; ls \"$5.before-git-tasks\"; cat\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := hooks.Install(dir, hooks.Script{Program: program, Flags: []string{"--repo", "."}}); err != nil {
		t.Fatal(err)
	}
	refs := one + " " + two + " refs/heads/a$b`c\\d\n" + none + " " + one + " refs/for/main"
	out, err := repotest.Run(dir, repotest.Env(t), refs, filepath.Join(dir, "hooks", "pre-receive"))
	script := filepath.Join(dir, "hooks", "pre-receive")
	if want := "--repo . hook pre-receive " + script + "\n" + script + ".before-git-tasks\n" + refs; err != nil || out != want {
		t.Errorf("ours read %q, %v; want %q", out, err, want)
	}
	theirHook(t, dir, "#!/bin/sh\n") // in the place of ours
	if _, err := hooks.Uninstall(dir); err == nil || !strings.Contains(err.Error(), "keep one of the two") {
		t.Errorf("with two of others: %v", err)
	}
}

func TestExamine(t *testing.T) {
	t.Parallel()
	dir, other := repotest.New(t), t.TempDir()
	repotest.Git(t, other, "init", "-q", "--bare", ".")
	for _, c := range []struct {
		dir, want string
		state     tools.State
	}{{other, "", ""}, {dir, "git is not told to run them", tools.Mendable}} {
		found, err := hooks.Examine(c.dir)
		if err != nil {
			t.Fatal(err)
		}
		if c.want == "" && found != nil || c.want != "" && (len(found) == 0 || found[0].State != c.state || !strings.HasPrefix(found[0].Text, c.want)) {
			t.Errorf("of %s: %+v", c.dir, found)
		}
	}
	if err := hooks.Install(dir, hooks.Script{Program: "/bin/sh"}); err != nil {
		t.Fatal(err)
	}
	if found, err := hooks.Examine(dir); err != nil || len(found) != 1 || found[0].State != tools.Fine {
		t.Errorf("installed: %+v, %v", found, err)
	}
}

// A hook that is a link stays one, where it leads as well where it leads nowhere.
func TestInstallKeepsLinks(t *testing.T) {
	t.Parallel()
	for _, to := range []string{"theirs", "nowhere"} {
		dir := repotest.New(t)
		file := filepath.Join(dir, "hooks", "pre-receive")
		theirHook(t, dir, "#!/bin/sh\n")
		if err := os.Rename(file, filepath.Join(dir, "hooks", "theirs")); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(to, file); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			if err := hooks.Install(dir, hooks.Script{Program: "/bin/sh"}); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := hooks.Uninstall(dir); err != nil {
			t.Fatal(err)
		}
		if got, err := os.Readlink(file); err != nil || got != to {
			t.Errorf("it links to %q, %v; want %s", got, err, to)
		}
		if text, err := os.ReadFile(filepath.Join(dir, "hooks", "theirs")); err != nil || string(text) != "#!/bin/sh\n" {
			t.Errorf("what it leads to is %q, %v", text, err)
		}
	}
}
