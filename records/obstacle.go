package records

import (
	"fmt"
	"io/fs"
	"strings"
	"unicode"
	"unicode/utf8"
)

// obstacle is what lies where a file is to be written.
type obstacle struct {
	path   string
	info   fs.FileInfo
	folder bool // whether a folder is needed there, else the file itself
}

// inTheWay gives what keeps a file from being written at a path: a part of it
// that is there and no folder, or a folder at the path itself; nil for nothing.
// A file that lies there already is only replaced.
func inTheWay(fsys fs.FS, file string) (*obstacle, error) {
	for i := range len(file) {
		if file[i] != '/' {
			continue
		}
		info, err := lstat(fsys, file[:i])
		if err != nil || info == nil {
			return nil, err
		}
		if !info.IsDir() {
			return &obstacle{file[:i], info, true}, nil
		}
	}
	info, err := lstat(fsys, file)
	if err != nil || info == nil || !info.IsDir() {
		return nil, err
	}
	return &obstacle{file, info, false}, nil
}

// inTheWayOf says what the obstacle is and what it is in the way of, with the
// mend.
func (o *obstacle) inTheWayOf(who string) error {
	needed := "a file"
	if o.folder {
		needed = "a folder"
	}
	return fmt.Errorf("%s is %s where %s needs %s; move it away", Visible(o.path), o.kind(), who, needed)
}

func (o *obstacle) kind() string {
	switch mode := o.info.Mode(); {
	case mode.IsDir():
		return "a folder"
	case mode&fs.ModeSymlink != 0:
		return "a symbolic link"
	case mode.IsRegular():
		return "a file"
	}
	return "a submodule or another special file"
}

// needRoom refuses to write a file where something is in the way. who is what
// the file is for.
func (b *Book) needRoom(file, who string) error {
	o, err := inTheWay(b.fsys, file)
	if err != nil || o == nil {
		return err
	}
	return o.inTheWayOf(who)
}

// roomFor reports whether a record of our own can be written: there is such an
// id, and nothing is in the way.
func (b *Book) roomFor(k Kind, n int) (bool, error) {
	path := PathOf(formatID(k, n))
	if path == "" {
		return false, nil
	}
	o, err := inTheWay(b.fsys, path)
	return o == nil, err
}

// roomForHighest reports whether .highest can be written.
func (b *Book) roomForHighest(k Kind) (bool, error) {
	o, err := inTheWay(b.fsys, highestPath(k))
	return o == nil, err
}

// longestName is how many bytes a name may have on common file systems.
const longestName = 255

// writable reports whether a path that is in the tree may be written or removed.
// Git stores names that no checkout takes, and a careful store writes none of
// them; a file with such a name is read and left where it is.
func writable(path string) bool {
	for name := range strings.SplitSeq(path, "/") {
		if name == "" || len(name) > longestName || !utf8.ValidString(name) || Visible(name) != name ||
			strings.ContainsRune(name, '\\') || isGitDir(name) {
			return false
		}
	}
	return true
}

// isGitDir reports whether some file system takes the name for .git.
func isGitDir(name string) bool {
	name, _, _ = strings.Cut(name, ":")
	name = strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Cf, r) {
			return -1
		}
		return unicode.ToLower(r)
	}, name)
	name = strings.TrimRight(name, ". ")
	return name == "" || name == ".git" || name == "git~1"
}
