package graphql

import (
	"fmt"
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/entwine-go/entwine/kit/codegen/model"
	"github.com/entwine-go/entwine/kit/codegen/naming"
	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/gid"
)

// roots are the entity's root fields, but for those that stand in
// gql/*.graphql. They are nullable, so that one failure leaves the others
// readable.
func (g *Schema) roots(e *model.Entity) ast.DefinitionList {
	var queries, changes ast.FieldList
	if e.Offers(expose.Read) {
		queries = append(queries, one(e))
		g.endRoot("Query", queries[0], e.OperationEnding(expose.Read), nil)
	}
	if e.Offers(expose.List) {
		queries = append(queries, g.many(e))
		g.endRoot("Query", queries[len(queries)-1], e.OperationEnding(expose.List), nil)
	}
	queries = append(queries, declaredQueries(e)...)
	for _, m := range g.reads(e) {
		g.endRoot("Query", m.FieldDefinition, m.ending, m.input)
		queries = append(queries, m.FieldDefinition)
	}
	for _, m := range g.mutations(e) {
		g.endRoot("Mutation", m.FieldDefinition, m.ending, m.input)
		changes = append(changes, m.FieldDefinition)
	}
	var roots ast.DefinitionList
	for name, fields := range map[string]ast.FieldList{"Query": queries, "Mutation": changes, "Subscription": append(subscriptions(e), g.liveList(e)...)} {
		var left ast.FieldList
		for _, f := range fields {
			if g.byHand(name, f.Name) == nil {
				left = append(left, f)
			}
		}
		if len(left) > 0 {
			roots = append(roots, &ast.Definition{Kind: ast.Object, Name: name, Fields: left})
		}
	}
	slices.SortFunc(roots, func(a, b *ast.Definition) int { return strings.Compare(b.Name, a.Name) })
	return roots
}

// one reads an entity by its id.
func one(e *model.Entity) *ast.FieldDefinition {
	return &ast.FieldDefinition{
		Name: naming.Camel(e.Singular), Description: "The " + strings.ReplaceAll(e.Singular, "_", " ") + " with the id.",
		Arguments: ast.ArgumentDefinitionList{idArgument(e)},
		Type:      ast.NamedType(e.Name, nil),
	}
}

// many reads a page of an entity's listing.
func (g *Schema) many(e *model.Entity) *ast.FieldDefinition {
	return &ast.FieldDefinition{
		Name: plural(e) + "Connection", Description: "The " + naming.Words(e.Path) + " that the caller can read.",
		Arguments: append(g.paging(e, e.PageSize()), deletedArgument(e)...),
		Type:      ast.NamedType(e.Name+"Connection", nil),
	}
}

func idArgument(e *model.Entity) *ast.ArgumentDefinition {
	return argument("id", "The global id, or the "+plainID(e)+".", ast.NonNullNamedType("ID", nil))
}

// plainID is the type of an id of the entity that is not a global id.
func plainID(e *model.Entity) string {
	return map[gid.Form]string{gid.Numbers: "integer", gid.Texts: "text", gid.UUIDs: "UUID"}[model.IDsOf(e.Type.ID)]
}

// deletedArgument is the argument of listings whose rows are deleted softly.
func deletedArgument(e *model.Entity) ast.ArgumentDefinitionList {
	if !e.SoftDelete {
		return nil
	}
	return ast.ArgumentDefinitionList{argument("includeDeleted", "Reads what is deleted as well. Admins only.", ast.NamedType("Boolean", nil))}
}

func argument(name, description string, t *ast.Type) *ast.ArgumentDefinition {
	return &ast.ArgumentDefinition{Name: name, Description: description, Type: t}
}

// byHand returns the root field if it stands in gql/*.graphql, else nil.
func (g *Schema) byHand(root, field string) *ast.FieldDefinition {
	for _, document := range g.hand {
		for _, def := range slices.Concat(document.Definitions, document.Extensions) {
			if def.Name != root {
				continue
			}
			if f := def.Fields.ForName(field); f != nil {
				return f
			}
		}
	}
	return nil
}

// checkByHand demands in gql/*.graphql what schemas say is there, and that
// what stands there in place of a generated field takes the same arguments: it
// is carried out all the same.
func (g *Schema) checkByHand() error {
	for _, e := range g.model.Entities {
		for operation, verb := range map[expose.Operation]string{expose.Create: "create", expose.Patch: "update", expose.Delete: "delete"} {
			if name := verb + e.Name; slices.Contains(e.ByHand, operation) && g.byHand("Mutation", name) == nil {
				return model.ProblemAt(e.Type, "", fmt.Errorf("%s is by hand, but no gql/*.graphql declares Mutation.%s", operation, name))
			}
		}
		for _, m := range g.mutations(e) {
			hand := g.byHand("Mutation", m.Name)
			if hand == nil {
				continue
			}
			if got, want := signature(hand), signature(m.FieldDefinition); got != want {
				return fmt.Errorf("%s:%d: Mutation.%s%s: it is declared by its schema, so its arguments must be %s",
					hand.Position.Src.Name, hand.Position.Line, hand.Name, got, want)
			}
		}
	}
	return nil
}

// signature is the arguments of a field: (id: ID!, input: UpdateUserInput!).
func signature(f *ast.FieldDefinition) string {
	arguments := make([]string, len(f.Arguments))
	for i, a := range f.Arguments {
		arguments[i] = a.Name + ": " + a.Type.String()
	}
	return "(" + strings.Join(arguments, ", ") + ")"
}
