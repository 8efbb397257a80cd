package records_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/git-tasks/git-tasks/records"
)

// longTexts is a list of n tasks with bodies of up to so many letters: where they are
// of few kinds, whatever is looked for is nearly there in many places.
func longTexts(rnd *rand.Rand, n, size int, letters string) fstest.MapFS {
	files := fstest.MapFS{}
	for i := 1; i <= n; i++ {
		id := fmt.Sprintf("t%d", i)
		body := make([]byte, rnd.IntN(size))
		for j := range body {
			body[j] = letters[rnd.IntN(len(letters))]
		}
		files[records.PathOf(id)] = &fstest.MapFile{Data: []byte(taskFile(id, "todo") + "\nx" + string(body) + "x\n")}
	}
	return files
}

// TestSelectTextIsAPlainScan: what a text is found in by the index of a list that
// was asked before is what a look at each task finds, wherever in it the text lies.
func TestSelectTextIsAPlainScan(t *testing.T) {
	t.Parallel()
	rnd := rand.New(rand.NewPCG(3, 1))
	for _, letters := range []string{"aabABz .", "abcdefghijklmNOPQRSTUVWXYZ-+ .,", "abcdefghijklmNOPQRSTUVWXYZ-+ .,"} {
		book := records.NewBook(longTexts(rnd, 300, 400, letters))
		var all []*records.Task
		tasks, err := book.Tasks()
		if err != nil {
			t.Fatal(err)
		}
		for task := range tasks {
			all = append(all, task)
		}
		for i := range 600 {
			from := all[rnd.IntN(len(all))].Body
			start, length := rnd.IntN(len(from)), 1+rnd.IntN(1+rnd.IntN(330))
			if i%2 == 0 && len(from) > 128 { // over the edge of a block
				start, length = 64+rnd.IntN(4)-4, 30+rnd.IntN(4)
			}
			word := from[start:min(len(from), start+length)]
			if rnd.IntN(8) == 0 {
				word += "q"
			}
			if rnd.IntN(2) == 0 {
				word = strings.ToUpper(word)
			}
			var want []string
			for _, task := range all {
				if strings.Contains(strings.ToLower(task.Body), strings.ToLower(word)) || strings.Contains(strings.ToLower(task.Title), strings.ToLower(word)) {
					want = append(want, task.ID)
				}
			}
			if got := pages(t, book, records.Filter{Text: word}, 0); !slices.Equal(got, want) {
				t.Fatalf("%q\n got %v\nwant %v", word, got, want)
			}
		}
	}
}

// BenchmarkSelectText looks for a text that few of many tasks have, in a list that
// was asked before.
func BenchmarkSelectText(b *testing.B) {
	for _, n := range []int{1_000, 10_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			files := longTexts(rand.New(rand.NewPCG(1, 1)), n, 1500, "abcdefghijklmnopqrstuvwxyz     .,\n")
			want := 0
			for i := 7; i <= n; i += 100 {
				file := files[records.PathOf(fmt.Sprintf("t%d", i))]
				file.Data = append(file.Data, "The Lexer before the ledger.\n"...)
				want++
			}
			book := records.NewBook(files)
			b.ReportAllocs()
			for b.Loop() {
				page, left, err := book.Select(records.Filter{Text: "LEXER before the ledger"}, 0, 5)
				if err != nil || len(page)+left != want {
					b.Fatalf("%d and %d are found, want %d; %v", len(page), left, want, err)
				}
			}
		})
	}
}
