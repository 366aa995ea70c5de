package gql

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/entwine-go/entwine/kit/runtime/graph/deferral"
	"github.com/entwine-go/entwine/kit/runtime/graph/failure"
	"github.com/entwine-go/entwine/kit/runtime/reading"
)

// Incremental delivery: an operation that defers fragments has a response at
// once and others later, in the form that clients name deferSpec=20220824. It
// is for clients that say that they understand it; others get all at once,
// which a server may do.
//
//	{"data":{…},"hasNext":true}
//	{"incremental":[{"data":{…},"path":["posts",0,"author"],"label":"later"}],"hasNext":false}
//
// What is deferred is read when the transport asks for the next response, which
// it does when it has sent the one before: for all rows of a list at once.

// later is what is deferred below a root field.
type later struct {
	*reading.Later
	field graphql.CollectedField
	path  ast.Path
}

// delivery is the responses of an operation, in their order.
type delivery struct {
	*operation
	run   func(context.Context, *operation) *graphql.Response
	spent spent
	begun bool
	// roots are root fields, queue is what is below others.
	roots []deferral.Fragment
	queue []*later
}

// next is a graphql.ResponseHandler.
func (d *delivery) next(ctx context.Context) *graphql.Response {
	if !d.begun {
		d.begun = true
		response := d.run(ctx, d.operation)
		d.roots = d.later
		d.take(d.operation)
		if string(response.Data) == "null" {
			d.roots, d.queue = nil, nil
		}
		response.Extensions = map[string]any{costName: d.spent}
		if d.more() {
			response.HasNext = new(true)
		}
		return response
	}
	if !d.more() {
		return nil
	}
	var parts []incremental
	if errors.Is(ctx.Err(), context.Canceled) {
		d.roots, d.queue = nil, nil // nobody is there
	} else {
		parts = d.part(ctx)
	}
	return &graphql.Response{HasNext: new(d.more()), Extensions: map[string]any{incrementalName: parts, costName: d.spent}}
}

func (d *delivery) more() bool { return len(d.roots) > 0 || len(d.queue) > 0 }

// take notes what an operation has come to, and what it has deferred.
func (d *delivery) take(o *operation) {
	came := o.spent()
	d.spent.requested = came.requested
	d.spent.actual = min(d.spent.actual+came.actual, came.requested)
	for _, s := range o.slots {
		d.queue = append(d.queue, s.later...)
	}
}

// part answers one of the fragments that are deferred, wherever it stands.
func (d *delivery) part(ctx context.Context) []incremental {
	if len(d.roots) > 0 {
		first := d.roots[0]
		d.roots = d.roots[1:]
		return []incremental{d.root(ctx, first)}
	}
	first := d.queue[0]
	var parts []incremental
	for _, p := range first.Next(ctx) {
		path := extended(first.path, p.Path)
		part := incremental{Data: p.JSON, Path: path, Label: p.Label}
		for _, e := range p.Errors {
			part.Errors = append(part.Errors, d.present.Present(ctx, failure.At(first.field, e.Err), extended(first.path, e.Path)))
		}
		parts = append(parts, part)
		d.spent.actual = min(d.spent.actual+p.Members, d.spent.requested)
	}
	if !first.More() {
		d.queue = d.queue[1:]
	}
	return parts
}

// root answers root fields that were deferred.
func (d *delivery) root(ctx context.Context, f deferral.Fragment) incremental {
	o := &operation{handler: d.handler, planner: d.planner}
	var set ast.SelectionSet
	set, o.later = d.planner.fragments.Divide(f.Set, []string{rootType(d.planner.op).Name})
	o.fill(set)
	response := d.run(ctx, o)
	if string(response.Data) != "null" {
		d.roots = append(d.roots, o.later...)
	}
	d.take(o)
	return incremental{Data: json.RawMessage(response.Data), Path: ast.Path{}, Label: f.Label, Errors: response.Errors}
}
