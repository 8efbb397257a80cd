package records

import (
	"io/fs"
	"testing"
	"testing/fstest"
)

// The overlay is seen from outside only through Books, which never ask for all
// that an fs.FS must do.
func TestOverlayIsAFileSystem(t *testing.T) {
	t.Parallel()
	base := fstest.MapFS{
		"tasks/t1.md": {Data: []byte("one")}, "tasks/t2.md": {Data: []byte("two")},
		"tasks/web/x.md": {Data: []byte("x")}, "README.md": {Data: []byte("top")},
	}
	once := over(base, []File{{Path: "tasks/t1.md"}, {Path: "tasks/t2.md", Data: []byte("changed")}, {Path: "plans/1/p100.md", Data: []byte("new")}})
	twice := over(once, []File{{Path: "tasks/t3.md", Data: []byte{}}, {Path: "plans/1/p100.md"}, {Path: "plans/p1.md", Data: []byte("p")}})
	if err := fstest.TestFS(once, "tasks/t2.md", "tasks/web/x.md", "README.md", "plans/1/p100.md"); err != nil {
		t.Error(err)
	}
	if err := fstest.TestFS(twice, "tasks/t2.md", "tasks/t3.md", "plans/p1.md"); err != nil {
		t.Error(err)
	}
	if o := twice.(*overlay); len(o.files) != 5 {
		t.Errorf("an overlay on an overlay holds %d files", len(o.files))
	}
	for _, gone := range []string{"tasks/t1.md", "plans/1/p100.md"} {
		if data, err := fs.ReadFile(twice, gone); err == nil {
			t.Errorf("%s reads %q", gone, data)
		}
		if _, err := fs.Lstat(twice, gone); err == nil {
			t.Errorf("%s is still seen", gone)
		}
	}
	if data, err := fs.ReadFile(once, "plans/1/p100.md"); err != nil || string(data) != "new" {
		t.Errorf("the overlay below changed: %q, %v", data, err)
	}
}
