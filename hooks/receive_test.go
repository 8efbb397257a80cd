package hooks_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/git-tasks/git-tasks/hooks"
	"github.com/git-tasks/git-tasks/tools"
)

const (
	none = "0000000000000000000000000000000000000000"
	one  = "1111111111111111111111111111111111111111"
	two  = "2222222222222222222222222222222222222222"
)

func packet(text string) string { return fmt.Sprintf("%04x%s", len(text)+4, text) }

// git hands over two refs; one lands, one is refused.
func ExampleProcReceive() {
	in := packet("version=1\x00push-options atomic\n") + "0000" +
		packet(one+" "+two+" refs/heads/main\n") + packet(none+" "+one+" refs/for/main\n") + "0000"
	var out strings.Builder
	err := hooks.ProcReceive(strings.NewReader(in), &out, func(l tools.Landing) (tools.Landed, error) {
		if l.Old.IsZero() {
			return tools.Landed{}, errors.New("refs/for/main: not today")
		}
		return tools.Landed{Said: []string{"t4 id: Fix"}}, nil
	}, func(line string) { fmt.Println("remote:", line) })
	fmt.Println(out.String(), err)
	// Output:
	// remote: t4 id: Fix
	// 000eversion=1
	// 00000017ok refs/heads/main
	// 001fng refs/for/main not today
	// 0000 <nil>
}

func TestProcReceiveRefusesOtherSpeech(t *testing.T) {
	t.Parallel()
	for name, in := range map[string]string{
		"another version":   packet("version=2\n") + "0000",
		"a version like it": packet("version=11\n") + "0000",
		"nothing":           "",
		"no length":         "zzzz",
		"a delimiter":       "0001",
		"half a length":     packet("version=1\n") + "00zz" + packet(one+" "+two+" refs/heads/main\n") + "0000",
		"a signed length":   "+00e" + "version=1\n" + "0000" + packet(one+" "+two+" refs/heads/main\n") + "0000",
		"a blank length":    "  0e" + "version=1\n" + "0000" + packet(one+" "+two+" refs/heads/main\n") + "0000",
		"no ref":            packet("version=1\n") + "0000" + packet(one+" "+two+" ") + "0000",
		"cut short":         packet("version=1\n"),
		"no command":        packet("version=1\n") + "0000" + packet("what is this\n") + "0000",
	} {
		var out strings.Builder
		err := hooks.ProcReceive(strings.NewReader(in), &out, func(tools.Landing) (tools.Landed, error) {
			t.Errorf("%s: something landed", name)
			return tools.Landed{}, nil
		}, func(string) {})
		if err == nil {
			t.Errorf("%s is taken, and answered %q", name, out.String())
		}
	}
}

// A hook that was there before is told the same, says what it has to say, and
// refuses for both.
func TestPreReceiveAsksTheEarlierHook(t *testing.T) {
	t.Parallel()
	for theirs, refuses := range map[string]bool{"cat; echo $MARK": false, "cat; echo $MARK; exit 3": true} {
		script := filepath.Join(t.TempDir(), "pre-receive")
		if err := os.WriteFile(script+".before-git-tasks", []byte("#!/bin/sh\n"+theirs+"\n"), 0o777); err != nil {
			t.Fatal(err)
		}
		var said strings.Builder
		judged := false
		err := hooks.PreReceive(t.Context(), hooks.Push{Script: script, Refs: []byte(one + " " + two + " refs/heads/main\n"),
			Say: &said, Environ: []string{"PATH=" + os.Getenv("PATH"), "MARK=given"}},
			func(tools.Landing) error { judged = true; return nil })
		if (err != nil) != refuses || judged == refuses {
			t.Errorf("%s: %v, judged %v", theirs, err, judged)
		}
		if want := one + " " + two + " refs/heads/main\ngiven\n"; said.String() != want {
			t.Errorf("%s: it said %q, want %q", theirs, &said, want)
		}
		if refuses && !strings.Contains(err.Error(), "pre-receive.before-git-tasks refused the push: exit status 3") {
			t.Errorf("the refusal does not name the hook: %v", err)
		}
	}
}

// What is wrong with any ref is said, and every line of it.
func TestPreReceiveNamesAll(t *testing.T) {
	t.Parallel()
	in := one + " " + two + " refs/heads/main\n" + none + " " + one + " refs/tags/a b\n" + none + " " + one + " refs/for/main\n"
	var seen []string
	err := hooks.PreReceive(t.Context(), hooks.Push{Refs: []byte(in)}, func(l tools.Landing) error {
		seen = append(seen, l.Ref)
		if l.Ref == "refs/for/main" {
			return nil
		}
		return &tools.Error{Code: tools.Invalid, Message: "wrong: " + l.Ref + "\n    mend: x"}
	})
	if want := "wrong: refs/heads/main\n    mend: x\nwrong: refs/tags/a b\n    mend: x"; err == nil || err.Error() != want || tools.AsError(err).Code != tools.Invalid {
		t.Errorf("it says %v, want %s", err, want)
	}
	if !slices.Equal(seen, []string{"refs/heads/main", "refs/tags/a b", "refs/for/main"}) {
		t.Errorf("it was asked about %q", seen)
	}
	for _, in := range []string{"what\n", "x y z\n"} {
		if err := hooks.PreReceive(t.Context(), hooks.Push{Refs: []byte(in)}, func(tools.Landing) error { return nil }); err == nil {
			t.Errorf("%q is taken for a ref", in)
		}
	}
}

// TestPreReceiveEndsWithTheWorst: of several refs that are refused, the one that no other
// push mends says how it ends, wherever it stands.
func TestPreReceiveEndsWithTheWorst(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		codes []tools.Code
		want  tools.Code
	}{
		{[]tools.Code{tools.Invalid}, tools.Invalid},
		{[]tools.Code{tools.Denied, tools.Invalid}, tools.Denied},
		{[]tools.Code{tools.Invalid, tools.Denied, tools.Conflict}, tools.Denied},
		{[]tools.Code{tools.Internal, tools.Denied}, tools.Internal},
		{[]tools.Code{tools.Held, tools.Internal, tools.Invalid}, tools.Internal},
	} {
		in, left := strings.Repeat(none+" "+one+" refs/tags/a\n", len(c.codes)), c.codes
		err := hooks.PreReceive(t.Context(), hooks.Push{Refs: []byte(in)}, func(tools.Landing) error {
			code := left[0]
			left = left[1:]
			return &tools.Error{Code: code, Message: "wrong"}
		})
		if got := tools.AsError(err).Code; got != c.want {
			t.Errorf("%v is %s, want %s", c.codes, got, c.want)
		}
	}
}
