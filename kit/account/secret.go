package account

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
)

// secretLen is the bytes of a random secret: 256 bits can't be guessed, so a
// plain SHA-256 of one is stored, and no slow hash is needed.
const secretLen = 32

// newSecret returns a random secret as text that needs no quoting anywhere.
func newSecret() string {
	var b [secretLen]byte
	_, _ = rand.Read(b[:]) // never fails
	return base64.RawURLEncoding.EncodeToString(b[:])
}

// hashSecret returns what is stored of a random secret.
func hashSecret(secret string) []byte {
	sum := sha256.Sum256([]byte(secret))
	return sum[:]
}
