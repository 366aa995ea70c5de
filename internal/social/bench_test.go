package social_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/entwine-go/entwine/migrate/migratetest"

	"github.com/entwine-go/entwine/ent/orm"
	"github.com/entwine-go/entwine/ent/user"
	"github.com/entwine-go/entwine/internal/entity"
	"github.com/entwine-go/entwine/internal/seed"
	"github.com/entwine-go/entwine/internal/social"
	"github.com/entwine-go/entwine/kit/kittest/storetest"
	"github.com/entwine-go/entwine/kit/read"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/viewer"
)

var (
	benchPosts   = flag.Int("feed-posts", 2000, "how many posts the feeds of benchmarks are made of")
	benchAuthors = flag.Int("feed-authors", 100, "how many of their authors the reader follows")
)

// The first page of a feed and one far below, beside what a person would write
// for this question alone:
//
//	go test ./internal/social -run '^$' -bench Feed -timeout 90m -args -feed-posts 1000000 -feed-authors 1000
func BenchmarkFeed(b *testing.B) {
	for name, open := range map[string]func(testing.TB) *store.DB{"sqlite": migratetest.Schema(b).SQLite, "postgres": migratetest.Schema(b).Postgres} {
		b.Run(name, func(b *testing.B) {
			db := open(b)
			reader := fill(b, db)
			deep := deepest(b, db, reader)
			for _, page := range []struct {
				name  string
				after moment
			}{{"first", moment{}}, {"deep", deep}} {
				b.Run(page.name, func(b *testing.B) { feed(b, db, reader, page.after) })
				b.Run(page.name+"_floor", func(b *testing.B) { floor(b, db, reader, page.after) })
			}
		})
	}
}

// moment is a place in a feed.
type moment struct {
	at time.Time
	id int64
}

// fill makes posts, as many as a real network's busiest would write more than
// others, and a reader who follows authors of every kind.
func fill(b *testing.B, db *store.DB) (reader int64) {
	b.Helper()
	system := viewer.With(b.Context(), viewer.System())
	authors := max(*benchPosts/50, 2**benchAuthors)
	s := &seed.Seeder{DB: db, Seed: 1, Now: time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)}
	began := time.Now()
	storetest.Bare(b, db, "posts", func() {
		if _, err := s.Fill(system, seed.Amounts{"users": authors, "posts": *benchPosts}); err != nil {
			b.Fatal(err)
		}
	})
	b.Logf("%d posts in %v", *benchPosts, time.Since(began))
	client := orm.Client(db)
	ids := client.User.Query().Order(user.ByID()).IDsX(system)
	reader = int64(ids[0])
	for i := range *benchAuthors {
		client.Follow.Create().SetFollowerID(ids[0]).SetFolloweeID(ids[1+i*(len(ids)-1)/(*benchAuthors)]).ExecX(system)
	}
	if _, err := db.ExecContext(system, map[bool]string{true: "VACUUM ANALYZE", false: "ANALYZE"}[db.Postgres()]); err != nil {
		b.Fatal(err)
	}
	return reader
}

// text is the column of a post that both read.
var text = []string{"id", "title", "content", "published_at", "likes_count", "author_id"}

func feed(b *testing.B, db *store.DB, user int64, after moment) {
	reader := &read.Reader{DB: db, Dialect: db.Dialect}
	ctx := viewer.With(b.Context(), &viewer.Viewer{UserID: user, Role: "user"})
	timeline := social.Feed(user)
	s := read.Select(entity.Post)
	for _, name := range text {
		s.Field(name, entity.Post.Field(name))
	}
	q := read.Query{Where: timeline, Sort: timeline.Order(), Page: read.Page{Limit: 20}}
	if after.id != 0 {
		q.Page.After = cursorOf(b, reader, s, timeline, user, after)
	}
	rows := 0
	took := timed(b, func() {
		page, info, err := reader.Page(ctx, nil, s, q)
		if err != nil || len(page) == 0 {
			b.Fatal(err)
		}
		rows = info.Count
	})
	report(b, took, rows)
}

// cursorOf is the cursor of the row at the moment, as an earlier page gave it out.
func cursorOf(b *testing.B, reader *read.Reader, s *read.Selection, t read.Timeline, user int64, after moment) string {
	b.Helper()
	ctx := viewer.With(b.Context(), &viewer.Viewer{UserID: user, Role: "user"})
	q := read.Query{Where: t, Sort: t.Order(), Page: read.Page{Limit: 1, Offset: depth(b, reader.DB.(*store.DB), user), Cursors: true}}
	_, info, err := reader.Page(ctx, nil, s, q)
	if err != nil || info.Start == "" {
		b.Fatalf("no row at %v: %v", after, err)
	}
	return info.Start
}

// depth is 10,000, or the middle of a feed that is shorter.
func depth(b *testing.B, db *store.DB, user int64) int {
	b.Helper()
	var n int
	single(b, db, fmt.Sprintf(`SELECT count(*) FROM posts WHERE %s AND author_id IN (SELECT followee_id FROM follows WHERE follower_id = %d UNION ALL SELECT %d)`, visible, user, user), &n)
	return min(10_000, n/2)
}

const visible = `published AND archived_at IS NULL AND deleted_at IS NULL`

// deepest is the moment at that depth.
func deepest(b *testing.B, db *store.DB, user int64) (m moment) {
	b.Helper()
	single(b, db, fmt.Sprintf(`SELECT published_at, id FROM posts WHERE %s AND author_id IN (SELECT followee_id FROM follows WHERE follower_id = %d UNION ALL SELECT %d)
		ORDER BY published_at DESC, id DESC LIMIT 1 OFFSET %d`, visible, user, user, depth(b, db, user)), &m.at, &m.id)
	return m
}

// single reads the only row.
func single(b *testing.B, db *store.DB, statement string, into ...any) {
	b.Helper()
	rows, err := db.QueryContext(b.Context(), statement)
	if err != nil {
		b.Fatal(err)
	}
	defer rows.Close()
	if !rows.Next() {
		b.Fatal("there is no row", rows.Err())
	}
	if err := rows.Scan(into...); err != nil {
		b.Fatal(err)
	}
}

// floor asks for the same by hand: it walks the newest posts of all and looks
// each author up, which is best for users who follow many; or, on PostgreSQL,
// takes what the planner finds best.
func floor(b *testing.B, db *store.DB, user int64, after moment) {
	bound, args := "", []any{user}
	if after.id != 0 {
		bound, args = ` AND (p.published_at, p.id) < ($2, $3)`, append(args, after.at, after.id)
	}
	statement := `SELECT p.id, p.title, p.content, p.published_at, p.likes_count, p.author_id FROM posts p
		WHERE p.published AND p.archived_at IS NULL AND p.deleted_at IS NULL AND p.author_id IN (SELECT followee_id FROM follows WHERE follower_id = $1 UNION ALL SELECT $1)` + bound + `
		ORDER BY p.published_at DESC, p.id DESC LIMIT 21`
	type post struct {
		ID          int64     `json:"id"`
		Title       string    `json:"title"`
		Content     string    `json:"content"`
		PublishedAt time.Time `json:"published_at"`
		LikesCount  int64     `json:"likes_count"`
		AuthorID    int64     `json:"author_id"`
	}
	count := 0
	took := timed(b, func() {
		rows, err := db.QueryContext(b.Context(), statement, args...)
		if err != nil {
			b.Fatal(err)
		}
		posts := make([]post, 0, 21)
		for rows.Next() {
			var p post
			if err := rows.Scan(&p.ID, &p.Title, &p.Content, &p.PublishedAt, &p.LikesCount, &p.AuthorID); err != nil {
				b.Fatal(err)
			}
			posts = append(posts, p)
		}
		if err := rows.Close(); err != nil {
			b.Fatal(err)
		}
		if _, err := json.Marshal(posts); err != nil {
			b.Fatal(err)
		}
		count = min(len(posts), 20)
	})
	report(b, took, count)
}

func timed(b *testing.B, one func()) (took []time.Duration) {
	b.Helper()
	for b.Loop() {
		began := time.Now()
		one()
		took = append(took, time.Since(began))
	}
	return took
}

func report(b *testing.B, took []time.Duration, rows int) {
	b.Helper()
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "ms-median")
	b.ReportMetric(float64(rows), "rows")
}
