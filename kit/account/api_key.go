package account

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base32"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"slices"
	"strings"
	"time"

	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/store/statement"
	"github.com/entwine-go/entwine/kit/viewer"
	"github.com/entwine-go/entwine/kit/write"
)

// A key is ek_, eight characters to know it by, _, a secret of 130 bits and
// a checksum, which recognizes a typing error without the database:
//
//	ek_4fjq7wza_mzrtdkq2y5bxwlshc3vnae6gpujzhd2wq7i
const (
	keyMark     = "ek_"
	publicLen   = 8
	prefixLen   = len(keyMark) + publicLen
	checksumLen = 7
)

// errKey is the one answer to a key that is no good.
var errKey = problem.New(problem.TokenInvalid, "unknown API key")

// Keyring makes and rotates the keys of programs. To revoke one is declared in
// schema.APIKey.
type Keyring struct {
	DB *store.DB // where the keys are
	// Keys are the service's API keys.
	Keys *Table
	// Versions are those of REST that are offered, as in v1: a key can be pinned to
	// one of them. Nil: to any.
	Versions []string
	// Now is the time, time.Now where it is nil.
	Now func() time.Time
}

// NewAPIKey has an admin's input for a new key.
type NewAPIKey struct {
	ClientName  string     // the program that it is for
	Permissions []string   // of [viewer.Permission]
	ExpiresAt   *time.Time // nil: never
	APIVersion  string     // empty: the default
}

// check returns what is wrong with the permissions and the expiry.
func (in NewAPIKey) check(now time.Time) (details []problem.Detail) {
	details = notFuture(in.ExpiresAt, now)
	if len(in.Permissions) == 0 {
		return append(details, problem.Rulef("permissions", nil, "must be read, write or both"))
	}
	for i, p := range in.Permissions {
		if p := viewer.Permission(p); p != viewer.Read && p != viewer.Write {
			details = append(details, problem.Rulef(fmt.Sprintf("permissions[%d]", i), p, "must be read or write"))
		}
	}
	return details
}

// offered says that a key is to be pinned to a version that is not offered.
func (k *Keyring) offered(version string) []problem.Detail {
	if version == "" || len(k.Versions) == 0 || slices.Contains(k.Versions, version) {
		return nil
	}
	return []problem.Detail{problem.Rulef("api_version", version, "is not a version of this API; allowed: %s", strings.Join(k.Versions, ", "))}
}

// notFuture says that the time, if there is one, has passed.
func notFuture(expires *time.Time, now time.Time) []problem.Detail {
	if expires == nil || expires.After(now) {
		return nil
	}
	return []problem.Detail{problem.Rulef("expires_at", expires.UTC(), "must be in the future")}
}

// Create makes a key, if the viewer may, and returns its text, of which
// only a hash is stored, and the id of its row.
func (k *Keyring) Create(ctx context.Context, in NewAPIKey) (text string, id int64, err error) {
	if err := k.Keys.Rules.Check(viewer.From(ctx), policy.Create); err != nil {
		return "", 0, err
	}
	named := []any{}
	for _, p := range in.Permissions {
		named = append(named, p)
	}
	bad := k.Keys.Invalid(map[string]any{"client_name": in.ClientName, "permissions": named})
	if err := problem.Inputs(append(append(bad, in.check(k.now())...), k.offered(in.APIVersion)...)...); err != nil {
		return "", 0, err
	}
	text = newKey()
	prefix, secret, _ := splitKey(text)
	row := map[string]any{
		"client_name": in.ClientName, "permissions": in.Permissions, "prefix": prefix, "secret_hash": keyHash(secret),
	}
	if in.ExpiresAt != nil {
		row["expires_at"] = *in.ExpiresAt
	}
	if in.APIVersion != "" {
		row["api_version"] = in.APIVersion
	}
	if user := viewer.From(ctx).UserID; user != 0 {
		row["creator_id"] = user
	}
	made, err := k.Keys.insert(ctx, row)
	if err != nil {
		return "", 0, store.Problem(fmt.Errorf("create API key: %w", err))
	}
	return text, made.id, nil
}

var rotateText = statement.Of(`
	UPDATE api_keys SET prefix = $2, secret_hash = $3, last_used_at = NULL, updated_at = now()
	WHERE id = $1 AND revoked_at IS NULL`)

// Rotate gives a key that works another text, if the viewer may, and returns
// it; the old one stops working with that. Where it touches no key it is
// [write.ErrMoved].
func (k *Keyring) Rotate(ctx context.Context, id int64) (text string, err error) {
	text = newKey()
	prefix, secret, _ := splitKey(text)
	rule, err := k.Keys.Rules.Touchable(viewer.From(ctx), "rotate")
	if err != nil {
		return "", err
	}
	rotate, rest := rotateText.Where(rule, "api_keys", 3)
	n, err := rotate.Exec(ctx, k.DB, append([]any{id, prefix, keyHash(secret)}, rest...)...)
	switch {
	case err != nil:
		return "", store.Problem(fmt.Errorf("rotate API key %d: %w", id, err))
	case n == 0:
		return "", write.ErrMoved
	}
	ended(ctx, k.DB, keyName(id))
	return text, nil
}

func (k *Keyring) now() time.Time {
	if k.Now != nil {
		return k.Now()
	}
	return time.Now()
}

// workingKey is a key that was not revoked.
type workingKey struct {
	id            int64
	client        string
	permissions   []byte // in JSON
	hash          []byte
	expires, used *time.Time
	version       *string // of REST
}

const keyColumns = `SELECT id, client_name, permissions, secret_hash, expires_at, last_used_at, api_version FROM api_keys`

var (
	keyByPrefix = statement.Of(keyColumns + ` WHERE prefix = $1 AND revoked_at IS NULL`)
	keyByID     = statement.Of(keyColumns + ` WHERE id = $1 AND revoked_at IS NULL`)
)

// findKey returns the working key that the statement finds for the value, nil
// where it finds none.
func findKey(ctx context.Context, db *store.DB, by statement.Statement, value any) (*workingKey, error) {
	k := new(workingKey)
	found, err := by.Row(ctx, db, []any{&k.id, &k.client, &k.permissions, &k.hash, &k.expires, &k.used, &k.version}, value)
	if err != nil {
		return nil, store.Problem(fmt.Errorf("find API key %v: %w", value, err))
	}
	if !found {
		return nil, nil
	}
	return k, nil
}

// key returns the working key with the prefix and the secret.
func (v *Verifier) key(ctx context.Context, prefix, secret string, now time.Time) (*workingKey, error) {
	key, err := findKey(ctx, v.db, keyByPrefix, prefix)
	if err != nil {
		return nil, err
	}
	if key == nil || subtle.ConstantTimeCompare(key.hash, keyHash(secret)) != 1 || key.expires != nil && !now.Before(*key.expires) {
		return nil, errKey
	}
	v.noteUse(ctx, key, now)
	return key, nil
}

var noteUseText = statement.Of(`UPDATE api_keys SET last_used_at = $2 WHERE id = $1`)

// noteUse keeps when the key was last used, to the minute. A request does not
// fail for it.
func (v *Verifier) noteUse(ctx context.Context, key *workingKey, now time.Time) {
	if key.used != nil && now.Sub(*key.used) < time.Minute {
		return
	}
	if _, err := noteUseText.Exec(ctx, v.db, key.id, now); err != nil {
		v.log.WarnContext(ctx, "use of an API key was not noted", "key_id", key.id, "err", err)
	}
}

// newKey returns the text of a new key.
func newKey() string {
	body := strings.ToLower(keyMark + rand.Text()[:publicLen] + "_" + rand.Text())
	return body + checksum(body)
}

// splitKey returns the two parts of a key that is stored under the first.
func splitKey(text string) (prefix, secret string, ok bool) {
	if len(text) <= prefixLen+1+checksumLen || !strings.HasPrefix(text, keyMark) || text[prefixLen] != '_' {
		return "", "", false
	}
	body, sum := text[:len(text)-checksumLen], text[len(text)-checksumLen:]
	if sum != checksum(body) {
		return "", "", false
	}
	return body[:prefixLen], body[prefixLen+1:], true
}

func checksum(body string) string {
	sum := binary.BigEndian.AppendUint32(nil, crc32.ChecksumIEEE([]byte(body)))
	return strings.ToLower(base32.StdEncoding.WithPadding(base32.NoPadding).EncodeToString(sum))
}

func keyHash(secret string) []byte {
	sum := sha256.Sum256([]byte(secret))
	return sum[:]
}
