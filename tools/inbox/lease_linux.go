package inbox

import (
	"os"
	"syscall"
)

// beingWritten reports whether anybody has a file open for writing: Linux gives a
// read lease on it to its owner, or to root, as long as nobody has.
func beingWritten(f *os.File) (busy, sure bool) {
	raw, err := f.SyscallConn()
	if err != nil {
		return false, false
	}
	var failed syscall.Errno
	err = raw.Control(func(fd uintptr) {
		_, _, failed = syscall.Syscall(syscall.SYS_FCNTL, fd, syscall.F_SETLEASE, syscall.F_RDLCK)
		if failed == 0 {
			syscall.Syscall(syscall.SYS_FCNTL, fd, syscall.F_SETLEASE, syscall.F_UNLCK)
		}
	})
	busy = failed == syscall.EAGAIN
	return busy, err == nil && (busy || failed == 0)
}
