package change

import (
	"fmt"
	"slices"
	"strings"

	"github.com/entwine-go/entwine/kit/codegen/contract"
)

// apis is the reach of what the databases know nothing of.
func apis(r reach) reach {
	r.sql, r.cursors, r.events, r.jobs = false, false, false, nil
	return r
}

// operations compares what can be done to the rows of an entity.
func (j *judge) operations(was, now *contract.Entity, r reach) {
	r = apis(r)
	for i := range was.Operations {
		had := &was.Operations[i]
		key := j.key(had.Key)
		what := now.Name + " " + key
		n := slices.IndexFunc(now.Operations, func(o contract.Operation) bool { return o.Key == key })
		switch {
		case n >= 0:
			j.operation(what, was, now, had, &now.Operations[n], r)
		case key == "restore" && was.SoftDelete != now.SoftDelete, j.partOfEdge(now, key):
		default:
			j.add(40, what, "the operation goes: "+called(had), j.heard(r, had))
		}
	}
	for i := range now.Operations {
		o := &now.Operations[i]
		if !slices.ContainsFunc(was.Operations, func(had contract.Operation) bool { return j.key(had.Key) == o.Key }) && (o.Key != "restore" || was.SoftDelete == now.SoftDelete) {
			j.add(added, now.Name+" "+o.Key, "a new operation: "+called(o), r)
		}
	}
}

// key is the key of an operation by names of now: some name an edge.
func (j *judge) key(key string) string {
	verb, edge, ok := strings.Cut(key, " ")
	if !ok {
		return key
	}
	owner, name, ok := strings.Cut(edge, ".")
	if !ok {
		return key
	}
	owner = j.typed(owner)
	if e := entity(j.after, owner); e != nil {
		for _, g := range e.Edges {
			if g.Was == name {
				name = g.Name
			}
		}
	}
	return verb + " " + owner + "." + name
}

// partOfEdge reports whether the operation goes because its edge does, or the
// entity at the other end.
func (j *judge) partOfEdge(now *contract.Entity, key string) bool {
	verb, edge, ok := strings.Cut(key, " ")
	owner, name, nested := strings.Cut(edge, ".")
	switch {
	case ok && nested:
		e := entity(j.after, owner)
		return e == nil || !e.Exposed || !hasEdge(e, name)
	case verb == "attach" || verb == "detach":
		return !hasEdge(now, edge)
	}
	return false
}

func hasEdge(e *contract.Entity, name string) bool {
	return slices.ContainsFunc(e.Edges, func(g contract.Edge) bool { return g.Name == name && g.Shown })
}

// heard is the reach of an operation: some are in one of the APIs alone.
func (j *judge) heard(r reach, o *contract.Operation) reach {
	attaches := strings.HasPrefix(o.Key, "attach ") // which GraphQL has in its inputs
	ofRows := attaches || o.Key == "list" || o.Key == "create" || o.Key == "read" || o.Key == "patch" || o.Key == "delete"
	r.rest = r.rest && o.Method != ""
	r.graphql = r.graphql && (o.GraphQL != "" || ofRows)
	return r
}

func called(o *contract.Operation) string {
	var all []string
	if o.Method != "" {
		all = append(all, strings.ToUpper(o.Method)+" "+o.Path)
	}
	if o.GraphQL != "" {
		all = append(all, o.GraphQL)
	}
	return strings.Join(all, ", ")
}

// operation compares an operation with what it was.
func (j *judge) operation(what string, wasIn, nowIn *contract.Entity, was, now *contract.Operation, r reach) {
	moved := wasIn.Path != nowIn.Path || wasIn.Key != nowIn.Key || wasIn.Under != nowIn.Under || wasIn.Name != nowIn.Name
	if (was.Method != now.Method || was.Path != now.Path) && !moved && !j.parentMoved(was.Path, now.Path) {
		j.add(5, what, fmt.Sprintf("it is %s %s, and was %s %s", strings.ToUpper(now.Method), now.Path, strings.ToUpper(was.Method), was.Path), r)
	}
	if was.GraphQL != "" && was.GraphQL != now.GraphQL && wasIn.Name == nowIn.Name {
		j.add(40, what, fmt.Sprintf("GraphQL calls it %s, and called it %s", orNone(now.GraphQL), was.GraphQL), r, none(rest))
	}
	r = j.heard(r, now)
	if upper(limit(was.Maximum), limit(now.Maximum)) < 0 {
		j.add(50, what, fmt.Sprintf("a request has at most %d items, and had %d", now.Maximum, was.Maximum), r)
	}
	if upper(limit(was.Maximum), limit(now.Maximum)) > 0 {
		j.add(added, what, "a request may have more items", r)
	}
	if renamed(was.When, wasIn, nowIn) != now.When {
		j.add(39, what, fmt.Sprintf("it is possible where %s, and was where %s", always(now.When), always(was.When)), r, some(permissions))
	}
	j.inputs(what, was.Input, now.Input, r)
	j.answers(what, was.Answer, now.Answer, r)
}

// parentMoved reports whether the paths differ in what stands before them, which
// is a change of another entity.
func (j *judge) parentMoved(was, now string) bool {
	for i := range j.before.Entities {
		e := &j.before.Entities[i]
		to := entity(j.after, j.typed(e.Name))
		if to != nil && e.Path != to.Path && strings.HasPrefix(was, "/"+e.Path+"/") && strings.HasPrefix(now, "/"+to.Path+"/") {
			return true
		}
		if to != nil && e.Key != to.Key && strings.HasPrefix(was, "/"+e.Path+"/{") && strings.HasPrefix(now, "/"+to.Path+"/{") {
			return true
		}
	}
	return false
}

func limit(maximum int) *int {
	if maximum == 0 {
		return nil
	}
	return &maximum
}

func always(condition string) string {
	if condition == "" {
		return "anything goes"
	}
	return condition
}

// inputs compares what an operation is called with.
func (j *judge) inputs(what string, was, now []contract.Field, r reach) {
	for i := range was {
		had := &was[i]
		r.jobs = []string{had.Name}
		has := field(now, had.Name)
		if has == nil {
			if has = renamedInput(was, now, had.Name); has == nil {
				j.add(49, what, had.Name+" is no input any longer", r)
				continue
			}
			j.add(added, what+" "+has.Name, "it was "+had.Name+", which clients may send still", r)
		}
		if had.Shown == nil || has.Shown == nil {
			continue
		}
		of := what + " " + has.Name
		if had.Was != "" && has.Was != had.Was && field(now, had.Was) == nil {
			j.add(49, of, "clients may not send "+had.Was+" any longer", r)
		}
		switch {
		case !had.Shown.Required && has.Shown.Required:
			j.add(49, of, "it has to be named", r)
		case had.Default != has.Default:
			j.add(18, of, fmt.Sprintf("it is %s by default, and was %s", orNone(has.Default), orNone(had.Default)), r)
		}
		if had.Shown.Kind != has.Shown.Kind || j.typed(had.Shown.Ref) != has.Shown.Ref {
			j.add(49, of, fmt.Sprintf("it is %s, and was %s", has.Shown.Kind, had.Shown.Kind), r)
		}
		j.values(of, had.Values, has.Values, nil, r)
		j.limits(of, had.Shown.Limits, has.Shown.Limits, r)
	}
	for i := range now {
		has := &now[i]
		switch {
		case field(was, has.Name) != nil, has.Was != "" && renamedInput(was, now, has.Was) == has:
		case has.Shown != nil && has.Shown.Required && !newParent(was, now, has.Name):
			j.add(49, what, has.Name+" is a new input that has to be named", r)
		default:
			j.add(added, what, has.Name+" is a new input that can be left out", r)
		}
	}
}

// renamedInput is the input that clients may still send by the name before, in
// both APIs, nil where there is none.
func renamedInput(was, now []contract.Field, before string) *contract.Field {
	i := slices.IndexFunc(now, func(f contract.Field) bool {
		return f.Was == before && f.Shown != nil && f.Shown.WasREST != "" && f.Shown.WasGraphQL != ""
	})
	if i < 0 || field(was, before) == nil || field(was, now[i].Name) != nil {
		return nil
	}
	return &now[i]
}

// newParent reports whether the input is a member of one that is new itself.
func newParent(was, now []contract.Field, name string) bool {
	i := strings.LastIndex(name, "[].")
	if i < 0 {
		return false
	}
	parent := name[:i]
	return field(was, parent) == nil && field(now, parent) != nil
}
