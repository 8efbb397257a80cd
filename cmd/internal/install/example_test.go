package install_test

import (
	"encoding/json"
	"fmt"

	"github.com/git-tasks/git-tasks/cmd/internal/install"
)

// An entry goes into a file as the file is written, and out again.
func ExampleFormat() {
	file := []byte("{\n\t// mine\n\t\"mcpServers\": {\n\t\t\"other\": {\"command\": \"other\"} // keep\n\t}\n}\n")
	entry := install.Entry{Path: []string{"mcpServers", "tasks"}, Value: json.RawMessage(`{"command":"git-tasks","args":[]}`)}
	added, err := install.JSON.Add(file, entry)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s", added)
	removed, err := install.JSON.Remove(added, entry)
	fmt.Println(string(removed) == string(file), err)
	// Output:
	// {
	// 	// mine
	// 	"mcpServers": {
	// 		"other": {"command": "other"}, // keep
	// 		"tasks": {
	// 			"command": "git-tasks",
	// 			"args": []
	// 		}
	// 	}
	// }
	// true <nil>
}
