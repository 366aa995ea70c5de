package files

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base32"
	"errors"
	"fmt"
	"strings"

	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/store/statement"
	"github.com/entwine-go/entwine/kit/viewer"
)

// name gives the file of an upload its address. The id in it is random, or where the client gives
// a key a MAC of that and its owner: a repetition finds the file of the first, and no one else
// can compute it. One that was made with an older secret is found with that.
func (k *Keeper) name(ctx context.Context, u *Upload, f *File) error {
	switch {
	case u.ID != "":
		f.Address = expose.FilePath + u.ID
		return nil
	case u.Key == "":
		f.Address = expose.FilePath + newKey()
		return nil
	}
	if len(k.Secrets) == 0 {
		return errors.New("name an upload: there are no secrets for the ids of those with a key")
	}
	f.also = make([]string, len(k.Secrets))
	for i, secret := range k.Secrets {
		mac := hmac.New(sha256.New, secret)
		fmt.Fprint(mac, f.owner(), "\x00", u.Key)
		f.also[i] = expose.FilePath + strings.ToLower(base32.StdEncoding.EncodeToString(mac.Sum(nil)))[:keyLength]
	}
	f.Address, f.also = f.also[0], f.also[1:]
	for i, address := range f.also {
		known, err := k.known(ctx, address)
		if err != nil {
			return err
		}
		if known {
			f.Address, f.also[i] = address, f.Address
			break
		}
	}
	return nil
}

// NewID is an id for a file of the viewer that is yet to be taken, so that its address is
// known before: the same for the same key, and a random one where the key is empty.
func (k *Keeper) NewID(ctx context.Context, key string) (string, error) {
	v := viewer.From(ctx)
	f := &File{UserID: max(v.UserID, 0), KeyID: v.KeyID}
	if err := k.name(ctx, &Upload{Key: key}, f); err != nil {
		return "", err
	}
	return f.Key(), nil
}

// keyLength is how many characters the id of a file has, as [newKey] makes it.
const keyLength = 26

var knownText = statement.Of(`SELECT 1 FROM files WHERE address = $1::varchar UNION ALL SELECT 1 FROM file_uploads WHERE key = $2::varchar`)

// known reports whether there is a file with the address, or an upload that will be. Unique
// indexes find both.
func (k *Keeper) known(ctx context.Context, address string) (bool, error) {
	var one int
	found, err := knownText.Row(ctx, k.DB, []any{&one}, address, strings.TrimPrefix(address, expose.FilePath))
	if err != nil {
		return false, fmt.Errorf("look for the first upload with a key: %w", err)
	}
	return found, nil
}

// errReused answers for a key that another request has had.
var errReused = problem.New(problem.KeyReused, "this Idempotency-Key was used with another request: for another content, field or name")

// again has the file be the one that an upload with the same key has stored before.
func (k *Keeper) again(ctx context.Context, f *File) error {
	before := new(File)
	found, err := findText.Row(ctx, k.DB, before.columns(), f.Address)
	if err != nil {
		return err
	}
	t, known := k.of(before)
	switch {
	case !found || !known || before.SHA256 != f.SHA256 || before.Name != f.Name || t.Entity.Name != f.Entity || t.Field.Name != f.Field:
		return errReused
	case before.Released:
		return problem.New(problem.NotFound, "the file that was uploaded with this Idempotency-Key has been removed")
	}
	*f = *before
	f.Repeated = true
	return nil
}
