package prepared

import (
	"context"
	"strings"
	"sync"

	"github.com/99designs/gqlgen/graphql"
	"github.com/99designs/gqlgen/graphql/handler/lru"
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/entwine-go/entwine/kit/viewer"
)

// Documents keep what is prepared of the documents that were run most recently.
type Documents struct {
	kept   graphql.Cache[*document]
	costly []string
}

// NewDocuments returns a cache of so many documents, whose costs depend on the
// arguments with the names.
func NewDocuments(size int, costly []string) *Documents {
	return &Documents{lru.New[*document](size), costly}
}

// document is a cached document: its operations by the names in requests, of which
// a document with one operation has two.
type document struct {
	mu         sync.Mutex
	operations map[string]*Definition
	selections int // of all of them
}

// room reports whether one more selection of the document is kept, and counts it.
func (d *document) room() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.selections >= maxKept {
		return false
	}
	d.selections++
	return true
}

// Find returns what is kept of the operation that a request names in a document, nil
// where that is nothing.
func (d *Documents) Find(ctx context.Context, text, name string) *Definition {
	doc, ok := d.kept.Get(ctx, text)
	if !ok {
		return nil
	}
	doc.mu.Lock()
	defer doc.mu.Unlock()
	return doc.operations[name]
}

// Add keeps an operation that is valid, as gqlgen has made it of the text and the
// name. Its headers, extensions and variables are the request's and are not kept.
func (d *Documents) Add(ctx context.Context, text, name string, op *graphql.OperationContext) *Definition {
	doc, ok := d.kept.Get(ctx, text)
	if !ok {
		doc = &document{operations: map[string]*Definition{}}
		d.kept.Add(ctx, text, doc)
	}
	def := &Definition{
		of: doc, text: op.RawQuery, doc: op.Doc, operation: op.Operation,
		recovered: op.RecoverFunc, resolver: op.ResolverMiddleware, root: op.RootResolverMiddleware,
		Defers: strings.Contains(op.RawQuery, "defer"), settings: map[string]*setting{},
		traits: traitsOf(op.Doc, op.Operation, d.costly),
	}
	doc.mu.Lock()
	defer doc.mu.Unlock()
	if len(doc.operations) < maxKept {
		doc.operations[name] = def
	}
	return def
}

// maxKept is how many operations of a document are kept, how many settings of the
// switches of each, and how many selections of a document: one for each root field,
// each class of viewers and each setting.
const maxKept = 32

// Definition is a cached operation of a document: the document itself, and the parts
// that were prepared for requests.
//
// A selection is compiled anew where something in it depends on a variable,
// but for @include and @skip: those are switches, and each setting of them
// is kept. A root field's own arguments are not part of it, nor is any rule
// about rows: these are each request's. Which fields are visible is, and is
// the same for all of a class.
type Definition struct {
	// Defers is set where the operation may defer something. Nothing is made for it
	// but the document: what comes at once depends on how it is asked.
	Defers bool

	of        *document
	text      string
	doc       *ast.QueryDocument
	operation *ast.OperationDefinition
	recovered graphql.RecoverFunc
	resolver  graphql.FieldMiddleware
	root      graphql.RootFieldMiddleware
	traits

	mu       sync.Mutex
	settings map[string]*setting
}

// setting is the cache of an operation for one setting of its switches.
type setting struct {
	roots      []graphql.CollectedField
	arguments  []map[string]any // of the roots, nil where they are not known yet
	cost       *Cost
	selections map[selectionKey]Selection
}

type selectionKey struct {
	root  string
	class class
}

// class has the facts about a viewer on which the visibility of fields depends.
type class struct {
	system, user, key bool
	read, write       bool // what a key may
	role              viewer.Role
}

func classOf(v *viewer.Viewer) class {
	c := class{system: v.System, user: v.UserID != 0, key: v.KeyID != 0, read: v.May(viewer.Read), write: v.May(viewer.Write)}
	if c.user {
		c.role = v.Role
	}
	return c
}

// Again is the operation for another request, as gqlgen makes it, but for the
// variables.
func (d *Definition) Again(params *graphql.RawParams) *graphql.OperationContext {
	return &graphql.OperationContext{
		RawQuery: d.text, Doc: d.doc, Operation: d.operation, OperationName: params.OperationName,
		Extensions: params.Extensions, Headers: params.Headers,
		RecoverFunc: d.recovered, ResolverMiddleware: d.resolver, RootResolverMiddleware: d.root,
	}
}

// setting returns what is kept for the variables.
func (d *Definition) setting(variables map[string]any) *setting {
	key := d.switched(variables)
	d.mu.Lock()
	defer d.mu.Unlock()
	s := d.settings[key]
	if s == nil {
		s = &setting{selections: map[selectionKey]Selection{}}
		if len(d.settings) < maxKept {
			d.settings[key] = s
		}
	}
	return s
}
