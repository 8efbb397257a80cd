package repo

import (
	"bytes"
	"crypto/rand"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base64"
	"encoding/pem"
	"errors"
	"fmt"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
	"golang.org/x/crypto/ssh"
)

// The words of an SSH signature as OpenSSH's PROTOCOL.sshsig and git have them.
const (
	signatureMagic = "SSHSIG"
	signatureSpace = "git"
	signatureHash  = "sha512"
	signatureType  = "SSH SIGNATURE"
	signatureField = "gpgsig"
)

// envelope is a signature as it is stored, behind the magic.
type envelope struct {
	Version                                    uint32
	PublicKey, Namespace, Reserved, Hash, Blob string
}

// statement is what a signature is made of, behind the magic.
type statement struct{ Namespace, Reserved, Hash, Digest string }

func (s statement) bytes() []byte { return append([]byte(signatureMagic), ssh.Marshal(s)...) }

// sign puts a signature into an encoded commit, where git keeps it: a header
// behind the committer's.
func sign(key ssh.Signer, commit []byte) ([]byte, error) {
	digest := sha512.Sum512(commit)
	signed, err := key.Sign(rand.Reader, statement{signatureSpace, "", signatureHash, string(digest[:])}.bytes())
	if err != nil {
		return nil, fmt.Errorf("signing a commit: %w", err)
	}
	stored := append([]byte(signatureMagic), ssh.Marshal(envelope{1, string(key.PublicKey().Marshal()),
		signatureSpace, "", signatureHash, string(ssh.Marshal(signed))})...)
	head, message, _ := bytes.Cut(commit, []byte("\n\n"))
	out := make([]byte, 0, len(commit)+2*len(stored)+128)
	out = append(append(append(out, head...), '\n'), signatureField...)
	out = appendArmour(out, stored)
	return append(append(out, "\n\n"...), message...), nil
}

// armourLine is how many bytes stand in a line of PEM.
const armourLine = 48

// appendArmour appends PEM as it stands in a header of a commit: each line behind a
// space, no line end behind the last.
func appendArmour(out, data []byte) []byte {
	out = append(out, " -----BEGIN "+signatureType+"-----"...)
	for len(data) > 0 {
		n := min(len(data), armourLine)
		out = base64.StdEncoding.AppendEncode(append(out, "\n "...), data[:n])
		data = data[n:]
	}
	return append(out, "\n -----END "+signatureType+"-----"...)
}

// unsign takes an encoded commit apart: what was signed, and the signature in
// its armour; none where it carries none, or more than one.
func unsign(commit []byte) (payload []byte, armour string) {
	head, message, _ := bytes.Cut(commit, []byte("\n\n"))
	var rest, found []string
	count, inside := 0, false
	for line := range strings.SplitSeq(string(head), "\n") {
		value, starts := strings.CutPrefix(line, signatureField+" ")
		if starts {
			count++
		} else if inside = inside && strings.HasPrefix(line, " "); inside {
			value = line[1:]
		}
		if inside = inside || starts; inside {
			found = append(found, value)
		} else {
			rest = append(rest, line)
		}
	}
	if count != 1 {
		return nil, ""
	}
	return []byte(strings.Join(rest, "\n") + "\n\n" + string(message)), strings.Join(found, "\n")
}

// Signers are the keys whose signatures are believed. The zero value believes
// nobody.
type Signers struct{ keys map[string]bool } // by wire form

// ParseSigners reads keys as git's allowed signers file lists them, one a line:
// who, perhaps options, the key's type and the key in base64. Empty lines and
// those that begin with # are passed over. The error names the first line that
// is none; the keys of the others are believed all the same.
func ParseSigners(data []byte) (Signers, error) {
	s := Signers{map[string]bool{}}
	var errs []error
	n := 0
	for line := range strings.Lines(string(data)) {
		n++
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		_, rest, _ := strings.Cut(line, " ")
		key, _, options, _, err := ssh.ParseAuthorizedKey([]byte(rest))
		if err != nil || len(options) > 0 && !onlyForGit(options) {
			errs = append(errs, fmt.Errorf("line %d lists no key for git", n))
			continue
		}
		s.keys[string(key.Marshal())] = true
	}
	if len(errs) > 0 {
		return s, errs[0]
	}
	return s, nil
}

// Believe reports whether all keys of others are among these; none are not.
func (s Signers) Believe(others Signers) bool {
	for key := range others.keys {
		if !s.keys[key] {
			return false
		}
	}
	return len(others.keys) > 0
}

// onlyForGit reports whether options say no more than that the key is for git's
// signatures.
func onlyForGit(options []string) bool {
	return len(options) == 1 && options[0] == `namespaces="`+signatureSpace+`"`
}

// SignedBy reports whether a commit carries a signature by one of the keys, over
// all that it says: tree, parents, author, dates and message.
func (s *Snapshot) SignedBy(c Commit, signers Signers) (bool, error) {
	if !c.Signed || len(signers.keys) == 0 {
		return false, nil
	}
	data, err := s.read(plumbing.CommitObject, c.ID)
	if err != nil {
		return false, err
	}
	return signers.verify(unsign(data)) == nil, nil
}

func (s Signers) verify(payload []byte, armour string) error {
	block, rest := pem.Decode([]byte(armour + "\n"))
	if block == nil || block.Type != signatureType || len(rest) > 0 {
		return errors.New("no SSH signature")
	}
	stored, ok := bytes.CutPrefix(block.Bytes, []byte(signatureMagic))
	var e envelope
	if !ok || ssh.Unmarshal(stored, &e) != nil || e.Version != 1 || e.Namespace != signatureSpace {
		return errors.New("no SSH signature of a commit")
	}
	if !s.keys[e.PublicKey] {
		return errors.New("the key is not one of the signers'")
	}
	var digest []byte
	switch e.Hash {
	case "sha512":
		sum := sha512.Sum512(payload)
		digest = sum[:]
	case "sha256":
		sum := sha256.Sum256(payload)
		digest = sum[:]
	default:
		return fmt.Errorf("unknown hash %q", e.Hash)
	}
	key, err := ssh.ParsePublicKey([]byte(e.PublicKey))
	if err != nil {
		return err
	}
	var signed ssh.Signature
	if err := ssh.Unmarshal([]byte(e.Blob), &signed); err != nil {
		return err
	}
	return key.Verify(statement{e.Namespace, e.Reserved, e.Hash, string(digest)}.bytes(), &signed)
}
