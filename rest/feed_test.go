package rest_test

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/entwine-go/entwine/kit/viewer"
)

func TestTheFeed(t *testing.T) {
	each(t, func(w *world) {
		w.post(w.ada, "Ada's first", true)
		w.post(w.ada, "Ada's draft", false)
		archived := w.post(w.ada, "Ada's archived", true)
		w.post(w.moderator, "Of a stranger", true)
		w.post(w.bob, "Bob's own", true)
		w.post(w.bob, "Bob's draft", false)
		gone := w.post(w.ada, "Ada's deleted", true)
		w.post(w.ada, "Ada's last", true)
		w.do(w.bob, "POST", fmt.Sprintf("/api/v1/users/%d/follow", w.ada.UserID), "").want(201)
		w.do(w.ada, "POST", fmt.Sprintf("/api/v1/posts/%d/archive", archived), "").want(200)
		w.do(w.ada, "DELETE", fmt.Sprintf("/api/v1/posts/%d", gone), "").want(204)

		first := w.do(w.bob, "GET", "/api/v1/feed?limit=2&expand=author", "").want(200)
		if got := first.all("title"); !slices.Equal(got, []any{"Ada's last", "Bob's own"}) || first.list()[0]["author"].(map[string]any)["name"] != "Ada Lovelace" {
			t.Errorf("feed: %s", first.Raw)
		}
		if n := len(w.log.Statements()); n != 1 {
			t.Errorf("%d statements: %v", n, w.log.Statements())
		}
		next, _ := first.at("pagination", "next_cursor").(string)
		if first.at("pagination", "has_more") != true || first.Header.Get("Cache-Control") != "private, no-cache" {
			t.Errorf("pagination: %s %v", first.Raw, first.Header)
		}
		rest := w.do(w.bob, "GET", "/api/v1/feed?limit=2&expand=author&cursor="+url.QueryEscape(next), "").want(200)
		if got := rest.all("title"); !slices.Equal(got, []any{"Ada's first"}) || rest.at("pagination", "next_cursor") != nil {
			t.Errorf("feed, further: %s", rest.Raw)
		}
		paged := w.do(w.bob, "GET", "/api/v1/feed?page=2&limit=2&fields=title", "").want(200)
		if got := paged.all("title"); !slices.Equal(got, []any{"Ada's first"}) || paged.at("pagination", "total") != 3.0 {
			t.Errorf("feed by page: %s", paged.Raw)
		}
		w.do(w.bob, "GET", "/api/v1/feed?page=1&limit=1", "").want(200)
		if got := w.do(w.ada, "GET", "/api/v1/feed?fields=title", "").want(200).all("title"); !slices.Equal(got, []any{"Ada's last", "Ada's first"}) {
			t.Errorf("Ada's feed: %v", got)
		}
		// The cursor is of Bob's feed.
		w.do(w.ada, "GET", "/api/v1/feed?cursor="+url.QueryEscape(next), "").want(400)
		for _, query := range []string{"sort=title", "title=x", "after=2026-01-01&after_id=1", "include_deleted=true", "search=x", "from=2026-01-01", "limit=0"} {
			w.do(w.admin, "GET", "/api/v1/feed?"+query, "").want(400)
		}
		w.do(w.nobody, "GET", "/api/v1/feed", "").want(401)
		w.do(&viewer.Viewer{KeyID: 1, Permissions: []viewer.Permission{viewer.Read}}, "GET", "/api/v1/feed", "").want(403)
		if a := w.do(w.bob, "GET", "/api/v1/feed", "", "Accept", "text/csv").want(200); !strings.HasPrefix(a.Header.Get("Content-Type"), "text/csv") {
			t.Errorf("as CSV: %v %s", a.Header, a.Raw)
		}
	})
}
