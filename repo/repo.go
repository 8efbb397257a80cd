package repo

import (
	"fmt"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/crypto/ssh"
)

// Repo is a branch of a repository. It is safe for concurrent use, and so are
// several of them on one repository, in one process or in many.
type Repo struct {
	dir       string // the git directory that holds objects, refs and config
	ref       string // full name: refs/heads/main
	bare      bool
	incoming  string // see Options
	environ   []string
	committer Person
	now       func() time.Time
	disk      disk
	me        process
	tries     atomic.Uint64 // numbers the files of a try

	objects *objects
	door    door
	roll    rollUp
	packers packers
	hints   hints
	keep    keep // used under the lock

	keyMu  sync.Mutex
	key    ssh.Signer  // nil until it is read
	public string      // of key
	signed map[ID]bool // what this process signed with it, the last of it
}

// Options say how a repository is used. The zero value is the branch main,
// committed as git-tasks, by the system's clock.
type Options struct {
	Branch    string           // short name; "" is main
	Committer Person           // of every commit made; a missing Name is git-tasks
	Now       func() time.Time // committer dates; nil is [time.Now]
	// Environ is what git finds where we run it, see [GitEnviron]; nil is nothing.
	Environ []string
	// Incoming is the folder in which git holds the objects of a push while its
	// pre-receive hook judges it (GIT_QUARANTINE_PATH). They can be read then,
	// and Update is refused.
	Incoming string
	// Fault is asked before each file call that changes something, with the
	// call's name (create, write, fsync, link, rename, unlink, mkdir, append)
	// and the path; the call fails with the error it returns. It is how crash
	// and failure tests reach every step. Nil for everybody else.
	Fault func(op, path string) error
}

// Dir gives the git directory.
func (r *Repo) Dir() string { return r.dir }

// Ref gives the full name of the branch.
func (r *Repo) Ref() string { return r.ref }

// Close rolls packs up where that is due, waits for it, keeps beside the repository
// what was read of it where that was much, and lets go of open files. Calls that are
// being carried out must have been answered.
func (r *Repo) Close() error {
	err := r.finishRollUp()
	r.keep.close()
	r.objects.texts.keep()
	r.objects.close()
	return err
}

func (r *Repo) path(parts ...string) string {
	return filepath.Join(append([]string{r.dir}, parts...)...)
}

// own is a path in the folder beside the repository.
func (r *Repo) own(name string) string { return r.path("git-tasks", name) }

// tempNumber names a try of this process: <pid>.<start>.<n>.
func (r *Repo) tempNumber() string {
	return fmt.Sprintf("%s.%d", r.me, r.tries.Add(1))
}

func (r *Repo) tempName() string { return tempMark + r.tempNumber() }
