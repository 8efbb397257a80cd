package repo_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log"
	"os"
	"path/filepath"
	"time"

	"github.com/git-tasks/git-tasks/repo"
)

// exampleFolder gives a path at which there is nothing yet.
func exampleFolder() (path string, remove func()) {
	dir, err := os.MkdirTemp("", "repo-example-")
	if err != nil {
		log.Fatal(err)
	}
	return filepath.Join(dir, "records.git"), func() { os.RemoveAll(dir) }
}

func ExampleInit() {
	path, remove := exampleFolder()
	defer remove()
	for range 2 {
		made, err := repo.Init(path)
		fmt.Println(made, err)
	}
	// Output:
	// true <nil>
	// false <nil>
}

func ExampleOpen() {
	path, remove := exampleFolder()
	defer remove()
	_, err := repo.Open(path, repo.Options{})
	fmt.Println(repo.IsKind(err, repo.Missing))
	if _, err := repo.Init(path); err != nil {
		log.Fatal(err)
	}
	r, err := repo.Open(path, repo.Options{Branch: "tasks"})
	if err != nil {
		log.Fatal(err)
	}
	defer r.Close()
	tip, err := r.Tip()
	fmt.Println(r.Ref(), tip.ID().IsZero(), err)
	// Output:
	// true
	// refs/heads/tasks true <nil>
}

func ExampleRepo_Update() {
	path, remove := exampleFolder()
	defer remove()
	if _, err := repo.Init(path); err != nil {
		log.Fatal(err)
	}
	r, err := repo.Open(path, repo.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer r.Close()
	receipt, err := r.Update(context.Background(), func(tip *repo.Snapshot) ([]repo.Proposal, error) {
		if _, err := fs.Stat(tip.FS(), "tasks/t1.md"); err == nil {
			return nil, fmt.Errorf("t1 is taken")
		}
		return []repo.Proposal{{
			Author:  repo.Person{Name: "ana", Mail: "ana@example.org"},
			At:      time.Date(2026, 10, 18, 10, 0, 0, 0, time.UTC),
			Message: repo.Message{Subject: "t1 add: Fix login", Trailers: []repo.Trailer{{Key: "Tool", Value: "task_add"}}},
			Files:   []repo.File{{Path: "tasks/t1.md", Data: []byte("Fix login\n")}},
		}}, nil
	})
	if err != nil {
		log.Fatal(err)
	}
	tip, err := r.Tip()
	if err != nil {
		log.Fatal(err)
	}
	text, err := fs.ReadFile(tip.FS(), "tasks/t1.md")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("first: %v, %d commit, %s", receipt.Before.IsZero(), len(receipt.Commits), text)
	for c, err := range tip.Log() {
		tool, _ := c.Trailer("Tool")
		fmt.Println(c.Author.Name, c.Subject(), tool, err)
		fmt.Printf("%q\n", c.Message)
	}
	// Output:
	// first: true, 1 commit, Fix login
	// ana t1 add: Fix login task_add <nil>
	// "t1 add: Fix login\n\nTool: task_add\n"
}

// An error says what sort of trouble it is, what was being done to what, and
// why.
func ExampleError() {
	path, remove := exampleFolder()
	defer remove()
	if _, err := repo.Init(path); err != nil {
		log.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(path, "refs", "heads", "main"), []byte("no commit\n"), 0o644); err != nil {
		log.Fatal(err)
	}
	r, err := repo.Open(path, repo.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer r.Close()
	_, err = r.Tip()
	var e *repo.Error
	if errors.As(err, &e) {
		fmt.Println(e.Kind == repo.Damaged, e.Err)
		fmt.Println(e.Text)
	}
	// Output:
	// true <nil>
	// refs/heads/main holds 10 bytes that are no commit id
}
