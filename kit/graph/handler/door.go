// Package handler carries out the mutations that schemas declare: it hands their
// arguments to package write, in the names that GraphQL has, and sees to it that a
// call with a key takes effect once. Package execute reads the fields of a
// payload.
package handler

import (
	"log/slog"

	"github.com/entwine-go/entwine/kit/idempotency"
	"github.com/entwine-go/entwine/kit/read"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/write"
)

// Door writes entities for GraphQL. All fields but Links are required.
type Door struct {
	DB     *store.DB
	Engine *write.Engine
	Reader *read.Reader
	Log    *slog.Logger
	// Keeper keeps what became of calls with an idempotencyKey.
	Keeper *idempotency.Keeper
	// Links are the paths of REST in answers. Nil: those of its first version.
	Links *read.Links
}
