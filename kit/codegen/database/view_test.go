package database_test

import (
	"strings"
	"testing"

	"entgo.io/ent"
	"entgo.io/ent/schema/edge"
	"entgo.io/ent/schema/field"

	"github.com/entwine-go/entwine/kit/codegen/codegentest/worldtest"
	"github.com/entwine-go/entwine/kit/codegen/planner"
	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/kittest/storetest"
	"github.com/entwine-go/entwine/kit/store"
)

// keyed has tags be marks of posts, whose key is the post and a text together.
func keyed() *world {
	w := newWorld()
	w.Post.Edges = []ent.Edge{edge.From("author", worldtest.Author.Type).Ref("posts").Field("author_id").Unique().Required(), edge.To("tags", worldtest.Tag.Type)}
	w.Tag.Key = []string{"post_id", "label"}
	w.Tag.Fields = []ent.Field{field.Int64("post_id"), field.String("label"), field.Int64("rank").Default(0)}
	w.Tag.Edges = []ent.Edge{edge.From("post", worldtest.Post.Type).Ref("tags").Field("post_id").Unique().Required()}
	return w
}

// Rows whose key is of several columns are in a table with that key, and are read from a
// view by ids that are as distinct as the keys: by an index, whatever the rows are.
func TestAKeyOfSeveralColumns(t *testing.T) {
	t.Parallel()
	old := repository(t)
	if _, err := planner.Diff(t.Context(), old, "first", keyed().schema(t), planner.Allow{}); err != nil {
		t.Fatal(err)
	}
	next, more := copied(t, old), keyed()
	more.Tag.With(field.String("note").Optional().Nillable())
	more.Tag.Without("rank")
	more.Post.With(field.Int64("tags_count").Default(0).Annotations(expose.CountOf("tags", "NEW.label < 'n' OR NEW.label > 'o'")))
	if _, err := planner.Diff(t.Context(), next, "second", more.schema(t), planner.Allow{Drop: []string{"rank"}}); err != nil {
		t.Fatal(err)
	}
	contract(t, next)
	if err := planner.Verify(t.Context(), next, more.schema(t)); err != nil {
		t.Fatal(err)
	}
	storetest.Schema{}.Each(t, func(t *testing.T, db *store.DB) {
		if err := apply(t.Context(), db, old); err != nil {
			t.Fatal(err)
		}
		exec(t, db, `INSERT INTO authors (id, name, email) VALUES (1, 'Ada', 'a@x')`, `INSERT INTO posts (id, title, author_id) VALUES (1, 'One', 1), (2, 'Two', 1)`,
			`INSERT INTO tags (post_id, label) VALUES (1, 'a'), (1, 'a/b,c\d'), (2, '~!'), (2, '!1'), (2, '')`)
		const ids = `SELECT id FROM tags_rows ORDER BY id`
		if got, want := read(t, db, ids), `1~a 1~a!2b!3c!4d 2~ 2~!01 2~!1!0`; got != want {
			t.Errorf("the ids are %s, want %s", got, want)
		}
		if _, err := db.ExecContext(t.Context(), `INSERT INTO tags (post_id, label) VALUES (1, 'a')`); err == nil {
			t.Error("two rows have one key")
		}
		if _, err := db.ExecContext(t.Context(), `INSERT INTO tags (post_id, label) VALUES (3, 'a')`); err == nil {
			t.Error("a row refers to a post that is not there")
		}
		if err := apply(t.Context(), db, next); err != nil {
			t.Fatal(err)
		}
		if got := read(t, db, `SELECT CAST(count(*) AS text) FROM tags_rows WHERE note IS NULL`); got != "5" {
			t.Errorf("%s rows have no note, want 5", got)
		}
		exec(t, db, `INSERT INTO tags (post_id, label) VALUES (1, 'fresh')`, `UPDATE tags SET post_id = 1 WHERE label = '~!'`, `DELETE FROM tags WHERE label = 'a'`)
		if got := read(t, db, `SELECT CAST(tags_count AS text) FROM posts ORDER BY id`); got != "3 2" {
			t.Errorf("the posts have %s tags, want 3 and 2", got)
		}
		exec(t, db, `DELETE FROM tags WHERE label = 'fresh'`, `UPDATE tags SET post_id = 2 WHERE label = '~!'`, `INSERT INTO tags (post_id, label) VALUES (1, 'a')`)
		if db.Postgres() { // which reads few rows by no index; to count each would take a slow machine long
			exec(t, db, `ALTER TABLE tags DISABLE TRIGGER ALL`, `INSERT INTO tags (post_id, label) SELECT 1, 'n' || n FROM generate_series(1, 20000) AS n`, `ANALYZE tags`)
		}
		for _, query := range []string{`SELECT note FROM tags_rows WHERE id = '1~a'`, `SELECT note FROM tags_rows WHERE id > '1~a' ORDER BY id LIMIT 1`, `SELECT note FROM tags_rows WHERE post_id = 1 AND id > '1~a' ORDER BY id LIMIT 1`} {
			if plan := planOf(t, db, query); !strings.Contains(plan, "units_tags_") {
				t.Errorf("%s is read so: %s", query, plan)
			}
		}
	})
}

// The database announces writes of rows whose key is of several columns, or in a column of
// another name, by the ids that the APIs know, and keeps their versions and the index of
// their texts, whatever program writes.
func TestWhatIsKeptByWhateverKey(t *testing.T) {
	t.Parallel()
	of := func() *world {
		w := keyed()
		w.Events = true
		w.Author.Fields = append([]ent.Field{field.Int64("id").StorageKey("nr").Immutable().Annotations(expose.By(expose.Filter, expose.Sort))}, w.Author.Fields...)
		return w
	}
	old := repository(t)
	if _, err := planner.Diff(t.Context(), old, "first", of().schema(t), planner.Allow{}); err != nil {
		t.Fatal(err)
	}
	next, more := copied(t, old), of()
	for _, s := range []*worldtest.Shape{&more.Tag, &more.Author} {
		text := map[bool]string{true: "label", false: "name"}[s == &more.Tag]
		s.With(field.String(text).Annotations(expose.By(expose.Search)), field.Int64("version").Default(1))
		s.Resource.Search, s.Resource.Live = []string{text}, true
		s.Resource.Events = []expose.Topic{{Name: text + ".written", On: "insert"}, {Name: text + ".gone", On: "delete"}}
	}
	if _, err := planner.Diff(t.Context(), next, "second", more.schema(t), planner.Allow{}); err != nil {
		t.Fatal(err)
	}
	contract(t, next)
	if err := planner.Verify(t.Context(), next, more.schema(t)); err != nil {
		t.Fatal(err)
	}
	storetest.Schema{}.Each(t, func(t *testing.T, db *store.DB) {
		if err := apply(t.Context(), db, old); err != nil {
			t.Fatal(err)
		}
		exec(t, db, `INSERT INTO authors (nr, name, email) VALUES (7, 'Ada', 'a@x')`, `INSERT INTO posts (id, title, author_id) VALUES (1, 'One', 7)`, `INSERT INTO tags (post_id, label) VALUES (1, 'Early/bird')`)
		if err := apply(t.Context(), db, next); err != nil {
			t.Fatal(err)
		}
		bird := `SELECT "id" FROM "search_tags_rows_rows" WHERE "row" IN (SELECT rowid FROM search_tags_rows WHERE search_tags_rows MATCH 'bird') ORDER BY "id"`
		ada := `SELECT CAST(rowid AS text) FROM search_authors WHERE search_authors MATCH 'ada'`
		if db.Postgres() {
			bird = `SELECT id FROM tags_rows WHERE search_document @@ to_tsquery('simple', 'bird') ORDER BY id`
			ada = `SELECT CAST(nr AS text) FROM authors WHERE search_document @@ to_tsquery('simple', 'ada')`
		}
		exec(t, db, `DELETE FROM events`,
			`INSERT INTO tags (post_id, label, label_fold) VALUES (1, 'Late bird', 'late bird')`, `UPDATE tags SET "rank" = 5 WHERE label = 'Early/bird'`, `UPDATE tags SET label = 'Night bird', label_fold = 'night bird' WHERE label = 'Late bird'`,
			`INSERT INTO authors (nr, name, name_fold, email) VALUES (8, 'Bob', 'bob', 'b@x')`, `UPDATE authors SET age = 9 WHERE nr = 7`, `DELETE FROM authors WHERE nr = 8`)
		for query, want := range map[string]string{
			`SELECT topic || ' ' || entity || ' ' || coalesce(entity_text, CAST(entity_id AS text)) FROM events WHERE topic NOT LIKE 'live.%' ORDER BY id`: "label.written Tag 1~Late bird name.written Author 8 name.gone Author 8",
			`SELECT CAST(version AS text) FROM tags ORDER BY label`: "2 2",
			`SELECT CAST(version AS text) FROM authors ORDER BY nr`: "2",
			bird: "1~Early!2bird 1~Night bird",
			ada:  "7",
		} {
			if got := read(t, db, query); got != want {
				t.Errorf("%s: %q, want %q", query, got, want)
			}
		}
		exec(t, db, `DELETE FROM tags`)
		if got := read(t, db, bird); got != "" {
			t.Errorf("removed rows are found: %s", got)
		}
		if !db.Postgres() { // PostgreSQL announces them while a process listens
			if got := read(t, db, `SELECT topic FROM events WHERE topic LIKE 'live.%' ORDER BY id`); !strings.HasPrefix(got, "live.tags_rows ") || !strings.Contains(got, " live.authors ") || !strings.HasSuffix(got, " live.tags_rows") {
				t.Errorf("live lists hear of %s", got)
			}
		}
	})
}

// Rows whose id is in a column of another name have their children counted by that.
func TestCountsByAnotherKey(t *testing.T) {
	t.Parallel()
	of := func() *world {
		w := newWorld()
		w.Author.Fields = append([]ent.Field{field.Int64("id").StorageKey("nr").Immutable().Annotations(expose.By(expose.Filter, expose.Sort))}, w.Author.Fields...)
		return w
	}
	old := repository(t)
	if _, err := planner.Diff(t.Context(), old, "first", of().schema(t), planner.Allow{}); err != nil {
		t.Fatal(err)
	}
	next, more := copied(t, old), of()
	more.Author.With(field.Int64("posts_count").Default(0).Annotations(expose.CountOf("posts", "")), field.Int64("earned").Default(0).Annotations(expose.SumOf("posts", "price", "")),
		field.Float("mean").Optional().Nillable().Annotations(expose.MeanOf("earned", "posts_count")))
	if _, err := planner.Diff(t.Context(), next, "second", more.schema(t), planner.Allow{}); err != nil {
		t.Fatal(err)
	}
	storetest.Schema{}.Each(t, func(t *testing.T, db *store.DB) {
		if err := apply(t.Context(), db, old); err != nil {
			t.Fatal(err)
		}
		exec(t, db, `INSERT INTO authors (nr, name, email) VALUES (7, 'Ada', 'a@x'), (8, 'Bob', 'b@x')`, `INSERT INTO posts (id, title, price, author_id) VALUES (1, 'One', 10, 7), (2, 'Two', 20, 7)`)
		if err := apply(t.Context(), db, next); err != nil {
			t.Fatal(err)
		}
		const counts = `SELECT nr || ' ' || posts_count || ' ' || earned || ' ' || coalesce(CAST(CAST(mean AS integer) AS text), '-') FROM authors ORDER BY nr`
		if got := read(t, db, counts); got != "7 2 30 15 8 0 0 -" {
			t.Errorf("filled: %s", got)
		}
		exec(t, db, `UPDATE posts SET author_id = 8, price = 5 WHERE id = 2`, `INSERT INTO posts (id, title, price, author_id) VALUES (3, 'x', 1, 8)`, `DELETE FROM posts WHERE id = 1`)
		if got := read(t, db, counts); got != "7 0 0 - 8 2 6 3" {
			t.Errorf("kept: %s", got)
		}
	})
}

// planOf is how the database reads the rows.
func planOf(t *testing.T, db *store.DB, query string) string {
	t.Helper()
	if db.Postgres() {
		return read(t, db, "EXPLAIN "+query)
	}
	rows, err := db.QueryContext(t.Context(), "EXPLAIN QUERY PLAN "+query)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	var id, parent, unused int
	var detail, all string
	for rows.Next() {
		if err := rows.Scan(&id, &parent, &unused, &detail); err != nil {
			t.Fatal(err)
		}
		all += detail + "\n"
	}
	return all
}
