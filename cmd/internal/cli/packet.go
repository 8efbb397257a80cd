package cli

import (
	"encoding/json"
	"io"
	"os"

	"github.com/git-tasks/git-tasks/records"
)

// packet reads a packet from a file, or from standard input; no name clears it. What
// is in it is for the tool to judge.
func (f *front) packet(name string) (any, error) {
	text, err := "{}", error(nil)
	switch name {
	case "":
	case "-":
		text, err = f.stdin()
	default:
		text, err = readText(f.abs(name))
	}
	if err != nil {
		return nil, err
	}
	var packet any
	if err := json.Unmarshal([]byte(text), &packet); err != nil {
		return nil, usage("--packet must name JSON: %v", err)
	}
	return packet, nil
}

// readText reads a file, no more of it than a record may have.
func readText(name string) (string, error) {
	file, err := os.Open(name)
	if err != nil {
		return "", usage("--packet cannot be read: %v", err)
	}
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(file, records.MaxRecord+1))
	if err != nil {
		return "", usage("--packet cannot be read: %v", err)
	}
	if len(data) > records.MaxRecord {
		return "", usage("--packet is too large: %s has more than %d MiB", name, records.MaxRecord>>20)
	}
	return string(data), nil
}
