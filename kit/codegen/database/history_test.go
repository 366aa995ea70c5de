package database_test

import (
	"strings"
	"testing"

	"entgo.io/ent"
	"entgo.io/ent/schema/edge"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"

	"github.com/entwine-go/entwine/kit/codegen/codegentest/worldtest"
	"github.com/entwine-go/entwine/kit/codegen/planner"
	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/kittest/storetest"
	"github.com/entwine-go/entwine/kit/store"
)

// stage is a release of several.
type stage struct {
	after        func(w *world)
	drop, accept []string
	// then are statements of programs of any release that may run by then, want queries
	// and what they return after them.
	then []string
	want map[string]string
	// refused is the message of weave migrate diff where it writes nothing.
	refused string
}

// history are releases, one after another, of the same tables.
type history struct {
	name   string
	server bool
	before func(w *world)
	stages []stage
}

func histories() []history {
	return []history{
		{name: "a rename of a rename", stages: []stage{
			{after: func(w *world) {
				w.Author.Without("name")
				w.Author.With(field.String("title").Annotations(expose.Was("name")))
			}, want: map[string]string{`SELECT title FROM authors ORDER BY id`: "Ada ÄNNE Bob"}},
			{after: func(w *world) {
				w.Author.Without("name")
				w.Author.With(field.String("headline").Annotations(expose.Was("title")))
			}, want: map[string]string{`SELECT headline FROM authors ORDER BY id`: "Ada ÄNNE Bob"}},
			{after: func(w *world) {
				w.Author.Without("name")
				w.Author.With(field.String("name").Annotations(expose.Was("headline")))
			}, want: map[string]string{`SELECT name FROM authors ORDER BY id`: "Ada ÄNNE Bob"}},
		}},
		{name: "two names move on", stages: []stage{
			{after: func(w *world) {
				w.Author.Without("name")
				w.Author.Without("email")
				w.Author.With(field.String("email").Annotations(expose.Was("name")), field.String("address").Annotations(expose.Was("email")))
			}, want: map[string]string{`SELECT email || ' ' || address FROM authors ORDER BY id`: "Ada ada@example.com ÄNNE ann@example.com Bob bob@example.com"}},
		}},
		{name: "two names change places", stages: []stage{
			{refused: "give email a third name in this release", after: func(w *world) {
				w.Author.With(field.String("email").Annotations(expose.Was("name")), field.String("name").Annotations(expose.Was("email")))
			}, want: map[string]string{`SELECT email || ' ' || name FROM authors ORDER BY id`: "Ada ada@example.com ÄNNE ann@example.com Bob bob@example.com"}},
		}},
		{name: "a rename with another type", stages: []stage{
			{after: func(w *world) {
				w.Author.Without("age")
				w.Author.With(field.Int64("years").Default(0).Annotations(expose.Was("age")))
			}, accept: []string{"LV101"}, want: map[string]string{`SELECT CAST(years AS text) FROM authors ORDER BY id`: "36 20 50"}, then: nil},
		}},
		{name: "a rename that comes to be required", stages: []stage{
			{after: func(w *world) {
				w.Author.Without("bio")
				w.Author.With(field.String("about").Annotations(expose.Was("bio"), expose.Backfill("'of ' || name")))
			}, want: map[string]string{`SELECT about FROM authors ORDER BY id`: "of Ada of ÄNNE of Bob"}},
		}},
		{name: "a rename that comes to be unique", stages: []stage{
			{after: func(w *world) {
				w.Author.Without("email")
				w.Author.With(field.String("address").Annotations(expose.Was("email"), expose.UniqueFold(), expose.By(expose.Search)))
				w.Author.Resource.Search = []string{"address"}
			}, want: map[string]string{`SELECT address_fold FROM authors ORDER BY id`: "ada@example.com ann@example.com bob@example.com"}},
		}},
		{name: "an enum whose field and values are called otherwise", stages: []stage{
			{after: func(w *world) {
				w.Post.Without("status")
				w.Post.With(field.Enum("state").Values("draft", "public", "gone").Default("draft").Annotations(expose.Was("status"), expose.ValueWas("public", "live"), expose.ValueWas("gone", "dead")))
			}, want: map[string]string{`SELECT state FROM posts ORDER BY id`: "public draft gone"}},
			{after: func(w *world) {
				w.Post.Without("status")
				w.Post.With(field.Enum("state").Values("draft", "live", "gone").Default("draft").Annotations(expose.ValueWas("live", "public")))
			}, want: map[string]string{`SELECT state FROM posts ORDER BY id`: "live draft gone"}},
		}},
		{name: "values are called otherwise twice", server: true, stages: []stage{
			{after: func(w *world) {
				w.Post.With(statuses("draft", "public", "gone", expose.ValueWas("public", "live"), expose.ValueWas("gone", "dead")))
			}, want: map[string]string{`SELECT status FROM posts ORDER BY id`: "public draft gone"}, then: []string{`UPDATE posts SET status = 'live' WHERE id = 2`, `UPDATE posts SET status = 'draft' WHERE id = 2`}},
			{after: func(w *world) {
				w.Post.With(statuses("draft", "open", "gone", expose.ValueWas("open", "public")))
			}, then: []string{`UPDATE posts SET status = 'live' WHERE id = 2`, `UPDATE posts SET status = 'public' WHERE id = 3`, `UPDATE posts SET status = 'dead' WHERE id = 1`},
				want: map[string]string{`SELECT status FROM posts ORDER BY id`: "gone open open"}},
		}},
		{name: "values that become what is gone later", stages: []stage{
			{after: func(w *world) {
				w.Post.With(statuses("draft", "public", "dead", expose.ValueWas("public", "live")))
			}, want: map[string]string{`SELECT status FROM posts ORDER BY id`: "public draft dead"}},
			{after: func(w *world) {
				w.Post.With(statuses("draft", "live", "dead", expose.ValueWas("live", "public")))
			}, want: map[string]string{`SELECT status FROM posts ORDER BY id`: "live draft dead"}},
		}},
		{name: "values change places", stages: []stage{
			{refused: "is a value still", after: func(w *world) {
				w.Post.With(statuses("draft", "dead", "gone", expose.ValueWas("dead", "live"), expose.ValueWas("gone", "dead")))
			}, want: map[string]string{`SELECT status FROM posts ORDER BY id`: "dead draft gone"}},
		}},
		{name: "a precision twice", server: true, stages: []stage{
			{after: func(w *world) {
				w.Post.With(field.Int64("price_mills").Annotations(expose.Backfill("price * 10").Inverse("price", "price_mills / 10")))
			}, want: map[string]string{`SELECT CAST(price_mills AS text) FROM posts ORDER BY id`: "1000 2500 50"}},
			{after: func(w *world) {
				w.Post.With(field.Int64("price_mills").Annotations(expose.Backfill("price * 10").Inverse("price", "price_mills / 10")),
					field.Int64("price_all").Annotations(expose.Backfill("price_mills * 10").Inverse("price_mills", "price_all / 10")))
			}, then: []string{`UPDATE posts SET price = 7 WHERE id = 1`, `UPDATE posts SET price_mills = 80 WHERE id = 2`, `UPDATE posts SET price_all = 900 WHERE id = 3`,
				`INSERT INTO posts (id, title, price, author_id) VALUES (9, 'x', 1, 1)`, `INSERT INTO posts (id, title, price_mills, price, author_id) VALUES (10, 'x', 20, 2, 1)`},
				want: map[string]string{`SELECT concat_ws(',', price, price_mills, price_all) FROM posts ORDER BY id`: "7,70,700 8,80,800 9,90,900 1,10,100 2,20,200"}},
		}},
		{name: "columns that follow from each other", server: true, stages: []stage{
			{after: func(w *world) {
				w.Post.With(field.Int64("all_of_it").Annotations(expose.Backfill("mills + 1")), field.Int64("mills").Annotations(expose.Backfill("price * 10")), field.Int64("zeal").Annotations(expose.Backfill("all_of_it + mills")))
			}, then: []string{`UPDATE posts SET price = 7 WHERE id = 1`, `INSERT INTO posts (id, title, price, author_id) VALUES (9, 'x', 1, 1)`},
				want: map[string]string{`SELECT concat_ws(',', price, mills, all_of_it, zeal) FROM posts ORDER BY id`: "7,70,71,141 250,2500,2501,5001 5,50,51,101 1,10,11,21"}},
		}},
		{name: "a precision twice, by names in the other order", server: true, stages: []stage{
			{after: func(w *world) {
				w.Post.With(field.Int64("b_price").Annotations(expose.Backfill("price * 10").Inverse("price", "b_price / 10")))
			}},
			{after: func(w *world) {
				w.Post.With(field.Int64("b_price").Annotations(expose.Backfill("price * 10").Inverse("price", "b_price / 10")),
					field.Int64("c_price").Annotations(expose.Backfill("b_price * 10").Inverse("b_price", "c_price / 10")))
			}, then: []string{`UPDATE posts SET price = 7 WHERE id = 1`, `UPDATE posts SET b_price = 80 WHERE id = 2`, `UPDATE posts SET c_price = 900 WHERE id = 3`,
				`INSERT INTO posts (id, title, price, author_id) VALUES (9, 'x', 1, 1)`},
				want: map[string]string{`SELECT concat_ws(',', price, b_price, c_price) FROM posts ORDER BY id`: "7,70,700 8,80,800 9,90,900 1,10,100"}},
		}},
		{name: "one and the same column goes and comes again", stages: []stage{
			{after: func(w *world) { w.Author.Without("bio") }, drop: []string{"authors.bio"}},
			{after: func(w *world) { w.Author.With(field.Int64("bio").Annotations(expose.Backfill("age + 1"))) }, want: map[string]string{`SELECT CAST(bio AS text) FROM authors ORDER BY id`: "37 21 51"}},
			{after: func(w *world) { w.Author.With(field.String("bio").Optional().Nillable()) }, drop: nil, accept: []string{"LV101", "TY101"}},
		}},
		{name: "an entity and its fields are called otherwise", before: func(w *world) { counted(w); searchNames(w); uniqueEmail(w) }, stages: []stage{
			{after: func(w *world) {
				counted(w)
				searchNames(w)
				w.Author.Without("email")
				w.Author.With(field.String("address").Annotations(expose.UniqueFold(), expose.Was("email")))
				w.Rename()
				was := expose.Was("Author")
				w.Author.Change = &was
			}, want: map[string]string{`SELECT name || posts_count || address FROM writers ORDER BY id`: "Ada2ada@example.com ÄNNE0ann@example.com Bob0bob@example.com"}},
		}},
		{name: "many to many, and then another name of it", server: true, stages: []stage{
			{after: func(w *world) { written("author_id")(w) }, want: map[string]string{`SELECT post_id || '-' || author_id FROM post_writers ORDER BY post_id`: "1-1 2-1 3-2"}},
			{after: func(w *world) {
				w.Post.Edges = append(w.Post.Edges, edge.To("makers", worldtest.Author.Type).Annotations(expose.Was("writers")))
				w.Author.Edges = append(w.Author.Edges, edge.From("wrote", worldtest.Post.Type).Ref("makers"))
			}, then: []string{`UPDATE posts SET title = 'x'`}, want: map[string]string{`SELECT post_id || '-' || author_id FROM post_makers ORDER BY post_id`: "1-1 2-1 3-2"}},
		}},
		{name: "a key that links follow is called otherwise", server: true, stages: []stage{
			{after: func(w *world) { written("author_id")(w) }, want: map[string]string{`SELECT post_id || '-' || author_id FROM post_writers ORDER BY post_id`: "1-1 2-1 3-2"}},
			{after: func(w *world) {
				w.Post.Without("author_id")
				w.Post.With(field.Int64("owner_id").Annotations(expose.Was("author_id")))
				w.Post.Edges[0] = edge.From("author", worldtest.Author.Type).Ref("posts").Field("owner_id").Unique().Required()
				w.Post.Edges = append(w.Post.Edges, edge.To("writers", worldtest.Author.Type))
				w.Author.Edges = append(w.Author.Edges, edge.From("wrote", worldtest.Post.Type).Ref("writers"))
			}, then: []string{`UPDATE posts SET title = 'x', owner_id = 3 WHERE id = 1`}, want: map[string]string{`SELECT count(*)::text FROM post_writers`: "3"}},
		}},
		{name: "a value of another table whose column is called otherwise", server: true, stages: []stage{
			{after: func(w *world) {
				w.Post.With(field.String("byline").Annotations(expose.Backfill("(SELECT name FROM authors WHERE authors.id = author_id)")))
			}, then: []string{`INSERT INTO posts (id, title, author_id) VALUES (9, 'x', 3)`}, want: map[string]string{`SELECT byline FROM posts ORDER BY id`: "Ada Ada ÄNNE Bob"}},
			{after: func(w *world) {
				w.Post.With(field.String("byline").Annotations(expose.Backfill("(SELECT title FROM authors WHERE authors.id = author_id)")))
				w.Author.Without("name")
				w.Author.With(field.String("title").Annotations(expose.Was("name")))
			}, then: []string{`INSERT INTO posts (id, title, byline, author_id) VALUES (10, 'x', 'y', 3)`, `UPDATE posts SET author_id = 1 WHERE id = 9`}, want: map[string]string{`SELECT title FROM authors ORDER BY id`: "Ada ÄNNE Bob"}},
		}},
		{name: "a value of another table whose column goes", server: true, stages: []stage{
			{after: func(w *world) {
				w.Post.With(field.String("byline").Annotations(expose.Backfill("(SELECT email FROM authors WHERE authors.id = author_id)")))
			}},
			{after: func(w *world) {
				w.Post.With(field.String("byline"))
				w.Author.Without("email")
			}, drop: []string{"authors.email"}, then: []string{`INSERT INTO posts (id, title, byline, author_id) VALUES (10, 'x', 'y', 3)`, `UPDATE posts SET author_id = 1 WHERE id = 1`}},
		}},
		{name: "a table between whose name stays at first", stages: []stage{
			{after: func(w *world) {
				w.Post.Edges = []ent.Edge{w.Post.Edges[0], edge.To("labels", worldtest.Tag.Type).StorageKey(edge.Table("post_tags")).Annotations(expose.Was("tags"))}
				w.Tag.Edges = []ent.Edge{edge.From("posts", worldtest.Post.Type).Ref("labels")}
			}, want: map[string]string{`SELECT CAST(count(*) AS text) FROM post_tags`: "3"}},
			{after: func(w *world) {
				w.Post.Edges = []ent.Edge{w.Post.Edges[0], edge.To("labels", worldtest.Tag.Type).Annotations(expose.Was("tags"))}
				w.Tag.Edges = []ent.Edge{edge.From("posts", worldtest.Post.Type).Ref("labels")}
			}, want: map[string]string{`SELECT CAST(count(*) AS text) FROM post_labels`: "3"}},
		}},
		{name: "an edge whose column is no field is called otherwise", stages: []stage{
			{after: func(w *world) {
				w.Post.Edges = append(w.Post.Edges, edge.To("editor", worldtest.Author.Type).Unique().Required().Annotations(expose.Backfill("author_id")))
			}},
			{after: func(w *world) {
				w.Post.Edges = append(w.Post.Edges, edge.To("reviewer", worldtest.Author.Type).Unique().Annotations(expose.Was("editor")))
			}, want: map[string]string{`SELECT CAST(post_reviewer AS text) FROM posts ORDER BY id`: "1 1 2"}},
			{after: func(w *world) {
				w.Post.Edges = append(w.Post.Edges, edge.To("editor", worldtest.Author.Type).Unique().Required().Annotations(expose.Was("reviewer")))
			}, accept: []string{"MF104", "LT101"}, want: map[string]string{`SELECT CAST(post_editor AS text) FROM posts ORDER BY id`: "1 1 2"}},
		}},
		{name: "a text becomes an enum, and a text again", stages: []stage{
			{after: func(w *world) {
				w.Post.With(field.Enum("title").Values("First Words", "Second", "other").Annotations(expose.ValueWas("other", "Third")))
			}, want: map[string]string{`SELECT title FROM posts ORDER BY id`: "First Words Second other"}},
			{after: func(w *world) { w.Post.With(field.String("title").Unique()) }, then: []string{`UPDATE posts SET title = 'any' WHERE id = 1`}, want: map[string]string{`SELECT title FROM posts ORDER BY id`: "any Second other"}},
		}},
		{name: "a column of an index over several", before: func(w *world) {
			w.Post.Indexes = []ent.Index{index.Fields("title", "price").Unique()}
		}, stages: []stage{
			{after: func(w *world) {
				w.Post.Indexes = []ent.Index{index.Fields("title", "cost").Unique()}
				w.Post.Without("price")
				w.Post.With(field.Int64("cost").Default(1).Annotations(expose.Was("price")))
			}, then: []string{`INSERT INTO posts (id, title, author_id) VALUES (9, 'Third', 3)`}, want: map[string]string{`SELECT CAST(cost AS text) FROM posts ORDER BY id`: "100 250 5 1"}},
		}},
		{name: "an entity is called otherwise twice", before: counted, stages: []stage{
			{after: func(w *world) {
				counted(w)
				w.Author.With(field.String("bio").Annotations(expose.Backfill("'of ' || name")))
				w.Rename()
				was := expose.Was("Author")
				w.Author.Change = &was
			}, want: map[string]string{`SELECT bio FROM writers ORDER BY id`: "of Ada of ÄNNE of Bob"}},
			{after: func(w *world) {
				counted(w)
				w.Author.With(field.String("bio").Annotations(expose.Backfill("'of ' || name")))
				was := expose.Was("Writer")
				w.Author.Change = &was
			}, then: []string{`INSERT INTO posts (id, title, status, author_id) VALUES (9, 'x', 'live', 3)`}, want: map[string]string{`SELECT bio || posts_count FROM authors ORDER BY id`: "of Ada2 of ÄNNE0 of Bob1"}},
		}},
		{name: "texts that are folded are called otherwise while triggers fold them", server: true, stages: []stage{
			{after: func(w *world) {
				uniqueEmail(w)
				w.Author.With(field.String("nick").Annotations(expose.Backfill("email"), expose.UniqueFold()))
			},
				then: []string{`INSERT INTO authors (id, name, email) VALUES (7, 'Eve', 'ÄÖ')`}, want: map[string]string{`SELECT nick || nick_fold || email_fold FROM authors WHERE id = 7`: "ÄÖäöäö"}},
			{after: func(w *world) {
				uniqueEmail(w)
				w.Author.With(field.String("handle").Annotations(expose.Was("nick"), expose.UniqueFold()))
			}, then: []string{`INSERT INTO authors (id, name, email, handle, handle_fold) VALUES (8, 'Eve', 'É', 'É', 'é')`}, want: map[string]string{`SELECT handle || handle_fold FROM authors WHERE id >= 7 ORDER BY id`: "ÄÖäö Éé"}},
		}},
		{name: "a searched text moves to another field", before: searchNames, stages: []stage{
			{after: func(w *world) {
				w.Author.With(field.String("label").Annotations(expose.Backfill("name"), expose.By(expose.Search)))
				w.Author.With(field.String("name").Annotations())
				w.Author.Resource.Search = []string{"label"}
			}, want: map[string]string{found("authors", "bob"): "3", found("authors", "änne"): "2"}},
			{after: func(w *world) {
				w.Author.Without("name")
				w.Author.With(field.String("name").Annotations(expose.By(expose.Search), expose.Was("label")))
				w.Author.Resource.Search = []string{"name"}
			}, refused: "authors.label would go with its values, and expose.Was has it be called name, which is there already"},
		}},
		{name: "folded texts keep their column at first", before: func(w *world) { searchNames(w); uniqueEmail(w) }, stages: []stage{
			{after: func(w *world) {
				w.Author.Without("name")
				w.Author.Without("email")
				w.Author.With(field.String("title").StorageKey("name").Annotations(expose.By(expose.Search), expose.Was("name")),
					field.String("address").StorageKey("email").Annotations(expose.UniqueFold(), expose.Was("email")))
				w.Author.Resource.Search = []string{"title"}
			}, then: []string{`UPDATE authors SET name_fold = lower(name), email_fold = lower(email)`}, want: map[string]string{found("authors", "bob"): "3"}},
			{after: func(w *world) {
				w.Author.Without("name")
				w.Author.Without("email")
				w.Author.With(field.String("title").Annotations(expose.By(expose.Search), expose.Was("name")),
					field.String("address").Annotations(expose.UniqueFold(), expose.Was("email")))
				w.Author.Resource.Search = []string{"title"}
			}, want: map[string]string{found("authors", "bob"): "3", `SELECT title || ' ' || address_fold FROM authors WHERE id = 1`: "Ada ada@example.com"}},
		}},
		{name: "a list", before: func(w *world) { w.Post.With(field.Strings("labels").Optional()) }, stages: []stage{
			{then: []string{`UPDATE posts SET marks = '["b"]' WHERE id = 1`}, after: func(w *world) {
				w.Post.With(field.Strings("marks").Default([]string{"z"}).Annotations(expose.Was("labels")))
			}, want: map[string]string{`SELECT CAST(marks AS text) FROM posts ORDER BY id`: `["b"] ["z"] ["z"]`}},
			{after: func(w *world) { w.Post.With(field.Strings("marks").Optional()) }, then: []string{`UPDATE posts SET marks = NULL WHERE id = 2`}},
			{after: func(w *world) { w.Post.With(field.Strings("marks").Default([]string{"q"})) }, want: map[string]string{`SELECT CAST(marks AS text) FROM posts ORDER BY id`: `["b"] ["q"] ["z"]`}},
		}},
	}
}

// Rows keep their values through the migrations of several releases in a row, whose changes
// touch the same columns.
func TestReleasesOneAfterAnother(t *testing.T) {
	t.Parallel()
	for _, h := range histories() {
		t.Run(h.name, func(t *testing.T) {
			t.Parallel()
			roots := []string{begin(t, change{before: h.before})}
			for i, s := range h.stages {
				root := copied(t, roots[i])
				w := newWorld()
				s.after(w)
				wanted, err := w.wanted(t)
				if err == nil {
					_, err = planner.Diff(t.Context(), root, "next", wanted, planner.Allow{Drop: s.drop, Accept: s.accept})
				}
				if s.refused != "" {
					if err == nil || !strings.Contains(err.Error(), s.refused) {
						t.Errorf("stage %d: %v, want %q", i, err, s.refused)
					}
					return
				}
				if err != nil {
					t.Fatalf("stage %d: %v", i, err)
				}
				roots = append(roots, root)
			}
			storetest.Schema{}.Each(t, func(t *testing.T, db *store.DB) {
				if h.server && !db.Postgres() {
					t.Skip("by triggers of PostgreSQL")
				}
				if err := apply(t.Context(), db, roots[0]); err != nil {
					t.Fatal(err)
				}
				exec(t, db, rows...)
				for i, s := range h.stages {
					if err := apply(t.Context(), db, roots[i+1]); err != nil {
						t.Fatalf("stage %d: %v", i, err)
					}
					exec(t, db, s.then...)
					for query, want := range s.want {
						if got := read(t, db, queryOf(db, query)); got != want {
							t.Errorf("stage %d: %s: %q, want %q", i, query, got, want)
						}
					}
				}
			})
		})
	}
}
