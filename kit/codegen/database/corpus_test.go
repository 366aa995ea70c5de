package database_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"entgo.io/ent"
	"entgo.io/ent/dialect"
	"entgo.io/ent/dialect/entsql"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/edge"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"

	"github.com/entwine-go/entwine/kit/codegen/planner"
	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/kittest/storetest"
	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/runtime/migration"
	"github.com/entwine-go/entwine/kit/runtime/store"
)

// rows are there before every change.
var rows = []string{
	`INSERT INTO authors (id, name, email, age) VALUES (1, 'Ada', 'ada@example.com', 36), (2, 'ÄNNE', 'ann@example.com', 20), (3, 'Bob', 'bob@example.com', 50)`,
	`INSERT INTO posts (id, title, status, price, author_id) VALUES (1, 'First Words', 'live', 100, 1), (2, 'Second', 'draft', 250, 1), (3, 'Third', 'dead', 5, 2)`,
	`INSERT INTO tags (id, label) VALUES (1, 'x'), (2, 'y')`,
	`INSERT INTO post_tags (post_id, tag_id) VALUES (1, 1), (1, 2), (3, 1)`,
}

// change is a change of a schema on tables with rows.
type change struct {
	// kind is its number in doc/operations/migrations.md.
	kind int
	name string
	// before makes the schema that it begins with, after the one it leads to.
	before, after func(w *world)
	rows          []string // more of them
	drop, accept  []string
	// refused is what weave migrate diff says where it writes nothing.
	refused string
	// fails is what the migration says where it is not applied.
	fails string
	// mend makes the rows so that it is.
	mend []string
	// none is set where there is nothing to migrate.
	none bool
	// want are queries and what they return once it is applied.
	want map[string]string
	// breaks are statements that the database refuses then.
	breaks []string
	// then are statements after which wantThen holds: triggers do their work.
	then     []string
	wantThen map[string]string
}

const postCount = `SELECT CAST(count(*) AS text) FROM posts`

func corpus() []change {
	nothing := func(*world) {}
	counted := func(w *world) {
		w.author.with(field.Int64("posts_count").Default(0).Annotations(expose.CountOf("posts", "NEW.status <> 'dead'")))
	}
	grown := func(says ...schema.Annotation) func(w *world) {
		return func(w *world) {
			w.post.with(field.Int64("reply_to").Optional().Nillable())
			w.post.edges = append(w.post.edges, edge.To("replies", Post.Type).Annotations(says...),
				edge.From("replied", Post.Type).Ref("replies").Field("reply_to").Unique())
		}
	}
	owned := func(is bool, says ...schema.Annotation) func(w *world) {
		return func(w *world) {
			for _, s := range []*shape{&w.author, &w.post, &w.tag} {
				s.with(field.Int64("org_id").Immutable().Annotations(says...))
				s.tenant = is
			}
		}
	}
	inOrgs := slices.Clone(rows)
	for i, table := range []string{"authors (", "posts (", "tags ("} {
		inOrgs[i] = strings.NewReplacer(table, table+"org_id, ", "(1, ", "(7, 1, ", "(2, ", "(7, 2, ", "(3, ", "(8, 3, ").Replace(inOrgs[i])
	}
	chain := slices.Concat(rows, []string{`UPDATE posts SET reply_to = 1 WHERE id = 2`, `UPDATE posts SET reply_to = 2 WHERE id = 3`})
	admins := policy.Nobody()
	return []change{
		{kind: 1, name: "add an entity", before: func(w *world) {
			w.tag = shape{}
			w.post.edges = w.post.edges[:1]
		}, rows: rows[:2], after: nothing, want: map[string]string{postCount: "3", `SELECT CAST(count(*) AS text) FROM post_tags`: "0"}},
		{kind: 2, name: "drop an entity unasked", after: dropTags, refused: "--drop tags"},
		{kind: 2, name: "drop an entity", after: dropTags, drop: []string{"tags", "post_tags"}, want: map[string]string{postCount: "3"}},
		{kind: 3, name: "rename an entity unasked", after: (*world).rename, refused: "renamed: expose.Was"},
		{kind: 3, name: "rename an entity", before: func(w *world) { counted(w); searchNames(w) }, after: func(w *world) {
			counted(w)
			searchNames(w)
			w.rename()
			was := expose.Was("Author")
			w.author.change = &was
		}, want: map[string]string{
			`SELECT name || posts_count FROM writers ORDER BY id`: "Ada2 ÄNNE0 Bob0",
			`SELECT name_fold FROM writers WHERE id = 2`:          "änne",
			found("writers", "anne"):                              "", found("writers", "bob"): "3",
		}, breaks: []string{`INSERT INTO posts (title, author_id) VALUES ('x', 99)`},
			then: []string{`INSERT INTO posts (id, title, author_id) VALUES (9, 'Ninth', 3)`}, wantThen: map[string]string{`SELECT CAST(posts_count AS text) FROM writers ORDER BY id`: "2 0 1"}},
		{kind: 4, name: "hide an entity", after: func(w *world) { w.tag.hidden = true }, none: true},
		{kind: 5, name: "change a path", after: func(w *world) { w.tag.resource.Path = "labels" }, none: true},
		{kind: 6, name: "add a nullable field", after: func(w *world) { w.post.with(field.String("note").Optional().Nillable()) },
			want: map[string]string{`SELECT note FROM posts WHERE id = 1`: "null"}},
		{kind: 7, name: "add a field with a default", after: func(w *world) { w.post.with(field.String("language").Default("en")) },
			want: map[string]string{`SELECT language FROM posts ORDER BY id`: "en en en"}},
		{kind: 6, name: "add a nullable field and a check that names it", after: func(w *world) {
			w.post.with(field.String("note").Optional().Nillable())
			w.post.checks = map[string]string{"noted": "note IS NULL OR price > 5"}
		}, want: map[string]string{`SELECT note FROM posts WHERE id = 3`: "null"}, breaks: []string{`UPDATE posts SET note = 'n'`}},
		{kind: 7, name: "add an enum with a default", after: func(w *world) {
			w.post.with(field.Enum("mood").Values("calm", "wild").Default("calm"))
		}, want: map[string]string{`SELECT mood FROM posts ORDER BY id`: "calm calm calm"}, breaks: []string{`UPDATE posts SET mood = 'x'`},
			then: []string{`UPDATE posts SET mood = 'wild' WHERE id = 1`}, wantThen: map[string]string{`SELECT mood FROM posts ORDER BY id`: "wild calm calm"}},
		{kind: 7, name: "add a list with a default", after: func(w *world) { w.post.with(field.Strings("labels").Default([]string{"it's"})) },
			want: map[string]string{`SELECT CAST(labels AS text) FROM posts WHERE id = 1`: `["it's"]`}, breaks: []string{`UPDATE posts SET labels = NULL`}},
		{kind: 8, name: "add a time of now unasked", after: func(w *world) { w.post.with(field.Time("made_at").Default(time.Now)) }, refused: "expose.Backfill"},
		{kind: 8, name: "add a time of now", after: func(w *world) {
			w.post.with(field.Time("made_at").Default(time.Now).Annotations(expose.Backfill("now()")))
		}, want: map[string]string{`SELECT CAST(count(*) AS text) FROM posts WHERE made_at > '2020-01-01'`: "3"}},
		{kind: 8, name: "an amount that can be compared", before: func(w *world) { priced(w) }, rows: append(rows[:4:4], `UPDATE posts SET currency = 'JPY' WHERE id = 3`), after: compareAmounts,
			want:     map[string]string{`SELECT CAST(price_units AS text) FROM posts ORDER BY id`: "10000 25000 50000"},
			then:     []string{`UPDATE posts SET price = 7 WHERE id = 1`, `UPDATE posts SET currency = 'EUR' WHERE id = 3`, `INSERT INTO posts (id, title, price, author_id) VALUES (9, 'x', 1, 1)`},
			wantThen: map[string]string{`SELECT CAST(price_units AS text) FROM posts ORDER BY id`: "700 25000 500 100"}},
		{kind: 8, name: "an amount that is no longer compared", before: compareAmounts, after: func(w *world) { priced(w) },
			want: map[string]string{`SELECT CAST(price AS text) FROM posts ORDER BY id`: "100 250 5"}},
		{kind: 9, name: "add a required field unasked", after: func(w *world) { w.post.with(field.String("language")) }, refused: "expose.Backfill"},
		{kind: 9, name: "add a required field to no rows that has some", after: func(w *world) { w.post.with(field.String("language")) },
			accept: []string{"MF103"}, fails: "language is required and these rows would have none: 1; 2; 3", mend: []string{`DELETE FROM posts`}, want: map[string]string{postCount: "0"}},
		{kind: 9, name: "add a required enum to rows", after: func(w *world) { w.post.with(field.Enum("mood").Values("calm", "wild")) },
			accept: []string{"MF103"}, fails: "mood is required and these rows would have none: 1; 2; 3", mend: []string{`DELETE FROM posts`},
			then: []string{`INSERT INTO posts (title, author_id, mood) VALUES ('x', 1, 'calm')`}, want: map[string]string{postCount: "0"}, breaks: []string{`INSERT INTO posts (title, author_id, mood) VALUES ('x', 1, 'x')`}},
		{kind: 9, name: "add a required field", after: func(w *world) {
			w.post.with(field.String("language").Annotations(expose.Backfill("CASE WHEN price > 100 THEN 'fr' ELSE 'en' END"), expose.By(expose.Search)))
		}, want: map[string]string{`SELECT language || language_fold FROM posts ORDER BY id`: "enen frfr enen"}, breaks: []string{`UPDATE posts SET language = NULL`}},
		{kind: 10, name: "drop a field unasked", after: func(w *world) { w.author.without("bio") }, refused: "--drop authors.bio"},
		{kind: 10, name: "drop a field", after: func(w *world) { w.author.without("bio") }, drop: []string{"authors.bio"}, want: map[string]string{`SELECT CAST(age AS text) FROM authors ORDER BY id`: "36 20 50"}},
		{kind: 10, name: "drop what is not there", after: func(w *world) { w.author.without("bio") }, drop: []string{"bio", "boi"}, refused: "--drop boi"},
		{kind: 11, name: "rename a field unasked", after: func(w *world) {
			w.author.without("bio")
			w.author.with(field.String("about").Optional().Nillable())
		}, refused: `expose.Was("bio") at the field about`},
		{kind: 11, name: "rename a field", before: func(w *world) { searchNames(w); uniqueEmail(w) }, after: func(w *world) {
			searchNames(w)
			w.author.without("name")
			w.author.with(field.String("title").Annotations(expose.By(expose.Search), expose.Was("name")),
				field.String("address").Annotations(expose.UniqueFold(), expose.Was("email")))
			w.author.without("email")
			w.author.resource.Search = []string{"title"}
		}, want: map[string]string{`SELECT title || ' ' || title_fold || ' ' || address_fold FROM authors WHERE id = 2`: "ÄNNE änne ann@example.com", found("authors", "änne"): "2"},
			breaks:   []string{`INSERT INTO authors (name, address, address_fold) VALUES ('x', 'Ada@example.com', 'ada@example.com')`},
			then:     []string{`UPDATE authors SET title = 'Eve', title_fold = 'eve' WHERE id = 1`},
			wantThen: map[string]string{found("authors", "eve"): "1", found("authors", "ada"): ""}},
		{kind: 11, name: "rename an edge of many to many", after: func(w *world) {
			w.post.edges = []ent.Edge{w.post.edges[0], edge.To("labels", Tag.Type).Annotations(expose.Was("tags"))}
			w.tag.edges = []ent.Edge{edge.From("posts", Post.Type).Ref("labels")}
		}, want: map[string]string{`SELECT CAST(count(*) AS text) FROM post_labels`: "3"}, breaks: []string{`INSERT INTO post_labels (post_id, tag_id) VALUES (1, 1)`, `INSERT INTO post_labels (post_id, tag_id) VALUES (99, 1)`}},
		{kind: 12, name: "int to bigint unasked", after: func(w *world) { w.author.with(field.Int64("age").Default(0)) }, refused: `expose.Backfill("age")`},
		{kind: 12, name: "int to bigint", accept: []string{"LV101"}, after: func(w *world) { w.author.with(field.Int64("age").Default(0)) },
			then: []string{`UPDATE authors SET age = 5000000000 WHERE id = 1`}, want: map[string]string{`SELECT CAST(age AS text) FROM authors ORDER BY id`: "36 20 50"}, wantThen: map[string]string{`SELECT CAST(age AS text) FROM authors WHERE id = 1`: "5000000000"}},
		{kind: 13, name: "a longer limit", before: func(w *world) { w.post.with(expose.Length(field.String("title"), 1, 20)) }, after: func(w *world) { w.post.with(expose.Length(field.String("title"), 1, 40)) },
			want: map[string]string{`SELECT title FROM posts WHERE id = 2`: "Second"}},
		{kind: 14, name: "a narrower type", before: func(w *world) { w.author.with(field.Int64("age").Default(0)) }, after: func(w *world) { w.author.with(field.Bool("age").Default(false)) }, refused: "TY101"},
		{kind: 15, name: "nullable to required unasked", after: func(w *world) { w.author.with(field.String("bio")) }, refused: "expose.Backfill"},
		{kind: 15, name: "nullable to required with rows that have none", after: func(w *world) { w.author.with(field.String("bio")) }, accept: []string{"MF104", "LT101"},
			fails: "bio is required and these rows have none: 1; 2; 3", mend: []string{`UPDATE authors SET bio = 'b'`}, want: map[string]string{`SELECT bio FROM authors`: "b b b"}},
		{kind: 15, name: "nullable to required", rows: append(rows[:4:4], `UPDATE authors SET bio = 'poet' WHERE id = 2`), after: func(w *world) {
			w.author.with(field.String("bio").Annotations(expose.Backfill("'of ' || name")))
		}, want: map[string]string{`SELECT bio FROM authors ORDER BY id`: "of Ada poet of Bob"}, breaks: []string{`UPDATE authors SET bio = NULL`}},
		{kind: 16, name: "an input without its default", before: func(w *world) { w.post.with(field.String("language").Default("en")) }, after: func(w *world) { w.post.with(field.String("language")) },
			want: map[string]string{`SELECT language FROM posts ORDER BY id`: "en en en"}},
		{kind: 17, name: "required to nullable", after: func(w *world) { w.author.with(field.String("email").Optional().Nillable()) },
			want: map[string]string{`SELECT email FROM authors WHERE id = 1`: "ada@example.com"}, then: []string{`UPDATE authors SET email = NULL`}},
		{kind: 18, name: "another default", after: func(w *world) { w.post.with(field.Int64("price").Default(7)) },
			want: map[string]string{`SELECT CAST(price AS text) FROM posts ORDER BY id`: "100 250 5"}, then: []string{`INSERT INTO posts (id, title, author_id) VALUES (9, 'x', 1)`}, wantThen: map[string]string{`SELECT CAST(price AS text) FROM posts WHERE id = 9`: "7"}},
		{kind: 19, name: "add unique", after: func(w *world) { w.author.with(field.String("email").Unique()) },
			rows:  append(rows[:4:4], `INSERT INTO authors (id, name, email) VALUES (4, 'Eve', 'ada@example.com')`),
			fails: "no two rows may have the same email: change or remove all but one of these: 1, 4 (ada@example.com)", mend: []string{`DELETE FROM authors WHERE id = 4`},
			want: map[string]string{`SELECT email FROM authors WHERE id = 1`: "ada@example.com"}, breaks: []string{`UPDATE authors SET email = 'ann@example.com'`}},
		{kind: 19, name: "add unique whatever the case", after: uniqueEmail,
			rows:  append(rows[:4:4], `INSERT INTO authors (id, name, email) VALUES (4, 'Eve', 'ADA@example.com')`),
			fails: "no two rows may have the same email, whatever the case: change or remove all but one of these: 1, 4 (ada@example.com)", mend: []string{`DELETE FROM authors WHERE id = 4`},
			want: map[string]string{`SELECT email_fold FROM authors ORDER BY id`: "ada@example.com ann@example.com bob@example.com"}, breaks: []string{`UPDATE authors SET email_fold = 'bob@example.com' WHERE id = 1`}},
		{kind: 19, name: "add a unique field with a default", after: func(w *world) {
			w.post.with(field.String("shelf").Default("a"))
			w.post.indexes = []ent.Index{index.Fields("shelf").Unique()}
		}, fails: "no two rows may have the same shelf: change or remove all but one of these: 1", mend: []string{`DELETE FROM posts WHERE id > 1`},
			want: map[string]string{`SELECT shelf FROM posts`: "a"}, breaks: []string{`INSERT INTO posts (title, author_id) VALUES ('x', 1)`}},
		{kind: 19, name: "add unique where a new field has no value", after: func(w *world) {
			w.post.with(field.Time("closed_at").Optional().Nillable())
			w.post.indexes = []ent.Index{index.Fields("author_id").Unique().Annotations(entsql.IndexWhere("closed_at IS NULL"))}
		}, fails: "no two rows may have the same author_id: change or remove all but one of these: 1, 2 (1)", mend: []string{`DELETE FROM posts WHERE id = 2`},
			want: map[string]string{postCount: "2"}, breaks: []string{`INSERT INTO posts (title, author_id) VALUES ('x', 1)`}},
		{kind: 20, name: "drop unique", before: func(w *world) { w.author.with(field.String("email").Unique()) }, after: nothing,
			want: map[string]string{`SELECT email FROM authors WHERE id = 1`: "ada@example.com"}, then: []string{`UPDATE authors SET email = 'one'`}},
		{kind: 21, name: "a tighter check", after: func(w *world) { w.post.checks = map[string]string{"cheap": "price IN (5, 100)"} },
			fails: "the check cheap does not hold of these rows; change them first: 2", mend: []string{`UPDATE posts SET price = 5 WHERE id = 2`}, breaks: []string{`UPDATE posts SET price = 200`}},
		{kind: 21, name: "a check that names a new field", after: func(w *world) {
			w.post.with(field.String("note").Optional().Nillable())
			w.post.checks = map[string]string{"dear": "note IS NOT NULL OR price < 200"}
		}, fails: "the check dear does not hold of these rows; change them first: 2", mend: []string{`UPDATE posts SET price = 5 WHERE id = 2`}, breaks: []string{`UPDATE posts SET price = 200`}},
		{kind: 21, name: "a check with parentheses at both ends", after: func(w *world) {
			w.author.checks = map[string]string{"one": "(bio IS NULL) <> (left_at IS NULL)"}
		}, rows: append(rows[:4:4], `UPDATE authors SET bio = 'b'`), want: map[string]string{`SELECT bio FROM authors WHERE id = 1`: "b"}, breaks: []string{`UPDATE authors SET bio = NULL`}},
		{kind: 21, name: "a rule over fields", after: func(w *world) {
			w.post.resource.Checks = []expose.Check{{Name: "dear", Rule: policy.Any(policy.Is("status", "draft"), policy.Not(policy.Less("price", "author_id"))), Fields: []string{"price"}, Says: "must be more"}}
		}, rows: append(slices.Clone(rows), `UPDATE posts SET price = 1 WHERE id = 3`), fails: "the check posts_dear does not hold of these rows; change them first: 3", mend: []string{`UPDATE posts SET price = 2 WHERE id = 3`},
			breaks: []string{`UPDATE posts SET price = 0 WHERE id = 1`}, then: []string{`UPDATE posts SET price = 0 WHERE id = 2`}},
		{kind: 21, name: "a tree of rows that go in a circle", before: grown(), after: grown(expose.Tree(3)),
			rows:  append(slices.Clone(chain), `UPDATE posts SET reply_to = 3 WHERE id = 1`),
			fails: "reply_to makes no tree of at most 3 levels of these rows, which are above themselves or too deep: change it first: 1; 2; 3",
			mend:  []string{`UPDATE posts SET reply_to = NULL WHERE id = 1`},
			breaks: []string{`UPDATE posts SET reply_to = 3 WHERE id = 1`, `UPDATE posts SET reply_to = 2 WHERE id = 2`,
				`INSERT INTO posts (id, title, author_id, reply_to) VALUES (9, 'Ninth', 3, 3)`, `INSERT INTO posts (id, title, author_id, reply_to) VALUES (9, 'Ninth', 3, 9)`},
			then:     []string{`UPDATE posts SET reply_to = NULL WHERE id = 2`, `INSERT INTO posts (id, title, author_id, reply_to) VALUES (9, 'Ninth', 3, 3)`, `UPDATE posts SET reply_to = 3 WHERE id = 1`},
			wantThen: map[string]string{`SELECT COALESCE(CAST(reply_to AS text), '-') FROM posts ORDER BY id`: "3 - 2 3"}},
		{kind: 21, name: "a tree of fewer levels", before: grown(expose.Tree(3)), after: grown(expose.Tree(2)), rows: chain,
			fails: "reply_to makes no tree of at most 2 levels of these rows, which are above themselves or too deep: change it first: 3",
			mend:  []string{`UPDATE posts SET reply_to = 1 WHERE id = 3`}, breaks: []string{`UPDATE posts SET reply_to = 2 WHERE id = 3`}},
		{kind: 22, name: "a tree of more levels", before: grown(expose.Tree(2)), after: grown(expose.Tree(3)),
			then: []string{`UPDATE posts SET reply_to = 1 WHERE id = 2`, `UPDATE posts SET reply_to = 2 WHERE id = 3`}},
		{kind: 22, name: "a tree no longer", before: grown(expose.Tree(3)), after: grown(), rows: chain, then: []string{`UPDATE posts SET reply_to = 3 WHERE id = 1`}},
		{kind: 9, name: "tenants of rows that no value is said of", after: owned(true), refused: "expose.Backfill"},
		{kind: 9, name: "tenants of rows that are one's", after: owned(true, expose.Backfill("7")), want: map[string]string{`SELECT CAST(org_id AS text) FROM posts`: "7 7 7"},
			breaks: []string{`UPDATE posts SET org_id = 8`, `INSERT INTO posts (id, title, author_id, org_id) VALUES (9, 'Ninth', 3, 8)`}},
		{kind: 39, name: "tenants of rows that refer to others'", before: owned(false), after: owned(true), rows: inOrgs,
			fails: "author_id of these rows leads to a row of another tenant: change it first: 3",
			mend:  []string{`UPDATE posts SET author_id = 3 WHERE id = 3`, `DELETE FROM post_tags WHERE post_id = 3`},
			breaks: []string{`UPDATE posts SET author_id = 1 WHERE id = 3`, `UPDATE posts SET org_id = 8`, `INSERT INTO post_tags (post_id, tag_id) VALUES (3, 1)`,
				`INSERT INTO posts (id, title, author_id, org_id) VALUES (9, 'Ninth', 3, 7)`}},
		{kind: 22, name: "a looser check", before: func(w *world) { w.post.checks = map[string]string{"cheap": "price < 300"} }, after: nothing,
			then: []string{`UPDATE posts SET price = 400`}, want: map[string]string{postCount: "3"}},
		{kind: 23, name: "add a value", after: func(w *world) { w.post.with(statuses("draft", "live", "dead", "late")) },
			then: []string{`UPDATE posts SET status = 'late' WHERE id = 1`}, breaks: []string{`UPDATE posts SET status = 'other'`}, want: map[string]string{`SELECT status FROM posts ORDER BY id`: "live draft dead"}},
		{kind: 24, name: "remove a value that rows have", after: func(w *world) { w.post.with(statuses("draft", "live")) },
			fails: "status of these rows is none of its values; expose.ValueWas says which one it becomes, or change the rows first: 3", mend: []string{`UPDATE posts SET status = 'live' WHERE id = 3`}, breaks: []string{`UPDATE posts SET status = 'dead'`}},
		{kind: 24, name: "remove a value that becomes another", after: func(w *world) {
			w.post.with(statuses("draft", "live", expose.ValueWas("draft", "dead")))
		}, want: map[string]string{`SELECT status FROM posts ORDER BY id`: "live draft draft"}, breaks: []string{`UPDATE posts SET status = 'dead'`}},
		{kind: 24, name: "remove a value that another counts", before: counted, after: func(w *world) {
			w.author.with(field.Int64("posts_count").Default(0).Annotations(expose.CountOf("posts", "NEW.status <> 'dead'")))
			w.post.with(statuses("draft", "dead", expose.ValueWas("dead", "live")))
		}, want: map[string]string{`SELECT CAST(posts_count AS text) FROM authors ORDER BY id`: "1 0 0"},
			then: []string{`UPDATE posts SET status = 'draft'`}, wantThen: map[string]string{`SELECT CAST(posts_count AS text) FROM authors ORDER BY id`: "2 1 0"}},
		{kind: 25, name: "rename values", after: func(w *world) {
			w.events = true
			w.post.resource.Events = []expose.Topic{{Name: "post.moved", On: "update", When: "NEW.status <> OLD.status"}}
			w.post.with(statuses("draft", "public", "gone", expose.ValueWas("public", "live"), expose.ValueWas("gone", "dead")))
		}, before: func(w *world) {
			w.events = true
			w.post.resource.Events = []expose.Topic{{Name: "post.moved", On: "update", When: "NEW.status <> OLD.status"}}
		}, want: map[string]string{`SELECT status FROM posts ORDER BY id`: "public draft gone", `SELECT CAST(count(*) AS text) FROM events`: "0"},
			breaks: []string{`UPDATE posts SET status = 'live'`}, then: []string{`UPDATE posts SET status = 'gone' WHERE id = 1`}, wantThen: map[string]string{`SELECT topic FROM events`: "post.moved"}},
		{kind: 26, name: "a field made secret", after: func(w *world) { w.author.with(field.String("email").Annotations(expose.Secret())) }, none: true},
		{kind: 27, name: "visible to fewer", after: func(w *world) { w.author.with(field.String("email").Annotations(expose.VisibleTo("admin"))) }, none: true},
		{kind: 28, name: "visible to more", before: func(w *world) { w.author.with(field.String("email").Annotations(expose.VisibleTo("admin"))) }, after: nothing, none: true},
		{kind: 29, name: "writable by fewer", after: func(w *world) { w.author.with(field.String("email").Annotations(expose.WritableBy("admin"))) }, none: true},
		{kind: 30, name: "remove a search", before: searchNames, after: nothing, want: map[string]string{`SELECT name FROM authors ORDER BY id`: "Ada ÄNNE Bob"}},
		{kind: 31, name: "add filter, sort and search", after: func(w *world) {
			w.author.with(field.String("name").Annotations(expose.By(expose.Filter, expose.Sort, expose.Search)))
		}, want: map[string]string{`SELECT name_fold FROM authors ORDER BY id`: "ada änne bob"}},
		{kind: 31, name: "add a full-text search", after: searchTitles, want: map[string]string{found("posts", "words"): "1", found("posts", "second"): "2"},
			then: []string{`UPDATE posts SET title = 'Other', title_fold = 'other' WHERE id = 1`, `DELETE FROM posts WHERE id = 2`}, wantThen: map[string]string{found("posts", "words"): "", found("posts", "other"): "1", found("posts", "second"): ""}},
		{kind: 31, name: "change what is searched", before: searchTitles, rows: append(rows[:4:4], `UPDATE posts SET title_fold = lower(title)`), after: func(w *world) {
			searchTitles(w)
			w.post.with(field.String("note").Default("apple").Annotations(expose.By(expose.Search)))
			w.post.resource.Search = []string{"title", "note"}
		}, want: map[string]string{found("posts", "words"): "1", found("posts", "apple"): "1 2 3"},
			then: []string{`UPDATE posts SET note = 'pear', note_fold = 'pear' WHERE id = 1`}, wantThen: map[string]string{found("posts", "apple"): "2 3", found("posts", "pear"): "1"}},
		{kind: 32, name: "another order", after: func(w *world) {
			w.post.resource.Sort, w.post.resource.Limit = "-id", 50
		}, none: true},
		{kind: 33, name: "precision of money", after: func(w *world) {
			w.post.with(field.Int64("price_mills").Annotations(expose.Backfill("price * 10")))
		}, want: map[string]string{`SELECT CAST(price_mills AS text) FROM posts ORDER BY id`: "1000 2500 50"}},
		{kind: 34, name: "add an edge", after: func(w *world) { editor(w, true) }, want: map[string]string{`SELECT CAST(editor_id AS text) FROM posts WHERE id = 1`: "null"},
			breaks: []string{`UPDATE posts SET editor_id = 99`}},
		{kind: 35, name: "a required edge unasked", after: func(w *world) { editor(w, false) }, refused: "expose.Backfill"},
		{kind: 35, name: "a required edge", after: func(w *world) { editor(w, false, expose.Backfill("author_id")) }, want: map[string]string{`SELECT CAST(editor_id AS text) FROM posts ORDER BY id`: "1 1 2"},
			breaks: []string{`UPDATE posts SET editor_id = 99`, `UPDATE posts SET editor_id = NULL`}},
		{kind: 36, name: "one to many becomes many to one", after: turned, refused: "posts.author_id would go with its values"},
		{kind: 36, name: "one to many becomes many to one, meant", after: turned, drop: []string{"author_id"}, want: map[string]string{postCount: "3", `SELECT name FROM authors ORDER BY id`: "Ada ÄNNE Bob"}},
		{kind: 37, name: "what a removal does", after: func(w *world) {
			w.author.edges = []ent.Edge{edge.To("posts", Post.Type).Annotations(entsql.OnDelete(entsql.Restrict))}
		}, want: map[string]string{postCount: "3"}, breaks: []string{`DELETE FROM authors WHERE id = 1`}},
		{kind: 38, name: "soft deletes", after: func(w *world) {
			w.post.with(field.Time("deleted_at").Optional().Nillable().Annotations(expose.Computed()), field.Int64("deleted_with").Optional().Nillable().Annotations(expose.Internal()))
		}, want: map[string]string{`SELECT CAST(count(*) AS text) FROM posts WHERE deleted_at IS NULL`: "3"}},
		{kind: 39, name: "a narrower policy", after: func(w *world) { w.post.read = &admins }, none: true},
		{kind: 40, name: "an operation removed", after: func(w *world) { w.post.resource.Operations = []expose.Operation{expose.List} }, none: true},
		{kind: 41, name: "add an index", after: func(w *world) { w.post.indexes = []ent.Index{index.Fields("title", "price")} }, want: map[string]string{postCount: "3"}},
		{kind: 42, name: "drop an index", before: func(w *world) { w.post.indexes = []ent.Index{index.Fields("title", "price")} }, after: nothing, want: map[string]string{postCount: "3"}},
		{kind: 43, name: "count, add up and take the mean", after: func(w *world) {
			counted(w)
			w.author.with(
				field.Int64("earned").Default(0).Annotations(expose.SumOf("posts", "price", "NEW.status <> 'dead'")),
				field.Float("average").Optional().Nillable().Annotations(expose.MeanOf("earned", "posts_count")))
			w.tag.with(field.Int64("uses").Default(0).Annotations(expose.CountOf("posts", "")))
		}, want: map[string]string{
			`SELECT posts_count || '/' || earned FROM authors ORDER BY id`: "2/350 0/0 0/0", `SELECT CAST(average AS text) FROM authors WHERE id = 2`: "null",
			`SELECT CAST(CAST(average AS integer) AS text) FROM authors WHERE id = 1`: "175", `SELECT CAST(uses AS text) FROM tags ORDER BY id`: "2 1"},
			then: []string{`DELETE FROM posts WHERE id = 1`}, wantThen: map[string]string{`SELECT posts_count || '/' || earned FROM authors WHERE id = 1`: "1/250", `SELECT CAST(uses AS text) FROM tags ORDER BY id`: "1 0"}},
		{kind: 43, name: "stamp", rows: append(rows[:4:4], `UPDATE authors SET age = 90 WHERE id = 2`), after: func(w *world) {
			w.post.with(field.Time("closed_at").Optional().Nillable().Annotations(expose.StampWhen("author_id", "NEW.age > 80")))
		}, want: map[string]string{`SELECT CAST(id AS text) FROM posts WHERE closed_at IS NOT NULL`: "3"},
			then: []string{`UPDATE authors SET age = 81 WHERE id = 1`}, wantThen: map[string]string{`SELECT CAST(count(*) AS text) FROM posts WHERE closed_at > '2020-01-01'`: "3"}},
		{kind: 44, name: "count what a rule admits", before: counted, after: func(w *world) {
			w.author.with(field.Int64("posts_count").Default(0).Annotations(expose.CountOf("posts", "NEW.price > 10").Where(policy.Any(policy.Is("status", "live"), policy.Not(policy.In("title", "Third", "Fourth"))))))
		}, want: map[string]string{`SELECT CAST(posts_count AS text) FROM authors ORDER BY id`: "2 0 0"},
			then: []string{`INSERT INTO posts (id, title, status, price, author_id) VALUES (8, 'Third', 'draft', 20, 3), (9, 'Third', 'live', 20, 3), (10, 'Fifth', 'draft', 5, 3)`,
				`UPDATE posts SET title = 'Fourth' WHERE id = 1`, `UPDATE posts SET title = 'Fourth' WHERE id = 2`, `UPDATE posts SET price = 11 WHERE id = 10`},
			wantThen: map[string]string{`SELECT CAST(posts_count AS text) FROM authors ORDER BY id`: "1 0 2"}},
		{kind: 44, name: "count something else", before: counted, after: func(w *world) {
			w.author.with(field.Int64("posts_count").Default(0).Annotations(expose.CountOf("posts", "NEW.status = 'live'")))
		}, want: map[string]string{`SELECT CAST(posts_count AS text) FROM authors ORDER BY id`: "1 0 0"},
			then: []string{`UPDATE posts SET status = 'live'`}, wantThen: map[string]string{`SELECT CAST(posts_count AS text) FROM authors ORDER BY id`: "2 1 0"}},
		{kind: 44, name: "another derived field", after: func(w *world) {
			w.post.resource.Derived = []expose.Derived{{Name: "dear", Shape: expose.Flag, SQL: "{row}.price > 100", Comment: "Whether it is dear.", Example: true}}
		}, none: true},
		{kind: 45, name: "arguments of a job", after: nothing, none: true},
		{kind: 46, name: "the kind of a job", after: nothing, none: true},
		{kind: 47, name: "the payload of an event", before: func(w *world) { announce(w) }, after: func(w *world) { announce(w, "title") },
			then: []string{`UPDATE posts SET title = 'New' WHERE id = 1`}, wantThen: map[string]string{`SELECT replace(payload, ' ', '') FROM events`: `{"title":"New"}`}},
		{kind: 48, name: "the type of ids", after: func(w *world) { w.tag.with(field.String("id").Annotations(expose.By(expose.Sort))) }, refused: "TY101"},
		{kind: 49, name: "arguments of an action", after: nothing, none: true},
		{kind: 50, name: "a lower limit", after: func(w *world) { w.post.resource.Limit = 5 }, none: true},
	}
}

func dropTags(w *world) {
	w.tag = shape{}
	w.post.edges = w.post.edges[:1]
}

func searchNames(w *world) {
	w.author.with(field.String("name").Annotations(expose.By(expose.Search)))
	w.author.resource.Search = []string{"name"}
}

func uniqueEmail(w *world) { w.author.with(field.String("email").Annotations(expose.UniqueFold())) }

// statuses is the enum with other values.
func statuses(values ...any) ent.Field {
	var names []string
	f := field.Enum("status")
	for _, v := range values {
		switch v := v.(type) {
		case string:
			names = append(names, v)
		case expose.Change:
			f.Annotations(v)
		}
	}
	return f.Values(names...).Default("draft")
}

func editor(w *world, optional bool, says ...expose.Change) {
	f, e := field.Int64("editor_id"), edge.To("editor", Author.Type).Field("editor_id").Unique()
	if optional {
		f.Optional().Nillable()
	} else {
		e.Required()
	}
	for _, c := range says {
		f.Annotations(c)
	}
	w.post.with(f)
	w.post.edges = append(slices.Clip(w.post.edges), e)
}

func turned(w *world) {
	w.post.without("author_id")
	w.post.edges = w.post.edges[1:]
	w.author.edges = []ent.Edge{edge.To("post", Post.Type).Unique()}
	w.post.edges = append(w.post.edges, edge.From("authors", Author.Type).Ref("post"))
}

func announce(w *world, payload ...string) {
	w.events = true
	w.post.resource.Events = []expose.Topic{{Name: "post.renamed", On: "update", When: "NEW.title <> OLD.title", Payload: payload}}
}

// found is a query for the rows that full-text search finds.
func found(table, word string) string { return "search " + table + " " + word }

// queryOf is the query as the database understands it.
func queryOf(db *store.DB, query string) string {
	words := strings.Fields(query)
	if words[0] != "search" {
		return query
	}
	if db.Postgres() {
		return `SELECT CAST(id AS text) FROM ` + words[1] + ` WHERE search_document @@ to_tsquery('simple', '` + words[2] + `') ORDER BY id`
	}
	return `SELECT CAST(rowid AS text) FROM search_` + words[1] + ` WHERE search_` + words[1] + ` MATCH '` + words[2] + `' ORDER BY rowid`
}

// plain are the migrations of the world as it begins for most changes.
var plain struct {
	sync.Once
	files map[string][]byte
}

// begin are the migrations of what the change begins with.
func begin(t *testing.T, c change) string {
	t.Helper()
	if c.before == nil {
		plain.Do(func() {
			root := repository(t)
			if _, err := planner.Diff(t.Context(), root, "first", newWorld().schema(t), planner.Allow{}); err != nil {
				t.Fatal(err)
			}
			plain.files = map[string][]byte{}
			for _, pattern := range []string{"*/*", "*.sum"} {
				paths, _ := fs.Glob(os.DirFS(root), pattern)
				for _, path := range paths {
					plain.files[path], _ = os.ReadFile(filepath.Join(root, path))
				}
			}
		})
		root := repository(t)
		for path, text := range plain.files {
			if err := os.WriteFile(filepath.Join(root, path), text, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		return root
	}
	w := newWorld()
	c.before(w)
	root := repository(t)
	if _, err := planner.Diff(t.Context(), root, "first", w.schema(t), planner.Allow{}); err != nil {
		t.Fatal(err)
	}
	return root
}

func (c change) wanted(t *testing.T) planner.Schema {
	t.Helper()
	w := newWorld()
	c.after(w)
	return w.schema(t)
}

// TestEveryKindOfChange makes each change on tables with rows, on both
// databases.
func TestEveryKindOfChange(t *testing.T) { //nolint:tparallel // squawk looks at what the others have written
	t.Parallel()
	written := &judged{files: map[string]string{}}
	t.Run("each", func(t *testing.T) { eachChange(t, written) })
	t.Run("squawk", written.bySquawk)
}

func eachChange(t *testing.T, all *judged) {
	t.Helper()
	for _, c := range corpus() {
		t.Run(strconv.Itoa(c.kind)+" "+c.name, func(t *testing.T) {
			t.Parallel()
			old := begin(t, c)
			next := copied(t, old)
			wanted := c.wanted(t)
			written, err := planner.Diff(t.Context(), next, "second", wanted, planner.Allow{Drop: c.drop, Accept: c.accept})
			if c.refused != "" {
				if err == nil || !strings.Contains(err.Error(), c.refused) {
					t.Fatalf("weave migrate diff: %v, want %q", err, c.refused)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			contract(t, next)
			all.add(t, strconv.Itoa(c.kind)+" "+c.name, next)
			if err := migration.Matches(os.DirFS(next), c.wanted(t).Digest(), dialect.Postgres); err != nil {
				t.Error(err)
			}
			if c.none && len(written) > 0 {
				text, _ := os.ReadFile(written[0])
				t.Fatalf("there is a migration:\n%s", text)
			}
			if c.none {
				return
			}
			if left, err := planner.Lint(t.Context(), next, ""); err != nil || len(findings(left)) > 0 {
				t.Errorf("weave migrate lint: %v, %v", findings(left), err)
			}
			storetest.Schema{}.Each(t, func(t *testing.T, db *store.DB) { c.run(t, db, old, next) })
		})
	}
}

// contract ends what the last migration has left for programs from before it.
func contract(t *testing.T, root string) {
	t.Helper()
	if _, err := planner.Contract(t.Context(), root, "contract"); err != nil {
		t.Fatal(err)
	}
}

func findings(all []planner.Finding) (left []planner.Finding) {
	for _, f := range all {
		if !f.Note {
			left = append(left, f)
		}
	}
	return left
}

func (c change) fill(t *testing.T, db *store.DB, old string) {
	t.Helper()
	if err := apply(t.Context(), db, old); err != nil {
		t.Fatal(err)
	}
	if c.rows == nil {
		exec(t, db, rows...)
	} else {
		exec(t, db, c.rows...)
	}
	if strings.Contains(c.name, "rename a") { // what the service writes beside the texts
		for _, column := range []string{"name", "email"} {
			if read(t, db, columnCount(db, "authors", column+"_fold")) == "1" {
				exec(t, db, `UPDATE authors SET `+column+`_fold = CASE id WHEN 2 THEN replace(lower(`+column+`), 'Ä', 'ä') ELSE lower(`+column+`) END`)
			}
		}
	}
}

func columnCount(db *store.DB, table, column string) string {
	if db.Postgres() {
		return `SELECT CAST(count(*) AS text) FROM information_schema.columns WHERE table_name = '` + table + `' AND column_name = '` + column + `'`
	}
	return `SELECT CAST(count(*) AS text) FROM pragma_table_info('` + table + `') WHERE name = '` + column + `'`
}

func (c change) run(t *testing.T, db *store.DB, old, next string) {
	c.fill(t, db, old)
	err := apply(t.Context(), db, next)
	if c.fails != "" {
		if err == nil || !strings.Contains(err.Error(), c.fails) {
			t.Fatalf("Apply: %v, want %q", err, c.fails)
		}
		exec(t, db, c.mend...)
		err = apply(t.Context(), db, next)
	}
	if err != nil {
		t.Fatal(err)
	}
	c.check(t, db)
}

// check checks the rows, what the database refuses, and what its triggers do.
func (c change) check(t *testing.T, db *store.DB) {
	t.Helper()
	has := func(want map[string]string) {
		t.Helper()
		for query, want := range want {
			if got := read(t, db, queryOf(db, query)); got != want {
				t.Errorf("%s: %q, want %q", query, got, want)
			}
		}
	}
	has(c.want)
	for _, statement := range c.breaks {
		if _, err := db.ExecContext(t.Context(), statement); err == nil {
			t.Errorf("%s: the database lets it pass", statement)
		}
	}
	exec(t, db, c.then...)
	has(c.wantThen)
}

// A kind of change that is documented has its case here.
func TestEveryKindHasItsCase(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../../doc/operations/migrations.md")
	if err != nil {
		t.Fatal(err)
	}
	has := map[int]bool{}
	for _, c := range corpus() {
		has[c.kind] = true
	}
	kinds := regexp.MustCompile(`(?m)^\| (\d+) \|`).FindAllStringSubmatch(string(text), -1)
	for _, k := range kinds {
		n, err := strconv.Atoi(k[1])
		if err != nil {
			t.Fatal(err)
		}
		if !has[n] {
			t.Errorf("kind %d has no case", n)
		}
		delete(has, n)
	}
	if len(kinds) < 50 || len(has) > 0 {
		t.Errorf("%d kinds are documented; cases of others: %v", len(kinds), has)
	}
}
