package conformance_test

import (
	"net/url"
	"strings"
	"testing"

	"github.com/entwine-go/entwine/internal/entity"
	entities "github.com/entwine-go/entwine/kit/entity"
	"github.com/entwine-go/entwine/kit/kittest/storetest"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/read"
	kitparams "github.com/entwine-go/entwine/kit/rest/params"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/viewer"
	"github.com/entwine-go/entwine/migrate/migratetest"
)

// Of a large table a list that no index serves is refused before it runs, and the
// answer says what would do; what indexes serve is not asked about.
func TestListsOfLargeTablesAreAffordable(t *testing.T) {
	t.Parallel()
	schema := migratetest.Schema(t)
	for name, address := range map[string]func(testing.TB) string{"sqlite": schema.SQLiteURL, "postgres": schema.PostgresURL} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			at := address(t)
			db := open(t, store.Config{URL: at, MostRead: 1_000})
			populate(t, db, 9_000)
			if db.Postgres() { // whose size is that of its file, 16 MB at least
				storetest.Bare(t, db, "posts", func() {
					unchecked(t, db, `UPDATE posts SET content = (SELECT string_agg(md5(posts.id || ' ' || i), '') FROM generate_series(1, 55) i)`)
				})
				unchecked(t, db, "ANALYZE posts")
			} else { // whose size is the last id that was given
				unchecked(t, db, `UPDATE sqlite_sequence SET seq = 60000 WHERE name = 'posts'`)
			}
			if db.Postgres() {
				storetest.Bare(t, db, "products", func() {
					unchecked(t, db, `INSERT INTO products (created_at, updated_at, name, category, description, price, tags)
						SELECT now(), now(), 'p', 'c' || i, (SELECT string_agg(md5(i || ' ' || n), '') FROM generate_series(1, 55) n), 1, '[]' FROM generate_series(1, 9000) i`)
				})
				unchecked(t, db, "ANALYZE products")
			} else {
				unchecked(t, db, `UPDATE sqlite_sequence SET seq = 60000 WHERE name = 'products'`)
			}
			if err := listPage(t, db, entity.Product, "sort=category"); err != nil {
				t.Errorf("products by their category, of which some have none: %v", err)
			}
			err := listPage(t, db, entity.Product, "cursor=&sort=-category")
			if p := problem.As(err); db.Postgres() != (p != nil && strings.Contains(p.Message, "too many products to be sorted by category, descending, which no index serves")) {
				t.Errorf("products by their category, descending: %v", err)
			}
			free := open(t, store.Config{URL: at})
			for params, refused := range map[string]string{
				"":                          "",
				"sort=created_at":           "",
				"cursor=&sort=id":           "",
				"author_id=7":               "",
				"author_id=7&sort=title":    "",
				"search=lantern&sort=title": "",
				"sort=title":                "sorted by title",
				"cursor=&sort=-likes_count": "sorted by likes_count",
				"cursor=&likes_count[gt]=5": "filtered by likes_count",
			} {
				err := listPage(t, db, entity.Post, params)
				if p := problem.As(err); refused != "" && (p == nil || p.Kind != problem.Invalid ||
					!strings.Contains(p.Message, "too many posts to be "+refused+", which no index serves: sort by id, created_at") || !strings.Contains(p.Message, "by id, published, author_id")) {
					t.Errorf("%q: %v, want that it is %s", params, err, refused)
				}
				if refused == "" && err != nil {
					t.Errorf("%q: %v", params, err)
				}
				if err := listPage(t, free, entity.Post, params); err != nil {
					t.Errorf("%q, without a bound: %v", params, err)
				}
			}
		})
	}
}

func open(t *testing.T, c store.Config) *store.DB {
	t.Helper()
	db, err := store.Open(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return db
}

// listPage reads a page of rows as a user does.
func listPage(t *testing.T, db *store.DB, e *entities.Entity, params string) error {
	t.Helper()
	ctx := viewer.With(t.Context(), &viewer.Viewer{UserID: 1, Role: "user"})
	values, err := url.ParseQuery(params)
	if err != nil {
		t.Fatal(err)
	}
	p, err := kitparams.Parse(ctx, e, values, kitparams.Options{})
	if err != nil {
		t.Fatalf("%s: %v", params, err)
	}
	_, _, err = (&read.Reader{DB: db, Dialect: db.Dialect}).Page(ctx, nil, p.Selection, p.Query)
	return err
}
