package bench

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"runtime"
	"strconv"
	"strings"
	"time"

	_ "github.com/lib/pq"
	_ "modernc.org/sqlite"
)

// floor is the hand-written server.
type floor struct {
	db         *sql.DB
	one        *sql.Stmt
	list       *sql.Stmt
	page       *sql.Stmt
	nested     *sql.Stmt
	insertStmt *sql.Stmt
	eventStmt  *sql.Stmt
}

const postColumns = `p.id, p.title, p.content, p.published, p.published_at, p.archived_at, p.likes_count, p.shares_count, p.author_id, p.category_id, p.created_at, p.updated_at, p.version, p.deleted_at`

// serveFloor runs the floor until the process is killed. It prints its address.
func serveFloor(url string) error {
	f, err := newFloor(url)
	if err != nil {
		return err
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /posts/{id}", f.getOne)
	mux.HandleFunc("GET /posts", f.getList)
	mux.HandleFunc("GET /page", f.getPage)
	mux.HandleFunc("POST /graphql", f.getNested)
	mux.HandleFunc("POST /posts/{id}/comments", f.postComment)
	mux.HandleFunc("POST /orders", f.postOrder)
	mux.HandleFunc("POST /orders/{id}/pay", f.postPay)
	mux.HandleFunc("GET /allocs", func(w http.ResponseWriter, _ *http.Request) {
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		fmt.Fprint(w, m.Mallocs)
	})
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	fmt.Fprintln(os.Stdout, "listening on http://"+l.Addr().String())
	return http.Serve(l, mux)
}

func newFloor(url string) (*floor, error) {
	driver, postgres := "sqlite", strings.HasPrefix(url, "postgres")
	if postgres {
		driver = "postgres"
	} else {
		url = "file:" + strings.TrimPrefix(url, "sqlite://") + "?_pragma=foreign_keys(1)&_pragma=journal_mode(WAL)&_pragma=busy_timeout(5000)&_pragma=synchronous(FULL)&_txlock=immediate&_time_format=sqlite"
	}
	db, err := sql.Open(driver, url)
	if err != nil {
		return nil, err
	}
	db.SetMaxIdleConns(8)
	if !postgres {
		db.SetMaxOpenConns(2)
	}
	f := &floor{db: db}
	for stmt, text := range map[**sql.Stmt]string{
		&f.one:        `SELECT ` + postColumns + ` FROM posts p WHERE p.id = $1 AND p.deleted_at IS NULL AND p.published AND p.archived_at IS NULL`,
		&f.list:       `SELECT ` + postColumns + `, (SELECT count(*) FROM posts WHERE author_id = $1 AND deleted_at IS NULL AND published AND archived_at IS NULL) FROM posts p WHERE p.author_id = $1 AND p.deleted_at IS NULL AND p.published AND p.archived_at IS NULL ORDER BY p.created_at DESC, p.id DESC LIMIT 20`,
		&f.page:       `SELECT ` + postColumns + ` FROM posts p WHERE p.deleted_at IS NULL AND p.published AND p.archived_at IS NULL AND (p.created_at, p.id) < ($1, $2) ORDER BY p.created_at DESC, p.id DESC LIMIT 21`,
		&f.nested:     nestedText(postgres),
		&f.insertStmt: `INSERT INTO comments (text, post_id, author_id, created_at, updated_at, version) VALUES ($1, $2, $3, $4, $4, 1) RETURNING id`,
		&f.eventStmt:  eventText(postgres),
	} {
		if *stmt, err = db.Prepare(text); err != nil {
			return nil, fmt.Errorf("%s: %w", text, err)
		}
	}
	return f, nil
}

func nestedText(postgres bool) string {
	const head = `SELECT p.id, p.title, a.id, a.name, c.id, c.text, ca.id, ca.name FROM
		(SELECT id, title, author_id, created_at FROM posts WHERE deleted_at IS NULL AND published AND archived_at IS NULL ORDER BY created_at DESC, id DESC LIMIT 20) p
		JOIN users a ON a.id = p.author_id `
	if postgres {
		return head + `LEFT JOIN LATERAL (SELECT id, text, author_id, created_at FROM comments WHERE post_id = p.id AND deleted_at IS NULL ORDER BY created_at DESC, id DESC LIMIT 5) c ON TRUE
			LEFT JOIN users ca ON ca.id = c.author_id`
	}
	return head + `LEFT JOIN comments c ON c.id IN (SELECT id FROM comments WHERE post_id = p.id AND deleted_at IS NULL ORDER BY created_at DESC, id DESC LIMIT 5)
		LEFT JOIN users ca ON ca.id = c.author_id ORDER BY p.created_at DESC, p.id DESC, c.created_at DESC, c.id DESC`
}

func eventText(bool) string {
	return `INSERT INTO events (topic, entity, entity_id, key, payload, created_at) VALUES ('comment.created', 'Comment', $1, $2, '{}', $3)`
}

func fail(w http.ResponseWriter, err error) {
	http.Error(w, err.Error(), http.StatusInternalServerError)
}

// post is one row, in the order of postColumns.
type post struct {
	id, author, likes, shares, version int64
	title, content                     string
	published                          bool
	publishedAt, archivedAt, deletedAt sql.NullTime
	category                           sql.NullInt64
	created, updated                   time.Time
}

func (p *post) into() []any {
	return []any{
		&p.id, &p.title, &p.content, &p.published, &p.publishedAt, &p.archivedAt, &p.likes, &p.shares,
		&p.author, &p.category, &p.created, &p.updated, &p.version, &p.deletedAt,
	}
}

func (p *post) append(b []byte) []byte {
	b = strconv.AppendInt(append(b, `{"id":`...), p.id, 10)
	b = appendString(append(b, `,"title":`...), p.title)
	b = appendString(append(b, `,"content":`...), p.content)
	b = strconv.AppendBool(append(b, `,"published":`...), p.published)
	b = appendTime(append(b, `,"published_at":`...), p.publishedAt)
	b = appendTime(append(b, `,"archived_at":`...), p.archivedAt)
	b = strconv.AppendInt(append(b, `,"likes_count":`...), p.likes, 10)
	b = strconv.AppendInt(append(b, `,"shares_count":`...), p.shares, 10)
	b = strconv.AppendInt(append(b, `,"author_id":`...), p.author, 10)
	b = append(b, `,"category_id":`...)
	if p.category.Valid {
		b = strconv.AppendInt(b, p.category.Int64, 10)
	} else {
		b = append(b, "null"...)
	}
	b = appendTime(append(b, `,"created_at":`...), sql.NullTime{Time: p.created, Valid: true})
	b = appendTime(append(b, `,"updated_at":`...), sql.NullTime{Time: p.updated, Valid: true})
	b = strconv.AppendInt(append(b, `,"version":`...), p.version, 10)
	b = appendTime(append(b, `,"deleted_at":`...), p.deletedAt)
	return append(b, '}')
}

func appendTime(b []byte, t sql.NullTime) []byte {
	if !t.Valid {
		return append(b, "null"...)
	}
	b = t.Time.UTC().AppendFormat(append(b, '"'), time.RFC3339Nano)
	return append(b, '"')
}

func appendString(b []byte, s string) []byte {
	b = append(b, '"')
	for i := range len(s) {
		switch c := s[i]; {
		case c == '"' || c == '\\':
			b = append(b, '\\', c)
		case c == '\n':
			b = append(b, '\\', 'n')
		default:
			b = append(b, c)
		}
	}
	return append(b, '"')
}

func (f *floor) getOne(w http.ResponseWriter, r *http.Request) {
	id, err := strconv.ParseInt(r.PathValue("id"), 10, 64)
	if err != nil {
		http.NotFound(w, r)
		return
	}
	var p post
	if err := f.one.QueryRowContext(r.Context(), id).Scan(p.into()...); err != nil {
		fail(w, err)
		return
	}
	b := p.append(append(make([]byte, 0, 1024), `{"status":"success","data":`...))
	send(w, append(b, '}'))
}

func send(w http.ResponseWriter, b []byte) {
	w.Header()["Content-Type"] = []string{"application/json"}
	_, _ = w.Write(b)
}

func (f *floor) getList(w http.ResponseWriter, r *http.Request) {
	author, _ := strconv.ParseInt(r.URL.Query().Get("author"), 10, 64)
	b := append(make([]byte, 0, 16<<10), `{"status":"success","data":[`...)
	var total int64
	b, _, err := f.rows(r.Context(), b, f.list, 20, []any{&total}, author)
	if err != nil {
		fail(w, err)
		return
	}
	b = strconv.AppendInt(append(b, `],"pagination":{"page":1,"limit":20,"total":`...), total, 10)
	send(w, append(b, `}}`...))
}

func (f *floor) getPage(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	after, err := time.Parse(time.RFC3339Nano, q.Get("after"))
	if err != nil {
		fail(w, err)
		return
	}
	id, _ := strconv.ParseInt(q.Get("after_id"), 10, 64)
	b := append(make([]byte, 0, 16<<10), `{"status":"success","data":[`...)
	b, last, err := f.rows(r.Context(), b, f.page, 20, nil, after, id)
	if err != nil {
		fail(w, err)
		return
	}
	b = last.created.UTC().AppendFormat(append(b, `],"pagination":{"limit":20,"next_cursor":"`...), time.RFC3339Nano)
	send(w, append(b, `"}}`...))
}

func (f *floor) rows(ctx context.Context, b []byte, stmt *sql.Stmt, limit int, more []any, args ...any) ([]byte, post, error) {
	rows, err := stmt.QueryContext(ctx, args...)
	if err != nil {
		return b, post{}, err
	}
	defer rows.Close()
	var p post
	into := append(p.into(), more...)
	for n := 0; rows.Next() && n < limit; n++ {
		if err := rows.Scan(into...); err != nil {
			return b, p, err
		}
		if n > 0 {
			b = append(b, ',')
		}
		b = p.append(b)
	}
	return b, p, rows.Err()
}

func (f *floor) getNested(w http.ResponseWriter, r *http.Request) {
	rows, err := f.nested.QueryContext(r.Context())
	if err != nil {
		fail(w, err)
		return
	}
	defer rows.Close()
	b := append(make([]byte, 0, 32<<10), `{"data":{"posts":[`...)
	var last int64
	for rows.Next() {
		var (
			p, a         int64
			title, name  string
			c, ca        sql.NullInt64
			text, caName sql.NullString
		)
		if err := rows.Scan(&p, &title, &a, &name, &c, &text, &ca, &caName); err != nil {
			fail(w, err)
			return
		}
		if p != last {
			if last != 0 {
				b = append(b, `]},`...)
			}
			b = strconv.AppendInt(append(b, `{"id":"`...), p, 10)
			b = appendString(append(b, `","title":`...), title)
			b = strconv.AppendInt(append(b, `,"author":{"id":"`...), a, 10)
			b = appendString(append(b, `","name":`...), name)
			b = append(b, `},"comments":[`...)
		} else {
			b = append(b, ',')
		}
		last = p
		if c.Valid {
			b = strconv.AppendInt(append(b, `{"id":"`...), c.Int64, 10)
			b = appendString(append(b, `","text":`...), text.String)
			b = strconv.AppendInt(append(b, `,"author":{"id":"`...), ca.Int64, 10)
			b = appendString(append(b, `","name":`...), caName.String)
			b = append(b, `}}`...)
		}
	}
	send(w, append(b, `]}]}}`...))
}

func (f *floor) postComment(w http.ResponseWriter, r *http.Request) {
	var in struct {
		Text string `json:"text"`
	}
	if err := json.NewDecoder(r.Body).Decode(&in); err != nil {
		fail(w, err)
		return
	}
	postID, _ := strconv.ParseInt(r.PathValue("id"), 10, 64)
	now := time.Now().UTC().Truncate(time.Microsecond)
	tx, err := f.db.BeginTx(r.Context(), nil)
	if err != nil {
		fail(w, err)
		return
	}
	defer func() { _ = tx.Rollback() }()
	var id int64
	if err := tx.StmtContext(r.Context(), f.insertStmt).QueryRowContext(r.Context(), in.Text, postID, 1, now).Scan(&id); err != nil {
		fail(w, err)
		return
	}
	if _, err := tx.StmtContext(r.Context(), f.eventStmt).ExecContext(r.Context(), id, postID, now); err != nil {
		fail(w, err)
		return
	}
	if err := tx.Commit(); err != nil {
		fail(w, err)
		return
	}
	b := strconv.AppendInt(append(make([]byte, 0, 512), `{"status":"success","data":{"id":`...), id, 10)
	b = appendString(append(b, `,"text":`...), in.Text)
	b = strconv.AppendInt(append(b, `,"post_id":`...), postID, 10)
	b = now.AppendFormat(append(b, `,"author_id":1,"created_at":"`...), time.RFC3339Nano)
	w.Header()["Content-Type"] = []string{"application/json"}
	w.WriteHeader(http.StatusCreated)
	_, _ = w.Write(append(b, `","version":1}}`...))
}
