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
	"strings"
	"time"

	"github.com/entwine-go/entwine/ent"
	"github.com/entwine-go/entwine/ent/apikey"
	"github.com/entwine-go/entwine/ent/orm"
	"github.com/entwine-go/entwine/ent/typedid"
	"github.com/entwine-go/entwine/internal/entity"
	"github.com/entwine-go/entwine/internal/rows"
	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/runtime/store"
	"github.com/entwine-go/entwine/kit/runtime/writing"
	"github.com/entwine-go/entwine/kit/viewer"
)

// A key is ek_, eight characters to know it by, _, a secret of 130 bits and
// a checksum, which tells a typing error from a key without the database:
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
	DB *store.DB
	// Now is the time, time.Now where it is nil.
	Now func() time.Time
}

// NewAPIKey is what an admin says of a key to be made.
type NewAPIKey struct {
	ClientName  string
	Permissions []viewer.Permission
	Expires     *time.Time // nil: never
}

// check returns what is wrong with the permissions and the expiry.
func (in NewAPIKey) check(now time.Time) (details []problem.Detail) {
	details = notFuture(in.Expires, now)
	if len(in.Permissions) == 0 {
		return append(details, problem.Rulef("permissions", nil, "must be read, write or both"))
	}
	for i, p := range in.Permissions {
		if p != viewer.Read && p != viewer.Write {
			details = append(details, problem.Rulef(fmt.Sprintf("permissions[%d]", i), p, "must be read or write"))
		}
	}
	return details
}

// notFuture says that the time, if there is one, has passed.
func notFuture(expires *time.Time, now time.Time) []problem.Detail {
	if expires == nil || expires.After(now) {
		return nil
	}
	return []problem.Detail{problem.Rulef("expires_at", expires.UTC(), "must be in the future")}
}

// Create makes a key, if the viewer may, and returns its text, of which
// only a hash is stored.
func (k *Keyring) Create(ctx context.Context, in NewAPIKey) (text string, key *ent.APIKey, err error) {
	if err := entity.APIKey.Rules.Check(viewer.From(ctx), policy.Create); err != nil {
		return "", nil, err
	}
	var permissions []string
	named := []any{}
	for _, p := range in.Permissions {
		permissions, named = append(permissions, string(p)), append(named, string(p))
	}
	bad := rows.APIKey.Invalid(map[string]any{"client_name": in.ClientName, "permissions": named})
	if err := problem.Inputs(append(bad, in.check(k.now())...)...); err != nil {
		return "", nil, err
	}
	text = newKey()
	prefix, secret, _ := splitKey(text)
	create := orm.Client(k.DB).APIKey.Create().SetClientName(in.ClientName).SetPermissions(permissions).
		SetPrefix(prefix).SetSecretHash(keyHash(secret)).SetNillableExpiresAt(in.Expires)
	if id := viewer.From(ctx).UserID; id != 0 {
		create.SetCreatorID(typedid.UserID(id))
	}
	key, err = create.Save(ctx)
	if err != nil {
		return "", nil, store.Problem(fmt.Errorf("create API key: %w", err))
	}
	return text, key, nil
}

// Rotate gives a key that works another text, if the viewer may, and returns
// it; the old one stops working with that. Where it touches no key it is
// [writing.ErrMoved].
func (k *Keyring) Rotate(ctx context.Context, id typedid.APIKeyID) (text string, err error) {
	text = newKey()
	prefix, secret, _ := splitKey(text)
	n, err := orm.Client(k.DB).APIKey.Update().Where(apikey.ID(id), apikey.RevokedAtIsNil()).
		SetPrefix(prefix).SetSecretHash(keyHash(secret)).ClearLastUsedAt().AddVersion(1).Save(policy.As(ctx, "rotate"))
	switch {
	case err != nil:
		return "", store.Problem(fmt.Errorf("rotate API key %d: %w", id, err))
	case n == 0:
		return "", writing.ErrMoved
	}
	ended(ctx, k.DB, keyName(int64(id)))
	return text, nil
}

func (k *Keyring) now() time.Time {
	if k.Now != nil {
		return k.Now()
	}
	return time.Now()
}

// key returns the working key with the prefix and the secret.
func (v *Verifier) key(ctx context.Context, prefix, secret string, now time.Time) (*ent.APIKey, error) {
	key, err := v.ent.APIKey.Query().Where(apikey.Prefix(prefix), apikey.RevokedAtIsNil()).Only(ctx)
	if ent.IsNotFound(err) {
		return nil, errKey
	}
	if err != nil {
		return nil, store.Problem(fmt.Errorf("find API key %s: %w", prefix, err))
	}
	if subtle.ConstantTimeCompare(key.SecretHash, keyHash(secret)) != 1 || key.ExpiresAt != nil && !now.Before(*key.ExpiresAt) {
		return nil, errKey
	}
	v.noteUse(ctx, key, now)
	return key, nil
}

// noteUse keeps when the key was last used, to the minute. A request does not
// fail for it.
func (v *Verifier) noteUse(ctx context.Context, key *ent.APIKey, now time.Time) {
	if key.LastUsedAt != nil && now.Sub(*key.LastUsedAt) < time.Minute {
		return
	}
	err := v.ent.APIKey.Update().Where(apikey.ID(key.ID)).SetLastUsedAt(now).SetUpdatedAt(key.UpdatedAt).Exec(ctx)
	if err != nil {
		v.log.WarnContext(ctx, "use of an API key was not noted", "key_id", int64(key.ID), "err", err)
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
