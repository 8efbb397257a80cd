package repo

import (
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"golang.org/x/crypto/ssh"
)

// keyName is the file, in the folder beside the repository, that holds the key
// by which the door signs.
const keyName = "key"

// MakeKey gives the repository a key of its own, an Ed25519 one in OpenSSH's
// form that its owner alone can read, and reports whether it had none. From then
// on the door signs every commit, in every process that writes.
func (r *Repo) MakeKey(ctx context.Context) (made bool, err error) {
	if exists(r.own(keyName)) {
		return false, nil
	}
	err = r.EditSide(ctx, keyName, func(old []byte) ([]byte, error) {
		if old != nil {
			return old, nil // another process was first
		}
		_, private, err := ed25519.GenerateKey(rand.Reader)
		if err != nil {
			return nil, err
		}
		block, err := ssh.MarshalPrivateKey(private, "git-tasks")
		if err != nil {
			return nil, err
		}
		made = true
		return pem.EncodeToMemory(block), nil
	})
	return made && err == nil, err
}

// PublicKey gives the public half of the repository's key as one line,
// "ssh-ed25519 AAAA…", and "" where there is no key.
func (r *Repo) PublicKey() (string, error) {
	key, err := r.readKey()
	if key == nil || err != nil {
		return "", err
	}
	r.keyMu.Lock()
	defer r.keyMu.Unlock()
	return r.public, nil
}

// readKey gives the key; nil where there is none. It is read once.
func (r *Repo) readKey() (ssh.Signer, error) {
	r.keyMu.Lock()
	defer r.keyMu.Unlock()
	if r.key != nil {
		return r.key, nil
	}
	data, err := os.ReadFile(r.own(keyName))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	key, err := ssh.ParsePrivateKey(data)
	if err != nil {
		return nil, fmt.Errorf("%s is no key that commits can be signed with: %w", r.own(keyName), err)
	}
	r.key, r.public = key, strings.TrimSpace(string(ssh.MarshalAuthorizedKey(key.PublicKey())))
	return key, nil
}

// maxSigned bounds how many of its own commits a process knows without a look at
// their signatures.
const maxSigned = 1 << 14

func (r *Repo) remember(id ID) {
	r.keyMu.Lock()
	defer r.keyMu.Unlock()
	if r.signed == nil || len(r.signed) >= maxSigned {
		r.signed = map[ID]bool{}
	}
	r.signed[id] = true
}

// SignedHere reports whether it was this Repo that signed a commit, not long
// ago: then nobody need look at the signature.
func (r *Repo) SignedHere(id ID) bool {
	r.keyMu.Lock()
	defer r.keyMu.Unlock()
	return r.signed[id]
}
