package clone

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

const setAside = ".before-git-tasks" // behind the name of a hook that was there

// hook is one that Install puts into a clone. does says what git-tasks does there,
// args what of git's words it is given, and undone what did not happen where the
// program is gone.
type hook struct{ name, does, args, undone string }

// clonesHooks are all of them, those first that are put there first.
func clonesHooks() []hook {
	return []hook{
		{"pre-commit", "looks at the records of a commit", "",
			"looked at the records of this commit; the list will, when it is pushed"},
		{"pre-rebase", "looks for drafts that git would not know again", ` "$@"`,
			"looked for drafts that git does not know again"},
	}
}

// start is how the text begins.
func (h hook) start() string {
	return "#!/bin/sh\n# git-tasks " + h.does + "; git tasks uninstall clone takes it away."
}

// text is the hook: what was there before runs first, and a program that is gone
// keeps nobody from what they do, since the list judges every push itself. note says
// what was there before.
func (h hook) text(program, note string) string {
	return h.start() + note + "\n" +
		`b="${0%/*}/` + h.name + setAside + `"; [ ! -x "$b" ] || "$b" "$@" || exit` + "\n" +
		`for b in ` + shellQuoted(program) + ` git-tasks; do command -v "$b" >/dev/null && exec "$b" hook ` + h.name + h.args + `; done` + "\n" +
		`echo "git-tasks is not there any more, so nobody ` + h.undone + `" >&2` + "\n"
}

// isWhole reports whether a file is what text gives, for whatever program: one that
// is not has lines of somebody else's.
func (h hook) isWhole(text string) bool {
	for _, note := range []string{"", newFolder} {
		before, after, _ := strings.Cut(h.text("PROGRAM", note), "'PROGRAM'")
		word, isPrefixed := strings.CutPrefix(text, before)
		word, isSuffixed := strings.CutSuffix(word, after)
		if isPrefixed && isSuffixed && len(word) > 1 && shellQuoted(strings.ReplaceAll(word[1:len(word)-1], `'\''`, "'")) == word {
			return true
		}
	}
	return false
}

// refusedChange refuses to lose what somebody wrote into the hook.
func refusedChange(at string) error {
	return refused("%s was changed since install made it, so it stays: take what was added out of it (a hook of your own may be %s, which runs first), and do it again",
		at, at+setAside)
}

// shellQuoted is a text as one word of a shell.
func shellQuoted(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }

// add puts the hook into a folder, and a hook that is there aside. It reports
// whether anything changed.
func (h hook) add(folder, program string) (changed bool, err error) {
	at, note := filepath.Join(folder, h.name), ""
	if _, err := os.Stat(folder); errors.Is(err, fs.ErrNotExist) {
		note = newFolder
	}
	text, err := os.ReadFile(at)
	if strings.HasPrefix(string(text), h.start()+newFolder) {
		note = newFolder
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return false, err
	case string(text) == h.text(program, note):
		return false, nil
	case strings.HasPrefix(string(text), h.start()) && !h.isWhole(string(text)):
		return false, refusedChange(at)
	}
	if err == nil && !strings.HasPrefix(string(text), h.start()) {
		aside := at + setAside
		if _, err := os.Lstat(aside); err == nil {
			return false, refused("%s was put aside by an earlier install, and %s is a hook of others again: keep one of the two", aside, at)
		}
		if err := os.Rename(at, aside); err != nil {
			return false, err
		}
	}
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return false, err
	}
	temp := at + ".git-tasks-new"
	if err := os.WriteFile(temp, []byte(h.text(program, note)), 0o777); err != nil {
		return false, err
	}
	return true, os.Rename(temp, at)
}

// remove takes the hook away, and puts back what was there before. A hook of
// others that came in its place stays, and so does one that somebody changed.
func (h hook) remove(folder string) (changed bool, err error) {
	at := filepath.Join(folder, h.name)
	text, err := os.ReadFile(at)
	gone := errors.Is(err, fs.ErrNotExist)
	if err != nil && !gone {
		return false, err
	}
	if !gone && !strings.HasPrefix(string(text), h.start()) {
		if _, err := os.Lstat(at + setAside); err == nil {
			return false, refused("%s is another hook than install made; the one before it waits as %s: keep one of the two", at, at+setAside)
		}
		return false, nil
	}
	if !gone && !h.isWhole(string(text)) {
		return false, refusedChange(at)
	}
	switch err := os.Rename(at+setAside, at); {
	case err == nil:
		return true, nil
	case !errors.Is(err, fs.ErrNotExist):
		return false, fmt.Errorf("put the hook of others back: %w", err)
	case gone:
		return false, nil
	}
	if err := os.Remove(at); err != nil {
		return false, err
	}
	if strings.HasPrefix(string(text), h.start()+newFolder) {
		os.Remove(folder) // where nothing else came into it
	}
	return true, nil
}
