package bench

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"entgo.io/ent/dialect"

	"github.com/entwine-go/entwine/kit/migration"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/migrate"
)

// beginning is a second before the first row of each table was made.
var beginning = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

// fill migrates the database and makes the world's rows, by SQL alone.
func (w *world) fill(b testing.TB, url string) {
	b.Helper()
	db, err := store.Open(b.Context(), store.Config{URL: url, StatementTimeout: -1})
	if err != nil {
		b.Fatal(err)
	}
	defer db.Close()
	if err := migration.Up(b.Context(), db, migrate.Files); err != nil {
		b.Fatal(err)
	}
	execute(b, db, w.made()...)
	execute(b, db, floorTables(b, db)...)
	// The events that triggers wrote about these rows are no part of the world.
	execute(b, db, `INSERT INTO floor_comments SELECT * FROM comments`, `INSERT INTO floor_users SELECT * FROM users`, `DELETE FROM events`)
	if !db.Postgres() {
		execute(b, db, `ANALYZE`)
		return
	}
	for _, table := range []string{"users", "posts", "products", "floor_comments"} {
		execute(b, db, fmt.Sprintf(`SELECT setval(pg_get_serial_sequence('%s', 'id'), 10000000)`, table))
	}
	execute(b, db, `VACUUM ANALYZE`)
}

func execute(b testing.TB, db *store.DB, texts ...string) {
	b.Helper()
	for _, text := range texts {
		if _, err := db.ExecContext(b.Context(), text); err != nil {
			b.Fatalf("%s: %v", text, err)
		}
	}
}

// made are the statements that make the rows. Of the products every 50th is a
// lantern, and half of them are red.
func (w *world) made() []string {
	tags := `CASE n / 50 % 2 WHEN 0 THEN '["red","wood"]' ELSE '["blue"]' END`
	if w.dialect == dialect.Postgres {
		tags = `(` + tags + `)::jsonb`
	}
	at, series := "timestamptz '2026-01-01 00:00:00+00' + n * interval '1 second'", "generate_series(1, %d) AS s(n)"
	if w.dialect == dialect.SQLite {
		at = "strftime('%Y-%m-%d %H:%M:%S', '2026-01-01', '+' || n || ' seconds') || '.000000+00:00'"
		series = "(WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < %d) SELECT n FROM c) AS s"
	}
	insert := func(table, columns, values string, n int) string {
		return `INSERT INTO ` + table + ` (` + columns + `, created_at, updated_at, version) SELECT ` + values + `, ` + at + `, ` + at + `, 1 FROM ` + fmt.Sprintf(series, n)
	}
	const (
		content = `text that is as long as a short paragraph tends to be, number ' || n`
		article = `' || CASE n % 50 WHEN 7 THEN 'lantern' WHEN 8 THEN 'teapot' ELSE 'kettle' END || ' that fits into a box and goes with a table, number ' || n`
	)
	return []string{
		insert("users", `id, name, name_fold, email, email_fold, role, is_active`,
			`n, 'User ' || n, 'user ' || n, 'user' || n || '@example.com', 'user' || n || '@example.com', CASE n % 10 WHEN 0 THEN 'editor' ELSE 'user' END, 1 = 1`, w.users),
		insert("posts", `id, title, title_fold, content, content_fold, published, published_at, author_id`,
			`n, 'Post number ' || n, 'post number ' || n, 'Some `+content+`, 'some `+content+`, 1 = 1, `+at+`, 1 + n % `+fmt.Sprint(w.users), w.posts),
		insert("comments", `text, post_id, author_id`,
			`'I could not agree more, ' || n, 1 + n % `+fmt.Sprint(w.posts)+`, 1 + n % `+fmt.Sprint(w.users), w.comments),
		insert("products", `id, name, name_fold, description, description_fold, price, currency, stock, in_stock, tags, reviews_count, rating_sum`,
			`n, 'Article ' || n, 'article ' || n, 'A `+article+`, 'a `+article+`, 100 * (1 + n * 79 % 99), 'USD', 1000000000, 1 = 1,
			`+tags+`, 0, 0`, w.products),
	}
}

// floorTables are the statements that make the tables that the floor has to
// itself: comments and events without entwine's triggers, and users with an
// index that serves its list, whether entwine has one or not.
func floorTables(b testing.TB, db *store.DB) []string {
	b.Helper()
	const index = `CREATE INDEX floor_users_role ON floor_users (role, created_at, id) WHERE deleted_at IS NULL`
	if db.Postgres() {
		return []string{
			`CREATE TABLE floor_comments (LIKE comments INCLUDING ALL)`,
			`ALTER TABLE floor_comments ADD FOREIGN KEY (post_id) REFERENCES posts (id), ADD FOREIGN KEY (author_id) REFERENCES users (id)`,
			`CREATE TABLE floor_events (LIKE events INCLUDING ALL)`,
			`CREATE TABLE floor_users (LIKE users)`, index,
		}
	}
	var texts []string
	for _, table := range []string{"comments", "events", "users"} {
		named := strings.NewReplacer("`"+table+"`", "floor_"+table, `"`+table+`"`, "floor_"+table, "INDEX `", "INDEX `floor_")
		var text string
		row(b, db, `SELECT sql FROM sqlite_master WHERE tbl_name = '`+table+`' AND type IN ('table', 'index') AND sql IS NOT NULL ORDER BY type DESC`,
			func() { texts = append(texts, named.Replace(text)) }, &text)
	}
	return append(texts, index)
}

// row calls do for each row of the query, once its values are in into.
func row(b testing.TB, db *store.DB, query string, do func(), into ...any) {
	b.Helper()
	rows, err := db.QueryContext(b.Context(), query)
	if err != nil {
		b.Fatalf("%s: %v", query, err)
	}
	defer rows.Close()
	for rows.Next() {
		if err := rows.Scan(into...); err != nil {
			b.Fatal(err)
		}
		do()
	}
	if err := rows.Err(); err != nil {
		b.Fatal(err)
	}
}
