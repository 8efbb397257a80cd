package repo_test

import (
	"context"
	"fmt"
	"log"
	"time"

	"github.com/git-tasks/git-tasks/repo"
)

// A repository with a key signs what its door writes, and only that counts as
// the door's.
func ExampleRepo_MakeKey() {
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
	made, err := r.MakeKey(context.Background())
	fmt.Println("made a key:", made, err)
	_, err = r.Update(context.Background(), func(*repo.Snapshot) ([]repo.Proposal, error) {
		return []repo.Proposal{{Author: repo.Person{Name: "ana", Mail: "ana@example.org"}, At: time.Unix(0, 0),
			Message: repo.Message{Subject: "t1 add"}, Files: []repo.File{{Path: "tasks/t1.md", Data: []byte("…")}}}}, nil
	})
	fmt.Println("written:", err)
	key, err := r.PublicKey()
	if err != nil {
		log.Fatal(err)
	}
	signers, err := repo.ParseSigners([]byte("git-tasks@localhost " + key + "\n"))
	if err != nil {
		log.Fatal(err)
	}
	tip, err := r.Tip()
	if err != nil {
		log.Fatal(err)
	}
	for c := range tip.Log() {
		proven, err := tip.SignedBy(c, signers)
		fmt.Println(c.Subject(), "is the door's:", proven, err)
	}
	// Output:
	// made a key: true <nil>
	// written: <nil>
	// t1 add is the door's: true <nil>
}
