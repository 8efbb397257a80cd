package ahp

import (
	"strconv"
	"strings"
)

// supported are the versions that are spoken, as ranges; see speaks.
var supported = []string{">=1.0.0 <2.0.0", ">=0.9.0 <0.10.0"}

// version is three plain integers.
type version [3]uint64

func parseVersion(s string) (v version, ok bool) {
	parts := strings.Split(s, ".")
	if len(parts) != len(v) {
		return v, false
	}
	for i, p := range parts {
		n, err := strconv.ParseUint(p, 10, 64)
		if err != nil || strconv.FormatUint(n, 10) != p {
			return v, false
		}
		v[i] = n
	}
	return v, true
}

// speaks reports whether a version is one of supported.
func (v version) speaks() bool { return v[0] == 1 || v[0] == 0 && v[1] == 9 }

func (v version) less(w version) bool {
	for i := range v {
		if v[i] != w[i] {
			return v[i] < w[i]
		}
	}
	return false
}

// choose gives the highest of the versions offered that is spoken, in the words of
// the client.
func choose(offered []string) (string, error) {
	var best version
	chosen := ""
	for _, s := range offered {
		v, ok := parseVersion(s)
		if !ok {
			return "", badParams("protocolVersions must be versions such as 1.1.0")
		}
		if v.speaks() && (chosen == "" || best.less(v)) {
			best, chosen = v, s
		}
	}
	if chosen == "" {
		return "", &fault{Code: codeNoVersion, Message: "none of the protocol versions offered is spoken here",
			Data: unsupportedVersion{supported}}
	}
	return chosen, nil
}
