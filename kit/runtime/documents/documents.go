// Package documents keeps the GraphQL documents that are trusted: what the
// front ends of this service were built with. Clients name them instead of
// sending them, and a service can be told to run no others.
//
// They come as manifests, which the tools of front ends write when they
// build: Relay's, an object of texts by id, and Apollo's.
package documents

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"

	"github.com/entwine-go/entwine/ent"
	"github.com/entwine-go/entwine/ent/trusteddocument"
	"github.com/entwine-go/entwine/kit/runtime/store"
	"github.com/entwine-go/entwine/kit/viewer"
)

// Document is a document and what clients call it.
type Document struct{ Key, Text string }

// maxKey is how long a key can be.
const maxKey = 200

// ParseManifest reads the manifest of Relay's compiler, {"<id>": "<text>"},
// or of Apollo's tools, {"operations": [{"id": …, "body": …}]}. The documents
// come in the order of their keys.
func ParseManifest(r io.Reader) ([]Document, error) {
	var members map[string]json.RawMessage
	if err := json.NewDecoder(r).Decode(&members); err != nil {
		return nil, fmt.Errorf("the manifest is not a JSON object: %w", err)
	}
	all, err := parseRelay(members)
	if operations, ok := members["operations"]; ok && operations[0] == '[' {
		all, err = parseApollo(operations)
	}
	if err != nil {
		return nil, err
	}
	for _, d := range all {
		if d.Key == "" || len(d.Key) > maxKey || d.Text == "" {
			return nil, fmt.Errorf("the manifest has a document %q: a key of 1 to %d bytes and a text are needed", d.Key, maxKey)
		}
	}
	slices.SortFunc(all, func(a, b Document) int { return strings.Compare(a.Key, b.Key) })
	return all, nil
}

func parseRelay(members map[string]json.RawMessage) (all []Document, err error) {
	for key, value := range members {
		d := Document{Key: key}
		if json.Unmarshal(value, &d.Text) != nil {
			err = fmt.Errorf("the manifest has no text under %q: it is neither Relay's nor Apollo's", key)
		}
		all = append(all, d)
	}
	return all, err
}

func parseApollo(operations json.RawMessage) (all []Document, err error) {
	var list []struct{ ID, Body string }
	if err := json.Unmarshal(operations, &list); err != nil {
		return nil, fmt.Errorf("operations of the manifest: %w", err)
	}
	for _, o := range list {
		all = append(all, Document{Key: o.ID, Text: o.Body})
	}
	return all, nil
}

// ErrUnknown says that a document is not trusted.
var ErrUnknown = errors.New("not among the trusted documents")

// Registry keeps trusted documents in the database, for all processes.
type Registry struct {
	DB *store.DB

	mu sync.RWMutex
	// texts by key, and the hashes of texts, of those that were asked for: a
	// document never changes, and what is removed is forgotten at a restart.
	texts  map[string]string
	hashes map[[sha256.Size]byte]struct{}
}

// Text returns the document with the key, or [ErrUnknown].
func (r *Registry) Text(ctx context.Context, key string) (string, error) {
	r.mu.RLock()
	text, ok := r.texts[key]
	r.mu.RUnlock()
	if ok {
		return text, nil
	}
	d, err := r.client().Query().Where(trusteddocument.Key(key)).Only(system(ctx))
	if ent.IsNotFound(err) {
		return "", ErrUnknown
	}
	if err != nil {
		return "", fmt.Errorf("read trusted document: %w", err)
	}
	r.keep(d)
	return d.Text, nil
}

// Trusts returns nil where a document with exactly this text is trusted,
// [ErrUnknown] where none is.
func (r *Registry) Trusts(ctx context.Context, text string) error {
	hash := sha256.Sum256([]byte(text))
	r.mu.RLock()
	_, ok := r.hashes[hash]
	r.mu.RUnlock()
	if ok {
		return nil
	}
	d, err := r.client().Query().Where(trusteddocument.TextHash(hash[:])).First(system(ctx))
	if ent.IsNotFound(err) {
		return ErrUnknown
	}
	if err != nil {
		return fmt.Errorf("look for trusted document: %w", err)
	}
	r.keep(d)
	return nil
}

func (r *Registry) keep(d *ent.TrustedDocument) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.texts == nil {
		r.texts, r.hashes = map[string]string{}, map[[sha256.Size]byte]struct{}{}
	}
	r.texts[d.Key] = d.Text
	r.hashes[[sha256.Size]byte(d.TextHash)] = struct{}{}
}

// Add trusts the documents, all or none of them, and returns how many were
// not trusted before. A key whose text is another already is refused.
func (r *Registry) Add(ctx context.Context, all []Document) (added int, err error) {
	err = r.DB.InTx(system(ctx), func(ctx context.Context) error {
		added = 0
		for _, d := range all {
			isNew, err := r.add(ctx, d)
			if err != nil {
				return err
			}
			if isNew {
				added++
			}
		}
		return nil
	})
	return added, err
}

func (r *Registry) add(ctx context.Context, d Document) (isNew bool, err error) {
	before, err := r.client().Query().Where(trusteddocument.Key(d.Key)).Only(ctx)
	switch {
	case err == nil && before.Text == d.Text:
		return false, nil
	case err == nil:
		return false, fmt.Errorf("document %s is trusted with another text: remove it, or give this one another key", d.Key)
	case !ent.IsNotFound(err):
		return false, fmt.Errorf("read trusted document %s: %w", d.Key, err)
	}
	hash := sha256.Sum256([]byte(d.Text))
	if err := r.client().Create().SetKey(d.Key).SetText(d.Text).SetTextHash(hash[:]).Exec(ctx); err != nil {
		return false, fmt.Errorf("add trusted document %s: %w", d.Key, err)
	}
	return true, nil
}

// List returns the trusted documents in the order of their keys.
func (r *Registry) List(ctx context.Context) (all []Document, err error) {
	rows, err := r.client().Query().Order(trusteddocument.ByKey()).All(system(ctx))
	if err != nil {
		return nil, fmt.Errorf("list trusted documents: %w", err)
	}
	for _, d := range rows {
		all = append(all, Document{Key: d.Key, Text: d.Text})
	}
	return all, nil
}

// Remove trusts the documents with the keys no longer, and returns how many
// there were. Processes that have run one go on trusting it until they restart.
func (r *Registry) Remove(ctx context.Context, keys []string) (int, error) {
	n, err := r.client().Delete().Where(trusteddocument.KeyIn(keys...)).Exec(system(ctx))
	if err != nil {
		return 0, fmt.Errorf("remove trusted documents: %w", err)
	}
	return n, nil
}

func (r *Registry) client() *ent.TrustedDocumentClient { return store.Client(r.DB).TrustedDocument }

// system reads on nobody's behalf: what is trusted does not depend on who asks.
func system(ctx context.Context) context.Context { return viewer.With(ctx, viewer.System()) }
