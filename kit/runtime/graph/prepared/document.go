package prepared

import (
	"context"
	"slices"
	"sync"

	"github.com/99designs/gqlgen/graphql"
	"github.com/99designs/gqlgen/graphql/handler/lru"

	"github.com/entwine-go/entwine/kit/runtime/graph/deferral"
	"github.com/entwine-go/entwine/kit/viewer"
)

// Documents keep what is prepared of the documents that were run most recently.
type Documents struct{ kept graphql.Cache[*document] }

// NewDocuments returns a cache of so many documents.
func NewDocuments(size int) *Documents { return &Documents{lru.New[*document](size)} }

// Prepare finds what is kept of the operation's document. Nothing is of one
// that may defer something: what comes at once depends on how it is asked.
func (d *Documents) Prepare(ctx context.Context, op *graphql.OperationContext) *Operation {
	if deferral.Of(op) != nil {
		return nil
	}
	doc, ok := d.kept.Get(ctx, op.RawQuery)
	if !ok {
		doc = &document{operations: map[string]*traits{}, selections: map[selectionKey]Selection{}, costs: map[costKey]Cost{}}
		d.kept.Add(ctx, op.RawQuery, doc)
	}
	o := &Operation{document: doc, traits: doc.traits(op)}
	o.key = costKey{op.Operation.Name, o.settings(op.Variables)}
	op.Stats.SetExtension(extensionName, o)
	return o
}

// maxKept is how many selections are kept of one document: one for each
// root field, each class of viewers and each setting of its switches.
const maxKept = 32

// document is what is kept of a document that was run: the selections of its
// root fields, compiled, and what its operations cost.
//
// A selection is compiled anew where something in it depends on a variable,
// but for @include and @skip: those are switches, and each setting of them
// is kept. A root field's own arguments are not part of it, nor is any rule
// about rows: these are each request's. Which fields are visible is, and is
// the same for all of a class.
type document struct {
	mu         sync.Mutex
	operations map[string]*traits
	selections map[selectionKey]Selection
	costs      map[costKey]Cost
}

type costKey struct{ operation, switches string }

type selectionKey struct {
	costKey
	root  string
	class class
}

// class is what the visibility of fields depends on.
type class struct {
	system, authenticated bool
	role                  viewer.Role
}

func classOf(v *viewer.Viewer) class {
	c := class{system: v.System, authenticated: v.Authenticated()}
	if v.UserID != 0 {
		c.role = v.Role
	}
	return c
}

// traits returns those of the operation, found once.
func (d *document) traits(op *graphql.OperationContext) *traits {
	d.mu.Lock()
	defer d.mu.Unlock()
	t := d.operations[op.Operation.Name]
	if t == nil {
		t = &traits{fixed: true, constant: true}
		t.walk(op.Doc, op.Operation.SelectionSet, true, map[spread]bool{})
		slices.Sort(t.switches)
		t.switches = slices.Compact(t.switches)
		d.operations[op.Operation.Name] = t
	}
	return t
}
