package main

import (
	"encoding/json"
	"net/http"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5/pgtype"
)

// comment is the comment that is added to a post.
type comment struct {
	text         string
	post, author int64
	at           time.Time
}

// postComment adds a comment; with ?event= its event, too.
func (s *server) postComment(w http.ResponseWriter, r *http.Request) {
	var in struct {
		Text string `json:"text"`
	}
	if err := json.NewDecoder(r.Body).Decode(&in); err != nil {
		fail(w, err)
		return
	}
	post, err := strconv.ParseInt(r.PathValue("id"), 10, 64)
	if err != nil {
		http.NotFound(w, r)
		return
	}
	c := &comment{text: in.Text, post: post, author: 1, at: time.Now().UTC().Truncate(time.Microsecond)}
	id, err := s.db.comment(r.Context(), c, r.URL.RawQuery == "event")
	if err != nil {
		fail(w, err)
		return
	}
	at := pgtype.Timestamptz{Time: c.at, Valid: true}
	b := appendInt(append(make([]byte, 0, 512), `{"status":"success","data":`...), `{"id":`, id)
	b = appendString(b, `,"text":`, c.text)
	b = appendInt(b, `,"post_id":`, c.post)
	b = appendInt(b, `,"author_id":`, c.author)
	b = appendTime(b, `,"created_at":`, at)
	b = appendTime(b, `,"updated_at":`, at)
	send(w, http.StatusCreated, append(b, `,"version":1,"deleted_at":null}}`...))
}
