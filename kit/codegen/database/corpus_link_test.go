package database_test

import (
	"slices"
	"strings"

	"entgo.io/ent"
	"entgo.io/ent/dialect/entsql"
	"entgo.io/ent/schema/edge"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"

	"github.com/entwine-go/entwine/kit/codegen/codegentest/worldtest"
	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/policy"
)

// linkChanges are those of edges, of what the database keeps, and of what is
// beside the tables.
func linkChanges() []change {
	return []change{
		{kind: 34, name: "add an edge", after: func(w *world) { w.AddEditor(true) }, want: map[string]string{`SELECT CAST(editor_id AS text) FROM posts WHERE id = 1`: "null"},
			breaks: []string{`UPDATE posts SET editor_id = 99`}},
		{kind: 34, name: "one to many becomes many to many", after: func(w *world) { written("author_id")(w); counted(w) },
			want: map[string]string{`SELECT post_id || '-' || author_id FROM post_writers ORDER BY post_id`: "1-1 2-1 3-2"}, breaks: []string{`INSERT INTO post_writers VALUES (1, 1)`}},
		{kind: 34, name: "links of rows whose keys have other names", before: otherKeys, after: func(w *world) { otherKeys(w); written("author_id")(w) },
			rows: []string{strings.Replace(rows[0], "(id,", "(nr,", 1), strings.Replace(rows[1], "(id,", "(post_nr,", 1)},
			want: map[string]string{`SELECT post_id || '-' || author_id FROM post_writers ORDER BY post_id`: "1-1 2-1 3-2"}},
		{kind: 34, name: "links to rows that are not there", after: written("price"), rows: append(slices.Clone(rows), `UPDATE posts SET price = id`, `UPDATE posts SET price = 9 WHERE id = 2`),
			fails: "posts: expose.Backfill links these rows to none that is there; change them first: 2", mend: []string{`UPDATE posts SET price = 1 WHERE id = 2`},
			want: map[string]string{`SELECT post_id || '-' || author_id FROM post_writers ORDER BY post_id`: "1-1 2-1 3-3"}},
		{kind: 35, name: "an edge whose column is no field", after: func(w *world) {
			w.Post.Edges = append(w.Post.Edges, edge.To("editor", worldtest.Author.Type).Unique().Required().Annotations(expose.Backfill("author_id")))
		}, want: map[string]string{`SELECT CAST(post_editor AS text) FROM posts ORDER BY id`: "1 1 2"}, breaks: []string{`UPDATE posts SET post_editor = NULL`}},
		{kind: 35, name: "a required edge unasked", after: func(w *world) { w.AddEditor(false) }, refused: "expose.Backfill"},
		{kind: 35, name: "a required edge", after: func(w *world) { w.AddEditor(false, expose.Backfill("author_id")) }, want: map[string]string{`SELECT CAST(editor_id AS text) FROM posts ORDER BY id`: "1 1 2"},
			breaks: []string{`UPDATE posts SET editor_id = 99`, `UPDATE posts SET editor_id = NULL`}},
		{kind: 36, name: "one to many becomes many to one", after: turned, refused: "posts.author_id would go with its values"},
		{kind: 36, name: "one to many becomes many to one, meant", after: turned, drop: []string{"author_id"}, want: map[string]string{postCount: "3", `SELECT name FROM authors ORDER BY id`: "Ada ÄNNE Bob"}},
		{kind: 37, name: "what a removal does", after: func(w *world) {
			w.Author.Edges = []ent.Edge{edge.To("posts", worldtest.Post.Type).Annotations(entsql.OnDelete(entsql.Restrict))}
		}, want: map[string]string{postCount: "3"}, breaks: []string{`DELETE FROM authors WHERE id = 1`}},
		{kind: 38, name: "soft deletes", after: func(w *world) {
			w.Post.With(field.Time("deleted_at").Optional().Nillable().Annotations(expose.Computed()), field.Int64("deleted_with").Optional().Nillable().Annotations(expose.Internal()))
		}, want: map[string]string{`SELECT CAST(count(*) AS text) FROM posts WHERE deleted_at IS NULL`: "3"}},
		{kind: 39, name: "a narrower policy", after: func(w *world) {
			admins := policy.Nobody()
			w.Post.Rules.Read = admins
		}, none: true},
		{kind: 9, name: "tenants of rows that no value is said of", after: owned(true), refused: "expose.Backfill"},
		{kind: 9, name: "tenants of rows that are one's", after: owned(true, expose.Backfill("7")), want: map[string]string{`SELECT CAST(org_id AS text) FROM posts`: "7 7 7"},
			breaks: []string{`UPDATE posts SET org_id = 8`, `INSERT INTO posts (id, title, author_id, org_id) VALUES (9, 'Ninth', 3, 8)`}},
		{kind: 39, name: "tenants of rows that refer to others'", before: owned(false), after: owned(true), rows: inOrgs(),
			fails: "author_id of these rows leads to a row of another tenant: change it first: 3",
			mend:  []string{`UPDATE posts SET author_id = 3 WHERE id = 3`, `DELETE FROM post_tags WHERE post_id = 3`},
			breaks: []string{`UPDATE posts SET author_id = 1 WHERE id = 3`, `UPDATE posts SET org_id = 8`, `INSERT INTO post_tags (post_id, tag_id) VALUES (3, 1)`,
				`INSERT INTO posts (id, title, author_id, org_id) VALUES (9, 'Ninth', 3, 7)`}},
		{kind: 40, name: "an operation removed", after: func(w *world) { w.Post.Resource.Operations = []expose.Operation{expose.List} }, none: true},
		{kind: 41, name: "add an index", after: func(w *world) { w.Post.Indexes = []ent.Index{index.Fields("title", "price")} }, want: map[string]string{postCount: "3"}},
		{kind: 42, name: "drop an index", before: func(w *world) { w.Post.Indexes = []ent.Index{index.Fields("title", "price")} }, after: nothing, want: map[string]string{postCount: "3"}},
		{kind: 43, name: "count, add up and take the mean", after: func(w *world) {
			counted(w)
			w.Author.With(
				field.Int64("earned").Default(0).Annotations(expose.SumOf("posts", "price", "NEW.status <> 'dead'")),
				field.Float("average").Optional().Nillable().Annotations(expose.MeanOf("earned", "posts_count")))
			w.Tag.With(field.Int64("uses").Default(0).Annotations(expose.CountOf("posts", "")))
		}, want: map[string]string{
			`SELECT posts_count || '/' || earned FROM authors ORDER BY id`: "2/350 0/0 0/0", `SELECT CAST(average AS text) FROM authors WHERE id = 2`: "null",
			`SELECT CAST(CAST(average AS integer) AS text) FROM authors WHERE id = 1`: "175", `SELECT CAST(uses AS text) FROM tags ORDER BY id`: "2 1"},
			then: []string{`DELETE FROM posts WHERE id = 1`}, wantThen: map[string]string{`SELECT posts_count || '/' || earned FROM authors WHERE id = 1`: "1/250", `SELECT CAST(uses AS text) FROM tags ORDER BY id`: "1 0"}},
		{kind: 43, name: "stamp", rows: append(rows[:4:4], `UPDATE authors SET age = 90 WHERE id = 2`), after: func(w *world) {
			w.Post.With(field.Time("closed_at").Optional().Nillable().Annotations(expose.StampWhen("author_id", "NEW.age > 80")))
		}, want: map[string]string{`SELECT CAST(id AS text) FROM posts WHERE closed_at IS NOT NULL`: "3"},
			then: []string{`UPDATE authors SET age = 81 WHERE id = 1`}, wantThen: map[string]string{`SELECT CAST(count(*) AS text) FROM posts WHERE closed_at > '2020-01-01'`: "3"}},
		{kind: 44, name: "count what a rule admits", before: counted, after: func(w *world) {
			w.Author.With(field.Int64("posts_count").Default(0).Annotations(expose.CountOf("posts", "NEW.price > 10").Where(policy.Any(policy.Is("status", "live"), policy.Not(policy.In("title", "Third", "Fourth"))))))
		}, want: map[string]string{`SELECT CAST(posts_count AS text) FROM authors ORDER BY id`: "2 0 0"},
			then: []string{`INSERT INTO posts (id, title, status, price, author_id) VALUES (8, 'Third', 'draft', 20, 3), (9, 'Third', 'live', 20, 3), (10, 'Fifth', 'draft', 5, 3)`,
				`UPDATE posts SET title = 'Fourth' WHERE id = 1`, `UPDATE posts SET title = 'Fourth' WHERE id = 2`, `UPDATE posts SET price = 11 WHERE id = 10`},
			wantThen: map[string]string{`SELECT CAST(posts_count AS text) FROM authors ORDER BY id`: "1 0 2"}},
		{kind: 44, name: "count something else", before: counted, after: func(w *world) {
			w.Author.With(field.Int64("posts_count").Default(0).Annotations(expose.CountOf("posts", "NEW.status = 'live'")))
		}, want: map[string]string{`SELECT CAST(posts_count AS text) FROM authors ORDER BY id`: "1 0 0"},
			then: []string{`UPDATE posts SET status = 'live'`}, wantThen: map[string]string{`SELECT CAST(posts_count AS text) FROM authors ORDER BY id`: "2 1 0"}},
		{kind: 44, name: "another derived field", after: func(w *world) {
			w.Post.Resource.Derived = []expose.Derived{{Name: "dear", Shape: expose.Flag, SQL: "{row}.price > 100", Comment: "Whether it is dear.", Example: true}}
		}, none: true},
		{kind: 45, name: "arguments of a job", after: nothing, none: true},
		{kind: 46, name: "the kind of a job", after: nothing, none: true},
		{kind: 47, name: "the payload of an event", before: func(w *world) { announce(w) }, after: func(w *world) { announce(w, "title") },
			then: []string{`UPDATE posts SET title = 'New' WHERE id = 1`}, wantThen: map[string]string{`SELECT replace(payload, ' ', '') FROM events`: `{"title":"New"}`}},
		{kind: 48, name: "the type of ids", after: func(w *world) { w.Tag.With(field.Int32("id").Annotations(expose.By(expose.Sort))) }, refused: "TY101"},
		{kind: 49, name: "arguments of an action", after: nothing, none: true},
		{kind: 50, name: "a lower limit", after: func(w *world) { w.Post.Resource.Limit = 5 }, none: true},
	}
}
