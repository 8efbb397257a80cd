package repo

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

// TestHintsOfWhatWasWritten: what a roll-up is told of the packs that this process
// wrote is what it reads in them.
func TestHintsOfWhatWasWritten(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "records.git")
	if _, err := Init(dir); err != nil {
		t.Fatal(err)
	}
	r, err := Open(dir, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for i := range 8 {
		_, err := r.Update(context.Background(), func(*Snapshot) ([]Proposal, error) {
			var proposals []Proposal
			for j := range 5 {
				text := fmt.Sprintf("---\nid: t%d\ntitle: some of round %d\n---\n\nü %s", j, i, strings.Repeat("text ", i*j))
				proposals = append(proposals, Proposal{Author: Person{Name: "ana"}, Message: Message{Subject: "x"},
					Files: []File{{Path: fmt.Sprintf("tasks/%d/t%d.md", i%3, j), Data: []byte(text[:min(len(text), 9*i*j)])}}})
			}
			return proposals, nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	packs, err := r.storedPacks()
	if err != nil || len(packs) == 0 {
		t.Fatalf("%d packs, %v", len(packs), err)
	}
	if len(r.hints.of) == 0 {
		t.Fatal("nothing was remembered")
	}
	for _, p := range packs {
		var told, read bytes.Buffer
		if err := listPack(&told, p.base, &r.hints); err != nil {
			t.Fatal(err)
		}
		if err := listPack(&read, p.base, &hints{}); err != nil {
			t.Fatal(err)
		}
		if told.String() != read.String() {
			t.Errorf("what was remembered says\n%s\nand the pack\n%s", &told, &read)
		}
	}
}
