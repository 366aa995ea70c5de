package database_test

import (
	"slices"
	"time"

	"entgo.io/ent"
	"entgo.io/ent/schema/edge"
	"entgo.io/ent/schema/field"

	"github.com/entwine-go/entwine/kit/codegen/codegentest/worldtest"
	"github.com/entwine-go/entwine/kit/expose"
)

// fieldChanges are those of entities and their fields.
func fieldChanges() []change {
	return []change{
		{kind: 1, name: "add an entity", before: func(w *world) {
			w.Tag = worldtest.Shape{}
			w.Post.Edges = w.Post.Edges[:1]
		}, rows: rows[:2], after: nothing, want: map[string]string{postCount: "3", `SELECT CAST(count(*) AS text) FROM post_tags`: "0"}},
		{kind: 2, name: "drop an entity unasked", after: dropTags, refused: "--drop tags"},
		{kind: 2, name: "drop an entity", after: dropTags, drop: []string{"tags", "post_tags"}, want: map[string]string{postCount: "3"}},
		{kind: 3, name: "rename an entity unasked", after: func(w *world) { w.Rename() }, refused: "renamed: expose.Was"},
		{kind: 3, name: "rename an entity", before: func(w *world) { counted(w); searchNames(w) }, after: func(w *world) {
			counted(w)
			searchNames(w)
			w.Rename()
			was := expose.Was("Author")
			w.Author.Change = &was
		}, want: map[string]string{
			`SELECT name || posts_count FROM writers ORDER BY id`: "Ada2 ÄNNE0 Bob0",
			`SELECT name_fold FROM writers WHERE id = 2`:          "änne",
			found("writers", "anne"):                              "", found("writers", "bob"): "3",
		}, breaks: []string{`INSERT INTO posts (title, author_id) VALUES ('x', 99)`},
			then: []string{`INSERT INTO posts (id, title, author_id) VALUES (9, 'Ninth', 3)`}, wantThen: map[string]string{`SELECT CAST(posts_count AS text) FROM writers ORDER BY id`: "2 0 1"}},
		{kind: 4, name: "hide an entity", after: func(w *world) { w.Tag.Hidden = true }, none: true},
		{kind: 5, name: "change a path", after: func(w *world) { w.Tag.Resource.Path = "labels" }, none: true},
		{kind: 6, name: "add a nullable field", after: func(w *world) { w.Post.With(field.String("note").Optional().Nillable()) },
			want: map[string]string{`SELECT note FROM posts WHERE id = 1`: "null"}},
		{kind: 7, name: "add a field with a default", after: func(w *world) { w.Post.With(field.String("language").Default("en")) },
			want: map[string]string{`SELECT language FROM posts ORDER BY id`: "en en en"}},
		{kind: 6, name: "add a nullable field and a check that names it", after: func(w *world) {
			w.Post.With(field.String("note").Optional().Nillable())
			w.Post.Checks = map[string]string{"noted": "note IS NULL OR price > 5"}
		}, want: map[string]string{`SELECT note FROM posts WHERE id = 3`: "null"}, breaks: []string{`UPDATE posts SET note = 'n'`}},
		{kind: 7, name: "add an enum with a default", after: func(w *world) {
			w.Post.With(field.Enum("mood").Values("calm", "wild").Default("calm"))
		}, want: map[string]string{`SELECT mood FROM posts ORDER BY id`: "calm calm calm"}, breaks: []string{`UPDATE posts SET mood = 'x'`},
			then: []string{`UPDATE posts SET mood = 'wild' WHERE id = 1`}, wantThen: map[string]string{`SELECT mood FROM posts ORDER BY id`: "wild calm calm"}},
		{kind: 7, name: "add a list with a default", after: func(w *world) { w.Post.With(field.Strings("labels").Default([]string{"it's"})) },
			want: map[string]string{`SELECT CAST(labels AS text) FROM posts WHERE id = 1`: `["it's"]`}, breaks: []string{`UPDATE posts SET labels = NULL`}},
		{kind: 9, name: "add a number that follows from a text", before: noted, after: func(w *world) {
			noted(w)
			w.Post.With(field.Int64("words").Annotations(expose.Backfill("CAST(note AS bigint) + 1")))
		}, rows: append(slices.Clone(rows), `UPDATE posts SET note = CASE id WHEN 1 THEN ' 41' WHEN 2 THEN 'many' ELSE '99999999999999999999' END`),
			fails: `posts: expose.Backfill gives these rows no value of words: change them first: 2 (invalid input syntax for type bigint: "many"); 3 (value "99999999999999999999" is out of range for type bigint)`,
			mend:  []string{`UPDATE posts SET note = '0' WHERE id > 1`}, want: map[string]string{`SELECT CAST(words AS text) FROM posts ORDER BY id`: "42 1 1"}},
		{kind: 8, name: "add a time of now unasked", after: func(w *world) { w.Post.With(field.Time("made_at").Default(time.Now)) }, refused: "expose.Backfill"},
		{kind: 8, name: "add a time of now", after: func(w *world) {
			w.Post.With(field.Time("made_at").Default(time.Now).Annotations(expose.Backfill("now()")))
		}, want: map[string]string{`SELECT CAST(count(*) AS text) FROM posts WHERE made_at > '2020-01-01'`: "3"}},
		{kind: 8, name: "an amount that can be compared", before: func(w *world) { priced(w) }, rows: append(rows[:4:4], `UPDATE posts SET currency = 'JPY' WHERE id = 3`), after: compareAmounts,
			want:     map[string]string{`SELECT CAST(price_units AS text) FROM posts ORDER BY id`: "10000 25000 50000"},
			then:     []string{`UPDATE posts SET price = 7 WHERE id = 1`, `UPDATE posts SET currency = 'EUR' WHERE id = 3`, `INSERT INTO posts (id, title, price, author_id) VALUES (9, 'x', 1, 1)`},
			wantThen: map[string]string{`SELECT CAST(price_units AS text) FROM posts ORDER BY id`: "700 25000 500 100"}},
		{kind: 8, name: "an amount that is no longer compared", before: compareAmounts, after: func(w *world) { priced(w) },
			want: map[string]string{`SELECT CAST(price AS text) FROM posts ORDER BY id`: "100 250 5"}},
		{kind: 9, name: "add a required field unasked", after: func(w *world) { w.Post.With(field.String("language")) }, refused: "expose.Backfill"},
		{kind: 9, name: "add a required field to no rows that has some", after: func(w *world) { w.Post.With(field.String("language")) },
			accept: []string{"MF103"}, fails: "language is required and these rows would have none: 1; 2; 3", mend: []string{`DELETE FROM posts`}, want: map[string]string{postCount: "0"}},
		{kind: 9, name: "add a required enum to rows", after: func(w *world) { w.Post.With(field.Enum("mood").Values("calm", "wild")) },
			accept: []string{"MF103"}, fails: "mood is required and these rows would have none: 1; 2; 3", mend: []string{`DELETE FROM posts`},
			then: []string{`INSERT INTO posts (title, author_id, mood) VALUES ('x', 1, 'calm')`}, want: map[string]string{postCount: "0"}, breaks: []string{`INSERT INTO posts (title, author_id, mood) VALUES ('x', 1, 'x')`}},
		{kind: 9, name: "add a required field", after: func(w *world) {
			w.Post.With(field.String("language").Annotations(expose.Backfill("CASE WHEN price > 100 THEN 'fr' ELSE 'en' END"), expose.By(expose.Search)))
		}, want: map[string]string{`SELECT language || language_fold FROM posts ORDER BY id`: "enen frfr enen"}, breaks: []string{`UPDATE posts SET language = NULL`}},
		{kind: 10, name: "drop a field unasked", after: func(w *world) { w.Author.Without("bio") }, refused: "--drop authors.bio"},
		{kind: 10, name: "drop a field", after: func(w *world) { w.Author.Without("bio") }, drop: []string{"authors.bio"}, want: map[string]string{`SELECT CAST(age AS text) FROM authors ORDER BY id`: "36 20 50"}},
		{kind: 10, name: "drop what is not there", after: func(w *world) { w.Author.Without("bio") }, drop: []string{"bio", "boi"}, refused: "--drop boi"},
		{kind: 11, name: "rename a field unasked", after: func(w *world) {
			w.Author.Without("bio")
			w.Author.With(field.String("about").Optional().Nillable())
		}, refused: `expose.Was("bio") at the field about`},
		{kind: 11, name: "rename a field", before: func(w *world) { searchNames(w); uniqueEmail(w) }, after: func(w *world) {
			searchNames(w)
			w.Author.Without("name")
			w.Author.With(field.String("title").Annotations(expose.By(expose.Search), expose.Was("name")),
				field.String("address").Annotations(expose.UniqueFold(), expose.Was("email")))
			w.Author.Without("email")
			w.Author.Resource.Search = []string{"title"}
		}, want: map[string]string{`SELECT title || ' ' || title_fold || ' ' || address_fold FROM authors WHERE id = 2`: "ÄNNE änne ann@example.com", found("authors", "änne"): "2"},
			breaks:   []string{`INSERT INTO authors (name, address, address_fold) VALUES ('x', 'Ada@example.com', 'ada@example.com')`},
			then:     []string{`UPDATE authors SET title = 'Eve', title_fold = 'eve' WHERE id = 1`},
			wantThen: map[string]string{found("authors", "eve"): "1", found("authors", "ada"): ""}},
		{kind: 11, name: "rename an edge of many to many", after: func(w *world) {
			w.Post.Edges = []ent.Edge{w.Post.Edges[0], edge.To("labels", worldtest.Tag.Type).Annotations(expose.Was("tags"))}
			w.Tag.Edges = []ent.Edge{edge.From("posts", worldtest.Post.Type).Ref("labels")}
		}, want: map[string]string{`SELECT CAST(count(*) AS text) FROM post_labels`: "3"}, breaks: []string{`INSERT INTO post_labels (post_id, tag_id) VALUES (1, 1)`, `INSERT INTO post_labels (post_id, tag_id) VALUES (99, 1)`}},
		{kind: 12, name: "int to bigint unasked", after: func(w *world) { w.Author.With(field.Int64("age").Default(0)) }, refused: `expose.Backfill("age")`},
		{kind: 12, name: "int to bigint", accept: []string{"LV101"}, after: func(w *world) { w.Author.With(field.Int64("age").Default(0)) },
			then: []string{`UPDATE authors SET age = 5000000000 WHERE id = 1`}, want: map[string]string{`SELECT CAST(age AS text) FROM authors ORDER BY id`: "36 20 50"}, wantThen: map[string]string{`SELECT CAST(age AS text) FROM authors WHERE id = 1`: "5000000000"}},
		{kind: 13, name: "a longer limit", before: func(w *world) { w.Post.With(expose.Length(field.String("title"), 1, 20)) }, after: func(w *world) { w.Post.With(expose.Length(field.String("title"), 1, 40)) },
			want: map[string]string{`SELECT title FROM posts WHERE id = 2`: "Second"}},
		{kind: 14, name: "a narrower type", before: func(w *world) { w.Author.With(field.Int64("age").Default(0)) }, after: func(w *world) { w.Author.With(field.Bool("age").Default(false)) }, refused: "TY101"},
		{kind: 15, name: "nullable to required unasked", after: func(w *world) { w.Author.With(field.String("bio")) }, refused: "expose.Backfill"},
		{kind: 15, name: "nullable to required with rows that have none", after: func(w *world) { w.Author.With(field.String("bio")) }, accept: []string{"MF104", "LT101"},
			fails: "bio is required and these rows have none: 1; 2; 3", mend: []string{`UPDATE authors SET bio = 'b'`}, want: map[string]string{`SELECT bio FROM authors`: "b b b"}},
		{kind: 15, name: "nullable to required", rows: append(rows[:4:4], `UPDATE authors SET bio = 'poet' WHERE id = 2`), after: func(w *world) {
			w.Author.With(field.String("bio").Annotations(expose.Backfill("'of ' || name")))
		}, want: map[string]string{`SELECT bio FROM authors ORDER BY id`: "of Ada poet of Bob"}, breaks: []string{`UPDATE authors SET bio = NULL`}},
		{kind: 16, name: "an input without its default", before: func(w *world) { w.Post.With(field.String("language").Default("en")) }, after: func(w *world) { w.Post.With(field.String("language")) },
			want: map[string]string{`SELECT language FROM posts ORDER BY id`: "en en en"}},
		{kind: 17, name: "required to nullable", after: func(w *world) { w.Author.With(field.String("email").Optional().Nillable()) },
			want: map[string]string{`SELECT email FROM authors WHERE id = 1`: "ada@example.com"}, then: []string{`UPDATE authors SET email = NULL`}},
		{kind: 18, name: "another default", after: func(w *world) { w.Post.With(field.Int64("price").Default(7)) },
			want: map[string]string{`SELECT CAST(price AS text) FROM posts ORDER BY id`: "100 250 5"}, then: []string{`INSERT INTO posts (id, title, author_id) VALUES (9, 'x', 1)`}, wantThen: map[string]string{`SELECT CAST(price AS text) FROM posts WHERE id = 9`: "7"}},
	}
}
