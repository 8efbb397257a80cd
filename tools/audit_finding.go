package tools

import (
	"fmt"
	"slices"

	"github.com/git-tasks/git-tasks/records"
	"github.com/git-tasks/git-tasks/repo"
)

// finding is what an audit has to say of one commit. History stays as it is, so
// a problem counts for as long as the tip still shows what the commit left, and
// is a note from then on. A record that is gone, or cannot be read, clears no
// commit of a stamp.
type finding struct {
	text    string
	problem bool
	path    string            // of the record that it is about; "" where nothing can be mended
	stands  func(record) bool // whether the record at the tip still shows it
	mend    string            // how to mend it
	put     *namedStamp       // a stamp that should not be in the record
	was     *namedStamp       // the stamp that should be in its place
}

func (a *audit) note(c repo.Commit, format string, args ...any) *finding {
	f := &finding{text: "commit " + c.ID.Short() + ": " + fmt.Sprintf(format, args...)}
	a.findings = append(a.findings, f)
	return f
}

// problem gives the finding, for [audit.mendable].
func (a *audit) problem(c repo.Commit, format string, args ...any) *finding {
	f := a.note(c, format, args...)
	f.problem = true
	return f
}

// mendable says of a problem when it stands and how to mend it.
func (a *audit) mendable(f *finding, path string, stands func(record) bool, mend string) {
	f.path, f.stands, f.mend = path, stands, mend
	a.wrongs[path] = append(a.wrongs[path], f)
}

// report adds the finding to a report, with what the tip makes of it.
func (f *finding) report(r *Report, tip *repo.Snapshot) {
	switch {
	case !f.problem:
		r.Notes = append(r.Notes, f.text)
	case f.path == "":
		r.Problems = append(r.Problems, f.text)
	case !f.stands(readRecord(tip, f.path)):
		r.Notes = append(r.Notes, f.text+"; mended since")
	default:
		r.Problems = append(r.Problems, f.text+"\n    mend: "+f.mend)
	}
}

// mendOf says how to take back what a commit did to stamps.
func (a *audit) mendOf(c repo.Commit) string {
	if a.pending[c.ID] {
		return nextChange
	}
	return revert(c)
}

// revert says how to take back what a commit did.
func revert(c repo.Commit) string {
	option := ""
	if len(c.Parents) > 1 {
		option = "-m 1 "
	}
	return "in a clone, git revert " + option + c.ID.Short() + " and push"
}

// putsBack reports whether a stamp is the one that should stand in a file, where
// before it is a wrong one, or none since somebody took it out.
func (a *audit) putsBack(path string, s namedStamp, before *records.Stamp) bool {
	return slices.ContainsFunc(a.wrongs[path], func(f *finding) bool {
		if f.was == nil || *f.was != s {
			return false
		}
		if f.put == nil || before == nil {
			return f.put == nil && before == nil
		}
		return f.put.stamp == *before
	})
}

// trueStamp is the stamp that should stand in a file, given the one that does:
// where that is a wrong one, what stood there before it; nil for none.
func (a *audit) trueStamp(path, name string, now *records.Stamp) *namedStamp {
	if now == nil {
		return nil
	}
	s := namedStamp{name, *now}
	for _, f := range slices.Backward(a.wrongs[path]) {
		if f.put != nil && *f.put == s {
			return f.was
		}
	}
	return &s
}
