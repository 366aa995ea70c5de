package execute

import (
	"context"
	"fmt"
	"runtime/debug"
	"slices"
	"sync"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/entwine-go/entwine/kit/graph/plan"
	"github.com/entwine-go/entwine/kit/internal/graph/failure"
	"github.com/entwine-go/entwine/kit/internal/graph/prepared"
)

// slot holds what one root field answered.
type slot struct {
	field  graphql.CollectedField
	plan   plan.Root
	write  Write
	json   []byte
	errors gqlerror.List
	alike  failure.Alike
	// fields counts the fields that were answered, itself among them.
	fields int
	// later has the deferred parts below it.
	later []*later
	// room is the buffer that json was begun in, nil where json has its own.
	room *room
}

// room is where a slot writes, used again by others once the response has a copy.
type room struct{ bytes []byte }

var rooms = sync.Pool{New: func() any { return new(room) }}

// largest is the largest room that is used again.
const largest = 256 << 10

// begun is the slot's JSON so far, or a buffer to begin in.
func (s *slot) begun() []byte {
	if s.json != nil {
		return s.json
	}
	if s.room == nil {
		s.room = rooms.Get().(*room)
	}
	return s.room.bytes[:0]
}

// release gives the room back, with what the slot has in it: nothing reads that
// any more.
func (s *slot) release() {
	if s.room == nil {
		return
	}
	if s.json != nil {
		s.room.bytes = s.json
	}
	if cap(s.room.bytes) <= largest {
		rooms.Put(s.room)
	}
	s.room, s.json = nil, nil
}

// room is where the operation puts its data together: one that is used again once
// the answer was written, unless that is one of several.
func (o *operation) room() []byte {
	if o.resolvers == nil || o.planner.Prepared.Room != nil || o.planner.Fragments != nil {
		return nil
	}
	r := rooms.Get().(*room)
	o.planner.Prepared.Room = r
	return r.bytes[:0]
}

// keep notes what became of the room, which may have been too small.
func (o *operation) keep(data []byte) {
	if r, ok := o.planner.Prepared.Room.(*room); ok && o.resolvers != nil && o.planner.Fragments == nil {
		r.bytes = data
	}
}

// Release gives back what the operation's data was written in. Nothing may read
// the response after it.
func Release(op *graphql.OperationContext) {
	p := prepared.Of(op)
	if r, ok := p.Room.(*room); ok && cap(r.bytes) <= largest {
		rooms.Put(r)
	}
	p.Room = nil
}

// append reads into the slot, at a path below the field.
func (o *operation) append(ctx context.Context, s *slot, below ast.Path, read plan.Read) int {
	json, info, err := read(ctx, o.Reader, s.begun())
	if err != nil {
		o.fail(ctx, s, err, below...)
		return 0
	}
	if len(json) > 0 { // nothing was read otherwise
		s.json = json
	}
	s.fields += info.Members
	if info.Later != nil {
		s.later = append(s.later, &later{info.Later, s.field, s.path(below)})
	}
	for _, e := range info.Errors {
		path := s.path(below, e.Path...)
		if s.alike.Listed(e.Err, path) {
			shown := o.Errors.Present(ctx, e.Err, path)
			s.alike.Note(e.Err, shown)
			s.errors = append(s.errors, shown)
		}
	}
	return info.Count
}

// fail notes an error at a path below the field.
func (o *operation) fail(ctx context.Context, s *slot, err error, below ...ast.PathElement) {
	s.errors = append(s.errors, o.Errors.Present(ctx, failure.At(s.field, err), s.path(below)))
}

// recover masks a panic as an internal error of the field.
func (o *operation) recover(ctx context.Context, s *slot) {
	if r := recover(); r != nil {
		s.json = nil
		o.fail(ctx, s, fmt.Errorf("panic: %v\n%s", r, debug.Stack()))
	}
}

func (s *slot) path(below ast.Path, more ...any) ast.Path {
	return extended(append(ast.Path{ast.PathName(s.field.Alias)}, below...), more)
}

// extended is a path with more steps.
func extended(path ast.Path, more []any) ast.Path {
	path = slices.Clip(path)
	for _, step := range more {
		switch step := step.(type) {
		case string:
			path = append(path, ast.PathName(step))
		case int:
			path = append(path, ast.PathIndex(step))
		}
	}
	return path
}

// null reports whether the field is null.
func (s *slot) null() bool { return len(s.json) == 0 || string(s.json) == "null" }

// slot returns the slot of the root field with the alias.
func (o *operation) slot(alias string) *slot {
	for _, s := range o.slots {
		if s.field.Alias == alias {
			return s
		}
	}
	return &slot{}
}
