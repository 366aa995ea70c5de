package rest

import (
	"context"
	"net/http"

	"github.com/entwine-go/entwine/internal/entity"
	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/runtime/resource/door"
	"github.com/entwine-go/entwine/rest/crud"
	"github.com/entwine-go/entwine/rest/oas/server"
)

// postGuards are the guards of the operations in posts.yaml.
var postGuards = map[string]door.Guard{
	"publishPost": {Entity: entity.Post, Verb: policy.Publish},
	"archivePost": {Entity: entity.Post, Verb: policy.Archive},
}

// PublishPost makes a post visible: POST /posts/{id}/publish.
func (o *operations) PublishPost(ctx context.Context, params server.PublishPostParams, w http.ResponseWriter) error {
	return o.actOnPost(ctx, w, params.ID, policy.Publish, o.publisher.Publish)
}

// ArchivePost hides a post: POST /posts/{id}/archive.
func (o *operations) ArchivePost(ctx context.Context, params server.ArchivePostParams, w http.ResponseWriter) error {
	return o.actOnPost(ctx, w, params.ID, policy.Archive, o.publisher.Archive)
}

// actOnPost changes the state of a post, and answers with what it is then.
func (o *operations) actOnPost(ctx context.Context, w http.ResponseWriter, id int64, verb string, act func(context.Context, int64) error) error {
	return o.door.Act(ctx, w, crud.PostResource, id, verb, func(ctx context.Context) error { return act(ctx, id) })
}
