package conformance_test

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"sort"
	"strings"
	"testing"
	"time"

	"github.com/lib/pq"

	"github.com/entwine-go/entwine/ent/orm"
	"github.com/entwine-go/entwine/internal/entity"
	kitentity "github.com/entwine-go/entwine/kit/entity"
	"github.com/entwine-go/entwine/kit/kittest/storetest"
	"github.com/entwine-go/entwine/kit/read"
	"github.com/entwine-go/entwine/kit/search"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/viewer"
	"github.com/entwine-go/entwine/migrate/migratetest"
)

var (
	benchPosts = flag.Int("search-posts", 2000, "how many posts benchmarks search in")
	// A database that has posts is searched unchanged; another is migrated and filled.
	benchIn = map[string]*string{
		"postgres": flag.String("search-postgres", "", "address of a PostgreSQL database that is kept between benchmarks"),
		"sqlite":   flag.String("search-sqlite", "", "address of an SQLite database that is kept between benchmarks"),
	}
)

// language is words as they come in real texts: the n-th most common one
// comes 1/n as often as the first (Zipf).
type language struct {
	rnd   *rand.Rand
	words []string
	sums  []float64
}

func newLanguage() *language {
	l := &language{rnd: rand.New(rand.NewPCG(1, 2))}
	syllables := strings.Fields("ba ce di fo gu ha je ki lo mu na pe qui ro su ta ve wi xo yu za bre cli dro fla gre pli sto tra ster")
	seen, sum := map[string]bool{}, 0.0
	for len(l.words) < 50_000 {
		word := ""
		for range 2 + l.rnd.IntN(3) {
			word += syllables[l.rnd.IntN(len(syllables))]
		}
		if !seen[word] {
			seen[word] = true
			l.words = append(l.words, word)
			sum += 1 / float64(len(l.words))
			l.sums = append(l.sums, sum)
		}
	}
	return l
}

func (l *language) text(words int) string {
	all := make([]string, words)
	for i := range all {
		all[i] = l.words[sort.SearchFloat64s(l.sums, l.rnd.Float64()*l.sums[len(l.sums)-1])]
	}
	return strings.Join(all, " ")
}

// fill adds posts, 2,000 in a statement. One in ten is a draft.
func (l *language) fill(b *testing.B, db *store.DB, posts int) {
	b.Helper()
	const columns = `INSERT INTO "posts" ("title", "title_fold", "content", "content_fold", "published", "published_at", "author_id", "created_at", "updated_at") SELECT `
	for done := 0; done < posts; done += 2000 {
		titles, contents := []string{}, []string{}
		for range min(2000, posts-done) {
			titles, contents = append(titles, l.text(6)), append(contents, l.text(20+l.rnd.IntN(41)))
		}
		var err error
		if db.Postgres() {
			_, err = db.ExecContext(system, columns+`t, t, c, c, n % 10 <> 0, CASE WHEN n % 10 <> 0 THEN now() END, 1, now(), now() FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS p (t, c, n)`, pq.Array(titles), pq.Array(contents))
		} else {
			pairs := make([][2]string, len(titles))
			for i := range titles {
				pairs[i] = [2]string{titles[i], contents[i]}
			}
			rows, _ := json.Marshal(pairs)
			const now = "'2026-01-01 00:00:00.000000+00:00'"
			_, err = db.ExecContext(system, columns+`value->>0, value->>0, value->>1, value->>1, key % 10 <> 0, CASE WHEN key % 10 <> 0 THEN `+now+` END, 1, `+now+`, `+now+` FROM json_each(?)`, string(rows))
		}
		if err != nil {
			b.Fatal(err)
		}
	}
}

// queries are words by how common they are.
func (l *language) queries() [][2]string {
	return [][2]string{
		{"rare", l.words[19_999] + " "}, {"medium", l.words[999] + " "}, {"common", l.words[299] + " "}, {"frequent", l.words[9] + " "}, {"in_nearly_all", l.words[0] + " "},
		{"two_words", l.words[99] + " " + l.words[299] + " "}, {"two_frequent", l.words[0] + " " + l.words[9] + " "}, {"without", l.words[99] + " -" + l.words[0]},
		{"phrase", `"` + l.words[9] + " " + l.words[99] + `"`}, {"prefix", l.words[999][:4]}, {"misspelt", l.words[999] + "zk"}, {"nowhere", "xyzzy"},
	}
}

// crowded returns a database with the posts.
func crowded(b *testing.B, name string, words *language) *store.DB {
	b.Helper()
	var db *store.DB
	switch {
	case *benchIn[name] != "":
		db = migratetest.Kept(b, *benchIn[name])
	case name == "postgres":
		db = migratetest.Schema(b).Postgres(b)
	default:
		db = migratetest.Schema(b).SQLite(b)
	}
	if found, err := texts(system, db, `SELECT 'posts' FROM "posts" LIMIT 1`); err != nil || len(found) > 0 {
		if err != nil {
			b.Fatal(err)
		}
		return db
	}
	if _, err := orm.Client(db).User.Create().SetName("Ada").SetEmail("ada@example.com").Save(system); err != nil {
		b.Fatal(err)
	}
	began := time.Now()
	storetest.Bare(b, db, "posts", func() { words.fill(b, db, *benchPosts) })
	b.Logf("%d posts in %v", *benchPosts, time.Since(began))
	return db
}

// The median of each kind of query, and of all of them. To fill databases once:
//
//	go test ./kit/search -run '^$' -bench Search -timeout 90m -v -args -search-posts 1000000 \
//		-search-postgres postgres://postgres@localhost/search -search-sqlite sqlite://search.db
func BenchmarkSearch(b *testing.B) {
	for _, name := range []string{"sqlite", "postgres"} {
		b.Run(name, func(b *testing.B) {
			words := newLanguage()
			db := crowded(b, name, words)
			s := search.New(&read.Reader{DB: db, Dialect: db.Dialect}, entity.All)
			for _, q := range words.queries() {
				b.Run(q[0], func(b *testing.B) { measure(b, s, q[1]) })
				b.Log(q[0], floor(b, db, q[1]))
			}
			b.Run("mixture", func(b *testing.B) {
				var all []string
				for _, q := range words.queries() {
					all = append(all, q[1])
				}
				measure(b, s, all...)
			})
		})
	}
}

// measure searches for the texts in turn.
func measure(b *testing.B, s *search.Searcher, texts ...string) {
	queries := make([]*search.Query, len(texts))
	for i, text := range texts {
		var err error
		if queries[i], err = search.Parse(text); err != nil {
			b.Fatal(err)
		}
	}
	ctx := viewer.With(b.Context(), viewer.Anonymous())
	var took []time.Duration
	total := 0
	for b.Loop() {
		began := time.Now()
		query := queries[len(took)%len(queries)]
		r, err := s.Search(ctx, search.Request{Query: query, Entities: []*kitentity.Entity{entity.Post}, Limit: 20})
		if err != nil {
			b.Fatal(err)
		}
		took, total = append(took, time.Since(began)), r.Total
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "ms-median")
	b.ReportMetric(float64(total), "found")
}

// floor says how long the database alone takes to rank all rows with the
// words, as one would write it by hand, and how it goes about it.
func floor(b *testing.B, db *store.DB, text string) string {
	query, err := search.Parse(text)
	if err != nil {
		b.Fatal(err)
	}
	statement, argument, explain := `SELECT p."id" FROM "search_posts" s JOIN "posts" p ON p."id" = s."rowid" WHERE s."search_posts" MATCH ? AND p."published" AND p."archived_at" IS NULL AND p."deleted_at" IS NULL ORDER BY s."rank" LIMIT 20`, query.SQLite(nil), "EXPLAIN QUERY PLAN "
	if db.Postgres() {
		statement, argument, explain = `SELECT "id" FROM "posts", to_tsquery('simple', $1) q WHERE "search_document" @@ q AND "published" AND "archived_at" IS NULL AND "deleted_at" IS NULL ORDER BY ts_rank("search_document", q) DESC LIMIT 20`, query.Postgres(""), "EXPLAIN (COSTS OFF) "
	}
	ctx, cancel := context.WithTimeout(b.Context(), 5*time.Second)
	defer cancel()
	began := time.Now()
	_, err = texts(ctx, db, statement, argument)
	took := time.Since(began).Round(10 * time.Microsecond).String()
	if err != nil {
		took = "over " + took
		if ctx.Err() == nil && !errors.Is(err, context.DeadlineExceeded) {
			took += " " + err.Error()
		}
	}
	plan, err := texts(b.Context(), db, explain+statement, argument)
	if err != nil {
		b.Fatal(err)
	}
	return fmt.Sprintf("floor: %s\n\t%s", took, strings.Join(plan, "\n\t"))
}

// texts are the last columns of the rows.
func texts(ctx context.Context, db *store.DB, statement string, args ...any) (all []string, err error) {
	rows, err := db.QueryContext(ctx, statement, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		return nil, err
	}
	for rows.Next() {
		row := make([]any, len(columns))
		into := make([]any, len(columns))
		for i := range row {
			into[i] = &row[i]
		}
		if err := rows.Scan(into...); err != nil {
			return nil, err
		}
		all = append(all, fmt.Sprintf("%s", row[len(row)-1]))
	}
	return all, rows.Err()
}

// The cost of the search index while a thousand posts are written at once.
func BenchmarkInsert(b *testing.B) {
	for name, open := range map[string]func(testing.TB) *store.DB{"sqlite": migratetest.Schema(b).SQLite, "postgres": migratetest.Schema(b).Postgres} {
		for _, indexed := range []bool{true, false} {
			b.Run(fmt.Sprintf("%s/indexed=%v", name, indexed), func(b *testing.B) {
				db, words := open(b), newLanguage()
				if _, err := orm.Client(db).User.Create().SetName("Ada").SetEmail("ada@example.com").Save(system); err != nil {
					b.Fatal(err)
				}
				drop := []string{}
				switch {
				case !indexed && db.Postgres():
					drop = []string{`DROP TRIGGER "keep_posts_search_document" ON "posts"`, `ALTER TABLE "posts" DROP COLUMN "search_document" CASCADE`, `DROP INDEX "search_posts_parts"`}
				case !indexed:
					drop = []string{`DROP TRIGGER "search_posts_on_insert"`}
				}
				for _, statement := range drop {
					if _, err := db.ExecContext(system, statement); err != nil {
						b.Fatal(err)
					}
				}
				words.fill(b, db, 10_000)
				for b.Loop() {
					words.fill(b, db, 1000)
				}
			})
		}
	}
}
