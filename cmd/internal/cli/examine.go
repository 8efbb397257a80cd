package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"

	urfave "github.com/urfave/cli/v2"

	"github.com/git-tasks/git-tasks/cmd/internal/serve"
	"github.com/git-tasks/git-tasks/records"
	"github.com/git-tasks/git-tasks/tools"
)

const (
	// oldestGit is the first that makes one pack of several (git pack-objects
	// --stdin-packs).
	oldestGit = "2.32"
	// leastSpace is how much of a disk must be free: a change is small, a roll-up
	// writes the packs it merges a second time.
	leastSpace = 100 << 20
)

var gitVersion = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^git version (\d+)\.(\d+)`) })

// examineGit looks for git as a command of ours would find it.
func (f *front) examineGit(ctx context.Context) tools.Finding {
	out, err := f.askGit(ctx, "version")
	path, _ := exec.LookPath("git") // as it was just found
	said := records.Visible(strings.TrimSpace(out))
	number := gitVersion().FindStringSubmatch(said)
	switch {
	case errors.Is(err, errGitHangs):
		return tools.Finding{State: tools.ByHand, Topic: "git", Text: err.Error(), Mend: "see what keeps it"}
	case err != nil:
		return tools.Finding{State: tools.ByHand, Topic: "git", Text: "git is not on PATH, or does not run",
			Mend: "install git " + oldestGit + " or later; until then packs are not rolled up, and check cannot look at objects"}
	case number == nil:
		return tools.Finding{State: tools.Notable, Topic: "git", Text: "git gives no version that is known here: " + said}
	case older(number[1], number[2]):
		return tools.Finding{State: tools.ByHand, Topic: "git", Text: said + " is older than " + oldestGit,
			Mend: "install a later one; this one cannot roll packs up"}
	}
	return tools.Finding{State: tools.Fine, Topic: "git", Text: said + ", " + path}
}

// older reports whether a version is older than oldestGit.
func older(major, minor string) bool {
	wantMajor, wantMinor, _ := strings.Cut(oldestGit, ".")
	if major == wantMajor {
		return number(minor) < number(wantMinor)
	}
	return number(major) < number(wantMajor)
}

// number reads digits; more than fit count as none.
func number(digits string) int {
	n, err := strconv.Atoi(digits)
	if err != nil {
		return 0
	}
	return n
}

// examineSettings reads the settings file. One that is wrong stops every other
// command; here the look goes on without it.
func (f *front) examineSettings(c *urfave.Context) (*tools.Settings, tools.Finding) {
	settings, err := f.settings(c)
	if err != nil {
		return nil, tools.Finding{State: tools.ByHand, Topic: "settings", Text: tools.AsError(err).Message,
			Mend: "until it is mended, every command refuses to start"}
	}
	text := "no user directory"
	if n := len(settings.Users); n > 0 {
		text = count(n, "user")
	}
	for _, option := range []struct {
		name string
		on   bool
	}{
		{"requireApproval", settings.RequireApproval}, {"gateOnBlockers", settings.GateOnBlockers}, {"closeGate", settings.CloseGate},
		{"hostTasks", settings.HostTasks}, {"reminder off", settings.Reminder.Off},
	} {
		if option.on {
			text += ", " + option.name
		}
	}
	if settings.SweepAfterDays > 0 {
		text += fmt.Sprintf(", sweepAfterDays %v", settings.SweepAfterDays)
	}
	return settings, tools.Finding{State: tools.Fine, Topic: "settings", Text: text}
}

// examineFolders looks whether a change could be written: the rights of the
// folders that it is written to, and the room on their disk.
func examineFolders(s *tools.Store) []tools.Finding {
	var closed []string
	for _, name := range []string{"", "objects", "objects/pack", "refs/heads", "logs/refs/heads", "git-tasks"} {
		dir := filepath.Join(s.Dir(), filepath.FromSlash(name))
		if _, err := os.Stat(dir); err == nil && !writable(dir) {
			closed = append(closed, dir)
		}
	}
	found := []tools.Finding{{State: tools.Fine, Topic: "rights", Text: "you may write every folder that a change is written to"}}
	if len(closed) > 0 {
		found[0] = tools.Finding{State: tools.ByHand, Topic: "rights", Text: "you may not write " + strings.Join(closed, ", "),
			Mend: "whoever owns them can give you the right; reading needs none"}
	}
	free, ok := freeSpace(s.Dir())
	switch text := fmt.Sprintf("%d MiB free", free>>20); {
	case !ok:
	case free < leastSpace:
		found = append(found, tools.Finding{State: tools.ByHand, Topic: "disk", Text: text + fmt.Sprintf(", fewer than %d", leastSpace>>20),
			Mend: "make room; a change that does not fit is refused, and nothing is lost"})
	default:
		found = append(found, tools.Finding{State: tools.Fine, Topic: "disk", Text: text})
	}
	return found
}

// examineSecrets looks whether others may read what is for one person alone: the
// key that commits are signed with, and the settings where they have tokens.
func (f *front) examineSecrets(c *urfave.Context, s *tools.Store, settings *tools.Settings) tools.Finding {
	files := []string{filepath.Join(s.Side(), "key")}
	if settings != nil && len(settings.Users) > 0 {
		if file, _, err := f.settingsFile(c); err == nil {
			files = append(files, file)
		}
	}
	var open []string
	for _, file := range files {
		if info, err := os.Stat(file); err == nil && info.Mode().Perm()&0o077 != 0 {
			open = append(open, quoted(file))
		}
	}
	if len(open) > 0 {
		return tools.Finding{State: tools.ByHand, Topic: "secrets", Text: "others may read " + strings.Join(open, ", "),
			Mend: "chmod 600 " + strings.Join(open, " ")}
	}
	return tools.Finding{State: tools.Fine, Topic: "secrets", Text: "none can be read by others"}
}

// examineHost looks whether a host serves the list, and is of this version.
func examineHost(s *tools.Store) tools.Finding {
	host, ok := serve.Running(s)
	text := fmt.Sprintf("process %d at %s, since %s", host.PID, host.Address, host.Start.Format(time.RFC3339))
	switch {
	case !ok:
		return tools.Finding{State: tools.Fine, Topic: "host", Text: "none is running; commands open the list themselves"}
	case host.PID == 0:
		return tools.Finding{State: tools.Fine, Topic: "host", Text: "one is just starting"}
	case host.Version != tools.Version():
		return tools.Finding{State: tools.Notable, Topic: "host", Text: text + ", of version " + host.Version + "; this program is " + tools.Version(),
			Mend: "commands open the list themselves meanwhile; start it again to have both alike"}
	}
	return tools.Finding{State: tools.Fine, Topic: "host", Text: text}
}
