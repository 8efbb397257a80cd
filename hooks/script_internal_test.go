package hooks

import (
	"strings"
	"testing"
)

// TestKindOf: the scripts of every version are ours, and none of them with a line
// more, less or other.
func TestKindOf(t *testing.T) {
	t.Parallel()
	s := Script{Program: "/opt/it's here/git-tasks", Flags: []string{"--repo", "it's"}, Mend: "git-tasks init 'it''s'"}
	scripts := map[string]string{"plain": Script{}.text("proc-receive"), "chained": s.text(chained), "landing": s.text("proc-receive")}
	scripts["landing that says where it lies"] = strings.Replace(scripts["landing"], "hook proc-receive;", `hook proc-receive "$0";`, 1)
	scripts["chained that does not"] = strings.Replace(scripts["chained"], ` "$0"`, "", 1)
	scripts["chained by itself"] = strings.Replace(scripts["chained that does not"], "\nfor ", `
b="${0%/*}/pre-receive.before-git-tasks"
if [ -x "$b" ]; then
	refs=$(cat)
	printf '%s\n' "$refs" | "$b" "$@" || exit
	exec <<END
$refs
END
fi
for `, 1)
	for name, text := range scripts {
		if got := kindOf([]byte(text)); got != ours {
			t.Errorf("%s is %d:\n%s", name, got, text)
		}
		for what, other := range map[string]string{
			"a line behind":  text + "echo mine\n",
			"one like ours":  text + "echo 'mine' >&2; exit 1\n",
			"a line between": strings.Replace(text, "\nfor ", "\necho 'mine'\nfor ", 1),
			"no line end":    strings.TrimSuffix(text, "\n"),
			"a word more":    strings.Replace(text, `exec "$p"`, `exec nice "$p"`, 1),
			"a flag more":    strings.Replace(text, " hook ", " -v hook ", 1),
		} {
			if got := kindOf([]byte(other)); got != edited {
				t.Errorf("%s with %s is %d:\n%s", name, what, got, other)
			}
		}
	}
	for _, text := range []string{"", "#!/bin/sh\n", "#!/bin/sh\n# " + mark + "\n"} {
		if got := kindOf([]byte(text)); got != others {
			t.Errorf("%q is %d", text, got)
		}
	}
}
