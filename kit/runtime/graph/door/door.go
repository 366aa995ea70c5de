// Package door carries out the mutations that schemas declare: it hands their
// arguments to package writing, in the names that GraphQL has, and sees to it
// that a call with a key takes effect once. What a payload shows is read by
// package execute.
package door

import (
	"log/slog"

	"github.com/entwine-go/entwine/kit/runtime/idempotency"
	"github.com/entwine-go/entwine/kit/runtime/reading"
	"github.com/entwine-go/entwine/kit/runtime/store"
	"github.com/entwine-go/entwine/kit/runtime/writing"
)

// Door writes entities for GraphQL. All fields are required.
type Door struct {
	DB     *store.DB
	Engine *writing.Engine
	Reader *reading.Reader
	Log    *slog.Logger
	// Keeper keeps what became of calls with an idempotencyKey.
	Keeper *idempotency.Keeper
}
