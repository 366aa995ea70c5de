package account

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
)

// Vault keeps secrets that the database must hold and may not know: it
// encrypts those that are needed again, and makes keyed hashes of those that
// only have to be recognised. Its first key is used, all are known, so that a
// new one can be put first; a key may be dropped once nothing made with it is
// needed any more.
type Vault struct {
	keys []vaultKey
}

// vaultKey is one key, of which each purpose has a part of its own.
type vaultKey struct {
	id    [keyIDLen]byte
	bytes []byte
}

const (
	keyLen   = 32
	keyIDLen = 4
)

// The purposes: a text that was made for one is invalid for another.
const (
	forSecondFactor = "second factor"
	forVerifier     = "PKCE verifier"
	forRefresh      = "refresh token"
	forRecovery     = "recovery code"
	forAccount      = "login failure"
	forTakeBack     = "take back"
	forDevice       = "device"
)

// The purposes of [Vault.Derive]: links to files, ids of uploads with an idempotency key,
// positions in live lists, and what callers have seen of a database with replicas.
const (
	ForUploads     = "upload"
	ForLinks       = "link"
	ForPositions   = "position"
	ForConsistency = "consistency"
)

// NewVault returns the vault with the keys, each 32 bytes in base64.
func NewVault(keys []string) (*Vault, error) {
	if len(keys) == 0 {
		return nil, errors.New("read secret keys: there are none")
	}
	v := &Vault{}
	for i, text := range keys {
		key, err := base64.StdEncoding.DecodeString(text)
		if err != nil || len(key) != keyLen {
			return nil, fmt.Errorf("read secret key %d: it is not %d bytes in base64", i+1, keyLen)
		}
		sum := sha256.Sum256(key)
		v.keys = append(v.keys, vaultKey{id: [keyIDLen]byte(sum[:keyIDLen]), bytes: key})
	}
	return v, nil
}

// OpenVault returns the vault with the keys in the file, one on each line. A
// file that is absent is made, with a new key that only its owner can read.
func OpenVault(file string) (*Vault, error) { return openFile(file, NewVault) }

// Derive returns the part of the first key for a purpose, to sign with.
func (v *Vault) Derive(purpose string) []byte { return v.keys[0].derive(purpose) }

// DeriveAll returns the part of every key for a purpose, that of [Vault.Derive] first: for what
// has to be found again after a rotation.
func (v *Vault) DeriveAll(purpose string) [][]byte {
	all := make([][]byte, len(v.keys))
	for i, k := range v.keys {
		all[i] = k.derive(purpose)
	}
	return all
}

// derive returns the key's part for a purpose.
func (k vaultKey) derive(purpose string) []byte {
	key, err := hkdf.Key(sha256.New, k.bytes, nil, "entwine "+purpose, keyLen)
	if err != nil {
		panic(fmt.Sprintf("account: derive key: %v", err)) // only for lengths that HKDF has not
	}
	return key
}

// seal encrypts a secret that belongs to owner: for anyone else, or another
// purpose, it can't be opened.
func (v *Vault) seal(purpose string, owner int64, secret []byte) []byte {
	k := v.keys[0]
	gcm := newGCM(k.derive(purpose))
	sealed := append(make([]byte, 0, keyIDLen+gcm.NonceSize()+len(secret)+gcm.Overhead()), k.id[:]...)
	sealed = sealed[:keyIDLen+gcm.NonceSize()]
	nonce := sealed[keyIDLen:]
	_, _ = rand.Read(nonce) // never fails
	return gcm.Seal(sealed, nonce, secret, ownerData(owner))
}

// errSealed is a secret that none of the keys opens.
var errSealed = errors.New("open secret: no key fits: was one of ENTWINE_SECRET_KEYS dropped?")

// open returns the secret that seal made.
func (v *Vault) open(purpose string, owner int64, sealed []byte) ([]byte, error) {
	if len(sealed) < keyIDLen {
		return nil, errSealed
	}
	for _, k := range v.keys {
		if !bytes.Equal(k.id[:], sealed[:keyIDLen]) {
			continue
		}
		gcm := newGCM(k.derive(purpose))
		rest := sealed[keyIDLen:]
		if len(rest) < gcm.NonceSize() {
			continue
		}
		secret, err := gcm.Open(nil, rest[:gcm.NonceSize()], rest[gcm.NonceSize():], ownerData(owner))
		if err == nil {
			return secret, nil
		}
	}
	return nil, errSealed
}

func newGCM(key []byte) cipher.AEAD {
	block, err := aes.NewCipher(key)
	if err == nil {
		var gcm cipher.AEAD
		if gcm, err = cipher.NewGCM(block); err == nil {
			return gcm
		}
	}
	panic(fmt.Sprintf("account: %v", err)) // only for lengths that AES has not
}

func ownerData(owner int64) []byte { return fmt.Appendf(nil, "user %d", owner) }

// mac returns the keyed hash of the text with the first key.
func (v *Vault) mac(purpose, text string) []byte { return v.keys[0].mac(purpose, text) }

// macs returns the keyed hashes of the text with every key.
func (v *Vault) macs(purpose, text string) [][]byte {
	all := make([][]byte, len(v.keys))
	for i, k := range v.keys {
		all[i] = k.mac(purpose, text)
	}
	return all
}

func (k vaultKey) mac(purpose, text string) []byte {
	h := hmac.New(sha256.New, k.derive(purpose))
	h.Write([]byte(text))
	return h.Sum(nil)
}
