package repo

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/go-git/go-git/v5/plumbing/format/config"
)

// Configure adds settings to a repository that [Init] made, each as
// "section.key=value"; one key may have several. Keys that it names already stand,
// whatever they say. Any other repository is [Unsupported].
func Configure(path string, add ...string) error {
	dir, err := gitDir(path)
	if err != nil {
		return err
	}
	return extend(dir, path, parseSettings(add))
}

// Unconfigure takes out again what Configure added to a repository that [Init]
// made, and reports whether it was there. What stands otherwise than Configure
// writes it is somebody else's, and stays.
func Unconfigure(path string, remove ...string) (changed bool, err error) {
	dir, err := gitDir(path)
	if err != nil {
		return false, err
	}
	if cfg, err := readConfig(dir); err != nil || !isOwn(cfg) {
		return false, err
	}
	err = rewriteConfig(dir, func(text string, _ *config.Config) string {
		was := text
		for _, s := range parseSettings(remove) {
			at := strings.LastIndex("\n"+text, "\n"+s.lines())
			if at < 0 {
				continue
			}
			before, after := text[:at], text[at+len(s.lines()):]
			if after != "" && !strings.HasPrefix(after, "[") { // others' lines below ours
				after = "[" + s.section + "]\n" + after
			}
			text = before + after
		}
		changed = text != was
		return text
	})
	return changed, err
}

// Setting gives the values of a key ("section.key") in a repository's own
// settings, as they stand there.
func Setting(path, key string) ([]string, error) {
	dir, err := gitDir(path)
	if err != nil {
		return nil, err
	}
	cfg, err := readConfig(dir)
	if err != nil {
		return nil, err
	}
	section, name, _ := strings.Cut(key, ".")
	return cfg.Section(section).OptionAll(name), nil
}

// isOwn reports whether [Init] made the repository with these settings.
func isOwn(cfg *config.Config) bool { return cfg.Section("git-tasks").Option("init") == "1" }

func parseSettings(texts []string) (list []setting) {
	for _, text := range texts {
		name, value, _ := strings.Cut(text, "=")
		section, key, _ := strings.Cut(name, ".")
		list = append(list, setting{section, key, value})
	}
	return list
}

// lines is a setting as it is added behind others.
func (s setting) lines() string { return fmt.Sprintf("[%s]\n\t%s = %s\n", s.section, s.key, s.value) }

func extend(dir, path string, list []setting) error {
	cfg, err := readConfig(dir)
	if err != nil {
		return err
	}
	if !isOwn(cfg) {
		return &Error{Kind: Unsupported, Text: fmt.Sprintf(
			"%s is a repository that git-tasks did not make; use it with --branch tasks, or name another folder", path)}
	}
	if lacking(cfg, list) == "" {
		return nil
	}
	return extendConfig(dir, list)
}

// extendConfig appends what lacks.
func extendConfig(dir string, list []setting) error {
	return rewriteConfig(dir, func(text string, cfg *config.Config) string {
		if text != "" && !strings.HasSuffix(text, "\n") {
			text += "\n"
		}
		return text + lacking(cfg, list)
	})
}

func lacking(cfg *config.Config, list []setting) string {
	text := ""
	for _, s := range list {
		if !cfg.Section(s.section).HasOption(s.key) {
			text += s.lines()
		}
	}
	return text
}

// rewriteConfig changes the settings by git's own protocol: config.lock is made
// exclusively, what is to change is looked for under it, and it is renamed over the
// file, which keeps its mode.
func rewriteConfig(dir string, change func(text string, cfg *config.Config) string) (err error) {
	file := filepath.Join(dir, "config")
	lock, err := lockConfig(file + ".lock")
	if err != nil {
		return err
	}
	defer func() {
		lock.Close()
		if err != nil {
			os.Remove(lock.Name())
		}
	}()
	cfg, err := readConfig(dir)
	if err != nil {
		return err
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	info, err := os.Stat(file)
	if err != nil {
		return err
	}
	if err := lock.Chmod(info.Mode().Perm()); err != nil {
		return err
	}
	if _, err := lock.WriteString(change(string(data), cfg)); err != nil {
		return err
	}
	if err := lock.Sync(); err != nil {
		return err
	}
	if err := os.Rename(lock.Name(), file); err != nil {
		return err
	}
	return disk{}.syncDir(dir)
}

// lockConfig makes the lock and waits for another's as long as for that of a ref.
func lockConfig(path string) (*os.File, error) {
	for deadline := time.Now().Add(refWait); ; time.Sleep(10 * time.Millisecond) {
		f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
		if !errors.Is(err, fs.ErrExist) {
			return f, err
		}
		if time.Now().After(deadline) {
			return nil, heldError(path, path)
		}
	}
}
