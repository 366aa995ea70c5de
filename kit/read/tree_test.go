package read_test

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/entwine-go/entwine/kit/entity"
	"github.com/entwine-go/entwine/kit/gid"
	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/read"
	"github.com/entwine-go/entwine/kit/rest/params"
	"github.com/entwine-go/entwine/kit/store"
)

// twig is an entity whose rows are a tree of three levels.
func twig() *entity.Entity {
	e := &entity.Entity{
		Name: "Twig", Singular: "twig", Path: "twigs", Table: "twigs", Limit: 20, Rules: policy.Rules{Read: policy.Anyone()},
		Fields: []*entity.Field{
			{Name: "id", Column: "id", REST: "id", Kind: entity.ID, Sort: true, Filter: true},
			{Name: "parent_id", Column: "parent_id", REST: "parent_id", Kind: entity.Ref, Ref: "Twig", Nullable: true, Filter: true},
		},
	}
	e.Sort = []entity.Term{{Field: e.ID()}}
	e.Edges = []*entity.Edge{{Name: "descendants", GraphQL: "descendants", To: e, Many: true, Tree: &entity.Tree{Column: "parent_id", Levels: 3}, List: "/twigs/{id}/descendants"}}
	return e
}

// Of more rows below a row than are walked to, totals say that there may be more,
// whatever they are filtered by; of fewer they do not.
func TestTotalsOfALargeTreeAreLowerBounds(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, db *store.DB, r *read.Reader) {
		exec(t, db, `CREATE TABLE twigs (id bigint PRIMARY KEY, parent_id bigint)`)
		exec(t, db, `INSERT INTO twigs (id, parent_id) VALUES (1, NULL), (2, NULL), (3, 2), (4, 2)`)
		numbers := `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10001) SELECT i + 100, 1 FROM n`
		if db.Postgres() {
			numbers = `SELECT i + 100, 1 FROM generate_series(1, 10001) AS i`
		}
		exec(t, db, `INSERT INTO twigs (id, parent_id) `+numbers)
		exec(t, db, `CREATE INDEX twigs_parent ON twigs (parent_id)`)
		e := twig()
		ctx, _ := as(t, owner)
		for _, c := range []struct {
			of      int64
			query   string
			total   int64
			atLeast bool
		}{{1, "", 10_000, true}, {1, "id[lte]=110", 10, true}, {1, "id=7", 0, false}, {2, "", 2, false}, {2, "id=3", 1, false}} {
			values, err := url.ParseQuery(c.query)
			if err != nil {
				t.Fatal(err)
			}
			p, err := params.Parse(ctx, e, values, params.Options{Scope: read.Reached{Edge: e.Edges[0], ID: gid.Int(c.of)}})
			if err != nil {
				t.Fatal(err)
			}
			_, info, err := r.Page(ctx, nil, p.Selection, p.Query)
			if c.query == "id=7" { // no row brings the total, and yet there may be more
				c.atLeast = true
			}
			if err != nil || info.Total != c.total || info.AtLeast != c.atLeast {
				t.Errorf("below %d, %q: %d, at least: %t, %v, want %d, %t", c.of, c.query, info.Total, info.AtLeast, err, c.total, c.atLeast)
			}
		}
		roots := read.Cond{Field: e.ID(), Op: read.LTE, Value: int64(2)}
		for where, want := range map[int64]string{20_000: `{"n":10000,"exact":false}`, 103: `{"n":3,"exact":false}`} {
			s := read.Select(e)
			s.Many("below", e.Edges[0], read.Select(e), read.Query{Where: read.Cond{Field: e.ID(), Op: read.LTE, Value: where}},
				&read.Shape{Parts: []read.Part{{Kind: read.PartTotal, Key: "n"}, {Kind: read.PartTotalExact, Key: "exact"}}})
			text, _, err := r.Page(ctx, nil, s, read.Query{Where: roots, Page: read.Page{Limit: 5}})
			if err != nil || string(text) != fmt.Sprintf(`[{"below":%s},{"below":{"n":2,"exact":true}}]`, want) {
				t.Errorf("up to %d: %s, %v, want %s", where, text, err, want)
			}
		}
		values := url.Values{"expand": {"descendants"}, "fields": {"id"}, "id[lte]": {"2"}}
		p, err := params.Parse(ctx, e, values, params.Options{})
		if err != nil {
			t.Fatal(err)
		}
		text, _, err := r.Page(ctx, nil, p.Selection, p.Query)
		if want := `"more":{"descendants":{"total":10000,"total_exact":false,"href":"/twigs/1/descendants"}}`; err != nil || strings.Count(string(text), `"total_exact"`) != 1 || !strings.Contains(string(text), want) {
			t.Errorf("expanded: %d bytes, %v, want %s", len(text), err, want)
		}
	})
}
