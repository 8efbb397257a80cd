package panel_test

import (
	"log"
	"os"
	"testing/fstest"
	"time"

	"github.com/git-tasks/git-tasks/channel/panel"
	"github.com/git-tasks/git-tasks/records"
)

// A panel shows a Book; on what is no terminal it is printed once.
func Example() {
	file := func(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte("---\n" + text + "---\n")} }
	book := records.NewBook(fstest.MapFS{
		"plans/p1.md": file("id: p1\ntitle: Ship the parser\nstatus: active\nscope: {kind: folder, folder: /srv/work}\n"),
		"tasks/t1.md": file("id: t1\ntitle: Read the grammar\nstatus: done\nplan: p1\nfinished: {at: 2026-10-18T11:00:00.000Z, by: ana}\n"),
		"tasks/t2.md": file("id: t2\ntitle: Fix tabs in lists\nstatus: doing\nplan: p1\nowner: pilot\nactive: Reading the lexer\n" +
			"lease: {at: 2026-10-18T11:50:00.000Z, by: pilot, until: 2026-10-18T12:20:00.000Z}\n"),
		"tasks/t3.md": file("id: t3\ntitle: Test them\nstatus: todo\nplan: p1\nparent: t2\nblockedBy: [t2]\n"),
	})
	p := panel.New(book, "p1")
	for _, p.Tree = range []bool{false, true} {
		if err := p.Print(os.Stdout, time.Date(2026, 10, 18, 12, 0, 0, 0, time.UTC)); err != nil {
			log.Fatal(err)
		}
	}
	// Output:
	// p1 Ship the parser (3 total: 1 done, 1 in progress, 1 open)
	// ◐ t2 Fix tabs in lists  pilot: Reading the lexer                20m left
	// ⊘ t3 Test them                                    waits for t2
	// ● t1 Read the grammar
	// p1 Ship the parser (3 total: 1 done, 1 in progress, 1 open)
	//   ● t1 Read the grammar
	// ▾ ◐ t2 Fix tabs in lists  pilot: Reading the lexer                20m left
	//     ⊘ t3 Test them                                  waits for t2
}
