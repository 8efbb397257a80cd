package inbox_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/git-tasks/git-tasks/tools"
	"github.com/git-tasks/git-tasks/tools/inbox"
	"github.com/git-tasks/git-tasks/tools/toolstest"
)

// A file that is put into the folder is a task of the list.
func ExampleInbox_Run() {
	s, done, err := toolstest.OpenExample(tools.Config{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer done()
	box, err := inbox.Open(s, filepath.Join(s.Dir(), "inbox"))
	if err != nil {
		fmt.Println(err)
		return
	}
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() { defer close(ended); box.Run(ctx) }()
	defer func() { stop(); <-ended }()

	moved, err := s.Moved(ctx)
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := os.WriteFile(filepath.Join(box.Dir(), "login.md"), []byte("# Fix the login\n\nIt says 500.\n"), 0o600); err != nil {
		fmt.Println(err)
		return
	}
	<-moved
	book, _, err := s.Book()
	if err != nil {
		fmt.Println(err)
		return
	}
	t, err := book.Task("t1")
	fmt.Println(t.Line(), err)
	fmt.Println(t.Body)
	// Output:
	// t1 todo medium Fix the login <nil>
	// It says 500.
}
