// Package persisted finds the documents that clients name instead of sending
// them: automatic persisted queries, which clients register themselves, and
// those of a registry that a front end was built with.
package persisted

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"strings"

	"github.com/99designs/gqlgen/graphql"
	"github.com/99designs/gqlgen/graphql/handler/lru"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/entwine-go/entwine/kit/documents"
	"github.com/entwine-go/entwine/kit/internal/graph/failure"
	"github.com/entwine-go/entwine/kit/internal/graph/variables"
	"github.com/entwine-go/entwine/kit/problem"
)

// The bounds of documents that clients registered themselves: their number and
// their bytes.
const (
	registered    = 1000
	maxRegistered = 32 << 10
)

// extensionName is the member of extensions that names a document.
const extensionName = "persistedQuery"

// Queries put a document in the place of its name.
//
// A client that knows no better sends the hash of a document first, and the
// document with it after the answer that it is not known: automatic persisted
// queries, as Apollo's clients do it. Documents of a front end's build are found
// by their keys in the registry. With only, nothing else is run.
type Queries struct {
	trusted *documents.Registry
	only    bool
	errors  *failure.Presenter
	kept    graphql.Cache[string]
}

var _ graphql.OperationParameterMutator = (*Queries)(nil)

// New returns what finds documents. The registry may be nil, unless only its
// documents are run: then it panics.
func New(trusted *documents.Registry, only bool, presenter *failure.Presenter) *Queries {
	if only && trusted == nil {
		panic("graph: no documents are trusted")
	}
	return &Queries{trusted: trusted, only: only, errors: presenter, kept: lru.New[string](registered)}
}

// MutateOperationParameters implements graphql.OperationParameterMutator: it
// puts the document in the place of its name.
func (q *Queries) MutateOperationParameters(ctx context.Context, params *graphql.RawParams) *gqlerror.Error {
	key, err := nameOf(params.Extensions)
	switch {
	case err != nil:
		return failure.Refusal(problem.Invalid, "%v", err)
	case params.Query == "":
		return q.find(ctx, key, params)
	case key != "" && hashOf(params.Query) != key:
		return failure.Refusal(problem.Invalid, "extensions.persistedQuery.sha256Hash is not the SHA-256 hash of the query")
	case q.only:
		return q.demand(ctx, params.Query)
	case key != "" && len(params.Query) <= maxRegistered:
		q.kept.Add(ctx, key, params.Query)
	}
	return nil
}

// find fills in the document with the key.
func (q *Queries) find(ctx context.Context, key string, params *graphql.RawParams) *gqlerror.Error {
	if key == "" {
		return failure.Refusal(problem.Invalid, "query is required")
	}
	if text, ok := q.kept.Get(ctx, key); ok && !q.only {
		params.Query = text
		return nil
	}
	if q.trusted == nil {
		return errNotFound()
	}
	text, err := q.trusted.Text(ctx, key)
	if err != nil {
		return q.unless(ctx, err, errNotFound())
	}
	params.Query = text
	return nil
}

// demand refuses a document that is not trusted.
func (q *Queries) demand(ctx context.Context, text string) *gqlerror.Error {
	if err := q.trusted.Trusts(ctx, text); err != nil {
		return q.unless(ctx, err, failure.Refusal(problem.Forbidden, "the document is not among the trusted ones"))
	}
	return nil
}

// unless answers for a document that is unknown; any other error is one of
// the service.
func (q *Queries) unless(ctx context.Context, err error, unknown *gqlerror.Error) *gqlerror.Error {
	if errors.Is(err, documents.ErrUnknown) {
		return unknown
	}
	return q.errors.Present(ctx, problem.Wrap(err, problem.Unavailable, "the documents cannot be read now"), nil)
}

// nameOf returns the key that a request names its document by, empty where
// it names none.
func nameOf(extensions map[string]any) (string, error) {
	member, there := extensions[extensionName]
	if !there {
		return "", nil
	}
	given, ok := member.(map[string]any)
	if !ok {
		return "", errors.New("extensions.persistedQuery must be an object")
	}
	if version, ok := variables.Whole(given["version"]); !ok || version != 1 {
		return "", errors.New("extensions.persistedQuery.version must be 1")
	}
	key, ok := given["sha256Hash"].(string)
	if !ok || key == "" || len(key) > 200 {
		return "", errors.New("extensions.persistedQuery.sha256Hash must be a text of 1 to 200 bytes")
	}
	return strings.TrimPrefix(key, documents.KeyPrefix), nil
}

// Name notes the id that a request names its document by in the way of GraphQL
// over HTTP, Appendix A (documentId), or of Relay's clients (doc_id, id).
func Name(params *graphql.RawParams, ids ...string) {
	for _, id := range ids {
		if id == "" {
			continue
		}
		if params.Extensions == nil {
			params.Extensions = map[string]any{}
		}
		params.Extensions[extensionName] = map[string]any{"version": int64(1), "sha256Hash": strings.TrimPrefix(id, documents.KeyPrefix)}
		return
	}
}

func hashOf(text string) string {
	hash := sha256.Sum256([]byte(text))
	return hex.EncodeToString(hash[:])
}

// errNotFound is the error that clients of automatic persisted queries wait for.
func errNotFound() *gqlerror.Error {
	return &gqlerror.Error{Message: "PersistedQueryNotFound", Extensions: failure.Extensions(problem.DocumentNotFound)}
}
