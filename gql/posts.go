package gql

import (
	"context"

	"github.com/entwine-go/entwine/gql/generated"
	"github.com/entwine-go/entwine/internal/entity"
	"github.com/entwine-go/entwine/internal/publishing"
	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/runtime/gid"
	"github.com/entwine-go/entwine/kit/runtime/graph/door"
	"github.com/entwine-go/entwine/kit/viewer"
)

// PublishPost resolves publishPost(id:).
func (r *resolver) PublishPost(ctx context.Context, id string) (*generated.Post, error) {
	return actOnPost(ctx, id, policy.Publish, (&publishing.Publisher{DB: r.DB}).Publish)
}

// ArchivePost resolves archivePost(id:).
func (r *resolver) ArchivePost(ctx context.Context, id string) (*generated.Post, error) {
	return actOnPost(ctx, id, policy.Archive, (&publishing.Publisher{DB: r.DB}).Archive)
}

// actOnPost changes the state of a post. Who may do so to none is told that
// before anything is said of the id.
func actOnPost(ctx context.Context, id, verb string, act func(context.Context, int64) error) (*generated.Post, error) {
	if err := entity.Post.Rules.Check(viewer.From(ctx), verb); err != nil {
		return nil, err
	}
	key, err := door.Key(entity.Post, id)
	if err != nil {
		return nil, err
	}
	if err := act(ctx, key); err != nil {
		return nil, err
	}
	return postWith(key), nil
}

// postWith is the post with the id. What is selected of it is read afterwards.
func postWith(id int64) *generated.Post {
	return &generated.Post{ID: gid.Encode(entity.Post.Name, id)}
}
