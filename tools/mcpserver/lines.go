package mcpserver

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// lineWriter lets whole lines from several goroutines out one after the other.
type lineWriter struct {
	mu  sync.Mutex
	out io.WriteCloser
}

func (w *lineWriter) Write(line []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.out.Write(line)
}

func (w *lineWriter) Close() error { return w.out.Close() }

// copyMessages copies the lines of in that are JSON-RPC messages, and answers
// all others: the SDK ends the connection at the first of them. It returns nil
// at the end of in, the error of a closed pipe when nobody reads to any more.
func copyMessages(to io.Writer, in io.Reader, answers io.Writer) error {
	lines := bufio.NewReaderSize(in, 64<<10)
	for {
		line, whole, err := readLine(lines, mcp.DefaultMaxLineLength)
		line = bytes.TrimSpace(line)
		if len(line) > 0 {
			fault := lineFault(line, whole)
			if fault == nil {
				if _, err := to.Write(append(line, '\n')); err != nil {
					return err
				}
			} else if len(fault) > 0 {
				if _, err := answers.Write(fault); err != nil {
					return err
				}
			}
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// readLine reads one line. Of one that is longer than limit it keeps the
// beginning, and reads on to its end.
func readLine(r *bufio.Reader, limit int) (line []byte, whole bool, err error) {
	whole = true
	for {
		part, err := r.ReadSlice('\n')
		if len(line)+len(part) > limit {
			whole = false
			part = part[:max(0, min(len(part), limit-len(line)))]
		}
		line = append(line, part...)
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, whole, err
		}
	}
}

// lineFault gives the answer to a line that is not taken, an empty one where
// nobody waits for it; nil for a line that is.
func lineFault(line []byte, whole bool) []byte {
	if !whole {
		return faultLine(nil, jsonrpc.CodeInvalidRequest, "a message is at most 16 MiB")
	}
	_, f := judge(line)
	switch {
	case f == nil:
		return nil
	case f.unasked:
		return []byte{}
	}
	return faultLine(f.id, f.code, f.text)
}

func faultLine(id any, code int64, text string) []byte {
	line, err := json.Marshal(struct {
		Version string         `json:"jsonrpc"`
		ID      any            `json:"id"` // null where it is not known, which the SDK would leave out
		Error   *jsonrpc.Error `json:"error"`
	}{"2.0", id, &jsonrpc.Error{Code: code, Message: text}})
	if err != nil {
		panic(err) // texts and numbers can always be encoded
	}
	return append(line, '\n')
}
