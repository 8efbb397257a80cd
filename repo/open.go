package repo

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/go-git/go-git/v5/plumbing/format/config"
)

// Open opens the repository at path: a bare one, a working folder, or its .git.
// It writes nothing. The errors are [Missing]; [Unsupported] for what go-git
// cannot read or this package must not write to; and [CheckedOut].
func Open(path string, o Options) (*Repo, error) {
	dir, err := gitDir(path)
	if err != nil {
		return nil, err
	}
	cfg, err := readConfig(dir)
	if err != nil {
		return nil, err
	}
	if err := supported(dir, cfg); err != nil {
		return nil, err
	}
	branch := o.Branch
	if branch == "" {
		branch = "main"
	}
	if err := checkBranch(branch); err != nil {
		return nil, err
	}
	if CleanName(o.Committer.Name) == "" {
		o.Committer.Name = "git-tasks"
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	r := &Repo{
		dir: dir, ref: "refs/heads/" + branch, bare: isBare(dir, cfg),
		committer: o.Committer, now: o.Now, environ: GitEnviron(o.Environ), disk: disk{o.Fault}, me: self(),
		door:    door{came: make(chan struct{}, 1)},
		objects: &objects{dir: dir, texts: newTexts(filepath.Join(dir, "git-tasks", "cache"))},
	}
	if o.Incoming != "" {
		r.incoming, r.objects.incoming = o.Incoming, quarantine(o.Incoming)
	}
	return r, r.refuseCheckedOut()
}

// gitDir finds the directory with objects, refs and config. A linked worktree
// names it by two files.
func gitDir(path string) (string, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	dir := abs
	switch info, err := os.Stat(filepath.Join(abs, ".git")); {
	case err == nil && info.IsDir():
		dir = filepath.Join(abs, ".git")
	case err == nil:
		if dir, err = readPointer(filepath.Join(abs, ".git"), "gitdir: "); err != nil {
			return "", err
		}
	}
	if common, err := readPointer(filepath.Join(dir, "commondir"), ""); err == nil {
		dir = common
	}
	return dir, refuseNone(dir, abs)
}

// refuseNone tells a folder that is no repository from one that was: a damaged
// list must never be taken for none. One may appear while it is looked at, and it
// appears whole: what lacks is believed when a second look finds the same.
func refuseNone(dir, named string) error {
	var missing []string
	for {
		before := missing
		var err error
		if missing, err = missingParts(dir); err != nil {
			return damaged(err, "%s cannot be read", named)
		}
		if len(missing) == 0 {
			return nil
		}
		if slices.Equal(missing, before) {
			break
		}
	}
	if len(missing) == 1 {
		return damaged(nil, "%s is a damaged repository: %s is not there", dir, missing[0])
	}
	return &Error{Kind: Missing, Text: "there is no git repository at " + named}
}

// missingParts gives what a git directory must have and this one lacks.
func missingParts(dir string) (missing []string, err error) {
	for _, part := range []string{"HEAD", "objects", "refs"} {
		_, err := os.Stat(filepath.Join(dir, part))
		switch {
		case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR):
			missing = append(missing, part)
		case err != nil:
			return nil, err
		}
	}
	return missing, nil
}

// readPointer reads a file of one line that names a folder, relative to its own.
func readPointer(file, prefix string) (string, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return "", err
	}
	to, ok := strings.CutPrefix(strings.TrimSpace(string(data)), prefix)
	if !ok {
		return "", &Error{Kind: Missing, Text: file + " names no git directory"}
	}
	if !filepath.IsAbs(to) {
		to = filepath.Join(filepath.Dir(file), to)
	}
	return filepath.Clean(to), nil
}

// readConfig reads the repository's own settings. Included files are not
// followed: what they say of the format, git would not believe either.
func readConfig(dir string) (*config.Config, error) {
	data, err := os.ReadFile(filepath.Join(dir, "config"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	cfg := config.New()
	if err := guard(func() error { return config.NewDecoder(bytes.NewReader(data)).Decode(cfg) }); err != nil {
		return nil, &Error{Kind: Unsupported, Text: filepath.Join(dir, "config") + " cannot be read", Err: err}
	}
	return cfg, nil
}

// isBare goes by the settings, and by the name where they do not say, as git
// does.
func isBare(dir string, cfg *config.Config) bool {
	if cfg.Section("core").HasOption("bare") {
		return isTrue(cfg.Section("core").Option("bare"))
	}
	return filepath.Base(dir) != ".git"
}

func isTrue(value string) bool {
	switch strings.ToLower(value) {
	case "true", "yes", "on", "1":
		return true
	}
	return false
}

// supported refuses repositories that go-git reads wrongly or not at all, and
// those whose history is not all there.
func supported(dir string, cfg *config.Config) error {
	refuse := func(what, mend string) error {
		return &Error{Kind: Unsupported, Text: fmt.Sprintf("%s %s, which git-tasks cannot use; %s", dir, what, mend)}
	}
	another := "use a repository of its own (git tasks init PATH)"
	if v := cfg.Section("core").Option("repositoryformatversion"); v != "" && v != "0" && v != "1" {
		return refuse("has the repository format "+v, another)
	}
	for _, opt := range cfg.Section("extensions").Options {
		switch key, value := strings.ToLower(opt.Key), strings.ToLower(opt.Value); {
		case key == "noop", key == "objectformat" && value == "sha1", key == "refstorage" && value == "files":
		case key == "worktreeconfig" && !isTrue(value), key == "preciousobjects":
		case key == "objectformat":
			return refuse("stores objects as "+value, another)
		case key == "refstorage":
			return refuse("stores refs as "+value, another)
		default:
			return refuse("has the extension "+opt.Key, another)
		}
	}
	if exists(filepath.Join(dir, "reftable")) {
		return refuse("stores refs as reftable", another)
	}
	if exists(filepath.Join(dir, "shallow")) {
		return refuse("is a shallow clone", "fetch the rest first (git fetch --unshallow)")
	}
	return missingAlternate(dir)
}

// missingAlternate refuses a repository that borrows objects from a folder that
// is gone: parts of its history would read as lost.
func missingAlternate(dir string) error {
	file := filepath.Join(dir, "objects", "info", "alternates")
	data, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	for line := range strings.Lines(string(data)) {
		at := strings.TrimSpace(line)
		if at == "" || at[0] == '#' {
			continue
		}
		if !filepath.IsAbs(at) {
			at = filepath.Join(dir, "objects", at)
		}
		if !isDir(at) {
			return damaged(nil, "%s names %s, which is not there", file, at)
		}
	}
	return nil
}

// checkBranch holds a branch name to git's rules for refs.
func checkBranch(name string) error {
	bad := name == "HEAD" || strings.HasPrefix(name, "refs/") || name[0] == '-' || name == "@" || strings.HasSuffix(name, ".") ||
		strings.ContainsAny(name, " ~^:?*[\\\x7f") || strings.Contains(name, "..") || strings.Contains(name, "@{")
	for part := range strings.SplitSeq(name, "/") {
		bad = bad || part == "" || part[0] == '.' || strings.HasSuffix(part, ".lock")
	}
	for _, c := range name {
		bad = bad || c < ' ' || c >= 0x7f && unsafeRune(c)
	}
	if bad {
		return &Error{Kind: Unsupported, Text: fmt.Sprintf("branch %q is no name git accepts for a branch", name)}
	}
	return nil
}

// refuseCheckedOut refuses a branch that is the HEAD of the repository or of a
// linked worktree, or that a rebase or bisect there will come back to.
func (r *Repo) refuseCheckedOut() error {
	if !r.bare {
		if err := r.refuseHead(r.dir, filepath.Dir(r.dir)); err != nil {
			return err
		}
	}
	worktrees, err := os.ReadDir(r.path("worktrees"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	for _, w := range worktrees {
		admin := r.path("worktrees", w.Name())
		where := admin
		if to, err := readPointer(filepath.Join(admin, "gitdir"), ""); err == nil {
			where = filepath.Dir(to)
		}
		if err := r.refuseHead(admin, where); err != nil {
			return err
		}
	}
	return nil
}

func (r *Repo) refuseHead(admin, where string) error {
	short := strings.TrimPrefix(r.ref, "refs/heads/")
	for file, value := range map[string]string{
		"HEAD": "ref: " + r.ref, "rebase-merge/head-name": r.ref, "rebase-apply/head-name": r.ref, "BISECT_START": short,
	} {
		data, err := os.ReadFile(filepath.Join(admin, file))
		if err == nil && strings.TrimSpace(string(data)) == value {
			use := "use --branch tasks"
			if r.ref != "refs/heads/main" { // it was named
				use = "use a branch that nobody has checked out"
			}
			return &Error{Kind: CheckedOut, Text: fmt.Sprintf(
				"%s is checked out in %s; %s, or a bare repository (git tasks init)", r.ref, where, use)}
		}
	}
	return nil
}
