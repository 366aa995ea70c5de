package rest

import (
	"context"
	"net/http"

	"github.com/entwine-go/entwine/internal/social"
	"github.com/entwine-go/entwine/kit/rest/handler"
	"github.com/entwine-go/entwine/kit/rest/params"
	"github.com/entwine-go/entwine/kit/viewer"
	"github.com/entwine-go/entwine/rest/crud"
)

// feedGuards are the guards of the operations in feed.yaml.
var feedGuards = map[string]handler.Guard{"readFeed": signedIn}

// ReadFeed answers with a page of the caller's feed: GET /feed.
func (o *operations) ReadFeed(ctx context.Context, w http.ResponseWriter) error {
	feed := social.Feed(viewer.From(ctx).UserID)
	return o.door.ListWith(ctx, w, crud.PostResource, params.Options{Scope: feed, Sort: feed.Order(), Mode: params.ByCursor, Plain: true})
}
