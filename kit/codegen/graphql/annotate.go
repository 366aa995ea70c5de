package graphql

import (
	"maps"
	"strings"

	"entgo.io/contrib/entgql"
	"entgo.io/ent/entc/gen"
	"entgo.io/ent/schema"

	"github.com/entwine-go/entwine/kit/codegen/model"
	"github.com/entwine-go/entwine/kit/entity"
	"github.com/entwine-go/entwine/kit/expose"
)

// Annotate says to entgql what the vocabulary of package expose says, so that
// schemas know nothing of GraphQL. Entities and fields that are not exposed are
// skipped.
func Annotate(m *model.Model) {
	exposed := map[string]*model.Entity{}
	for _, e := range m.Entities {
		exposed[e.Name] = e
	}
	for _, t := range m.Graph.Nodes {
		e, ok := exposed[t.Name]
		if !ok {
			setAnnotation(&t.Annotations, entgql.Skip())
			continue
		}
		annotateEntity(e)
	}
}

// annotateEntity asks for a connection, and inputs of the mutations that are generated.
func annotateEntity(e *model.Entity) {
	a := merge(entgql.RelayConnection(), entgql.MultiOrder())
	if e.Has(expose.Create) {
		a = merge(a, entgql.Mutations(entgql.MutationCreate()))
	}
	if e.Has(expose.Patch) {
		a = merge(a, entgql.Mutations(entgql.MutationUpdate()))
	}
	setAnnotation(&e.Type.Annotations, a)
	for _, f := range append([]*gen.Field{e.Type.ID}, e.Type.Fields...) {
		setAnnotation(&f.Annotations, annotateField(e, f))
	}
	for _, edge := range e.Type.Edges {
		setAnnotation(&edge.Annotations, annotateEdge(e, edge))
	}
}

// annotateField names the field, and leaves it out of what clients cannot do with it.
func annotateField(e *model.Entity, f *gen.Field) entgql.Annotation {
	shown := e.Field(f.Name)
	if shown == nil {
		return entgql.Skip()
	}
	a := entgql.MapsTo(shown.GraphQL...)
	if scalar := scalarType(shown); scalar != "" {
		a = merge(a, entgql.Type(scalar))
	}
	if shown.SortBy() {
		a = merge(a, entgql.OrderField(orderName(shown)))
	}
	if shown.Secret {
		a = merge(a, entgql.Skip(entgql.SkipType))
	}
	if !shown.FilterBy() && !shown.SearchBy() {
		a = merge(a, entgql.Skip(entgql.SkipWhereInput))
	}
	if !shown.OnCreate() {
		a = merge(a, entgql.Skip(entgql.SkipMutationCreateInput))
	}
	if !shown.OnUpdate() {
		a = merge(a, entgql.Skip(entgql.SkipMutationUpdateInput))
	}
	return a
}

// annotateEdge keeps edges out of the inputs, where foreign keys stand for them.
func annotateEdge(e *model.Entity, edge *gen.Edge) entgql.Annotation {
	shown := e.Edge(edge.Name)
	if shown == nil {
		return entgql.Skip()
	}
	a := entgql.Skip(entgql.SkipMutationCreateInput, entgql.SkipMutationUpdateInput)
	if !edge.Unique {
		a = merge(a, entgql.RelayConnection())
	}
	if !shown.Filter {
		a = merge(a, entgql.Skip(entgql.SkipWhereInput))
	}
	return a
}

// scalarType is the type of a field where it is not what entgql makes of
// its Go type.
func scalarType(f *model.Field) string {
	switch f.Kind {
	case "Money", "JSON":
		return entity.Named(f.Kind).GraphQL
	case "Strings":
		return "[String!]"
	}
	if form := entity.Named(f.Kind); form.Says != "" {
		return form.GraphQL
	}
	return ""
}

// orderName is the field's name in orderBy: CREATED_AT.
func orderName(f *model.Field) string { return strings.ToUpper(f.Name) }

func merge(a, b schema.Annotation) entgql.Annotation {
	return a.(entgql.Annotation).Merge(b).(entgql.Annotation)
}

// setAnnotation leaves the map alone: Ent gives the edges to the rows between
// the very map of the edge of many to many.
func setAnnotation(to *gen.Annotations, a entgql.Annotation) {
	set := gen.Annotations{}
	maps.Copy(set, *to)
	set[a.Name()] = a
	*to = set
}
