package rest_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestRead(t *testing.T) {
	each(t, func(w *world) {
		id := w.post(w.ada, "Engines", true)
		path := fmt.Sprintf("/api/v1/posts/%d", id)
		a := w.do(w.nobody, "GET", path, "").want(200)
		if got := a.data()["title"]; got != "Engines" {
			t.Errorf("title %v", got)
		}
		if a.at("status") != "success" {
			t.Errorf("status %v", a.at("status"))
		}
		if n := len(w.log.Statements()); n != 1 {
			t.Errorf("reading one took %d statements: %q", n, w.log.Statements())
		}
		w.do(w.nobody, "GET", strings.Replace(path, "/v1", "", 1), "").want(200)

		a = w.do(w.nobody, "GET", path+"?expand=author&fields=id,title", "").want(200)
		author, _ := a.data()["author"].(map[string]any)
		if author["name"] != "Ada Lovelace" || author["email"] != nil || a.data()["content"] != nil {
			t.Errorf("expanded: %s", a.Raw)
		}
		if n := len(w.log.Statements()); n != 1 {
			t.Errorf("expanding one took %d statements", n)
		}
	})
}

func TestReadIsCached(t *testing.T) {
	each(t, func(w *world) {
		path := fmt.Sprintf("/api/v1/posts/%d?fields=title,content", w.post(w.ada, "Engines", true))
		a := w.do(w.ada, "GET", path, "").want(200)
		tag, modified := a.Header.Get("ETag"), a.Header.Get("Last-Modified")
		if tag == "" || modified == "" || a.Header.Get("Vary") == "" || a.Header.Get("Cache-Control") != "private, no-cache" {
			t.Errorf("headers %v", a.Header)
		}
		for _, c := range []struct {
			headers []string
			status  int
		}{
			{[]string{"If-None-Match", tag}, 304},
			{[]string{"If-None-Match", `"other", W/` + tag}, 304},
			{[]string{"If-None-Match", "*"}, 304},
			{[]string{"If-None-Match", `"other"`}, 200},
			{[]string{"If-Modified-Since", modified}, 304},
			{[]string{"If-Modified-Since", "Mon, 02 Jan 2006 15:04:05 GMT"}, 200},
			{[]string{"If-None-Match", `"other"`, "If-Modified-Since", modified}, 200},
		} {
			a := w.do(w.ada, "GET", path, "", c.headers...).want(c.status)
			if c.status == 304 && (a.Raw != "" || a.Header.Get("ETag") != tag) {
				t.Errorf("304 with %q and %v", a.Raw, a.Header)
			}
		}
		head := w.do(w.ada, "HEAD", path, "").want(200)
		if head.Raw != "" || head.Header.Get("ETag") != tag || head.Header.Get("Content-Length") != a.Header.Get("Content-Length") {
			t.Errorf("HEAD: %q %v", head.Raw, head.Header)
		}
		w.do(w.ada, "HEAD", "/api/v1/posts/99", "").want(404)
	})
}

// A count changes while updated_at stays, so what shows one has no
// Last-Modified by which a client could believe it unchanged.
func TestWhatShowsACountIsNotDatedByTheRow(t *testing.T) {
	each(t, func(w *world) {
		path := fmt.Sprintf("/api/v1/posts/%d", w.post(w.ada, "Engines", true))
		before := w.do(w.bob, "GET", path, "").want(200)
		if modified := before.Header.Get("Last-Modified"); modified != "" || before.Header.Get("ETag") == "" {
			t.Errorf("Last-Modified %q beside likes_count, ETag %q", modified, before.Header.Get("ETag"))
		}
		w.do(w.bob, "POST", path+"/like", "").want(201)
		after := w.do(w.bob, "GET", path, "", "If-Modified-Since", time.Now().Add(time.Hour).UTC().Format(http.TimeFormat)).want(200)
		if after.data()["likes_count"] != 1.0 {
			t.Errorf("%v likes, want 1", after.data()["likes_count"])
		}
		w.do(w.bob, "GET", path, "", "If-None-Match", before.Header.Get("ETag")).want(200)
	})
}

// If-None-Match: * on a write is for what does not exist yet.
func TestAWriteOfWhatMustNotExistIsRefused(t *testing.T) {
	each(t, func(w *world) {
		path := fmt.Sprintf("/api/v1/posts/%d", w.post(w.ada, "Engines", true))
		none := []string{"If-None-Match", "*"}
		w.do(w.ada, "PATCH", path, `{"title":"Motors"}`, none...).want(412)
		w.do(w.ada, "PUT", path, `{"title":"Motors","content":"…"}`, none...).want(412)
		w.do(w.ada, "POST", path+"/archive", "", none...).want(412)
		w.do(w.bob, "DELETE", path, "", none...).want(403)
		w.do(w.ada, "DELETE", path, "", none...).want(412)
		w.do(w.ada, "DELETE", "/api/v1/posts/99", "", none...).want(404)
		if title := w.do(w.ada, "GET", path, "").want(200).data()["title"]; title != "Engines" {
			t.Errorf("the title is %v", title)
		}
	})
}

func TestWhoReadsWhat(t *testing.T) {
	each(t, func(w *world) {
		draft := fmt.Sprintf("/api/v1/posts/%d", w.post(w.ada, "Draft", false))
		user := fmt.Sprintf("/api/v1/users/%d", w.bob.UserID)
		w.do(w.nobody, "GET", draft, "").want(404)
		w.do(w.bob, "GET", draft, "").want(404)
		w.do(w.ada, "GET", draft, "").want(200)
		w.do(w.admin, "GET", draft, "").want(200)
		a := w.do(w.nobody, "GET", user, "").want(401)
		if a.at("error", "code") != "AUTH_REQUIRED" || a.at("error", "message") != "token required" || a.Header.Get("WWW-Authenticate") == "" {
			t.Errorf("anonymous: %s %v", a.Raw, a.Header)
		}
		w.do(w.nobody, "GET", "/api/v1/users", "").want(401)
		author := fmt.Sprintf("/api/v1/users/%d/posts", w.ada.UserID)
		for _, path := range []string{author, user + "/posts", "/api/v1/users/99999/posts"} { // no user of these has published anything
			w.do(w.nobody, "GET", path, "").want(404)
		}
		shown := w.post(w.ada, "Shown", true)
		if titles := w.do(w.nobody, "GET", author, "").want(200).all("title"); !slices.Equal(titles, []any{"Shown"}) {
			t.Errorf("anonymous: posts of a user: %v", titles)
		}
		w.do(w.nobody, "GET", fmt.Sprintf("%s/%d", author, shown), "").want(200)
		w.do(w.nobody, "GET", author+draft[len("/api/v1/posts"):], "").want(404)
		w.do(w.nobody, "GET", fmt.Sprintf("%s/posts/%d", user, shown), "").want(404)
		w.do(w.nobody, "POST", author, `{"title":"T","content":"C"}`).want(401)
		w.do(w.bob, "GET", user+"/posts", "").want(200)
		w.do(w.ada, "GET", "/api/v1/users/99999/posts", "").want(404)
		if _, shown := w.do(w.ada, "GET", user, "").want(200).data()["salary"]; shown {
			t.Error("a user sees a salary")
		}
		if _, shown := w.do(w.admin, "GET", user, "").want(200).data()["salary"]; !shown {
			t.Error("an admin sees no salary")
		}
		w.do(w.ada, "GET", user+"?fields=salary", "").want(400)
		w.do(w.ada, "GET", "/api/v1/users?sort=salary", "").want(400)
		w.do(w.ada, "GET", "/api/v1/users?include_deleted=true", "").want(403)
	})
}

func TestPages(t *testing.T) {
	each(t, func(w *world) {
		for i := range 7 {
			w.post(w.ada, fmt.Sprintf("Post %d", i), true)
		}
		a := w.do(w.nobody, "GET", "/api/v1/posts?page=2&limit=3&sort=title", "").want(200)
		if got := a.all("title"); !slices.Equal(got, []any{"Post 3", "Post 4", "Post 5"}) {
			t.Errorf("page 2: %v", got)
		}
		if n := len(w.log.Statements()); n != 1 {
			t.Errorf("a page with its total took %d statements", n)
		}
		want := map[string]any{"page": 2., "limit": 3., "total": 7., "total_pages": 3., "has_next": true, "has_prev": true}
		if got := a.at("pagination"); fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("pagination %v, want %v", got, want)
		}
		links := a.at("links").(map[string]any)
		if links["next"] != "/api/v1/posts?limit=3&page=3&sort=title" || links["prev"] != "/api/v1/posts?limit=3&page=1&sort=title" ||
			links["last"] != "/api/v1/posts?limit=3&page=3&sort=title" || links["self"] != "/api/v1/posts?limit=3&page=2&sort=title" {
			t.Errorf("links %v", links)
		}
		if h := a.Header.Get("Link"); !strings.Contains(h, `</api/v1/posts?limit=3&page=3&sort=title>; rel="next"`) {
			t.Errorf("Link %s", h)
		}
		a = w.do(w.nobody, "GET", "/api/v1/posts?page=9", "").want(200)
		if len(a.list()) != 0 || a.at("pagination", "has_next") != false {
			t.Errorf("beyond the end: %s", a.Raw)
		}
		w.do(w.nobody, "GET", "/api/v1/posts?page=100002&limit=1", "").want(400)
		if a = w.do(w.nobody, "GET", "/api/v1/posts?limit=1000", "").want(200); a.at("pagination", "limit") != 100. {
			t.Errorf("limit %v", a.at("pagination", "limit"))
		}
	})
}

func TestWalks(t *testing.T) {
	each(t, func(w *world) {
		for i := range 7 {
			w.post(w.ada, fmt.Sprintf("Post %d", i), true)
		}
		for _, start := range []string{"/api/v1/posts?limit=3&cursor=&sort=-title", "/api/v1/posts?limit=3&after=&after_id="} {
			var titles []any
			for next, pages := any(start), 0; next != nil; pages++ {
				if pages > 4 {
					t.Fatalf("%s does not end", start)
				}
				a := w.do(w.nobody, "GET", next.(string), "").want(200)
				titles = append(titles, a.all("title")...)
				next = a.at("links", "next")
				more := a.at("pagination", "has_more") == true || a.at("pagination", "hasNextPage") == true
				if more != (next != nil) || a.at("pagination", "total") != nil {
					t.Errorf("pagination %v with next %v", a.at("pagination"), next)
				}
				if n := len(w.log.Statements()); n != 1 {
					t.Errorf("a cursor page took %d statements", n)
				}
			}
			if len(titles) != 7 || titles[0] != "Post 6" || titles[6] != "Post 0" {
				t.Errorf("%s: %v", start, titles)
			}
		}
		cursor := w.do(w.nobody, "GET", "/api/v1/posts?limit=3&cursor=", "").want(200).at("pagination", "next_cursor").(string)
		w.do(w.nobody, "GET", "/api/v1/posts?limit=3&sort=title&cursor="+cursor, "").want(400)
		w.do(w.nobody, "GET", "/api/v1/posts?cursor=nonsense", "").want(400)
	})
}

func TestBadParameters(t *testing.T) {
	each(t, func(w *world) {
		a := w.do(w.ada, "GET", "/api/v1/users?page=0&sort=nose&colour=red&role=king&age[gte]=old", "").want(400)
		details := a.details()
		for _, name := range []string{"page", "sort", "colour", "role", "age[gte]"} {
			if details[name] == "" {
				t.Errorf("%s is not among %v", name, details)
			}
		}
		if !strings.Contains(details["colour"], "allowed: ") {
			t.Errorf("colour: %s", details["colour"])
		}
		for _, path := range []string{"/api/v1/posts/x", "/api/v1/posts/0", "/api/v1/posts/9223372036854775808", "/api/v1/posts/1?page=2"} {
			a := w.do(w.ada, "GET", path, "").want(400)
			if a.at("error", "code") != "VALIDATION_ERROR" || len(a.details()) != 1 {
				t.Errorf("%s: %s", path, a.Raw)
			}
		}
		for _, query := range []string{"author=2;x=1", "search=%zz", "%gg=1"} {
			w.do(w.ada, "GET", "/api/v1/posts?"+query, "").want(400)
		}
		for query, fields := range map[string]string{"cursor=bad": "cursor", "after=bad&after_id=x": "after after_id", "after=2026-01-01&after_id=x": "after_id", "after=bad": "after"} {
			a := w.do(w.ada, "GET", "/api/v1/posts?"+query, "").want(400)
			for field := range strings.FieldsSeq(fields) {
				if a.details()[field] == "" || len(a.details()) != len(strings.Fields(fields)) {
					t.Errorf("%s: %s", query, a.Raw)
				}
			}
		}
		a = w.do(w.ada, "GET", "/api/v1/posts?limit=1000000000000000000000", "").want(200)
		if a.at("pagination", "limit") != 100. {
			t.Errorf("a limit beyond 64 bits: %s", a.Raw)
		}
		a = w.do(w.ada, "GET", "/api/v1/posts?id=9223372036854775808&likes_count[gte]=9223372036854775808", "").want(400)
		if d := a.details(); d["id"] != "must fit in 64 bits" || d["likes_count[gte]"] != "must fit in 64 bits" {
			t.Errorf("numbers beyond 64 bits: %s", a.Raw)
		}
	})
}

func TestPaths(t *testing.T) {
	each(t, func(w *world) {
		for _, path := range []string{"/api/v1/nothing", "/api/v1/users/", "/api//v1/users", "/api/v1//users", "/api/v1", "/api", "/apix/users", "/api/v1/posts/1/comments/2/3",
			"/api/v1/categories/%00/posts", "/api/v1/categories/a%00", "/api/v1/categories/%ff"} {
			if a := w.do(w.admin, "GET", path, "").want(404); a.at("error", "code") != "RESOURCE_NOT_FOUND" {
				t.Errorf("%s: %s", path, a.Raw)
			}
		}
		for _, path := range []string{"/api/v1/posts/%00", "/api/v1/posts/1%00", "/api/v2/posts/%ff", "/api/v1/users/%00/posts"} {
			if a := w.do(w.admin, "GET", path, "").want(400); strings.Contains(path, "/v1/") && a.details()["id"] == "" {
				t.Errorf("%s: %s", path, a.Raw)
			}
		}
		const browser = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
		for _, path := range []string{"/api/v1/nothing", "/apix", "/api/v1/posts/1/comments/2/3"} {
			if a := w.send(w.admin, "GET", path, "", "Accept", browser).want(404); !strings.HasPrefix(a.Header.Get("Content-Type"), "text/html") || !strings.Contains(a.Raw, "/api/v1/docs") {
				t.Errorf("a browser at %s: %v %s", path, a.Header, a.Raw)
			}
			w.send(w.admin, "POST", path, "{}", "Accept", browser).want(404)
		}
		for path, to := range map[string]string{"/api/v1": "/api/v1/docs", "/api/v2/": "/api/v2/docs", "/api": "/api/docs",
			"/api?version=2": "/api/v2/docs", "/api/?v=2": "/api/v2/docs", "/api/docs?v=3": "/api/v3/docs", "http://v2.example.com/api": "/api/v2/docs"} {
			if a := w.send(w.admin, "GET", path, "", "Accept", browser).want(303); a.Header.Get("Location") != to {
				t.Errorf("a browser at %s is sent to %s", path, a.Header.Get("Location"))
			}
			if a := w.send(w.admin, "GET", "/api", "", "Accept", browser, "X-API-Version", "2").want(303); a.Header.Get("Location") != "/api/v2/docs" {
				t.Errorf("a browser that names version 2 by header is sent to %s", a.Header.Get("Location"))
			}
			w.send(w.admin, "GET", to, "", "Accept", browser).want(200).has("List API keys")
		}
		a := w.do(w.admin, "OPTIONS", "/api/v1/users", "").want(204)
		if got := a.Header.Get("Allow"); got != "GET, HEAD, POST, OPTIONS" {
			t.Errorf("Allow %q", got)
		}
		a = w.do(w.admin, "DELETE", "/api/v1/users", "").want(405)
		if a.Header.Get("Allow") != "GET, HEAD, POST, OPTIONS" || a.at("error", "code") != "METHOD_NOT_ALLOWED" {
			t.Errorf("405: %s %v", a.Raw, a.Header)
		}
		w.do(w.admin, "GET", "/api/v1/users", "", "Accept", "text/html").want(406)
		w.do(w.admin, "GET", "/api/v1/users", "", "Accept", "text/html, */*;q=0.1").want(200)
		a = w.do(w.admin, "GET", "/api/v1/users/999", "", "Accept", "application/problem+json").want(404)
		if a.Header.Get("Content-Type") != "application/problem+json" || a.Body["status"] != 404. || a.Body["code"] != "RESOURCE_NOT_FOUND" {
			t.Errorf("problem: %s", a.Raw)
		}
		if a := w.do(w.nobody, "GET", "/api/v1/openapi", "").want(200); a.Body["openapi"] != "3.1.0" {
			t.Errorf("document: %.100s", a.Raw)
		}
	})
}
