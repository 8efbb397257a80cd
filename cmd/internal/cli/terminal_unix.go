//go:build linux || darwin

package cli

import (
	"os"
	"syscall"
	"unsafe"
)

// terminalWidth gives the columns of the terminal behind f, 0 where there is
// none. A terminal that does not know its size counts as 80 columns wide.
func terminalWidth(f *os.File) int {
	var size struct{ rows, columns, x, y uint16 }
	_, _, errno := syscall.Syscall(syscall.SYS_IOCTL, f.Fd(), syscall.TIOCGWINSZ, uintptr(unsafe.Pointer(&size)))
	switch {
	case errno != 0:
		return 0
	case size.columns == 0:
		return 80
	}
	return int(size.columns)
}
