package database_test

import (
	"slices"

	"entgo.io/ent"
	"entgo.io/ent/dialect/entsql"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"

	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/policy"
)

// valueChanges are those of what values may be, and of how rows are found by them.
func valueChanges() []change {
	return []change{
		{kind: 19, name: "add unique", after: func(w *world) { w.Author.With(field.String("email").Unique()) },
			rows:  append(rows[:4:4], `INSERT INTO authors (id, name, email) VALUES (4, 'Eve', 'ada@example.com')`),
			fails: "no two rows may have the same email: change or remove all but one of these: 1, 4 (ada@example.com)", mend: []string{`DELETE FROM authors WHERE id = 4`},
			want: map[string]string{`SELECT email FROM authors WHERE id = 1`: "ada@example.com"}, breaks: []string{`UPDATE authors SET email = 'ann@example.com'`}},
		{kind: 19, name: "add unique whatever the case", after: uniqueEmail,
			rows:  append(rows[:4:4], `INSERT INTO authors (id, name, email) VALUES (4, 'Eve', 'ADA@example.com')`),
			fails: "no two rows may have the same email, whatever the case: change or remove all but one of these: 1, 4 (ada@example.com)", mend: []string{`DELETE FROM authors WHERE id = 4`},
			want: map[string]string{`SELECT email_fold FROM authors ORDER BY id`: "ada@example.com ann@example.com bob@example.com"}, breaks: []string{`UPDATE authors SET email_fold = 'bob@example.com' WHERE id = 1`}},
		{kind: 19, name: "add a unique field with a default", after: func(w *world) {
			w.Post.With(field.String("shelf").Default("a"))
			w.Post.Indexes = []ent.Index{index.Fields("shelf").Unique()}
		}, fails: "no two rows may have the same shelf: change or remove all but one of these: 1", mend: []string{`DELETE FROM posts WHERE id > 1`},
			want: map[string]string{`SELECT shelf FROM posts`: "a"}, breaks: []string{`INSERT INTO posts (title, author_id) VALUES ('x', 1)`}},
		{kind: 19, name: "add unique where a new field has no value", after: func(w *world) {
			w.Post.With(field.Time("closed_at").Optional().Nillable())
			w.Post.Indexes = []ent.Index{index.Fields("author_id").Unique().Annotations(entsql.IndexWhere("closed_at IS NULL"))}
		}, fails: "no two rows may have the same author_id: change or remove all but one of these: 1, 2 (1)", mend: []string{`DELETE FROM posts WHERE id = 2`},
			want: map[string]string{postCount: "2"}, breaks: []string{`INSERT INTO posts (title, author_id) VALUES ('x', 1)`}},
		{kind: 20, name: "drop unique", before: func(w *world) { w.Author.With(field.String("email").Unique()) }, after: nothing,
			want: map[string]string{`SELECT email FROM authors WHERE id = 1`: "ada@example.com"}, then: []string{`UPDATE authors SET email = 'one'`}},
		{kind: 21, name: "a tighter check", after: func(w *world) { w.Post.Checks = map[string]string{"cheap": "price IN (5, 100)"} },
			fails: "the check cheap does not hold of these rows; change them first: 2", mend: []string{`UPDATE posts SET price = 5 WHERE id = 2`}, breaks: []string{`UPDATE posts SET price = 200`}},
		{kind: 21, name: "a check that names a new field", after: func(w *world) {
			w.Post.With(field.String("note").Optional().Nillable())
			w.Post.Checks = map[string]string{"dear": "note IS NOT NULL OR price < 200"}
		}, fails: "the check dear does not hold of these rows; change them first: 2", mend: []string{`UPDATE posts SET price = 5 WHERE id = 2`}, breaks: []string{`UPDATE posts SET price = 200`}},
		{kind: 21, name: "a check with parentheses at both ends", after: func(w *world) {
			w.Author.Checks = map[string]string{"one": "(bio IS NULL) <> (left_at IS NULL)"}
		}, rows: append(rows[:4:4], `UPDATE authors SET bio = 'b'`), want: map[string]string{`SELECT bio FROM authors WHERE id = 1`: "b"}, breaks: []string{`UPDATE authors SET bio = NULL`}},
		{kind: 21, name: "a rule over fields", after: func(w *world) {
			w.Post.Resource.Checks = []expose.Check{{Name: "dear", Rule: policy.Any(policy.Is("status", "draft"), policy.Not(policy.Less("price", "author_id"))), Fields: []string{"price"}, Says: "must be more"}}
		}, rows: append(slices.Clone(rows), `UPDATE posts SET price = 1 WHERE id = 3`), fails: "the check posts_dear does not hold of these rows; change them first: 3", mend: []string{`UPDATE posts SET price = 2 WHERE id = 3`},
			breaks: []string{`UPDATE posts SET price = 0 WHERE id = 1`}, then: []string{`UPDATE posts SET price = 0 WHERE id = 2`}},
		{kind: 21, name: "a tree of rows that go in a circle", before: grown(), after: grown(expose.Tree(3)),
			rows:  append(chain(), `UPDATE posts SET reply_to = 3 WHERE id = 1`),
			fails: "reply_to makes no tree of at most 3 levels of these rows, which are above themselves or too deep: change it first: 1; 2; 3",
			mend:  []string{`UPDATE posts SET reply_to = NULL WHERE id = 1`},
			breaks: []string{`UPDATE posts SET reply_to = 3 WHERE id = 1`, `UPDATE posts SET reply_to = 2 WHERE id = 2`,
				`INSERT INTO posts (id, title, author_id, reply_to) VALUES (9, 'Ninth', 3, 3)`, `INSERT INTO posts (id, title, author_id, reply_to) VALUES (9, 'Ninth', 3, 9)`},
			then:     []string{`UPDATE posts SET reply_to = NULL WHERE id = 2`, `INSERT INTO posts (id, title, author_id, reply_to) VALUES (9, 'Ninth', 3, 3)`, `UPDATE posts SET reply_to = 3 WHERE id = 1`},
			wantThen: map[string]string{`SELECT COALESCE(CAST(reply_to AS text), '-') FROM posts ORDER BY id`: "3 - 2 3"}},
		{kind: 21, name: "a tree of fewer levels", before: grown(expose.Tree(3)), after: grown(expose.Tree(2)), rows: chain(),
			fails: "reply_to makes no tree of at most 2 levels of these rows, which are above themselves or too deep: change it first: 3",
			mend:  []string{`UPDATE posts SET reply_to = 1 WHERE id = 3`}, breaks: []string{`UPDATE posts SET reply_to = 2 WHERE id = 3`}},
		{kind: 22, name: "a tree of more levels", before: grown(expose.Tree(2)), after: grown(expose.Tree(3)),
			then: []string{`UPDATE posts SET reply_to = 1 WHERE id = 2`, `UPDATE posts SET reply_to = 2 WHERE id = 3`}},
		{kind: 22, name: "a tree no longer", before: grown(expose.Tree(3)), after: grown(), rows: chain(), then: []string{`UPDATE posts SET reply_to = 3 WHERE id = 1`}},
		{kind: 22, name: "a looser check", before: func(w *world) { w.Post.Checks = map[string]string{"cheap": "price < 300"} }, after: nothing,
			then: []string{`UPDATE posts SET price = 400`}, want: map[string]string{postCount: "3"}},
		{kind: 23, name: "add a value", after: func(w *world) { w.Post.With(statuses("draft", "live", "dead", "late")) },
			then: []string{`UPDATE posts SET status = 'late' WHERE id = 1`}, breaks: []string{`UPDATE posts SET status = 'other'`}, want: map[string]string{`SELECT status FROM posts ORDER BY id`: "live draft dead"}},
		{kind: 24, name: "remove a value that rows have", after: func(w *world) { w.Post.With(statuses("draft", "live")) },
			fails: "status of these rows is none of its values; expose.ValueWas says which one it becomes, or change the rows first: 3", mend: []string{`UPDATE posts SET status = 'live' WHERE id = 3`}, breaks: []string{`UPDATE posts SET status = 'dead'`}},
		{kind: 24, name: "remove a value that becomes another", after: func(w *world) {
			w.Post.With(statuses("draft", "live", expose.ValueWas("draft", "dead")))
		}, want: map[string]string{`SELECT status FROM posts ORDER BY id`: "live draft draft"}, breaks: []string{`UPDATE posts SET status = 'dead'`}},
		{kind: 24, name: "remove a value that another counts", before: counted, after: func(w *world) {
			w.Author.With(field.Int64("posts_count").Default(0).Annotations(expose.CountOf("posts", "NEW.status <> 'dead'")))
			w.Post.With(statuses("draft", "dead", expose.ValueWas("dead", "live")))
		}, want: map[string]string{`SELECT CAST(posts_count AS text) FROM authors ORDER BY id`: "1 0 0"},
			then: []string{`UPDATE posts SET status = 'draft'`}, wantThen: map[string]string{`SELECT CAST(posts_count AS text) FROM authors ORDER BY id`: "2 1 0"}},
		{kind: 25, name: "rename values", after: func(w *world) {
			w.Events = true
			w.Post.Resource.Events = []expose.Topic{{Name: "post.moved", On: "update", When: "NEW.status <> OLD.status"}}
			w.Post.With(statuses("draft", "public", "gone", expose.ValueWas("public", "live"), expose.ValueWas("gone", "dead")))
		}, before: func(w *world) {
			w.Events = true
			w.Post.Resource.Events = []expose.Topic{{Name: "post.moved", On: "update", When: "NEW.status <> OLD.status"}}
		}, want: map[string]string{`SELECT status FROM posts ORDER BY id`: "public draft gone", `SELECT CAST(count(*) AS text) FROM events`: "0"},
			breaks: []string{`UPDATE posts SET status = 'live'`}, then: []string{`UPDATE posts SET status = 'gone' WHERE id = 1`}, wantThen: map[string]string{`SELECT topic FROM events`: "post.moved"}},
		{kind: 26, name: "a field made secret", after: func(w *world) { w.Author.With(field.String("email").Annotations(expose.Secret())) }, none: true},
		{kind: 27, name: "visible to fewer", after: func(w *world) { w.Author.With(field.String("email").Annotations(expose.VisibleTo("admin"))) }, none: true},
		{kind: 28, name: "visible to more", before: func(w *world) { w.Author.With(field.String("email").Annotations(expose.VisibleTo("admin"))) }, after: nothing, none: true},
		{kind: 29, name: "writable by fewer", after: func(w *world) { w.Author.With(field.String("email").Annotations(expose.WritableBy("admin"))) }, none: true},
		{kind: 30, name: "remove a search", before: searchNames, after: nothing, want: map[string]string{`SELECT name FROM authors ORDER BY id`: "Ada ÄNNE Bob"}},
		{kind: 31, name: "add filter, sort and search", after: func(w *world) {
			w.Author.With(field.String("name").Annotations(expose.By(expose.Filter, expose.Sort, expose.Search)))
		}, want: map[string]string{`SELECT name_fold FROM authors ORDER BY id`: "ada änne bob"}},
		{kind: 31, name: "add a full-text search", after: searchTitles, want: map[string]string{found("posts", "words"): "1", found("posts", "second"): "2"},
			then: []string{`UPDATE posts SET title = 'Other', title_fold = 'other' WHERE id = 1`, `DELETE FROM posts WHERE id = 2`}, wantThen: map[string]string{found("posts", "words"): "", found("posts", "other"): "1", found("posts", "second"): ""}},
		{kind: 31, name: "change what is searched", before: searchTitles, rows: append(rows[:4:4], `UPDATE posts SET title_fold = lower(title)`), after: func(w *world) {
			searchTitles(w)
			w.Post.With(field.String("note").Default("apple").Annotations(expose.By(expose.Search)))
			w.Post.Resource.Search = []string{"title", "note"}
		}, want: map[string]string{found("posts", "words"): "1", found("posts", "apple"): "1 2 3"},
			then: []string{`UPDATE posts SET note = 'pear', note_fold = 'pear' WHERE id = 1`}, wantThen: map[string]string{found("posts", "apple"): "2 3", found("posts", "pear"): "1"}},
		{kind: 32, name: "another order", after: func(w *world) {
			w.Post.Resource.Sort, w.Post.Resource.Limit = "-id", 50
		}, none: true},
		{kind: 33, name: "precision of money", after: func(w *world) {
			w.Post.With(field.Int64("price_mills").Annotations(expose.Backfill("price * 10")))
		}, want: map[string]string{`SELECT CAST(price_mills AS text) FROM posts ORDER BY id`: "1000 2500 50"}},
	}
}
