// Package deferral knows which fragments of an operation are deferred, and
// whether its client takes responses in parts.
//
// [Fragments] divide each selection of an operation into what is answered at
// once and what comes later. It answers nothing: what is deferred is planned,
// read and written as any other selection.
package deferral

import "context"

type allowedKey struct{}

// Allow says that the client takes responses in parts.
func Allow(ctx context.Context) context.Context {
	return context.WithValue(ctx, allowedKey{}, true)
}

// Allowed reports whether the client takes responses in parts. Others get all
// at once, which a server may do.
func Allowed(ctx context.Context) bool { return ctx.Value(allowedKey{}) != nil }
