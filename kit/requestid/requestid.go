// Package requestid gives a request an id, which its answer, the log and its jobs
// have, so that each can be found by the others.
package requestid

import (
	"context"
	"crypto/rand"

	"github.com/entwine-go/entwine/kit/internal/carry"
)

// longest is the most characters that an id from outside may have.
const longest = 128

// New returns a random id.
func New() string { return rand.Text() }

// Valid reports whether an id from outside can be taken over: 1 to 128
// letters, digits and -._~:/+=@, which need no quoting in a log or a header.
func Valid(id string) bool {
	if id == "" || len(id) > longest {
		return false
	}
	for i := range len(id) {
		if !plain(id[i]) {
			return false
		}
	}
	return true
}

func plain(c byte) bool {
	switch {
	case '0' <= c && c <= '9', 'a' <= c|0x20 && c|0x20 <= 'z':
		return true
	}
	switch c {
	case '-', '.', '_', '~', ':', '/', '+', '=', '@':
		return true
	}
	return false
}

// ID is the id of a request, as contexts carry it.
type ID string

// Context is a context that belongs to the request whose id it holds. A context that
// has more to say of a request embeds it.
type Context = carry.Context[ID]

// With returns a context that belongs to the request with the id.
func With(ctx context.Context, id string) context.Context {
	return carry.With(ctx, ID(id))
}

// From returns the id of the context's request, empty if there is none.
func From(ctx context.Context) string {
	return string(carry.From[ID](ctx))
}
