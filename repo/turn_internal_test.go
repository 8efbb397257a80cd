package repo

import (
	"path/filepath"
	"testing"
)

// TestATurnThatIsRunAgain on another tip, or without a call that was withdrawn, lays
// itself out with what it had for that: making another costs more than all else.
func TestATurnThatIsRunAgain(t *testing.T) {
	t.Parallel()
	for _, withdrawn := range []bool{false, true} {
		dir := filepath.Join(t.TempDir(), "r.git")
		if _, err := Init(dir); err != nil {
			t.Fatal(err)
		}
		r, err := Open(dir, Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		edit := func(*Snapshot) ([]Proposal, error) {
			return []Proposal{{Author: Person{Name: "ana"}, Files: []File{{Path: "a", Data: []byte("x")}}}}, nil
		}
		one := &turn{reqs: []*request{{ctx: t.Context(), edit: edit}, {ctx: t.Context(), edit: edit}}}
		tip, err := r.Tip()
		if err != nil {
			t.Fatal(err)
		}
		r.runTurn(one, tip)
		had := one.batch.packer
		if one.reqs[0].gone = withdrawn; !withdrawn {
			if _, err := r.Update(t.Context(), edit); err != nil {
				t.Fatal(err)
			}
			if tip, err = r.Tip(); err != nil {
				t.Fatal(err)
			}
		}
		r.runTurn(one, tip)
		if had == nil || one.batch.packer != had {
			t.Errorf("withdrawn %v: another was made", withdrawn)
		}
		if p, err := one.batch.packer.finish(one.batch); err != nil || len(one.batch.packer.laid) != len(one.batch.order) {
			t.Errorf("withdrawn %v: %d objects are laid out of %d: %v, %v", withdrawn, len(had.laid), len(one.batch.order), p, err)
		}
	}
}
