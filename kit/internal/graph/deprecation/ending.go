// Package deprecation finds the deprecated things that a document uses: it counts
// the uses, and refuses an operation that uses a removed one.
//
// A table has the deprecated things by schema coordinates: Post.title,
// PostOrderField.TITLE, CreatePostInput.title, Mutation.payOrder(reason:). A
// document is searched once and the result kept; variables are searched whose types
// contain a deprecated thing. Former names are replaced by those of now, so that
// nothing behind this package knows of them (doc/api/lifecycle.md).
package deprecation

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/99designs/gqlgen/graphql/handler/lru"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/entwine-go/entwine/kit/internal/graph/failure"
	"github.com/entwine-go/entwine/kit/lifecycle"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/viewer"
)

// Usage counts uses of what is deprecated.
type Usage interface {
	// Count counts one: by whom, with which User-Agent, and what.
	Count(v *viewer.Viewer, agent string, kind lifecycle.Kind, name string)
}

// Config has the dependencies of a [Checker].
type Config struct {
	Schema *ast.Schema
	// Endings are when what stands at a coordinate ends, and Renamed what is in its
	// place now: of a type's old name, which is no coordinate, too.
	Endings map[string]*lifecycle.Ending
	Renamed map[string]string
	Plan    *lifecycle.Plan
	Usage   Usage
}

// Checker looks after what ends. A nil Checker, of a schema in which nothing
// does, costs nothing.
type Checker struct {
	schema  *ast.Schema
	endings map[string]*lifecycle.Ending
	renamed map[string]string
	plan    *lifecycle.Plan
	usage   Usage
	kept    graphql.Cache[*uses]
	// holds are the input types that hold something that ends, at any depth.
	holds map[string]bool
}

// New returns the checker of a schema, nil if nothing of it ends. It keeps what was
// found of so many documents.
func New(of Config, kept int) *Checker {
	if len(of.Endings) == 0 {
		return nil
	}
	c := &Checker{
		schema: of.Schema, endings: of.Endings, renamed: of.Renamed, plan: of.Plan, usage: of.Usage,
		kept: lru.New[*uses](kept), holds: map[string]bool{},
	}
	for again := true; again; { // types may hold each other
		again = false
		for name, def := range of.Schema.Types {
			if !c.holds[name] && c.holdsDirectly(def) {
				c.holds[name], again = true, true
			}
		}
	}
	return c
}

func (c *Checker) holdsDirectly(def *ast.Definition) bool {
	if def.Kind != ast.InputObject && def.Kind != ast.Enum {
		return false
	}
	return slices.ContainsFunc(def.EnumValues, func(v *ast.EnumValueDefinition) bool { return c.endings[def.Name+"."+v.Name] != nil }) ||
		def.Kind == ast.InputObject && slices.ContainsFunc(def.Fields, func(f *ast.FieldDefinition) bool {
			return c.endings[def.Name+"."+f.Name] != nil || c.holds[f.Type.Name()]
		})
}

// uses are an operation's uses of deprecated things in its document: coordinates,
// in the order of their first use, and variables that may use more.
type uses struct {
	coordinates []string
	variables   ast.VariableDefinitionList
	// renamed is the document in the words of now, nil where that is the same.
	renamed *ast.QueryDocument
	// both is an input in the document with a member by both of its names.
	both twice
}

// Check counts what the operation uses, and refuses it where something of that
// is gone. It puts what was renamed into the words of now.
func (c *Checker) Check(ctx context.Context, op *graphql.OperationContext) *gqlerror.Error {
	if c == nil {
		return nil
	}
	found := c.of(ctx, op)
	all := found.coordinates
	for _, v := range found.variables {
		if value, ok := op.Variables[v.Variable]; ok {
			all = c.inVariable(slices.Clip(all), v.Type, value)
		}
	}
	var refused *gqlerror.Error
	for _, coordinate := range all {
		if err := c.use(ctx, op, coordinate); err != nil && refused == nil {
			refused = err
		}
	}
	if refused == nil && len(c.renamed) > 0 {
		refused = c.rename(op, found)
	}
	return refused
}

// use counts one use, and returns why it is refused.
func (c *Checker) use(ctx context.Context, op *graphql.OperationContext, coordinate string) *gqlerror.Error {
	e := c.endings[coordinate]
	at := c.plan.At()
	state := e.State(at)
	if state == lifecycle.Active {
		return nil
	}
	kind, gone := lifecycle.OfField, problem.NotValid
	if root(coordinate) {
		kind, gone = lifecycle.OfOperation, problem.Gone
	}
	if c.usage != nil {
		c.usage.Count(viewer.From(ctx), op.Headers.Get("User-Agent"), kind, coordinate)
	}
	switch {
	case state == lifecycle.Retired:
		return failure.Refusal(gone, "%s was removed on %s: %s", coordinate, e.Sunset.Format(time.DateOnly), e.Instead)
	case c.plan.Gone(e):
		out, _ := c.plan.Out(at)
		return failure.Refusal(gone, "%s is switched off until %s (a brown-out: it is deprecated): %s", coordinate, out.Until.UTC().Format(time.RFC3339), e.Instead)
	}
	return nil
}

// root reports whether the coordinate is that of a root field.
func root(coordinate string) bool {
	parent, _, _ := strings.Cut(coordinate, ".")
	return (parent == "Query" || parent == "Mutation" || parent == "Subscription") && !strings.HasSuffix(coordinate, ":)")
}

// of returns what is kept of the operation's document.
func (c *Checker) of(ctx context.Context, op *graphql.OperationContext) *uses {
	key := op.Operation.Name + "\n" + op.RawQuery
	if found, ok := c.kept.Get(ctx, key); ok {
		return found
	}
	found := &uses{}
	c.search(op.Doc, op.Operation.SelectionSet, found, map[string]bool{})
	for _, v := range op.Operation.VariableDefinitions {
		if c.holds[v.Type.Name()] {
			found.variables = append(found.variables, v)
		}
	}
	if slices.ContainsFunc(found.coordinates, func(at string) bool { return c.renamed[at] != "" }) {
		found.renamed = c.inWordsOfNow(op.Doc, &found.both)
	}
	c.kept.Add(ctx, key, found)
	return found
}

func (c *Checker) add(found *[]string, coordinate string) {
	if c.endings[coordinate] != nil && !slices.Contains(*found, coordinate) {
		*found = append(*found, coordinate)
	}
}

// search looks through a selection, and the fragments that it names.
func (c *Checker) search(doc *ast.QueryDocument, set ast.SelectionSet, found *uses, seen map[string]bool) {
	for _, selection := range set {
		switch s := selection.(type) {
		case *ast.Field:
			if s.ObjectDefinition == nil || s.Definition == nil {
				continue
			}
			at := s.ObjectDefinition.Name + "." + s.Name
			c.add(&found.coordinates, at)
			for _, a := range s.Arguments {
				c.add(&found.coordinates, at+"("+a.Name+":)")
				if def := s.Definition.Arguments.ForName(a.Name); def != nil {
					found.coordinates = c.inLiteral(found.coordinates, def.Type, a.Value)
				}
			}
			c.search(doc, s.SelectionSet, found, seen)
		case *ast.InlineFragment:
			c.search(doc, s.SelectionSet, found, seen)
		case *ast.FragmentSpread:
			if f := doc.Fragments.ForName(s.Name); f != nil && !seen[s.Name] {
				seen[s.Name] = true
				c.search(doc, f.SelectionSet, found, seen)
			}
		}
	}
}

// inLiteral adds what a value in the document uses.
func (c *Checker) inLiteral(found []string, t *ast.Type, value *ast.Value) []string {
	if value == nil || !c.holds[t.Name()] {
		return found
	}
	def := c.schema.Types[t.Name()]
	switch value.Kind {
	case ast.EnumValue:
		c.add(&found, def.Name+"."+value.Raw)
	case ast.ListValue:
		for _, item := range value.Children {
			found = c.inLiteral(found, t, item.Value)
		}
	case ast.ObjectValue:
		for _, member := range value.Children {
			c.add(&found, def.Name+"."+member.Name)
			if f := def.Fields.ForName(member.Name); f != nil {
				found = c.inLiteral(found, f.Type, member.Value)
			}
		}
	}
	return found
}

// inVariable adds what the value of a variable uses.
func (c *Checker) inVariable(found []string, t *ast.Type, value any) []string {
	if !c.holds[t.Name()] {
		return found
	}
	def := c.schema.Types[t.Name()]
	switch v := value.(type) {
	case string:
		c.add(&found, def.Name+"."+v)
	case []any:
		for _, item := range v {
			found = c.inVariable(found, t, item)
		}
	case map[string]any:
		for name, member := range v {
			c.add(&found, def.Name+"."+name)
			if f := def.Fields.ForName(name); f != nil {
				found = c.inVariable(found, f.Type, member)
			}
		}
	}
	return found
}
