package tools

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
)

// emptySettings is what an edit of a file that is not there begins with.
const emptySettings = "{}\n"

// settingsEdit is one change of a settings file: what is meant, and the pieces of
// text it takes. Everything else in the file stays byte for byte.
type settingsEdit struct {
	file   string
	data   []byte
	root   *node
	want   *Settings // what the file must say afterwards
	pieces []piece
}

// piece is a stretch of the old text and what comes in its place.
type piece struct {
	start, end int
	text       string
}

// editSettings makes one change under a lock, so that of two at the same time
// none is lost. The new file takes the place of the old one whole and synced, and
// nobody but its owner may read it. On an error the file is as it was.
func editSettings(file string, change func(*settingsEdit) error) error {
	if real, err := filepath.EvalSymlinks(file); err == nil {
		file = real // the link stays one
	}
	dir := filepath.Dir(file)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	lock, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer lock.Close() // and with it the lock goes
	if err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX); err != nil {
		return fmt.Errorf("lock %s: %w", dir, err)
	}
	e := &settingsEdit{file: file}
	if e.data, err = readSettings(file); errors.Is(err, fs.ErrNotExist) {
		e.data, err = []byte(emptySettings), nil
	}
	if err != nil {
		return err
	}
	if e.want, err = parseSettings(file, e.data); err != nil {
		return err
	}
	if e.root, err = parseJSON(file, e.data); err != nil {
		return err
	}
	if err := change(e); err != nil {
		return err
	}
	text := e.text()
	if err := e.verify(text); err != nil {
		return err
	}
	if err := replaceSettings(file, text); err != nil {
		return fmt.Errorf("%s stays as it was: %w", file, err)
	}
	return lock.Sync()
}

// replaceSettings puts a private file at a path, whole or not at all, and synced:
// what it holds is kept nowhere else.
func replaceSettings(path string, text []byte) (err error) {
	temp, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".new-") // made with mode 0600
	if err != nil {
		return err
	}
	defer func() {
		temp.Close()
		if err != nil {
			os.Remove(temp.Name())
		}
	}()
	if _, err := temp.Write(text); err != nil {
		return err
	}
	if err := temp.Sync(); err != nil {
		return err
	}
	return os.Rename(temp.Name(), path)
}

// text is the file with the pieces put in.
func (e *settingsEdit) text() []byte {
	slices.SortStableFunc(e.pieces, func(a, b piece) int { return a.start - b.start })
	var text []byte
	at := 0
	for _, p := range e.pieces {
		text = append(append(text, e.data[at:p.start]...), p.text...)
		at = p.end
	}
	return append(text, e.data[at:]...)
}

// find gives a member, nil for none.
func find(members []member, key string) *member {
	for i := range members {
		if members[i].key == key {
			return &members[i]
		}
	}
	return nil
}

// userNode gives the object of the user at a place of the list.
func (e *settingsEdit) userNode(i int) *node {
	users := find(e.root.value.([]member), "users") // the file was read as settings
	return users.value.value.([]*node)[i]
}

// insertUser adds a user at the end of the list, and the list where there is
// none.
func (e *settingsEdit) insertUser(u User) error {
	text := `{"id": ` + quoted(u.ID)
	if len(u.Roles) > 0 {
		text += `, "roles": ` + listJSON(u.Roles)
	}
	text += `, "token": ` + quoted(u.Token) + "}"
	members, err := e.root.object("the settings file")
	if err != nil {
		return err
	}
	users := find(members, "users")
	if users == nil {
		text = "\"users\": [\n    " + text + "\n  ]"
		if len(members) == 0 {
			text = "\n  " + text + "\n"
		}
		e.insert(e.root, lastOf(members), text)
		return nil
	}
	items, err := users.value.array("users")
	if err != nil {
		return err
	}
	var last *stretch
	if n := len(items); n > 0 {
		last = &stretch{items[n-1].start, items[n-1].end}
	}
	e.insert(users.value, last, text)
	return nil
}

// setMember gives a member of a user a value.
func (e *settingsEdit) setMember(i int, key, value string) error {
	user := e.userNode(i)
	members, err := user.object("a user")
	if err != nil {
		return err
	}
	if old := find(members, key); old != nil {
		e.pieces = append(e.pieces, piece{old.value.start, old.value.end, value})
		return nil
	}
	e.insert(user, lastOf(members), quoted(key)+": "+value)
	return nil
}

// stretch is where a text lies in the file.
type stretch struct{ start, end int }

func lastOf(members []member) *stretch {
	if len(members) == 0 {
		return nil
	}
	m := members[len(members)-1]
	return &stretch{m.start, m.value.end}
}

// insert adds a text behind the last thing in an object or a list, parted from
// it as that is from what stands before it.
func (e *settingsEdit) insert(into *node, last *stretch, text string) {
	if last == nil {
		e.pieces = append(e.pieces, piece{into.start + 1, into.end - 1, text})
		return
	}
	before := last.start
	for before > 0 && strings.IndexByte(" \t\r\n", e.data[before-1]) >= 0 {
		before--
	}
	apart := string(e.data[before:last.start])
	if apart == "" {
		apart = " "
	}
	e.pieces = append(e.pieces, piece{last.end, last.end, "," + apart + text})
}

// cutMember takes a member out, with the comma that parted it from another.
func (e *settingsEdit) cutMember(members []member, key string) {
	i := slices.IndexFunc(members, func(m member) bool { return m.key == key })
	cut := piece{start: members[i].start, end: members[i].value.end}
	switch {
	case i > 0:
		cut.start = members[i-1].value.end
	case len(members) > 1:
		cut.end = members[1].start
	}
	e.pieces = append(e.pieces, cut)
}

func listJSON(list []string) string {
	items := make([]string, len(list))
	for i, s := range list {
		items[i] = quoted(s)
	}
	return "[" + strings.Join(items, ", ") + "]"
}
