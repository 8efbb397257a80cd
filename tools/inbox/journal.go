package inbox

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// journal is where the takes stand that a host which is killed leaves to the next.
func (b *Inbox) journal() string { return filepath.Join(b.store.Side(), "inbox.json") }

func (b *Inbox) readJournal() (taken []take, err error) {
	data, err := os.ReadFile(b.journal())
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err == nil {
		err = json.Unmarshal(data, &taken)
	}
	return taken, err
}

// note puts a take into the journal, on disk before its commit can be.
func (b *Inbox) note(t take) error {
	b.taken = append(b.taken, t)
	err := b.writeJournal()
	if err != nil {
		b.taken = b.taken[:len(b.taken)-1]
	}
	return err
}

// forget drops a take, from the journal as well: a file of its name that comes later
// may get the inode that it had, and is another. Where the journal cannot be written
// it says the take until the next one.
func (b *Inbox) forget(t take) {
	b.taken = slices.DeleteFunc(b.taken, func(o take) bool { return o.Mark == t.Mark })
	if err := b.writeJournal(); err != nil {
		b.store.Log().Warn("the journal of the inbox cannot be written", "file", b.journal(), "error", err)
	}
}

func (b *Inbox) writeJournal() error {
	data, err := json.Marshal(b.taken)
	if err != nil {
		return err
	}
	return replace(b.journal(), data)
}

// replace puts a file in the place of another, whole or not at all.
func replace(path string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	err = errors.Join(err, f.Sync(), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		os.Remove(f.Name())
		return err
	}
	folder, err := os.Open(filepath.Dir(path))
	if err != nil {
		return err
	}
	defer folder.Close()
	return folder.Sync()
}
