package apis_test

import (
	"net/http"
	"testing"

	"github.com/entwine-go/entwine/gql"
	generated "github.com/entwine-go/entwine/internal/service"
	"github.com/entwine-go/entwine/kit/app"
	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/graph"
	"github.com/entwine-go/entwine/kit/idempotency"
	"github.com/entwine-go/entwine/kit/rest/apiversion"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/rest"
)

// offered are the versions that a service offers by default.
func offered(t testing.TB) *apiversion.Versions {
	t.Helper()
	g := generated.Generated(nil)
	about := apiversion.About{Name: g.Schema.Name, Prefix: expose.Prefix, Entities: g.Entities, Also: g.Tables.AlsoSent}
	versions, err := apiversion.Parse(about, g.Schema.Version, []string{"v1=main", "v2=jsend"}, "v1")
	if err != nil {
		t.Fatal(err)
	}
	return versions
}

// resources is REST without a process.
func resources(t testing.TB, db *store.DB, r app.REST) http.Handler {
	t.Helper()
	parts := new(app.Parts)
	rest.Register(parts, rest.Config{DB: db})
	r.Versions, r.Keeper = offered(t), &idempotency.Keeper{DB: db}
	h, err := r.Handler(generated.Generated(nil), parts)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// fields is the GraphQL API of the service, whose fields by hand have no activities.
func fields(t testing.TB, db *store.DB, a app.GraphQL) *graph.Server {
	t.Helper()
	parts := new(app.Parts)
	gql.Register(parts, gql.Config{DB: db})
	s, err := a.Server(generated.Generated(nil), parts)
	if err != nil {
		t.Fatal(err)
	}
	return s
}
