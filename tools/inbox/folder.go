package inbox

import "os"

// findFolder opens the folder anew where another one has its name now: whoever
// clears an inbox may take it away and make it again.
func (b *Inbox) findFolder() error {
	now, err := os.Stat(b.dir)
	if err != nil {
		return err
	}
	if was, err := b.root.Stat("."); err == nil && os.SameFile(was, now) {
		return nil
	}
	root, err := os.OpenRoot(b.dir)
	if err != nil {
		return err
	}
	b.root.Close()
	b.root = root
	b.log.Warn("the inbox is another folder than before; it is opened anew")
	return nil
}

// Fault says why nothing is taken just now, "" where files are. Any goroutine may ask.
func (b *Inbox) Fault() string {
	if why := b.fault.Load(); why != nil {
		return *why
	}
	return ""
}

// takesNothing says why, in the log once as long as it is the same.
func (b *Inbox) takesNothing(text string, err error) {
	why := text + ": " + err.Error()
	b.fault.Store(&why)
	b.sayOnce(".", err.Error(), text, "error", err)
}

func (b *Inbox) takesAgain() {
	b.fault.Store(nil)
	delete(b.said, ".")
}
