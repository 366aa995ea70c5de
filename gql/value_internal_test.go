package gql

import (
	"log/slog"
	"testing"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/validator/rules"

	"github.com/entwine-go/entwine/gql/generated"
	"github.com/entwine-go/entwine/internal/entity"
	"github.com/entwine-go/entwine/kit/kittest/storetest"
	"github.com/entwine-go/entwine/kit/runtime/gid"
	"github.com/entwine-go/entwine/kit/runtime/graph/failure"
	"github.com/entwine-go/entwine/kit/runtime/graph/plan"
	"github.com/entwine-go/entwine/kit/runtime/reading"
	"github.com/entwine-go/entwine/kit/runtime/store"
	"github.com/entwine-go/entwine/kit/viewer"
)

// postConnection stands for what a resolver by hand may return: an object
// that is no entity, with rows inside.
type postConnection struct {
	TotalCount int         `json:"totalCount"`
	Edges      []*postEdge `json:"edges"`
	PageInfo   *pageInfo   `json:"pageInfo"`
}

type postEdge struct {
	Node   *generated.Post `json:"node"`
	Cursor string          `json:"cursor"`
}

type pageInfo struct {
	HasNextPage     bool    `json:"hasNextPage"`
	HasPreviousPage bool    `json:"hasPreviousPage"`
	StartCursor     *string `json:"startCursor"`
}

// TestResolvedObjects writes what a resolver returns as the selection asks.
func TestResolvedObjects(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		client := store.Client(db)
		ctx := viewer.With(t.Context(), viewer.System())
		ada := client.User.Create().SetName("Ada").SetEmail("ada@example.com").SaveX(ctx)
		client.Post.Create().SetTitle("First").SetContent("…").SetAuthorID(ada.ID).SetPublished(true).SaveX(ctx)
		for _, c := range []struct {
			query  string
			value  any
			json   string
			errors int
		}{
			{`{ postsConnection { n: totalCount edges { cursor node { title author { name } } } pageInfo { hasNextPage startCursor } } }`,
				&postConnection{TotalCount: 7, PageInfo: &pageInfo{HasNextPage: true}, Edges: []*postEdge{{Cursor: `"`, Node: &generated.Post{ID: gid.Encode("Post", 1)}}, nil}},
				`{"n":7,"edges":[{"cursor":"\"","node":{"title":"First","author":{"name":"Ada"}}},null],"pageInfo":{"hasNextPage":true,"startCursor":null}}`, 0},
			{`{ postsConnection { edges { node { author { email } } } } }`,
				&postConnection{Edges: []*postEdge{{Node: &generated.Post{ID: gid.Encode("Post", 1)}}, {Node: &generated.Post{ID: gid.Encode("Post", 9)}}}},
				`{"edges":[{"node":{"author":{"email":null}}},{"node":null}]}`, 1},
			{`{ postsConnection { totalCount pageInfo { hasNextPage } } }`, &postConnection{}, "null", 1},
			{`{ postsConnection { totalCount } }`, (*postConnection)(nil), "null", 0},
			{`{ users { name } }`, []*generated.User{}, "[]", 0},
			{`{ users { name } }`, nil, "", 1},
			{`{ post(id: 1) { title } }`, &generated.Post{ID: gid.Encode("Post", 1)}, `{"title":"First"}`, 0},
		} {
			document, errs := gqlparser.LoadQueryWithRules(Schema(), c.query, rules.NewDefaultRules())
			if errs != nil {
				t.Fatal(errs)
			}
			op := &graphql.OperationContext{Doc: document, Operation: document.Operations[0]}
			h := &handler{tables: plan.NewTables(Schema(), entity.All), present: &failure.Presenter{Log: slog.New(slog.DiscardHandler)}, Reader: &reading.Reader{DB: db, Dialect: db.Dialect}}
			o := h.newOperation(t.Context(), op)
			s := o.slots[0]
			o.write(t.Context(), s, c.value)
			if string(s.json) != c.json || len(s.errors) != c.errors {
				t.Errorf("%s\n got %s %v\nwant %s and %d errors", c.query, s.json, s.errors, c.json, c.errors)
			}
		}
	})
}
