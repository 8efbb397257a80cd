package serve

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"time"

	"github.com/git-tasks/git-tasks/tools"
)

// reload reads the settings again whenever a signal asks for it.
func (h *host) reload(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-h.Config.Reload:
			h.readAgain() // what is wrong with them is in the log
		}
	}
}

// readAgain puts in force what the settings say now. Where they cannot be taken the
// old ones stand, and the error says why.
func (h *host) readAgain() error {
	h.reading.Lock() // of two who ask at once the later must not end with the older text
	defer h.reading.Unlock()
	st, err := h.Settings()
	if err == nil && !h.at.local() && len(st.Users) == 0 {
		err = errors.New("they have no users, and " + h.at.String() + " lets others in")
	}
	if err != nil {
		h.Store.Log().Error("the settings were not taken; the old ones stand", "error", err)
		return err
	}
	h.Store.Use(st)
	h.limits.judge()
	h.channels.judge()
	h.Store.Log().Info("the settings were read again")
	return nil
}

// answerReload serves a process that says which settings file it has changed.
func (h *host) answerReload(file string, conn net.Conn) error {
	err := h.reads(file)
	if err == nil {
		err = h.readAgain()
	}
	said := told{}
	if err != nil {
		said = refusal(err)
	}
	conn.SetWriteDeadline(time.Now().Add(askWait))
	return json.NewEncoder(conn).Encode(said)
}

// reads gives an error where a file is not the one that the host goes by.
func (h *host) reads(file string) error {
	if file == h.SettingsFile {
		return nil
	}
	changed, err := os.Stat(file)
	if err != nil {
		return fmt.Errorf("looking at the settings: %w", err)
	}
	if own, err := os.Stat(h.SettingsFile); err != nil || !os.SameFile(changed, own) {
		return &tools.Error{Code: tools.Conflict, Message: "it reads its settings from " + h.SettingsFile}
	}
	return nil
}

// Reload tells the host that serves a list that a settings file was changed, and
// returns when the host goes by it. ok is false where no host answers; err says why
// one that did goes by its old settings still.
func Reload(ctx context.Context, s *tools.Store, runtime, file string) (ok bool, err error) {
	conn := dial(s, hello{Settings: file}, runtime, welcomeReload)
	if conn == nil {
		return false, nil
	}
	defer conn.Close()
	defer context.AfterFunc(ctx, func() { conn.SetDeadline(time.Now()) })()
	conn.SetDeadline(time.Now().Add(askWait))
	var said told
	if json.NewDecoder(conn).Decode(&said) != nil {
		return false, nil
	}
	if said.Error != nil {
		return true, said.Error
	}
	return true, nil
}
