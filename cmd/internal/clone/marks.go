package clone

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// What install adds to a file of others stands at its end between two marks. The
// first one says as well how the file was before, so that it can be put back
// exactly, and nothing has to be kept of it elsewhere.
const (
	markBegin  = "# git-tasks: begin"
	markEnd    = "# git-tasks: end\n"
	noLineEnd  = " (the line before had no end)"
	newFile    = " (there was no file)"
	newFolder  = " (there was no folder)"
	markAround = "\n"
)

// marked gives a text with lines of ours at its end, or in the place of those
// that it has.
func marked(text, ours, note string) string {
	if before, begin, _, after, ok := cutMarks(text); ok {
		return before + begin + ours + markEnd + after
	}
	if text != "" && !strings.HasSuffix(text, "\n") {
		text, note = text+markAround, noLineEnd
	}
	return text + markBegin + note + "\n" + ours + markEnd
}

// unmarked gives a text without our lines, and what the first mark says.
func unmarked(text string) (rest, note string, found bool) {
	before, begin, _, after, ok := cutMarks(text)
	if !ok {
		return text, "", false
	}
	note = strings.TrimSuffix(strings.TrimPrefix(begin, markBegin), "\n")
	if note == noLineEnd && after == "" {
		before = strings.TrimSuffix(before, markAround)
	}
	return before + after, note, true
}

// cutMarks cuts a text at the marks; begin is the whole line.
func cutMarks(text string) (before, begin, inside, after string, ok bool) {
	i := strings.Index("\n"+text, "\n"+markBegin)
	if i < 0 {
		return text, "", "", "", false
	}
	before, rest := text[:i], text[i:]
	begin, rest, ok = strings.Cut(rest, "\n")
	if !ok {
		return text, "", "", "", false
	}
	inside, after, ok = strings.Cut("\n"+rest, "\n"+markEnd)
	return before, begin + "\n", strings.TrimPrefix(inside, "\n"), after, ok
}

// markFile puts lines of ours into a file, made where it is not there, and
// reports whether that changed it. lock is the file that keeps others from writing
// it meanwhile, "" where there is no such rule.
func markFile(file, ours, lock string) (changed bool, err error) {
	note := ""
	if _, err := os.Stat(filepath.Dir(file)); errors.Is(err, fs.ErrNotExist) {
		note = newFolder
		if err := os.Mkdir(filepath.Dir(file), 0o777); err != nil {
			return false, err
		}
	} else if _, err := os.Stat(file); errors.Is(err, fs.ErrNotExist) {
		note = newFile
	}
	return rewrite(file, lock, func(text string) string { return marked(text, ours, note) })
}

// unmarkFile takes the lines of ours out again, and the file and its folder where
// they were made for them and hold nothing else.
func unmarkFile(file, lock string) (changed bool, err error) {
	note := ""
	rest := ""
	changed, err = rewrite(file, lock, func(text string) string {
		rest, note, _ = unmarked(text)
		return rest
	})
	if err != nil || !changed || rest != "" || note != newFile && note != newFolder {
		return changed, err
	}
	if err := os.Remove(file); err != nil || note != newFolder {
		return changed, err
	}
	os.Remove(filepath.Dir(file)) // where nothing else came into it
	return changed, nil
}

// rewrite replaces a file by what becomes of its text, with its mode; through a
// link, the file that it names.
func rewrite(file, lock string, change func(string) string) (changed bool, err error) {
	if at, err := filepath.EvalSymlinks(file); err == nil {
		file = at
	}
	temp, flags := file+".git-tasks-new", os.O_WRONLY|os.O_CREATE|os.O_TRUNC
	if lock != "" {
		temp, flags = lock, os.O_WRONLY|os.O_CREATE|os.O_EXCL
	}
	f, err := os.OpenFile(temp, flags, 0o666)
	if errors.Is(err, fs.ErrExist) {
		return false, refused("%s is there: another git writes that file, or one that was killed left it", temp)
	}
	if err != nil {
		return false, err
	}
	taken := false // then the name is whoever's that makes it anew
	defer func() {
		f.Close()
		if !taken {
			os.Remove(temp)
		}
	}()
	data, err := os.ReadFile(file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return false, err
	}
	next := change(string(data))
	if next == string(data) {
		return false, nil
	}
	if info, err := os.Stat(file); err == nil {
		if err := f.Chmod(info.Mode().Perm()); err != nil {
			return false, err
		}
	}
	if _, err := f.WriteString(next); err != nil {
		return false, err
	}
	if err := f.Sync(); err != nil {
		return false, err
	}
	if err := os.Rename(temp, file); err != nil {
		return false, err
	}
	taken = true
	return true, nil
}
