package repotest

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"time"
)

// durableSize is about what a small record takes.
const durableSize = 300

// durableTime measures what one durable change of anything costs on this disk at
// this moment: the median, of n, of creating a small file in dir, syncing it,
// renaming it, and syncing the folder. Times of the write door are told as
// multiples of it, measured in the same run.
func durableTime(dir string, n int) (time.Duration, error) {
	took := make([]time.Duration, n)
	data := make([]byte, durableSize)
	for i := range took {
		start := time.Now()
		if err := durableFile(filepath.Join(dir, strconv.Itoa(i)), data); err != nil {
			return 0, err
		}
		took[i] = time.Since(start)
	}
	slices.Sort(took)
	return took[n/2], nil
}

func durableFile(path string, data []byte) error {
	f, err := os.Create(path + ".new")
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err == nil {
		err = f.Sync()
	}
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err == nil {
		err = os.Rename(path+".new", path)
	}
	if err != nil {
		return err
	}
	folder, err := os.Open(filepath.Dir(path))
	if err != nil {
		return err
	}
	defer folder.Close()
	return folder.Sync()
}
