package records

import (
	"io/fs"
	"slices"
	"strings"
	"unicode/utf8"
)

// oddEntry says why something under tasks/ or plans/ is not to be opened, and
// what to do about it; "" for a plain file or folder with a sound name.
func oddEntry(path string, info fs.FileInfo) (reason, mend string) {
	if path == TaskDir || path == PlanDir {
		if info.IsDir() {
			return "", ""
		}
		return "must be a folder", "remove it"
	}
	if reason := oddName(path); reason != "" {
		return reason, "give it another name"
	}
	if info.IsDir() {
		return oddFolder(path)
	}
	mode := info.Mode()
	switch {
	case mode&fs.ModeSymlink != 0:
		return "is a symbolic link; a record is a plain file", "put the file itself here"
	case !mode.IsRegular():
		return "is a submodule or another special file; a record is a plain file", "remove it"
	case mode&0o111 != 0:
		return "is executable; a record is a plain file", "chmod -x " + path
	case path == highestPath(kindOfPath(path)):
		if info.Size() > 64 {
			return "must be one line with the highest id ever used", formatID(kindOfPath(path), 12)
		}
		return "", ""
	case !strings.HasSuffix(path, ".md"):
		return "is no record: a record's name ends in .md", "move it out of " + kindOfPath(path).Dir() + "/"
	case info.Size() > MaxRecord:
		return "is larger than 1 MiB", "shorten it, or keep the long part elsewhere and name it in refs"
	}
	return "", ""
}

// oddFolder is about folders that were looked at by name alone: those that
// maxFolders keeps a walk out of, and those in a record's place.
func oddFolder(path string) (reason, mend string) {
	if strings.Count(path, "/")+1 >= maxFolders {
		return "is nested too deep to be read", "move what is in it further up"
	}
	return "", ""
}

// oddName says why a path has a name that no checkout on every system could
// hold, or that could not be told from another when it is shown.
func oddName(path string) string {
	names := strings.Split(path, "/")
	for i, name := range names {
		if reason := oddPart(name); reason != "" {
			return reason
		}
		if id := idOfPath(names[0] + "/" + name); i < len(names)-1 && id != "" {
			reason := "lies in a folder that is named like a record, " + name
			if strings.Join(names[:i+1], "/") == PathOf(id) {
				reason += ", and hides " + id
			}
			return reason
		}
	}
	return ""
}

func oddPart(name string) string {
	switch {
	case !utf8.ValidString(name):
		return "has a name that is not UTF-8"
	case !oneLine(name):
		return "has a name with a control character"
	case strings.ContainsRune(name, '\\'):
		return "has a name with a backslash"
	case isDevice(name):
		return "has a name that is a device on Windows"
	}
	return ""
}

// isDevice reports names that Windows takes for a device whatever follows the
// first dot.
func isDevice(name string) bool {
	base, _, _ := strings.Cut(strings.ToLower(name), ".")
	if slices.Contains([]string{"con", "prn", "aux", "nul"}, base) {
		return true
	}
	return len(base) == 4 && (strings.HasPrefix(base, "com") || strings.HasPrefix(base, "lpt")) &&
		base[3] >= '1' && base[3] <= '9'
}
