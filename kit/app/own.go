package app

import (
	"context"
	"maps"
	"net/http"
	"slices"

	gqlgen "github.com/99designs/gqlgen/graphql"

	"github.com/entwine-go/entwine/kit/gen/openapi"
	"github.com/entwine-go/entwine/kit/rest"
	"github.com/entwine-go/entwine/kit/rest/handler"
)

// What a service has in rest/*.yaml and gql/*.graphql is answered by servers that ogen
// and gqlgen generate. It is registered in Parts.

// own are the operations that neither follow from the schema nor are the kit's.
func (t *Tables) own(s *Service, provided map[string]handler.Handler) map[string]*openapi.Operation {
	own := maps.Clone(s.Operations)
	maps.DeleteFunc(own, func(id string, _ *openapi.Operation) bool { return t.Operations[id] != nil || provided[id] != nil })
	return own
}

// operations is what answers the operations of the service's own.
func (p *Parts) operations() func(string, rest.Hooks) http.Handler {
	if p.Operations == nil { // every operation has a handler
		return func(string, rest.Hooks) http.Handler { return http.NotFoundHandler() }
	}
	return func(base string, hooks rest.Hooks) http.Handler {
		if failed := hooks.Failed; p.Problem != nil {
			hooks.Failed = func(ctx context.Context, w http.ResponseWriter, r *http.Request, err error) {
				failed(ctx, w, r, p.Problem(err))
			}
		}
		return p.Operations(base, hooks)
	}
}

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
