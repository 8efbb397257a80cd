package records_test

import (
	"strings"
	"testing"

	"github.com/git-tasks/git-tasks/records"
)

func TestFindStrayed(t *testing.T) {
	t.Parallel()
	file := func(lines string) []byte { return []byte("---\n" + lines + "status: todo\n---\n") }
	one, more, two, draft := file("id: t1\ntitle: A\n"), file("id: t1\ntitle: B\n"), file("id: t2\ntitle: A\n"), file("title: A\n")
	broken := file("id: t1\ntitle: a: b\n")
	for _, c := range []struct {
		name, path           string
		base, branch, pushed []byte
		kept, data           []byte // nil where it is one record
	}{
		{"the branch has another", "tasks/t2.md", one, two, more, two, more},
		{"the push has another", "tasks/t2.md", one, more, two, two, more},
		{"the push has a draft", "tasks/mine.md", one, more, draft, draft, more},
		{"one record", "tasks/t1.md", one, more, one, nil, nil},
		{"one record in an odd folder", "tasks/odd/t1.md", one, more, one, nil, nil},
		{"a draft that got its id", "tasks/t2.md", draft, two, file("title: C\n"), nil, nil},
		{"an id that somebody changed", "tasks/t1.md", one, two, more, nil, nil},
		{"one id instead of another on both sides", "tasks/t2.md", one, two, two, nil, nil},
		{"nothing before", "tasks/t2.md", nil, two, more, nil, nil},
		{"what cannot be read", "tasks/t2.md", one, two, broken, nil, nil},
		{"no record at all", "README.md", one, two, more, nil, nil},
		{"the highest id", "tasks/.highest", []byte("t1\n"), []byte("t2\n"), []byte("t1\n"), nil, nil},
	} {
		got, ok := records.FindStrayed(c.path, c.base, c.branch, c.pushed)
		if ok != (c.kept != nil) || string(got.Kept) != string(c.kept) || string(got.Data) != string(c.data) || ok && got.Path != "tasks/t1.md" {
			t.Errorf("%s: %v, %+v", c.name, ok, strings.TrimSpace(string(got.Kept)))
		}
	}
}
