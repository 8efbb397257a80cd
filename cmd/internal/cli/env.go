package cli

import (
	"io"
	"os"
	"os/user"
	"slices"
	"strings"
	"time"
)

// Env is everything a run may touch of the process it runs in.
type Env struct {
	Args    []string // what was typed, the program's name first
	Program string   // the path of this program's binary, for whoever is to start it
	Stdin   io.ReadCloser
	Stdout  io.Writer
	Stderr  io.Writer
	Environ []string         // KEY=value, as os.Environ gives it
	Dir     string           // working folder, absolute
	Host    string           // this machine's name, for mail addresses
	User    func() string    // the person as the operating system knows them
	Now     func() time.Time // the clock of stamps and commits
	Width   int              // columns of the terminal behind Stdout, 0 for none
}

// OfProcess is the Env of this process.
func OfProcess() Env {
	dir, _ := os.Getwd() // without one, only absolute paths work
	host, _ := os.Hostname()
	program, err := os.Executable()
	if err != nil {
		program = "git-tasks" // found on PATH, where it is
	}
	return Env{
		Args: os.Args, Program: program, Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, Environ: os.Environ(),
		Dir: dir, Host: host, User: osUser, Now: time.Now, Width: terminalWidth(os.Stdout),
	}
}

func osUser() string {
	u, err := user.Current()
	if err != nil {
		return ""
	}
	return u.Username
}

// lookup gives a variable; of two of one name the last counts.
func (e Env) lookup(name string) (string, bool) {
	for _, v := range slices.Backward(e.Environ) {
		if value, ok := strings.CutPrefix(v, name+"="); ok {
			return value, true
		}
	}
	return "", false
}

func (e Env) get(name string) string {
	value, _ := e.lookup(name)
	return value
}
