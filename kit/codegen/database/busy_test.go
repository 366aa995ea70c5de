package database_test

import (
	"slices"
	"strings"

	"entgo.io/ent"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/edge"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"

	"github.com/entwine-go/entwine/kit/codegen/codegentest/worldtest"
	"github.com/entwine-go/entwine/kit/expose"
)

// busy is a change that programs from before it and after it write through.
type busy struct {
	name  string
	after func(w *world)
	// columns and values are those that the new program writes besides.
	columns, values string
	// statuses are those that it writes.
	statuses []string
	// wrong are queries for what must not be there in the end.
	wrong []string
	// accept is for what stops others.
	accept []string
}

func busies() []busy {
	all := []busy{
		{name: "an index", after: func(w *world) { w.Post.Indexes = []ent.Index{index.Fields("title", "price")} }},
		{name: "a unique index", after: func(w *world) { w.Author.With(field.String("email").Unique()) }},
		{name: "a field", after: func(w *world) {
			w.Post.With(field.String("note").Optional().Nillable(), field.String("mood").Default("calm"))
		}, columns: "note, mood", values: "'n', 'wild'"},
		{name: "a required field", after: func(w *world) {
			w.Post.With(field.String("language").Annotations(expose.Backfill("CASE WHEN price > 100 THEN 'fr' ELSE 'en' END")))
		}, columns: "language", values: "'de'", wrong: []string{`SELECT CAST(id AS text) FROM posts WHERE language NOT IN ('fr', 'en', 'de')`}},
		{name: "a field comes to be required", after: func(w *world) {
			w.Author.With(field.String("bio").Annotations(expose.Backfill("'of ' || name")))
		}, wrong: []string{`SELECT name FROM authors WHERE bio NOT IN ('of ' || name, 'poet')`}},
		{name: "a text unique whatever the case", after: uniqueEmail,
			wrong: []string{`SELECT email FROM authors WHERE email_fold <> lower(email)`}},
		{name: "an edge", after: func(w *world) { w.AddEditor(true) }, columns: "editor_id", values: "2"},
		{name: "a required edge", after: func(w *world) { w.AddEditor(false, expose.Backfill("author_id")) }, columns: "editor_id", values: "2",
			wrong: []string{`SELECT CAST(id AS text) FROM posts WHERE editor_id NOT IN (author_id, 2)`}},
		{name: "what a removal does", after: func(w *world) {
			w.Author.Edges = []ent.Edge{edge.To("posts", worldtest.Post.Type)}
		}},
		{name: "a check", after: func(w *world) { w.Post.Checks = map[string]string{"paid": "price >= 0"} }},
		{name: "another value", after: func(w *world) { w.Post.With(statuses("draft", "live", "dead", "late")) }, statuses: []string{"late"}},
		{name: "other names of values", after: func(w *world) {
			announced(w)
			w.Post.With(statuses("draft", "public", "gone", expose.ValueWas("public", "live"), expose.ValueWas("gone", "dead")))
		}, statuses: []string{"public", "gone"}, wrong: []string{`SELECT topic FROM events`}},
		{name: "a count and a sum", after: func(w *world) {
			w.Author.With(field.Int64("posts_count").Default(0).Annotations(expose.CountOf("posts", "NEW.status <> 'dead'")),
				field.Int64("earned").Default(0).Annotations(expose.SumOf("posts", "price", "")),
				field.Float("average").Optional().Nillable().Annotations(expose.MeanOf("earned", "posts_count")))
		}, wrong: []string{
			`SELECT CAST(id AS text) FROM authors WHERE posts_count <> (SELECT count(*) FROM posts WHERE author_id = authors.id AND status <> 'dead')`,
			`SELECT CAST(id AS text) FROM authors WHERE earned <> (SELECT coalesce(sum(price), 0) FROM posts WHERE author_id = authors.id)`,
		}},
		{name: "parts of texts are searched", after: func(w *world) { w.Post.With(field.String("title").Annotations(expose.By(expose.Search))) },
			columns: "title_fold", values: "'new'", wrong: []string{`SELECT title FROM posts WHERE title_fold <> lower(title)`}},
		{name: "a full-text search", after: searchTitles, columns: "title_fold", values: "'new'", wrong: []string{
			`SELECT title FROM posts WHERE search_document IS DISTINCT FROM setweight(to_tsvector('simple', translate(lower(title), '.', ' ')), 'A')`,
		}},
		{name: "amounts are compared", after: compareAmounts, wrong: []string{`SELECT CAST(id AS text) FROM posts WHERE price_units IS DISTINCT FROM price * 100`}},
		{name: "an index goes", after: func(*world) {}},
	}
	return append(all, together(all))
}

// searchTitles has the titles of posts be searched.
func searchTitles(w *world) {
	w.Post.With(field.String("title").Annotations(expose.By(expose.Search)))
	w.Post.Resource.Search = []string{"title"}
}

// priced has prices be amounts.
func priced(w *world, by ...schema.Annotation) {
	w.Post.With(field.String("currency").Default("EUR"), field.Int64("price").Default(0).Annotations(append(by, expose.Money("currency"))...))
}

// compareAmounts has listings be ordered by prices.
func compareAmounts(w *world) { priced(w, expose.By(expose.Sort), expose.Scanned()) }

// announced has changes of the status be events: a migration makes none.
func announced(w *world) {
	w.Events = true
	w.Post.Resource.Events = []expose.Topic{{Name: "post.moved", On: "update", When: "NEW.status <> OLD.status"}}
}

// together is all of it in one migration.
func together(all []busy) busy {
	some := busy{name: "all at once", after: func(w *world) {
		w.Post.Indexes = []ent.Index{index.Fields("title", "price")}
		w.Post.Checks = map[string]string{"paid": "price >= 0"}
		w.Post.With(field.String("language").Annotations(expose.Backfill("CASE WHEN price > 100 THEN 'fr' ELSE 'en' END")))
		w.AddEditor(true)
		for _, b := range all {
			if slices.Contains([]string{"a field comes to be required", "a text unique whatever the case", "other names of values", "a count and a sum"}, b.name) {
				b.after(w)
			}
		}
	}, columns: "language, editor_id", values: "'de', 2"}
	some.after = sameCounts(some.after)
	for _, b := range all {
		switch b.name {
		case "other names of values":
			some.statuses, some.wrong = b.statuses, append(some.wrong, b.wrong...)
		case "a text unique whatever the case", "a field comes to be required":
			some.wrong = append(some.wrong, b.wrong...)
		case "a count and a sum":
			some.wrong = append(some.wrong, strings.ReplaceAll(b.wrong[0], "'dead'", "'gone'"), b.wrong[1])
		}
	}
	return some
}

// sameCounts counts by the names that values have after the change.
func sameCounts(after func(w *world)) func(w *world) {
	return func(w *world) {
		after(w)
		w.Author.With(field.Int64("posts_count").Default(0).Annotations(expose.CountOf("posts", "NEW.status <> 'gone'")))
	}
}

// before is the world that the change begins with.
func (b busy) before(w *world) {
	switch b.name {
	case "an index goes":
		w.Post.Indexes = []ent.Index{index.Fields("title", "price")}
	case "other names of values":
		announced(w)
	case "amounts are compared":
		priced(w)
	case "all at once":
		announced(w)
	}
}
