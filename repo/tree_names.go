package repo

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// maxName is the longest name of a file that common file systems take, in bytes.
const maxName = 255

// checkName refuses a name that git would not check out, or that some system
// would take for another one: git's own rules, with those for Windows and macOS
// wherever we run.
func checkName(name string) error {
	switch {
	case name == "":
		return fmt.Errorf("an empty name in a path")
	case name == ".", name == "..", isDotGit(name):
		return fmt.Errorf("the name %q in a path", name)
	case len(name) > maxName:
		return fmt.Errorf("a name of %d bytes in a path, more than %d", len(name), maxName)
	case !utf8.ValidString(name):
		return fmt.Errorf("the name %q in a path is no UTF-8", name)
	case strings.ContainsRune(name, '\\'), strings.ContainsFunc(name, unsafeRune):
		return fmt.Errorf("a character that no name may hold in %q", name)
	}
	return nil
}

// isDotGit reports whether a file system may take the name for .git: in any
// case; with the characters HFS+ passes over; with what NTFS drops behind it,
// and by its short name there.
func isDotGit(name string) bool {
	name, _, _ = strings.Cut(name, ":")
	name = strings.Map(func(r rune) rune {
		if r >= 0x200c && r <= 0x200f || r >= 0x202a && r <= 0x202e || r >= 0x206a && r <= 0x206f || r == 0xfeff {
			return -1
		}
		return r
	}, name)
	name = strings.ToLower(strings.TrimRight(name, ". "))
	return name == ".git" || name == "git~1"
}
