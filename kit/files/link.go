package files

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"net/url"
	"time"

	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/viewer"
)

// Links signs links to files, for pages and mail that send no credentials. A link is
// worth what the caller who made it may read when it is followed, until it expires.
type Links struct {
	// Keys sign links: the first makes new ones, all are known. All processes have the same.
	Keys [][]byte
	// Origin is where links lead to, such as "https://files.example.com". Empty: to a path.
	Origin string
	// Caller reads the user or the API key with the id as they are now, nil where they
	// may not sign in any more.
	Caller func(ctx context.Context, userID, keyID int64) (*viewer.Viewer, error)
}

// The bounds of how long links are good.
const (
	ShortestLink = time.Minute
	LongestLink  = 7 * 24 * time.Hour
)

// A token is when it expires, for whom it reads, and the MAC of these with the file's key.
const (
	signedLen = 3 * 8
	tokenLen  = signedLen + sha256.Size
)

// Address returns a link to the file, or to its variant where that is not empty: see [Links.Sign].
func (l *Links) Address(f *File, variant string, v *viewer.Viewer, until time.Time) string {
	query := url.Values{"token": {l.Sign(f, variant, v, until)}}
	if variant != "" {
		query.Set("variant", variant)
	}
	return l.Origin + f.Address + "?" + query.Encode()
}

// Sign returns the token of a link to the file, or to its variant where that is not empty.
// It is good until a time, in whole seconds.
func (l *Links) Sign(f *File, variant string, v *viewer.Viewer, until time.Time) string {
	token := make([]byte, 0, tokenLen)
	for _, n := range []int64{until.Unix(), v.UserID, v.KeyID} {
		token = binary.BigEndian.AppendUint64(token, uint64(n))
	}
	return base64.RawURLEncoding.EncodeToString(append(token, linkMAC(l.Keys[0], f.Key(), variant, token)...))
}

// signed reports whether the token was made by one of the keys, for the file and the variant.
func (l *Links) signed(token []byte, key, variant string) bool {
	for _, secret := range l.Keys {
		if hmac.Equal(token[signedLen:], linkMAC(secret, key, variant, token[:signedLen])) {
			return true
		}
	}
	return false
}

func linkMAC(secret []byte, key, variant string, signed []byte) []byte {
	mac := hmac.New(sha256.New, secret)
	mac.Write(signed)
	mac.Write([]byte(key)) // always of the same length
	mac.Write([]byte(variant))
	return mac.Sum(nil)
}

// errLink answers for a link that is no good, whatever the reason.
var errLink = problem.New(problem.Forbidden, "the link has expired or is not valid")

// Follow returns the file with the key if the caller who made the token can read it now.
// A token is of one variant, or of the original.
func (k *Keeper) Follow(ctx context.Context, key, variant, token string, now time.Time) (*File, error) {
	text, err := base64.RawURLEncoding.Strict().DecodeString(token)
	if k.Links == nil || err != nil || len(text) != tokenLen || !k.Links.signed(text, key, variant) {
		return nil, errLink
	}
	number := func(i int) int64 { return int64(binary.BigEndian.Uint64(text[8*i:])) }
	if now.Unix() >= number(0) {
		return nil, errLink
	}
	v, err := k.Links.Caller(ctx, number(1), number(2))
	if err != nil {
		return nil, err
	}
	if v == nil {
		return nil, errLink
	}
	return k.Find(viewer.With(ctx, v), key)
}
