package tools

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"reflect"
	"strings"
	"time"
	"unicode"

	"github.com/git-tasks/git-tasks/records"
	"github.com/git-tasks/git-tasks/repo"
)

const (
	// keyTrailer names the call that made a commit: "<key> <12 digits of what the
	// input's SHA-256 is>". The answer of a call that is made again is made of the
	// commit, so it is the same after a restart and in a clone.
	keyTrailer = "Idempotency-Key"
	// keyWindow and keyCommits bound how far back a key is looked for.
	keyWindow  = 60 * time.Minute
	keyCommits = 10_000
	// maxKey is how many bytes a key may have.
	maxKey = 200
)

// The fields that say that a call counts once, and of which state it was meant.
var (
	idempotencyKey = Field{Name: "idempotencyKey", Form: Key, plain: true, Doc: "makes a call count once: again within an hour, it is answered as it was"}
	ifCommit       = Field{Name: "ifCommit", Form: Title, plain: true, Doc: "only if the task is as this commit has it"}
)

// isKey reports whether a text can be a key: what its trailer reads back as.
func isKey(s string) bool {
	return s != "" && len(s) <= maxKey && strings.TrimSpace(s) == s && strings.IndexFunc(s, func(r rune) bool { return !unicode.IsPrint(r) }) < 0
}

// again gives the answer of the same call made before, where there was one and it has
// a key. It is looked for ahead of everything else, since what the call is about may
// be gone by now. The error is a conflict where the key was used for another call.
func (c *call) again(raw json.RawMessage) (answer Answer, found bool, err error) {
	var named map[string]json.RawMessage
	var key string
	if c.tool.place(idempotencyKey.Name) < 0 || json.Unmarshal(raw, &named) != nil ||
		json.Unmarshal(named[idempotencyKey.Name], &key) != nil || !isKey(key) {
		return Answer{}, false, nil // what is wrong with it is said where the input is read
	}
	c.key = key + " " + c.tool.digest(named)
	tip, err := c.store.tip()
	if err != nil {
		return Answer{}, false, err
	}
	c.seen = tip.ID()
	made, err := c.madeBefore(tip, repo.ID{})
	if err != nil || made == nil {
		return Answer{}, false, err
	}
	answer, err = c.answerOf(*made)
	return answer, true, err
}

// digest is what tells inputs of a tool apart: the fields that are named, however they
// are spelled.
func (t *Tool) digest(named map[string]json.RawMessage) string {
	values := map[string]any{}
	for _, f := range t.Fields {
		var value any
		if f.Name != idempotencyKey.Name && json.Unmarshal(named[f.Name], &value) == nil && value != nil {
			values[f.Name] = value
		}
	}
	text, err := json.Marshal(values)
	if err != nil {
		panic(err) // it was JSON
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:6])
}

// madeBefore looks for the commit that the call's key names, from a tip back to a
// commit that was looked at already; nil for none.
func (c *call) madeBefore(tip *repo.Snapshot, until repo.ID) (*repo.Commit, error) {
	key, _ := cutLast(c.key)
	looked := 0
	for commit, err := range tip.Log() {
		if err != nil {
			return nil, err
		}
		if looked++; looked > keyCommits || commit.ID == until {
			return nil, nil
		}
		if !looksOurs(commit) {
			continue
		}
		if c.store.now().Sub(commit.CommitTime) >= keyWindow {
			return nil, nil
		}
		value, _ := commit.Trailer(keyTrailer)
		if is, _ := cutLast(value); value == "" || is != key || !c.madeBy(commit) {
			continue
		}
		ours, err := c.store.ofTheDoor(tip, commit)
		if err != nil {
			return nil, err // to go on would do the call twice
		}
		if !ours {
			continue
		}
		if tool, _ := commit.Trailer("Tool"); value != c.key || tool != c.tool.Name {
			return nil, &records.Refusal{Kind: records.Conflict, Text: "conflict: idempotencyKey was used for another input."}
		}
		return &commit, nil
	}
	return nil, nil
}

// cutLast cuts a text at its last blank.
func cutLast(s string) (before, after string) {
	at := strings.LastIndexByte(s, ' ')
	if at < 0 {
		return s, ""
	}
	return s[:at], s[at+1:]
}

// madeBy reports whether the caller made a commit: by its name, and in its session
// where there is one. A client for which one was made up is the same in the next.
func (c *call) madeBy(commit repo.Commit) bool {
	in, _ := commit.Trailer(sessionTrailer)
	own := repo.Trailer{Value: c.caller.session}.Text()
	isSame := records.BareSession(in) == records.BareSession(own)
	return commit.Author.Name == c.caller.by && (isSame || isOfClient(in) && isOfClient(own))
}

// answerOf gives the answer of the call that made a commit.
func (c *call) answerOf(commit repo.Commit) (Answer, error) {
	id, _, _ := strings.Cut(commit.Subject(), " ")
	result := Result{IDs: []string{strings.TrimSuffix(id, ",")}, Commit: commit.ID}
	if len(commit.Parents) > 0 {
		result.replaced = commit.Parents[0]
	}
	for _, at := range []repo.ID{commit.ID, result.replaced} { // before it, where it was removed
		snapshot, err := c.store.repo.At(at)
		if err != nil {
			return Answer{}, err
		}
		result.Book = records.NewBook(snapshot.FS())
		if record, err := result.Book.Record(result.IDs[0]); err != nil || record != nil {
			break
		}
	}
	return c.answerChange(result)
}

// update commits what a call wants: once for its key, and only where the task is as
// the commit has it that the call names. Where the call was made before, the result
// is nil and the answer that of the first.
func (c *call) update(plan func(*records.Book) ([]Step, error)) (result Result, first *Answer, err error) {
	var made *repo.Commit
	see := func(tip *repo.Snapshot) (stop bool, err error) {
		made = nil
		if c.key != "" {
			if made, err = c.madeBefore(tip, c.seen); err != nil || made != nil {
				return true, err
			}
		}
		return false, c.checkUnchanged(tip)
	}
	result, err = c.store.updateSeeing(c.ctx, c.caller, c.tool.Name, see, func(_ *repo.Snapshot, book *records.Book) ([]Step, error) {
		steps, err := plan(book)
		if n := len(steps); err == nil && n > 0 && c.key != "" {
			steps[n-1].Note = repo.Trailer{Key: keyTrailer, Value: c.key}
		}
		return steps, err
	})
	if err != nil || made == nil {
		return result, nil, err
	}
	answer, err := c.answerOf(*made)
	return Result{}, &answer, err
}

// checkUnchanged refuses a call that was meant of another state of its task.
func (c *call) checkUnchanged(tip *repo.Snapshot) error {
	if c.in.IfCommit == "" {
		return nil
	}
	since, err := c.store.FindCommit(c.in.IfCommit)
	if err != nil {
		return invalid(ifCommit.Name, "ifCommit must be a commit of the list.")
	}
	before, err := tip.At(since)
	if err != nil {
		return err
	}
	was, err := records.NewBook(before.FS()).Task(c.in.Task)
	if err != nil {
		return err
	}
	is, err := records.NewBook(tip.FS()).Task(c.in.Task)
	if err != nil || reflect.DeepEqual(was, is) {
		return err
	}
	changed := tip.ID()
	for commit, err := range tip.Log() {
		if err != nil {
			return err
		}
		paths, err := tip.Touched(commit)
		if err != nil {
			return err
		}
		if names(paths, c.in.Task) {
			changed = commit.ID
			break
		}
	}
	return &records.Refusal{Kind: records.Conflict, Of: c.in.Task,
		Text: "conflict: " + c.in.Task + " changed in " + changed.String() + " after " + records.Visible(c.in.IfCommit) + "."}
}
