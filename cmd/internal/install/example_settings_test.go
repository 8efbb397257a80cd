package install_test

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/git-tasks/git-tasks/cmd/internal/install"
)

// What a change would make of a file is known before it is made.
func ExampleSettings_Try() {
	dir, err := os.MkdirTemp("", "settings")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	s := install.Settings{Path: filepath.Join(dir, "mcp.json"), Base: dir, Private: true}
	entry := install.Entry{Path: []string{"servers", "tasks"}, Value: []byte(`{"command":"git-tasks"}`)}
	edit, err := s.Try(func(file []byte) ([]byte, error) { return install.JSON.Add(file, entry) })
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(edit.Changes(), edit.Before == nil, filepath.Base(edit.Path))
	fmt.Printf("%s", edit.After)
	_, err = os.Stat(s.Path)
	fmt.Println(os.IsNotExist(err))
	// Output:
	// true true mcp.json
	// {
	//   "servers": {
	//     "tasks": {
	//       "command": "git-tasks"
	//     }
	//   }
	// }
	// true
}
