// Package carry has contexts that carry one value, found by its type.
package carry

import "context"

// Context is a context with a value, which [From] returns. [context.WithValue]
// would allocate twice, and a Context can be a field of one that has more to carry.
type Context[V any] struct {
	context.Context
	// Held is the value.
	Held V
}

// key is the key of values of a type.
type key[V any] struct{}

// Value implements [context.Context].
func (c *Context[V]) Value(k any) any {
	if k == (key[V]{}) {
		return c
	}
	return c.Context.Value(k)
}

// With returns a context with the value.
func With[V any](ctx context.Context, v V) context.Context { return &Context[V]{ctx, v} }

// From returns the context's value of the type, the zero value if there is none.
func From[V any](ctx context.Context) (v V) {
	if c := Of[V](ctx); c != nil {
		return c.Held
	}
	return v
}

// Of returns the context that holds the context's value of the type, nil if there is
// none.
func Of[V any](ctx context.Context) *Context[V] {
	c, _ := ctx.Value(key[V]{}).(*Context[V])
	return c
}
