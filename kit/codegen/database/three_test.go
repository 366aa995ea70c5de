package database_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"entgo.io/ent"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"

	"github.com/entwine-go/entwine/kit/codegen/planner"
	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/kittest/storetest"
	"github.com/entwine-go/entwine/kit/store"
)

// How much TestThreeReleases tries: 10,000 sequences on SQLite and 500 on PostgreSQL with
// make faults.
var (
	threeSequences = flag.Int("sequences", 6, "how many `sequences` of writes of three releases there are on SQLite")
	threeOnServer  = flag.Int("sequences-postgres", 2, "how many `sequences` there are on PostgreSQL")
	threeSeed      = flag.Uint64("sequences-seed", 1, "the `number` that they follow from")
)

// each is how many sequences are made of the same changes.
const each = 10

// gradual is a change that lets programs of releases before go on.
type gradual struct {
	name string
	// server is set where they can do so on PostgreSQL alone, by triggers.
	server bool
	// clashes names another one that changes the same, and needs one of an earlier
	// release, which this changes again.
	clashes, needs string
	after          func(w *world)
	// column is new in the table. Programs that know it write what write returns, and rows
	// of others get what given does. It is computed again where follows is set, and a
	// program that does not write it changes what it follows from.
	table, column string
	write         func(r *rand.Rand, row record) string
	given         func(row record) string
	follows       bool
	// values are those written to posts.status from then on, renamed the new ones of former
	// values.
	values  []string
	renamed map[string]string
	// wrong is a query for rows that must not be there.
	wrong string
}

// record is a row as it must be: texts by columns.
type record map[string]string

const null = "null"

func fixed(value string) func(record) string { return func(record) string { return value } }

// either writes one of them.
func either(values ...string) func(*rand.Rand, record) string {
	return func(r *rand.Rand, _ record) string { return values[r.IntN(len(values))] }
}

func language(row record) string {
	if len(row["price"]) > 2 {
		return "fr"
	}
	return "en"
}

func graduals() []gradual {
	return []gradual{
		{name: "a nullable field", table: "posts", column: "note", write: either(null, "n", "it's"), given: fixed(null),
			after: func(w *world) { w.Post.With(field.String("note").Optional().Nillable()) }},
		{name: "a default", table: "posts", column: "mood", write: either("calm", "wild"), given: fixed("calm"),
			after: func(w *world) { w.Post.With(field.String("mood").Default("calm")) }},
		{name: "a default of an author", table: "authors", column: "level", write: either("1", "2"), given: fixed("3"),
			after: func(w *world) { w.Author.With(field.Int64("level").Default(3)) }},
		{name: "a required field", server: true, table: "posts", column: "language", write: either("de", "en", "fr"), given: language, follows: true,
			after: func(w *world) {
				w.Post.With(field.String("language").Annotations(expose.Backfill("CASE WHEN price > 99 THEN 'fr' ELSE 'en' END")))
			}},
		{name: "another precision", server: true, table: "posts", column: "price_mills", given: func(row record) string { return row["price"] + "0" }, follows: true,
			write: func(_ *rand.Rand, row record) string { return row["price"] + "0" },
			after: func(w *world) {
				w.Post.With(field.Int64("price_mills").Annotations(expose.Backfill("price * 10").Inverse("price", "price_mills / 10")))
			}},
		{name: "a field comes to be required", server: true, table: "authors", column: "bio", write: either("poet", "smith"), given: func(row record) string { return "of " + row["name"] },
			after: func(w *world) { w.Author.With(field.String("bio").Annotations(expose.Backfill("'of ' || name"))) }},
		{name: "an edge", table: "posts", column: "editor_id", write: either(null, "1", "2"), given: fixed(null), clashes: "a required edge",
			after: func(w *world) { w.AddEditor(true) }},
		{name: "a required edge", server: true, table: "posts", column: "editor_id", write: either("1", "2"), given: func(row record) string { return row["author_id"] }, follows: true, clashes: "an edge",
			after: func(w *world) { w.AddEditor(false, expose.Backfill("author_id")) }},
		{name: "another value", after: func(w *world) { w.Post.With(statuses("draft", "live", "dead", "late")) }, values: []string{"draft", "live", "dead", "late"}, clashes: "other names of values"},
		{name: "other names of values", server: true, clashes: "another value", values: []string{"draft", "public", "gone"}, renamed: map[string]string{"live": "public", "dead": "gone"},
			after: func(w *world) {
				w.Post.With(statuses("draft", "public", "gone", expose.ValueWas("public", "live"), expose.ValueWas("gone", "dead")))
			}},
		{name: "a third precision", server: true, needs: "another precision", table: "posts", column: "micros", given: func(row record) string { return row["price_mills"] + "0" }, follows: true,
			write: func(_ *rand.Rand, row record) string { return row["price"] + "00" },
			after: func(w *world) {
				w.Post.With(field.Int64("micros").Annotations(expose.Backfill("price_mills * 10").Inverse("price_mills", "micros / 10")))
			}},
		{name: "names of values once more", server: true, needs: "other names of values", clashes: "the values of before", values: []string{"draft", "open", "gone"}, renamed: map[string]string{"public": "open"},
			after: func(w *world) {
				w.Post.With(statuses("draft", "open", "gone", expose.ValueWas("open", "public")))
			}},
		{name: "the values of before", server: true, needs: "other names of values", clashes: "names of values once more", values: []string{"draft", "live", "gone"}, renamed: map[string]string{"public": "live"},
			after: func(w *world) {
				w.Post.With(statuses("draft", "live", "gone", expose.ValueWas("live", "public")))
			}},
		{name: "a count", after: func(w *world) {
			w.Author.With(field.Int64("posts_count").Default(0).Annotations(expose.CountOf("posts", "NEW.price > 99")))
		}, wrong: `SELECT CAST(id AS text) FROM authors WHERE posts_count <> (SELECT count(*) FROM posts WHERE author_id = authors.id AND price > 99)`},
		{name: "a sum", after: func(w *world) {
			w.Author.With(field.Int64("earned").Default(0).Annotations(expose.SumOf("posts", "price", "")))
		}, wrong: `SELECT CAST(id AS text) FROM authors WHERE earned <> (SELECT coalesce(sum(price), 0) FROM posts WHERE author_id = authors.id)`},
		{name: "unique whatever the case", server: true, clashes: "unique", after: uniqueEmail, wrong: `SELECT email FROM authors WHERE email_fold <> lower(email)`,
			table: "authors", column: "email_fold", given: func(row record) string { return row["email"] }, write: func(_ *rand.Rand, row record) string { return row["email"] }},
		{name: "unique", clashes: "unique whatever the case", after: func(w *world) { w.Author.With(field.String("email").Unique()) }},
		{name: "an index", after: func(w *world) { w.Post.Indexes = []ent.Index{index.Fields("title", "price")} }},
		{name: "a check", after: func(w *world) { w.Post.Checks = map[string]string{"paid": "price >= 0"} }},
		{name: "required to nullable", after: func(w *world) { w.Tag.With(field.String("label").Optional().Nillable()) }},
		{name: "another default of now", after: func(w *world) { w.Author.With(field.Int32("age").Default(7)) }},
		{name: "an entity's link", after: func(w *world) { w.Tag.With(field.Int64("uses").Default(0).Annotations(expose.CountOf("posts", ""))) },
			wrong: `SELECT CAST(id AS text) FROM tags WHERE uses <> (SELECT count(*) FROM post_tags WHERE tag_id = tags.id)`},
	}
}

// TestThreeReleases has programs of three releases, each of which changes the schema at
// random, write beside each other in the orders in which they can be deployed. No row is
// lost or another than it must be, and no statement of a program fails.
func TestThreeReleases(t *testing.T) {
	t.Parallel()
	for name, on := range map[string]struct {
		server    bool
		sequences int
		open      func(t *testing.T) *store.DB
	}{
		"sqlite":   {false, *threeSequences, func(t *testing.T) *store.DB { return storetest.Schema{}.SQLite(t) }},
		"postgres": {true, *threeOnServer, func(t *testing.T) *store.DB { return storetest.Schema{}.Postgres(t) }},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for n, left := uint64(0), on.sequences; left > 0; n, left = n+1, left-each {
				t.Run(fmt.Sprint(n), func(t *testing.T) {
					t.Parallel()
					r := rand.New(rand.NewPCG(*threeSeed, n))
					releases := planned(t, r, on.server)
					for s := range min(left, each) {
						t.Run(fmt.Sprint(s), func(t *testing.T) {
							(&sequence{T: t, r: rand.New(rand.NewPCG(*threeSeed, n<<16|uint64(s))), db: on.open(t), releases: releases}).run()
						})
					}
				})
			}
		})
	}
}

// release has the changes of one, and the folder of the migrations up to it.
type release struct {
	changes []gradual
	root    string
}

// planned are three releases with random changes, and what ends the last of them.
func planned(t *testing.T, r *rand.Rand, server bool) (all []release) {
	t.Helper()
	left := slices.DeleteFunc(graduals(), func(g gradual) bool { return g.server && !server })
	r.Shuffle(len(left), func(i, j int) { left[i], left[j] = left[j], left[i] })
	all = []release{{root: begin(t, change{})}}
	var names []string
	w := newWorld()
	for _, name := range []string{"second", "third"} {
		next := release{root: copied(t, all[len(all)-1].root)}
		earlier := slices.Clone(names)
		for range 1 + r.IntN(3) {
			i := slices.IndexFunc(left, func(g gradual) bool { return g.needs == "" || slices.Contains(earlier, g.needs) })
			g := left[i]
			left = slices.DeleteFunc(slices.Delete(left, i, i+1), func(other gradual) bool { return other.name == g.clashes })
			g.after(w)
			next.changes, names = append(next.changes, g), append(names, g.name)
		}
		if _, err := planner.Diff(t.Context(), next.root, name, w.schema(t), planner.Allow{}); err != nil {
			t.Fatalf("%q: %v", names, err)
		}
		all = append(all, next)
	}
	last := release{root: copied(t, all[2].root)}
	contract(t, last.root)
	t.Logf("the releases: %q", names)
	return append(all, last)
}
