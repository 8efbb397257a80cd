//go:build !linux && !darwin

package cli

import "os"

// terminalWidth takes nothing for a terminal where it cannot be asked: what is
// printed is plain then.
func terminalWidth(*os.File) int { return 0 }
