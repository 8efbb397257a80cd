package records

import (
	"fmt"
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
	o, files := twice.(*overlay), 0
	for range o.below(".") {
		files++
	}
	if _, on := o.base.(*overlay); on || files != 5 {
		t.Errorf("an overlay on an overlay holds %d files, on %T", files, o.base)
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

// TestP28OverlayGrowsByLittle: in a long batch an edit copies few of the files that
// changed before it, each is still read as it was written last, and an overlay from
// which two go on is that of neither.
func TestP28OverlayGrowsByLittle(t *testing.T) {
	t.Parallel()
	const n = 4_000
	name := func(i int) string { return fmt.Sprintf("tasks/%d/t%d.md", i/100, i) }
	o, copied := over(fstest.MapFS{}, nil).(*overlay), 0
	for i := range n {
		before := o
		files := []File{{Path: name(i), Data: []byte("new")}}
		if i%2 == 1 {
			files = append(files, File{Path: name(i - 1)}, File{Path: name(i / 2), Data: []byte("again")})
		}
		_ = over(before, []File{{Path: name(i), Data: []byte("elsewhere")}})
		o = over(before, files).(*overlay)
		copied += len(o.layers[0].files)
		if len(o.layers) > 16 {
			t.Fatalf("%d layers after %d edits", len(o.layers), i+1)
		}
	}
	if copied > n*2*14 {
		t.Errorf("%d edits copied %d files", n, copied)
	}
	for i := range n {
		want := "new"
		if i < n/2 {
			want = "again"
		} else if i%2 == 0 {
			want = ""
		}
		if data, _ := fs.ReadFile(o, name(i)); string(data) != want {
			t.Fatalf("%s reads %q, want %q", name(i), data, want)
		}
	}
	entries, err := fs.ReadDir(o, "tasks/39")
	if err != nil || len(entries) != 50 || !o.isFolder("tasks") || o.isFolder("tasks/3") != true || o.isFolder("tas") {
		t.Errorf("tasks/39 lists %d, %v", len(entries), err)
	}
	gone := o
	for i := range n {
		gone = over(gone, []File{{Path: name(i)}}).(*overlay)
	}
	if gone.isFolder("tasks") || gone.isFolder("tasks/39") {
		t.Error("folders whose files are all gone are still there")
	}
}
