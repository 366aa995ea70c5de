package account

import (
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
)

// Keys sign access tokens: the first signs, all verify, so that a new one can be
// put first while tokens of the old one live on.
type Keys struct {
	first signingKey
	ids   []string // in the order that they were given in
	byID  map[string]ed25519.PublicKey
}

type signingKey struct {
	id      string
	private ed25519.PrivateKey
}

// NewKeys returns the keys with the seeds, each 32 bytes in base64.
func NewKeys(seeds []string) (*Keys, error) {
	if len(seeds) == 0 {
		return nil, errors.New("read token keys: there are none")
	}
	keys := &Keys{byID: make(map[string]ed25519.PublicKey)}
	for i, text := range seeds {
		seed, err := base64.StdEncoding.DecodeString(text)
		if err != nil || len(seed) != ed25519.SeedSize {
			return nil, fmt.Errorf("read token key %d: it is not %d bytes in base64", i+1, ed25519.SeedSize)
		}
		private := ed25519.NewKeyFromSeed(seed)
		public := private.Public().(ed25519.PublicKey)
		id := thumbprint(public)
		if i == 0 {
			keys.first = signingKey{id, private}
		}
		if keys.byID[id] == nil {
			keys.ids = append(keys.ids, id)
		}
		keys.byID[id] = public
	}
	return keys, nil
}

// OpenKeys returns the keys in the file, one on each line. A file that is
// absent is made, with a new key that only its owner can read.
func OpenKeys(file string) (*Keys, error) { return openFile(file, NewKeys) }

// thumbprint is the key's id: what RFC 7638 makes of it.
func thumbprint(public ed25519.PublicKey) string {
	sum := sha256.Sum256([]byte(`{"crv":"Ed25519","kty":"OKP","x":"` + base64.RawURLEncoding.EncodeToString(public) + `"}`))
	return base64.RawURLEncoding.EncodeToString(sum[:])
}
