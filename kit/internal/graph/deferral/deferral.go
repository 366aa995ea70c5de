// Package deferral knows which fragments of an operation are deferred, and
// whether its client takes responses in parts.
//
// [Fragments] divide each selection of an operation into what is answered at once
// and what comes later. It answers nothing: deferred parts are planned, read and
// written as any other selection.
package deferral

import "context"

type formatKey struct{}

// Allow says in which format the client takes responses in parts.
func Allow(ctx context.Context, f Format) context.Context {
	return context.WithValue(ctx, formatKey{}, f)
}

// Allowed returns the format in which the client takes responses in parts.
// Others get all at once, which a server may do: [Whole].
func Allowed(ctx context.Context) Format {
	f, _ := ctx.Value(formatKey{}).(Format)
	return f
}
