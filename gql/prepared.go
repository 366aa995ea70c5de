package gql

import (
	"context"
	"slices"
	"sync"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/entwine-go/entwine/kit/runtime/reading"
	"github.com/entwine-go/entwine/kit/viewer"
)

// maxPrepared is how many selections are kept of one document: one for each
// root field, each class of viewers and each setting of its switches.
const maxPrepared = 32

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
	selections map[preparedKey]prepared
	costs      map[costKey]int
}

// traits are what an operation's variables decide.
type traits struct {
	// switches are the variables in directives.
	switches []string
	// fixed is set where no argument below the root fields has a variable in
	// it, constant where none has at all.
	fixed, constant bool
}

type costKey struct{ operation, switches string }

type preparedKey struct {
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

// prepared is a selection: that of a row, or of the rows of a connection of
// this shape.
type prepared struct {
	rows  *reading.Selection
	shape *reading.Shape
}

// preparation is an operation's part of its document.
type preparation struct {
	*document
	*traits
	key costKey
}

// preparationName is where an operation's preparation is kept.
const preparationName = "preparation"

// prepare finds what is kept of the operation's document. Nothing is of one
// that may defer something: what comes at once depends on how it is asked.
func (h *handler) prepare(ctx context.Context, op *graphql.OperationContext) *preparation {
	if fragmentsOf(op) != nil {
		return nil
	}
	d, ok := h.documents.Get(ctx, op.RawQuery)
	if !ok {
		d = &document{operations: map[string]*traits{}, selections: map[preparedKey]prepared{}, costs: map[costKey]int{}}
		h.documents.Add(ctx, op.RawQuery, d)
	}
	p := &preparation{document: d, traits: d.traits(op)}
	p.key = costKey{op.Operation.Name, p.settings(op.Variables)}
	op.Stats.SetExtension(preparationName, p)
	return p
}

// preparationOf returns the operation's preparation, nil where there is none.
func preparationOf(op *graphql.OperationContext) *preparation {
	p, _ := op.Stats.GetExtension(preparationName).(*preparation)
	return p
}

// limit is [limit], asked once for each setting of the switches where nothing
// else can change the answer.
func (p *preparation) limit(op *graphql.OperationContext) (int, *gqlerror.Error) {
	if p == nil || !p.constant {
		return limit(op)
	}
	p.mu.Lock()
	cost, known := p.costs[p.key]
	p.mu.Unlock()
	if known {
		return cost, nil
	}
	cost, err := limit(op)
	if err == nil {
		p.mu.Lock()
		defer p.mu.Unlock()
		if len(p.costs) < maxPrepared {
			p.costs[p.key] = cost
		}
	}
	return cost, err
}

// compiled compiles what is selected of a root field, unless that is kept.
func (p *planner) compiled(compile func() (prepared, error)) (prepared, error) {
	if p.kept == nil || p.root == "" || !p.kept.fixed {
		return compile()
	}
	d, key := p.kept.document, preparedKey{p.kept.key, p.root, classOf(p.viewer)}
	d.mu.Lock()
	known, ok := d.selections[key]
	d.mu.Unlock()
	if ok {
		return known, nil
	}
	made, err := compile()
	if err == nil {
		d.mu.Lock()
		defer d.mu.Unlock()
		if len(d.selections) < maxPrepared {
			d.selections[key] = made
		}
	}
	return made, err
}

// settings are the values of the switches.
func (t *traits) settings(variables map[string]any) string {
	if len(t.switches) == 0 {
		return ""
	}
	set := make([]byte, len(t.switches))
	for i, name := range t.switches {
		switch variables[name] {
		case true:
			set[i] = '1'
		case false:
			set[i] = '0'
		default:
			set[i] = '-'
		}
	}
	return string(set)
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

// spread is a fragment among the root fields, or below them.
type spread struct {
	name string
	root bool
}

func (t *traits) walk(doc *ast.QueryDocument, set ast.SelectionSet, root bool, seen map[spread]bool) {
	for _, selection := range set {
		switch s := selection.(type) {
		case *ast.Field:
			t.directives(s.Directives)
			for _, a := range s.Arguments {
				if varies(a.Value) {
					t.constant, t.fixed = false, t.fixed && root
				}
			}
			t.walk(doc, s.SelectionSet, false, seen)
		case *ast.InlineFragment:
			t.directives(s.Directives)
			t.walk(doc, s.SelectionSet, root, seen)
		case *ast.FragmentSpread:
			t.directives(s.Directives)
			if key := (spread{s.Name, root}); !seen[key] {
				seen[key] = true
				t.walk(doc, doc.Fragments.ForName(s.Name).SelectionSet, root, seen)
			}
		}
	}
}

func (t *traits) directives(all ast.DirectiveList) {
	for _, d := range all {
		for _, a := range d.Arguments {
			if a.Value.Kind == ast.Variable {
				t.switches = append(t.switches, a.Value.Raw)
			}
		}
	}
}

// varies reports whether there is a variable in the value.
func varies(v *ast.Value) bool {
	return v.Kind == ast.Variable || slices.ContainsFunc(v.Children, func(c *ast.ChildValue) bool { return varies(c.Value) })
}
