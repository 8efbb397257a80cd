package inbox

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// refused is the folder for what is no record.
const refused = "refused"

// refuse moves a file to those that were refused, with the reason beside it.
func (b *Inbox) refuse(name, reason string) time.Duration {
	delete(b.waiting, name)
	if b.step("refuse "+name) != nil {
		return 0
	}
	to, err := b.freeName(name)
	if err == nil {
		err = b.root.WriteFile(filepath.Join(refused, to+".txt"), []byte(reason+"\n"), 0o644)
	}
	if err == nil {
		err = b.root.Rename(name, filepath.Join(refused, to))
	}
	if err != nil {
		b.sayOnce(name, reason, "a file is refused and cannot be put aside", "file", name, "reason", reason, "error", err)
		return 0
	}
	delete(b.said, name)
	b.log.Warn("a file is refused", "file", name, "reason", reason, "at", filepath.Join(refused, to))
	return 0
}

// freeName gives a name that no refused file has: fix.md, fix-2.md. A reason alone
// is of a file that somebody took back.
func (b *Inbox) freeName(name string) (string, error) {
	if err := b.root.Mkdir(refused, 0o755); err != nil && !errors.Is(err, os.ErrExist) {
		return "", err
	}
	if info, err := b.root.Lstat(refused); err != nil || !info.IsDir() {
		return "", errors.Join(err, fmt.Errorf("%s is no folder", filepath.Join(b.dir, refused)))
	}
	ext := filepath.Ext(name)
	for n := 1; ; n++ {
		to := name
		if n > 1 {
			to = strings.TrimSuffix(name, ext) + "-" + strconv.Itoa(n) + ext
		}
		_, err := b.root.Lstat(filepath.Join(refused, to))
		if errors.Is(err, os.ErrNotExist) {
			return to, nil
		}
		if err != nil {
			return "", err
		}
	}
}
