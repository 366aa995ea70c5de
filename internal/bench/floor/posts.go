package main

import (
	"net/http"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5/pgtype"
)

// post is one row, in the order of postColumns.
type post struct {
	id, author, likes, shares, version               int64
	title, content                                   string
	published                                        bool
	publishedAt, archived, created, updated, deleted pgtype.Timestamptz
	category                                         pgtype.Int8
}

func (p *post) into() []any {
	return []any{
		&p.id, &p.title, &p.content, &p.published, &p.publishedAt, &p.archived, &p.likes, &p.shares,
		&p.author, &p.category, &p.created, &p.updated, &p.version, &p.deleted,
	}
}

func (p *post) append(b []byte) []byte {
	b = appendInt(b, `{"id":`, p.id)
	b = appendString(b, `,"title":`, p.title)
	b = appendString(b, `,"content":`, p.content)
	b = strconv.AppendBool(append(b, `,"published":`...), p.published)
	b = appendTime(b, `,"published_at":`, p.publishedAt)
	b = appendTime(b, `,"archived_at":`, p.archived)
	b = appendInt(b, `,"likes_count":`, p.likes)
	b = appendInt(b, `,"shares_count":`, p.shares)
	b = appendInt(b, `,"author_id":`, p.author)
	b = appendNullInt(b, `,"category_id":`, p.category)
	b = appendTime(b, `,"created_at":`, p.created)
	b = appendTime(b, `,"updated_at":`, p.updated)
	b = appendInt(b, `,"version":`, p.version)
	b = appendTime(b, `,"deleted_at":`, p.deleted)
	return append(b, '}')
}

// pagePosts answers the 20 posts that follow one. A 21st says that there are more.
func (s *server) pagePosts(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	after, err := time.Parse(time.RFC3339Nano, q.Get("after"))
	if err != nil {
		fail(w, err)
		return
	}
	id, err := strconv.ParseInt(q.Get("after_id"), 10, 64)
	if err != nil {
		fail(w, err)
		return
	}
	found, err := s.db.query(r.Context(), &postsPage, after, id)
	if err != nil {
		fail(w, err)
		return
	}
	defer found.done()
	var p post
	into, n := p.into(), 0
	b := append(make([]byte, 0, 16<<10), `{"status":"success","data":[`...)
	for ; n < 20 && found.Next(); n++ {
		if err := found.Scan(into...); err != nil {
			fail(w, err)
			return
		}
		if n > 0 {
			b = append(b, ',')
		}
		b = p.append(b)
	}
	more := n == 20 && found.Next()
	if err := found.Err(); err != nil {
		fail(w, err)
		return
	}
	b = strconv.AppendBool(append(b, `],"pagination":{"limit":20,"has_next":`...), more)
	b = appendTime(b, `,"next":{"created_at":`, p.created)
	b = appendInt(b, `,"id":`, p.id)
	send(w, http.StatusOK, append(b, `}}}`...))
}

// getFeed answers 20 posts with their authors, 5 comments and theirs.
func (s *server) getFeed(w http.ResponseWriter, r *http.Request) {
	found, err := s.db.query(r.Context(), &feed)
	if err != nil {
		fail(w, err)
		return
	}
	defer found.done()
	var (
		id, author, last int64
		title, name      string
		commentID, by    pgtype.Int8
		text, byName     pgtype.Text
	)
	into := []any{&id, &title, &author, &name, &commentID, &text, &by, &byName}
	b := append(make([]byte, 0, 32<<10), `{"data":{"posts":[`...)
	for found.Next() {
		if err := found.Scan(into...); err != nil {
			fail(w, err)
			return
		}
		switch {
		case id == last:
			b = append(b, ',')
		default:
			if last != 0 {
				b = append(b, `]},`...)
			}
			b = appendInt(b, `{"id":`, id)
			b = appendString(b, `,"title":`, title)
			b = appendInt(b, `,"author":{"id":`, author)
			b = appendString(b, `,"name":`, name)
			b = append(b, `},"comments":[`...)
		}
		last = id
		if commentID.Valid {
			b = appendInt(b, `{"id":`, commentID.Int64)
			b = appendString(b, `,"text":`, text.String)
			b = appendInt(b, `,"author":{"id":`, by.Int64)
			b = appendString(b, `,"name":`, byName.String)
			b = append(b, `}}`...)
		}
	}
	if err := found.Err(); err != nil {
		fail(w, err)
		return
	}
	send(w, http.StatusOK, append(b, `]}]}}`...))
}
