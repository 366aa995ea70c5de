package rest_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/entwine-go/entwine/ent/typedid"
	"github.com/entwine-go/entwine/kit/viewer"
)

func TestWhatTheViewerHasDone(t *testing.T) {
	each(t, func(w *world) {
		liked, other := w.post(w.ada, "Liked", true), w.post(w.ada, "Other", true)
		w.do(w.bob, "POST", fmt.Sprintf("/api/v1/posts/%d/like", liked), "").want(201)
		w.do(w.bob, "POST", fmt.Sprintf("/api/v1/users/%d/follow", w.ada.UserID), "").want(201)
		key := &viewer.Viewer{KeyID: w.bob.UserID, Permissions: []viewer.Permission{viewer.Read}}
		for _, c := range []struct {
			who  *viewer.Viewer
			want []any
		}{{w.bob, []any{false, true}}, {w.ada, []any{false, false}}, {w.nobody, []any{false, false}}, {key, []any{false, false}}} {
			list := w.do(c.who, "GET", "/api/v1/posts?fields=id,viewer_has_liked", "").want(200)
			if got := list.all("viewer_has_liked"); !slices.Equal(got, c.want) {
				t.Errorf("%+v: %v, want %v", c.who, got, c.want)
			}
			if n := len(w.log.Statements()); n != 1 {
				t.Errorf("%d statements", n)
			}
		}
		if got := w.do(w.bob, "GET", fmt.Sprintf("/api/v1/users/%d?fields=name,viewer_is_following", w.ada.UserID), "").want(200).data(); got["viewer_is_following"] != true || len(got) != 2 {
			t.Errorf("Ada is %v", got)
		}
		if got := w.do(w.bob, "GET", "/api/v1/feed?fields=id,viewer_has_liked", "").want(200).all("viewer_has_liked"); !slices.Equal(got, []any{false, true}) {
			t.Errorf("in the feed: %v", got)
		}
		plain := w.do(w.bob, "GET", fmt.Sprintf("/api/v1/posts/%d?expand=author", other), "").want(200)
		if strings.Contains(plain.Raw, "viewer_has_") || strings.Contains(plain.Raw, "content_html") {
			t.Errorf("not asked for: %s", plain.Raw)
		}
		// A like does not move updated_at: what is known of the post since is no answer.
		path := fmt.Sprintf("/api/v1/posts/%d?fields=viewer_has_liked", other)
		before := w.do(w.bob, "GET", path, "").want(200)
		w.do(w.bob, "POST", fmt.Sprintf("/api/v1/posts/%d/like", other), "").want(201)
		after := w.do(w.bob, "GET", path, "", "If-None-Match", before.Header.Get("ETag"), "Cookie", "").want(200)
		if after.data()["viewer_has_liked"] != true || before.Header.Get("Last-Modified") != "" {
			t.Errorf("after a like: %s %v", after.Raw, before.Header)
		}
		w.do(w.bob, "GET", "/api/v1/posts?sort=viewer_has_liked", "").want(400)
		w.do(w.bob, "GET", "/api/v1/posts?viewer_has_liked=true", "").want(400)
	})
}

func TestContentAsHTML(t *testing.T) {
	each(t, func(w *world) {
		id := w.post(w.ada, "Marked up", true)
		w.ent.Post.UpdateOneID(typedid.PostID(id)).SetContent("# A & *B*\n\n<script>alert(1)</script>[x](javascript:alert(1))").ExecX(w.system)
		const html = "<h1>A &amp; <em>B</em></h1>\n"
		item := w.do(w.nobody, "GET", fmt.Sprintf("/api/v1/posts/%d?fields=title,content_html", id), "").want(200).data()
		got, _ := item["content_html"].(string)
		if !strings.HasPrefix(got, html) || strings.Contains(got, "script") || len(item) != 2 {
			t.Errorf("content_html: %q", got)
		}
		both := w.do(w.nobody, "GET", "/api/v1/posts?fields=content_html,content", "").want(200).list()[0]
		if both["content_html"] != got || !strings.HasPrefix(both["content"].(string), "# A & *B*") {
			t.Errorf("with the content: %v", both)
		}
		as := func(media string) string {
			return w.do(w.nobody, "GET", "/api/v1/posts?fields=title,content_html", "", "Accept", media).want(200).Raw
		}
		if text := as("application/xml"); !strings.Contains(text, "&lt;h1&gt;A &amp;amp; &lt;em&gt;B&lt;/em&gt;&lt;/h1&gt;") {
			t.Errorf("as XML: %s", text)
		}
		if text := as("text/csv"); !strings.Contains(text, `Marked up,"<h1>A &amp; <em>B</em></h1>`) {
			t.Errorf("as CSV: %s", text)
		}
	})
}
