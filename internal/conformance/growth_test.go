package conformance_test

import (
	"context"
	"database/sql/driver"
	"encoding/json"
	"flag"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
	"text/tabwriter"

	"github.com/entwine-go/entwine/internal/entity"
	"github.com/entwine-go/entwine/internal/social"
	kitentity "github.com/entwine-go/entwine/kit/entity"
	"github.com/entwine-go/entwine/kit/gid"
	"github.com/entwine-go/entwine/kit/kittest/storetest"
	"github.com/entwine-go/entwine/kit/read"
	kitparams "github.com/entwine-go/entwine/kit/rest/params"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/viewer"
	"github.com/entwine-go/entwine/migrate/migratetest"
)

// growthRows are the sizes of the tables that are compared, from small to large:
//
//	go test ./internal/conformance -run Growth -v -timeout 60m -args -rows 10000,100000,1000000
var growthRows = flag.String("rows", "1000,10000", "how many users and posts reads are compared over")

// grown is a read whose answer is the same however many rows there are.
type grown struct {
	name   string
	entity *kitentity.Entity
	params string
	query  func(*read.Query) // what parameters can't say
	// within is how many steps of SQLite and pages of PostgreSQL it comes to at
	// most, where it grows up to a bound: with 5,000 rows that are found, the 2,000
	// newest that a feed looks through, or the 10,000 that totals count.
	within [2]int64
}

// reads are lists, pages deep down, feeds, counts and searches, by a user.
func reads(rows int) []grown {
	deep := func(q *read.Query) { // in the middle of the table
		q.Page.Keyset = &read.Keyset{Value: moment(rows / 2), ID: gid.Int(int64(rows / 2))}
	}
	feed := func(q *read.Query) {
		q.Where, q.Sort = social.Feed(1), social.Feed(1).Order()
	}
	return []grown{
		{name: "newest posts", entity: entity.Post, params: "cursor="},
		{name: "posts by keyset, deep", entity: entity.Post, params: "cursor=", query: deep},
		{name: "posts with authors", entity: entity.Post, params: "cursor=&expand=author"},
		{name: "posts of an author, with total", entity: entity.Post, params: "author_id=7"},
		{name: "users of a role, with total", entity: entity.User, params: "role=editor"},
		{name: "a user by address", entity: entity.User, params: "email=user7@example.com"},
		{name: "users by name, from a name on", entity: entity.User, params: "cursor=&sort=name&name[gte]=User+5"},
		{name: "feed", entity: entity.Post, params: "cursor=", query: feed, within: [2]int64{45_000, 300}},
		{name: "posts with a rare word, with total", entity: entity.Post, params: "search=lantern", within: [2]int64{2_500, 150}},
		{name: "posts with a word in all", entity: entity.Post, params: "cursor=&search=number", within: [2]int64{170_000, 300}},
		{name: "posts with two letters in all", entity: entity.Post, params: "cursor=&search=um"},
		{name: "all users, with total", entity: entity.User, params: "page=1", within: [2]int64{80_000, 300}},
		{name: "all comments, with total", entity: entity.Comment, params: "page=1", within: [2]int64{280_000, 600}},
		{name: "all posts, with total", entity: entity.Post, params: "page=1", within: [2]int64{190_000, 300}},
	}
}

// The pages that a database reads for an answer depend on the answer, and not on the number
// of other rows. On PostgreSQL it is counted in pages of 8 kB, on SQLite in steps of its
// virtual machine: both are the same every time.
func TestGrowth(t *testing.T) {
	t.Parallel()
	var sizes []int
	for text := range strings.SplitSeq(*growthRows, ",") {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1000 {
			t.Fatalf("-rows %s: numbers of at least 1000, from small to large", *growthRows)
		}
		sizes = append(sizes, n)
	}
	for name, open := range map[string]func(testing.TB) *store.DB{"sqlite": migratetest.Schema(t).SQLite, "postgres": migratetest.Schema(t).Postgres} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			costs := map[string][]int64{}
			for _, rows := range sizes {
				db := open(t)
				populate(t, db, rows)
				for _, r := range reads(rows) {
					costs[r.name] = append(costs[r.name], r.cost(t, db))
				}
			}
			var b strings.Builder
			w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
			for i, r := range reads(sizes[0]) {
				if i == 0 {
					fmt.Fprintf(w, "rows\t%s\n", strings.ReplaceAll(*growthRows, ",", "\t"))
				}
				fmt.Fprintf(w, "%s\t%s\n", r.name, strings.Trim(strings.ReplaceAll(fmt.Sprint(costs[r.name]), " ", "\t"), "[]"))
				all := costs[r.name]
				// An index of ten times the rows may be a page higher, where it
				// is descended, and PostgreSQL's pages hold more or fewer rows.
				most := all[0]*3/2 + 20
				if r.within[0] > 0 {
					most = r.within[map[string]int{"sqlite": 0, "postgres": 1}[name]]
				}
				if slices.Max(all) > most {
					t.Errorf("%s: %v of %s rows, want at most %d", r.name, all, *growthRows, most)
				}
			}
			_ = w.Flush()
			t.Logf("%s:\n%s", map[string]string{"sqlite": "steps", "postgres": "pages"}[name], b.String())
		})
	}
}

// recorder notes the statements of a reader with their arguments.
type recorder struct {
	*store.DB
	texts []string
	args  [][]any
}

func (r *recorder) Each(ctx context.Context, text string, args []any, row func([]driver.Value) error) error {
	r.texts, r.args = append(r.texts, text), append(r.args, slices.Clone(args))
	return r.DB.Each(ctx, text, args, row)
}

func (r *recorder) EachSent(ctx context.Context, text string, args []any, row func([]driver.Value) error) error {
	r.texts, r.args = append(r.texts, text), append(r.args, slices.Clone(args))
	return r.DB.EachSent(ctx, text, args, row)
}

// cost runs the read and returns what the database read for all its statements.
func (r *grown) cost(t *testing.T, db *store.DB) (sum int64) {
	t.Helper()
	ctx := viewer.With(t.Context(), &viewer.Viewer{UserID: 1, Role: "user"})
	values, err := url.ParseQuery(r.params)
	if err != nil {
		t.Fatal(err)
	}
	p, err := kitparams.Parse(ctx, r.entity, values, kitparams.Options{})
	if err != nil {
		t.Fatalf("%s: %v", r.name, err)
	}
	if r.query != nil {
		r.query(&p.Query)
	}
	record := &recorder{DB: db}
	_, info, err := (&read.Reader{DB: record, Dialect: db.Dialect}).Page(ctx, nil, p.Selection, p.Query)
	if err != nil || info.Count == 0 {
		t.Fatalf("%s: %d rows, %v", r.name, info.Count, err)
	}
	if len(record.texts) == 0 {
		t.Fatalf("%s: no statement was seen", r.name)
	}
	for i, text := range record.texts {
		if db.Postgres() {
			sum += pagesRead(t, db, text, record.args[i])
			continue
		}
		sum += stepsOf(t, db.File(), text, record.args[i])
	}
	return sum
}

// pagesRead is how many pages PostgreSQL reads for a statement, from memory or not.
func pagesRead(t *testing.T, db *store.DB, text string, args []any) int64 {
	t.Helper()
	rows, err := db.QueryContext(t.Context(), "EXPLAIN (ANALYZE, BUFFERS, TIMING OFF, FORMAT JSON) "+text, args...)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	defer rows.Close()
	var plan string
	for rows.Next() {
		if err := rows.Scan(&plan); err != nil {
			t.Fatal(err)
		}
	}
	var root []struct {
		Plan struct {
			Hit  int64 `json:"Shared Hit Blocks"`
			Read int64 `json:"Shared Read Blocks"`
		}
	}
	if err := json.Unmarshal([]byte(plan), &root); err != nil {
		t.Fatal(err)
	}
	return root[0].Plan.Hit + root[0].Plan.Read
}

// populate makes as many users, posts and comments, of which the same few have what reads
// look for: 50 editors, 10 posts of each author, 20 lanterns, and 20 whom the
// first user follows.
func populate(t *testing.T, db *store.DB, rows int) {
	t.Helper()
	series, at := "generate_series(1, "+strconv.Itoa(rows)+") AS s(n)", "timestamptz '2026-01-01 00:00:00+00' + n * interval '1 second'"
	if !db.Postgres() {
		series = "(WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < " + strconv.Itoa(rows) + ") SELECT n FROM c) AS s"
		at = "strftime('%Y-%m-%d %H:%M:%S', '2026-01-01', '+' || n || ' seconds') || '.000000+00:00'"
	}
	every := strconv.Itoa(rows / 20)
	for table, text := range map[string]string{
		"users": `INSERT INTO users (id, name, name_fold, email, email_fold, role, is_active, created_at, updated_at, version)
			SELECT n, 'User ' || n, 'user ' || n, 'user' || n || '@example.com', 'user' || n || '@example.com',
			CASE WHEN n % ` + strconv.Itoa(rows/50) + ` = 0 THEN 'editor' ELSE 'user' END, 1 = 1, ` + at + `, ` + at + `, 1 FROM ` + series,
		"posts": `INSERT INTO posts (id, title, title_fold, content, content_fold, published, published_at, author_id, created_at, updated_at, version)
			SELECT n, 'Post number ' || n, 'post number ' || n, 'Some text', CASE n % ` + every + ` WHEN 7 THEN 'some lantern' ELSE 'some text' END,
			1 = 1, ` + at + `, 1 + n % ` + strconv.Itoa(rows/10) + `, ` + at + `, ` + at + `, 1 FROM ` + series,
		"comments": `INSERT INTO comments (id, text, post_id, author_id, created_at, updated_at, version)
			SELECT n, 'Indeed', n, 1 + n % ` + strconv.Itoa(rows/10) + `, ` + at + `, ` + at + `, 1 FROM ` + series,
		"follows": `INSERT INTO follows (follower_id, followee_id, created_at) SELECT 1, n + 1, ` + at + ` FROM ` + series + ` WHERE n <= 20`,
	} {
		storetest.Bare(t, db, table, func() { unchecked(t, db, text) })
	}
}

// unchecked runs a statement that foreign keys say nothing about, however long
// it takes.
func unchecked(t *testing.T, db *store.DB, text string) {
	t.Helper()
	conn, err := db.Session(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	free := "PRAGMA foreign_keys = 0"
	if db.Postgres() {
		free = "SET session_replication_role = replica"
	}
	for _, one := range []string{free, text} {
		if _, err := conn.ExecContext(t.Context(), one); err != nil {
			t.Fatalf("%s: %v", one, err)
		}
	}
}
