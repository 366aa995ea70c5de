package read_test

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"net/url"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/entwine-go/entwine/kit/entity"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/read"
	"github.com/entwine-go/entwine/kit/rest/params"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/viewer"
)

// bookshop is a world of three books, on the database that a fuzzer can ask
// many thousand times a second.
func bookshop(f *testing.F) *read.Reader {
	db, err := store.Open(f.Context(), store.Config{URL: "sqlite://" + filepath.Join(f.TempDir(), "fuzz.db")})
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() { _ = db.Close() })
	ctx := context.Background()
	if err := world.Up(ctx, db); err != nil {
		f.Fatal(err)
	}
	for _, statement := range []string{
		`INSERT INTO shelves VALUES (1, 'Maths')`,
		`INSERT INTO books VALUES (1,'Äpfel & 100%','äpfel & 100%',NULL,1.5,1,1,'2026-01-02 03:04:05.678901+00:00',NULL,NULL,1,1,NULL,'["a","b"]',NULL),
			(2,'B','b',7,NULL,0,1,'2026-01-02 03:04:05.678901+00:00','2026-02-02 03:04:05.000000+00:00',NULL,NULL,1,'n','[]',NULL),
			(3,'C','c',7,2.5,0,0,'2026-01-03 03:04:05.000000+00:00',NULL,'2026-02-02 03:04:05.000000+00:00',1,2,NULL,'[]',NULL)`,
	} {
		if _, err := db.ExecContext(ctx, statement); err != nil {
			f.Fatal(err)
		}
	}
	return &read.Reader{DB: db, Dialect: db.Dialect}
}

// refused reports whether the error is one that a client can mend; any other
// is the fuzzer's find.
func refused(t *testing.T, what string, err error) bool {
	if err == nil {
		return false
	}
	if kind := problem.KindOf(err); kind != problem.Invalid && kind != problem.Unprocessable && kind != problem.Forbidden && !errors.Is(err, read.ErrCursor) {
		t.Fatalf("%q: %v", what, err)
	}
	return true
}

// Every query is refused with the mistake, or parsed: fields, expand, sort, order, filters,
// search, dates, pages and cursors.
func FuzzParams(f *testing.F) {
	for _, query := range []string{
		"", "page=2&limit=1", "limit=101", "limit=-1", "page=9223372036854775808", "cursor=", "cursor=AbCd", "after=2026-01-02T03:04:05Z&after_id=1",
		"sort=-created_at,title&order=asc", "sort=,", "sort=title,title", "fields=id,title", "fields=", "expand=shelf", "expand=shelf,shelf", "expand=shelf.books",
		"pages[gte]=7&pages[lt]=9", "pages[in]=1,2,", "rating[gt]=NaN", "rating=1e999", "lent=TRUE", "created_at[lte]=2026-01-02", "from=0000-01-01&to=9999-12-31T23:59:59.999999Z",
		"read_at=2026-01-02T03:04:05+02:00", "shelf=1&shelf_id=1", "owner=-1", "search=100%25", "search=_", "search=%00", "search=%ff", "tags=a,b", "tags[in]=", "minID=1&maxID=0",
		"note=n", "include_deleted=true", "title[gte]=a", "title=a&title=b", "nonsense=1",
	} {
		f.Add(query, true)
	}
	r := bookshop(f)
	f.Fuzz(func(t *testing.T, query string, admin bool) {
		values, err := url.ParseQuery(query)
		if err != nil {
			return // the edge refuses it
		}
		role := viewer.Role("user")
		if admin {
			role = viewer.Admin
		}
		ctx := viewer.With(t.Context(), &viewer.Viewer{UserID: 1, Role: role})
		p, err := params.Parse(ctx, book, values, params.Options{})
		if refused(t, query, err) {
			return
		}
		p.Query.Page.Cursors = true
		body, info, err := r.Page(ctx, nil, p.Selection, p.Query)
		if refused(t, query, err) {
			return
		}
		if !json.Valid(body) {
			t.Fatalf("%q answers with %s", query, body)
		}
		if strings.Contains(string(body), `"note"`) && !admin {
			t.Fatalf("%q shows what is hidden: %s", query, body)
		}
		if info.End == "" || p.Mode != params.ByCursor {
			return
		}
		p.Query.Page.After = info.End // what was given out is taken back
		if _, _, err := r.Page(ctx, nil, p.Selection, p.Query); err != nil {
			t.Fatalf("%q: the cursor %s: %v", query, info.End, err)
		}
	})
}

// A cursor that was tampered with is refused or stands somewhere; it never
// reaches the database as anything but values of the order's types.
func FuzzCursor(f *testing.F) {
	r := bookshop(f)
	ctx := viewer.With(context.Background(), &viewer.Viewer{UserID: 9, Role: viewer.Admin})
	sorts := []string{"title", "pages", "rating", "lent", "-read_at", "created_at", "title,-pages,rating"}
	queries := make([]read.Query, len(sorts))
	for i, sort := range sorts {
		p, err := params.Parse(ctx, book, url.Values{"sort": {sort}, "cursor": {""}}, params.Options{})
		if err != nil {
			f.Fatal(err)
		}
		queries[i] = p.Query
		_, info, err := r.Page(ctx, nil, p.Selection, p.Query)
		if err != nil {
			f.Fatal(err)
		}
		raw, _ := base64.RawURLEncoding.DecodeString(info.End)
		f.Add(byte(i), raw[5:])
	}
	f.Fuzz(func(t *testing.T, which byte, values []byte) {
		q := queries[int(which)%len(queries)]
		_, info, err := r.Page(ctx, nil, read.Whole(book, viewer.From(ctx)), q)
		if err != nil {
			t.Fatal(err)
		}
		head, _ := base64.RawURLEncoding.DecodeString(info.End)
		q.Page.After = base64.RawURLEncoding.EncodeToString(append(head[:5:5], values...))
		body, _, err := r.Page(ctx, nil, read.Whole(book, viewer.From(ctx)), q)
		if !refused(t, q.Page.After, err) && !json.Valid(body) {
			t.Fatalf("%s answers with %s", q.Page.After, body)
		}
	})
}

// A time that is read is one that both databases keep, and is read from its
// own text as itself.
func FuzzMoment(f *testing.F) {
	for _, text := range []string{"2026-01-31", "2026-01-31T12:00:00Z", "2026-01-31T12:00:00.1234567+02:00", "2026-01-31 12:00:00", "2026-01-31T12:00:00 02:00", "0000-01-01", "0001-01-01T00:00:00+23:59", "9999-12-31T23:59:59-00:01", "2026-02-30", "now"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		at, err := entity.ParseMoment(text)
		if err != nil {
			return
		}
		if at.Year() < 1 || at.Year() > 9999 || at.Location() != time.UTC || !at.Equal(at.Truncate(time.Microsecond)) {
			t.Fatalf("%q is read as %v", text, at)
		}
		if again, err := entity.ParseMoment(at.Format(time.RFC3339Nano)); err != nil || !again.Equal(at) {
			t.Fatalf("%q is read as %v, and that as %v, %v", text, at, again, err)
		}
	})
}
