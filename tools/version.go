package tools

import "runtime/debug"

// Version is what the build knows of itself: the version of the module it was
// built of, "devel" where it knows none.
func Version() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "devel"
}
