// Package documents keeps the trusted GraphQL documents: those that the front ends
// of this service were built with. Clients name them instead of sending them, and
// a setting allows no others.
//
// They come as manifests, which the tools of front ends write when they
// build: Relay's, an object of texts by id, and Apollo's.
package documents

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"

	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/store/statement"
)

// Document is a document and what clients call it.
type Document struct{ Key, Text string }

// KeyPrefix stands before a key that is a SHA-256 hash of the text, in the
// manifests of some tools (graphql-codegen) and in their clients' requests
// (GraphQL over HTTP, Appendix A). It is no part of the key.
const KeyPrefix = "sha256:"

// maxKey is how long a key can be.
const maxKey = 200

// ParseManifest reads the manifest of Relay's compiler, {"<id>": "<text>"},
// which graphql-codegen writes, too, or of Apollo's tools,
// {"operations": [{"id": …, "body": …}]}. The documents
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
	for i := range all {
		d := &all[i]
		d.Key = strings.TrimPrefix(d.Key, KeyPrefix)
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
	// document never changes, and what is removed is forgotten at a restart, and by Forget.
	texts  map[string]string
	hashes map[[sha256.Size]byte]struct{}
}

// The statements, which are the same for every viewer.
var (
	byKeyText  = statement.Of(`SELECT key, text, text_hash FROM trusted_documents WHERE key = $1`)
	byHashText = statement.Of(`SELECT key, text, text_hash FROM trusted_documents WHERE text_hash = $1 LIMIT 1`)
	insertText = statement.Of(`INSERT INTO trusted_documents (key, text, text_hash, created_at) VALUES ($1, $2, $3, now())`)
	listText   = statement.Of(`SELECT key, text FROM trusted_documents ORDER BY key`)
	deleteText = statement.Of(`DELETE FROM trusted_documents WHERE key IN (SELECT key FROM list($1) AS l(key text))`)
)

// trusted is a row.
type trusted struct {
	Document
	hash []byte
}

// find returns the row that the statement selects, or [ErrUnknown].
func (r *Registry) find(ctx context.Context, text statement.Statement, arg any) (trusted, error) {
	var d trusted
	found, err := text.Row(ctx, r.DB, []any{&d.Key, &d.Text, &d.hash}, arg)
	if err == nil && !found {
		err = ErrUnknown
	}
	return d, err
}

// Text returns the document with the key, or [ErrUnknown].
func (r *Registry) Text(ctx context.Context, key string) (string, error) {
	r.mu.RLock()
	text, ok := r.texts[key]
	r.mu.RUnlock()
	if ok {
		return text, nil
	}
	d, err := r.find(ctx, byKeyText, key)
	if errors.Is(err, ErrUnknown) {
		return "", err
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
	d, err := r.find(ctx, byHashText, hash[:])
	if errors.Is(err, ErrUnknown) {
		return err
	}
	if err != nil {
		return fmt.Errorf("look for trusted document: %w", err)
	}
	r.keep(d)
	return nil
}

func (r *Registry) keep(d trusted) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.texts == nil {
		r.texts, r.hashes = map[string]string{}, map[[sha256.Size]byte]struct{}{}
	}
	r.texts[d.Key] = d.Text
	r.hashes[[sha256.Size]byte(d.hash)] = struct{}{}
}

// Forget forgets what was read: the database is another one now.
func (r *Registry) Forget() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.texts, r.hashes = nil, nil
}

// Add trusts the documents, all or none of them, and returns how many were
// not trusted before. A key whose text is another already is refused.
func (r *Registry) Add(ctx context.Context, all []Document) (added int, err error) {
	err = r.DB.InTx(ctx, func(ctx context.Context) error {
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
	before, err := r.find(ctx, byKeyText, d.Key)
	switch {
	case err == nil && before.Text == d.Text:
		return false, nil
	case err == nil:
		return false, fmt.Errorf("document %s is trusted with another text: remove it, or give this one another key", d.Key)
	case !errors.Is(err, ErrUnknown):
		return false, fmt.Errorf("read trusted document %s: %w", d.Key, err)
	}
	hash := sha256.Sum256([]byte(d.Text))
	if _, err := insertText.Exec(ctx, r.DB, d.Key, d.Text, hash[:]); err != nil {
		return false, fmt.Errorf("add trusted document %s: %w", d.Key, err)
	}
	return true, nil
}

// List returns the trusted documents in the order of their keys.
func (r *Registry) List(ctx context.Context) (all []Document, err error) {
	err = listText.Query(ctx, r.DB, func(rows *sql.Rows) error {
		var d Document
		if err := rows.Scan(&d.Key, &d.Text); err != nil {
			return err
		}
		all = append(all, d)
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("list trusted documents: %w", err)
	}
	return all, nil
}

// Remove trusts the documents with the keys no longer, and returns how many
// there were. Processes that have run one go on trusting it until they restart.
func (r *Registry) Remove(ctx context.Context, keys []string) (int, error) {
	list := make([]map[string]string, len(keys))
	for i, key := range keys {
		list[i] = map[string]string{"key": strings.TrimPrefix(key, KeyPrefix)}
	}
	arg, err := json.Marshal(list)
	if err != nil {
		return 0, fmt.Errorf("remove trusted documents: %w", err)
	}
	n, err := deleteText.Exec(ctx, r.DB, string(arg))
	if err != nil {
		return 0, fmt.Errorf("remove trusted documents: %w", err)
	}
	return int(n), nil
}
