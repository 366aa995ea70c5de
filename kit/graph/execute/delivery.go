package execute

import (
	"context"
	"errors"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/entwine-go/entwine/kit/graph/limits"
	"github.com/entwine-go/entwine/kit/internal/graph/deferral"
	"github.com/entwine-go/entwine/kit/internal/graph/failure"
	"github.com/entwine-go/entwine/kit/internal/graph/response"
	"github.com/entwine-go/entwine/kit/read"
)

// later has the deferred parts below a root field.
type later struct {
	*read.Later
	field graphql.CollectedField
	path  ast.Path
}

// delivery is the responses of an operation, in their order: one that defers
// fragments has a response at once and others later. Deferred parts are read when
// the transport asks for the next response, which it does when it has sent the one
// before, for all rows of a list at once.
type delivery struct {
	*operation
	spent limits.Spent
	begun bool
	// faulty is set where something failed that the client has no part in.
	faulty bool
	// roots are root fields, queue is what is below others.
	roots []deferral.Fragment
	queue []*later
}

// next is a graphql.ResponseHandler.
func (d *delivery) next(ctx context.Context) *graphql.Response {
	if !d.begun {
		d.begun = true
		d.spent.Actual = d.planner.Prepared.Cost.Fixed
		first := d.answer(ctx)
		d.roots = d.later
		d.take(d.operation)
		if string(first.Data) == "null" {
			d.roots, d.queue = nil, nil
		}
		first.Extensions = map[string]any{limits.CostName: d.spent}
		if d.more() {
			first.HasNext = new(true)
		}
		response.SetPlaces(first, d.places(ctx))
		d.faulty = failure.Faulty(first.Errors)
		d.settle(ctx)
		return first
	}
	if !d.more() {
		return nil
	}
	var parts []response.Part
	if errors.Is(ctx.Err(), context.Canceled) {
		d.roots, d.queue = nil, nil // the client is gone
	} else {
		parts = d.part(ctx)
	}
	for _, p := range parts {
		d.faulty = d.faulty || failure.Faulty(p.Errors)
	}
	d.settle(ctx)
	later := response.Later(parts, d.spent, d.more())
	response.SetPlaces(later, d.places(ctx))
	return later
}

// places are the paths of deferred results that are still to come.
func (d *delivery) places(ctx context.Context) []response.Place {
	if !d.more() || deferral.Allowed(ctx) != deferral.Pending {
		return nil
	}
	var all []response.Place
	for _, f := range d.roots {
		all = append(all, response.Place{Path: ast.Path{}, Label: f.Label})
	}
	for _, l := range d.queue {
		for _, p := range l.Places() {
			all = append(all, response.Place{Path: extended(l.path, p.Path), Label: p.Label})
		}
	}
	return all
}

// settle gives back what was charged and not used, with the last response. A
// failed part gives nothing back: a statement that took too long has answered
// nothing.
func (d *delivery) settle(ctx context.Context) {
	if !d.more() && !d.faulty {
		limits.Settle(ctx, d.planner.Op, d.spent)
	}
}

func (d *delivery) more() bool { return len(d.roots) > 0 || len(d.queue) > 0 }

// spent adds up what the root fields came to.
func (o *operation) spent() limits.Spent {
	sum := limits.Spent{Requested: o.planner.Prepared.Cost.Requested}
	for _, s := range o.slots {
		if !limits.Introspects(s.field) {
			sum.Actual += 1 + s.fields
		}
	}
	sum.Actual = min(sum.Actual, sum.Requested)
	return sum
}

// take notes what an operation has come to, and what it has deferred.
func (d *delivery) take(o *operation) {
	came := o.spent()
	d.spent.Requested = came.Requested
	d.spent.Actual = min(d.spent.Actual+came.Actual, came.Requested)
	for _, s := range o.slots {
		d.queue = append(d.queue, s.later...)
	}
}

// part answers one of the fragments that are deferred, wherever it stands.
func (d *delivery) part(ctx context.Context) []response.Part {
	if len(d.roots) > 0 {
		first := d.roots[0]
		d.roots = d.roots[1:]
		return []response.Part{d.root(ctx, first)}
	}
	first := d.queue[0]
	var parts []response.Part
	var alike failure.Alike
	for _, p := range first.Next(ctx) {
		path := extended(first.path, p.Path)
		part := response.Part{Data: p.JSON, Path: path, Label: p.Label}
		for _, e := range p.Errors {
			if at := extended(first.path, e.Path); alike.Listed(e.Err, at) {
				shown := d.Errors.Present(ctx, failure.At(first.field, e.Err), at)
				alike.Note(e.Err, shown)
				part.Errors = append(part.Errors, shown)
			}
		}
		parts = append(parts, part)
		d.spent.Actual = min(d.spent.Actual+p.Members, d.spent.Requested)
	}
	if more := alike.Omitted(); more > 0 {
		last := &parts[len(parts)-1]
		last.Errors = failure.Listing(last.Errors, more)
	}
	if !first.More() {
		d.queue = d.queue[1:]
	}
	return parts
}

// root answers root fields that were deferred.
func (d *delivery) root(ctx context.Context, f deferral.Fragment) response.Part {
	o := &operation{Executor: d.Executor, planner: d.planner, resolvers: d.resolvers}
	var set ast.SelectionSet
	set, o.later = d.planner.Fragments.Divide(f.Set, []string{d.rootType(d.planner.Op).Name})
	o.fill(o.collect(set))
	res := o.answer(ctx)
	if string(res.Data) != "null" {
		d.roots = append(d.roots, o.later...)
	}
	d.take(o)
	return response.Part{Data: res.Data, Path: ast.Path{}, Label: f.Label, Errors: res.Errors}
}
