package cli_test

import (
	"encoding/json"
	"strconv"
	"testing"

	"github.com/git-tasks/git-tasks/records"
)

func number(n int) string { return strconv.Itoa(n) }

// titleOf reads the document that show prints of a task, whose title, note and
// only label are to be the same.
func titleOf(t *testing.T, document string) string {
	t.Helper()
	var task records.Task
	if err := json.Unmarshal([]byte(document), &task); err != nil {
		t.Fatal(err)
	}
	if task.Note != task.Title || len(task.Labels) != 1 || task.Labels[0] != task.Title {
		t.Errorf("title %q, note %q, labels %q", task.Title, task.Note, task.Labels)
	}
	return task.Title
}
