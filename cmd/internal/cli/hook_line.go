package cli

import (
	"path/filepath"
	"slices"
	"strings"
)

// hookLine is the command line of a hook, as a shell takes it.
func hookLine(words []string) string {
	var line []string
	for _, word := range words {
		if flag, value, ok := strings.Cut(word, "="); ok && strings.HasPrefix(flag, "--") {
			line = append(line, flag+"="+quoted(value))
		} else {
			line = append(line, quoted(word))
		}
	}
	return strings.Join(line, " ")
}

// lineWords gives the words of a line that hookLine made, nil for any other.
func lineWords(line string) []string {
	words, inQuotes := []string{""}, false
	for i := 0; i < len(line); i++ {
		last := &words[len(words)-1]
		switch {
		case line[i] == '\'':
			inQuotes = !inQuotes
		case line[i] == '\\' && !inQuotes && i+1 < len(line):
			i++
			*last += line[i : i+1]
		case line[i] == ' ' && !inQuotes:
			words = append(words, "")
		default:
			*last += line[i : i+1]
		}
	}
	if hookLine(words) != line {
		return nil
	}
	return words
}

// isHookOf reports whether words are those of hookWords for a client, whatever the
// program and the list.
func isHookOf(client *mcpClient, words []string) bool {
	flags := len(words) - 2
	if flags < 1 || words[flags] != "hook" || words[flags+1] != client.name {
		return false
	}
	for i := 1; i < flags; i++ {
		switch isPair := slices.Contains([]string{"--repo", "--branch", "--config"}, words[i]); {
		case isPair && i+1 < flags:
			i++
		case isPair || !strings.HasPrefix(words[i], "--as="):
			return false
		}
	}
	return true
}

// isOurLine reports whether a line is what install writes, for whatever list, with
// this program or one of its name.
func (f *front) isOurLine(client *mcpClient, line string) bool {
	words := lineWords(line)
	if len(words) > 1 && words[0] == "git" && words[1] == "tasks" {
		return isHookOf(client, words[1:])
	}
	return isHookOf(client, words) && f.isOurProgram(words[0])
}

// isOurProgram reports whether a program is this one, or has its name.
func (f *front) isOurProgram(program string) bool {
	return program == f.env.Program || strings.TrimSuffix(filepath.Base(program), ".exe") == "git-tasks"
}

// isLikeOurs reports whether a line runs the hook of a client in a way of its own:
// somebody wrote it, so it is nobody else's to take away.
func (f *front) isLikeOurs(client *mcpClient, line string) bool {
	return strings.Contains(line, " hook "+client.name) &&
		(strings.HasPrefix(line, quoted(f.env.Program)+" ") || strings.Contains(line, "git-tasks") || strings.Contains(line, "git tasks "))
}
