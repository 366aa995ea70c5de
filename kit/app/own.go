package app

import (
	"context"
	"slices"

	gqlgen "github.com/99designs/gqlgen/graphql"
)

// Operations of rest/*.yaml and fields of gql/*.graphql are answered by servers that
// ogen and gqlgen generate. Parts registers them.

// extensions are gqlgen's, with the one that turns errors.
func (p *Parts) extensions() []gqlgen.HandlerExtension {
	if p.Problem == nil {
		return p.Extensions
	}
	return append(slices.Clone(p.Extensions), problems{p.Problem})
}

// problems turns the errors of resolvers.
type problems struct{ of func(error) error }

var _ gqlgen.FieldInterceptor = problems{}

// ExtensionName implements graphql.HandlerExtension.
func (problems) ExtensionName() string { return "Problems" }

// Validate implements graphql.HandlerExtension.
func (problems) Validate(gqlgen.ExecutableSchema) error { return nil }

// InterceptField implements graphql.FieldInterceptor.
func (p problems) InterceptField(ctx context.Context, next gqlgen.Resolver) (any, error) {
	value, err := next(ctx)
	if err != nil {
		err = p.of(err)
	}
	return value, err
}
