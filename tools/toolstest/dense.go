package toolstest

import (
	"fmt"
	"testing"

	"github.com/git-tasks/git-tasks/tools"
)

// CheckDense wants the tasks t1 to tn in a list, and no other.
func CheckDense(t testing.TB, s *tools.Store, n int) {
	t.Helper()
	book, _, err := s.Book()
	if err != nil {
		t.Fatal(err)
	}
	tasks, err := book.Tasks()
	if err != nil {
		t.Fatal(err)
	}
	i := 0
	for task := range tasks {
		if i++; task.ID != fmt.Sprintf("t%d", i) {
			t.Fatalf("after t%d comes %s", i-1, task.ID)
		}
	}
	if i != n {
		t.Errorf("there are %d tasks, want %d", i, n)
	}
}
