package rest_test

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/entwine-go/entwine/kit/viewer"
)

func TestSearch(t *testing.T) {
	each(t, func(w *world) {
		shown, draft := w.post(w.ada, "The Difference Engine", true), w.post(w.ada, "An engine to come", false)
		gone := w.post(w.ada, "A forgotten engine", true)
		w.do(w.ada, "DELETE", fmt.Sprintf("/api/v1/posts/%d", gone), "").want(204)
		find := func(v *viewer.Viewer, query string) *answer { return w.do(v, "GET", "/api/v1/search?"+query, "") }

		a := find(w.nobody, "q=engine").want(200)
		if a.at("pagination", "total") != 1.0 || a.at("counts", "posts") != 1.0 || a.at("counts", "users") != nil || a.at("total_exact") != true {
			t.Errorf("anonymous: %s", a.Raw)
		}
		item := a.at("data").([]any)[0].(map[string]any)
		if item["type"] != "posts" || item["id"] != float64(shown) || item["title"] != "The Difference Engine" ||
			item["snippet"] != "Content of The Difference <mark>Engine</mark>" || item["url"] != fmt.Sprintf("/api/v1/posts/%d", shown) {
			t.Errorf("item: %v", item)
		}
		for who, n := range map[*viewer.Viewer]float64{w.bob: 1, w.ada: 2, w.moderator: 1, w.admin: 2} {
			if a := find(who, "q=engine&type=posts").want(200); a.at("pagination", "total") != n {
				t.Errorf("%s finds %v, want %v (post %d is a draft)", who.Role, a.at("pagination", "total"), n, draft)
			}
		}
		if a := find(w.bob, "q=lovelace").want(200); a.at("counts", "users") != 1.0 {
			t.Errorf("a user: %s", a.Raw)
		}
		page := find(w.ada, "q=engine&limit=1&page=2").want(200)
		if page.at("pagination", "has_prev") != true || page.at("links", "prev") == nil || page.at("links", "next") != nil || len(page.at("data").([]any)) != 1 {
			t.Errorf("page 2: %s", page.Raw)
		}
		w.do(w.ada, "GET", "/api/v1/search?q=engine&limit=1&page=2", "", "If-None-Match", page.Header.Get("ETag")).want(304)
		csv := w.do(w.nobody, "GET", "/api/v1/search?q=engine", "", "Accept", "text/csv").want(200)
		if !strings.HasPrefix(csv.Raw, "type,id,title,snippet,score,url\r\nposts,") {
			t.Errorf("CSV: %s", csv.Raw)
		}

		hits := w.do(w.nobody, "GET", "/api/v2/search?q=engine", "").want(200)
		if data, _ := hits.at("data", "hits").([]any); len(data) != 1 || hits.at("results") != 1.0 {
			t.Errorf("version 2: %s", hits.Raw)
		}
		xml := w.do(w.nobody, "GET", "/api/v2/search?q=engine", "", "Accept", "application/xml").want(200)
		if !strings.Contains(xml.Raw, "<results>1</results><data><hits><item><type>posts</type>") {
			t.Errorf("version 2 as XML: %s", xml.Raw)
		}
		csv = w.do(w.nobody, "GET", "/api/v2/search?q=engine", "", "Accept", "text/csv").want(200)
		if !strings.HasPrefix(csv.Raw, "type,id,title,snippet,score,url\r\nposts,") {
			t.Errorf("version 2 as CSV: %s", csv.Raw)
		}

		find(w.nobody, "q=a&type=users").want(401)
		find(w.nobody, "q=a&type=all").want(200)
		for _, bad := range []string{"", "q=", "q=%20%09", "q=a&type=comments", "q=a&type=", "q=" + strings.Repeat("a", 201), "q=a&limit=0", "q=a&page=0", "q=a&page=100001", "q=a&sort=id", "q=a&q=b", "q=%00", "q=%ff", "q=%zz"} {
			find(w.ada, bad).want(400)
		}
		for _, text := range []string{`"`, "-", "* OR NOT", `a:* & !(b | 'c')`, `{title_fold} : x`, "%_", strings.Repeat("ö ", 100)} {
			find(w.ada, "q="+url.QueryEscape(text)).want(200)
		}
	})
}

// A stranger learns no words of drafts, of deleted posts and of users by asking for
// near misses: the answers, and what is asked of the database, are as without them.
func TestNearMissesOfHiddenWords(t *testing.T) {
	each(t, func(w *world) {
		w.post(w.ada, "The machine shop", true)
		ask := func() (all []string) {
			for _, path := range []string{
				"/api/v1/search?q=machinery", "/api/v1/search?q=machinry", "/api/v1/search?q=machne", "/api/v1/search?q=clandestinly&type=posts", "/api/v2/search?q=machinry",
				"/api/v1/posts?search=machinery", "/api/v1/posts?search=machinry",
			} {
				a := w.do(w.nobody, "GET", path, "").want(200)
				all = append(all, fmt.Sprintf("%s: %d statements, %s", path, len(w.log.Statements()), a.Raw))
			}
			return all
		}
		before := ask()
		for _, word := range []string{"machinery", "machinry", "machines", "machinist", "machining", "machinal", "clandestinely"} {
			w.post(w.ada, word, false)
			gone := w.post(w.ada, word+" gone", true)
			w.do(w.ada, "DELETE", fmt.Sprintf("/api/v1/posts/%d", gone), "").want(204)
			w.user(word, "user")
		}
		for i, now := range ask() {
			if now != before[i] {
				t.Errorf("beside hidden rows: %s\nwithout them: %s", now, before[i])
			}
		}
		if found := w.do(w.ada, "GET", "/api/v1/search?q=clandestinly&type=posts", "").want(200); w.db.Postgres() && found.at("pagination", "total") != 1. {
			t.Errorf("the author of the draft: %s", found.Raw)
		}
	})
}

// A listing of more than 10,000 rows is counted so far, and says so in each version
// and where it is expanded or below another row.
func TestTotalsAreBounded(t *testing.T) {
	each(t, func(w *world) {
		post := w.post(w.ada, "Notes", true)
		series := `generate_series(1, 10001) AS s(n)`
		if !w.db.Postgres() {
			series = `(WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 10001) SELECT n FROM c)`
		}
		if _, err := w.db.ExecContext(w.system, fmt.Sprintf(`INSERT INTO comments (text, post_id, author_id, created_at, updated_at)
			SELECT 'Indeed ' || n, %d, %d, '2026-01-01 00:00:00.000000+00:00', '2026-01-01 00:00:00.000000+00:00' FROM `, post, w.ada.UserID)+series); err != nil {
			t.Fatal(err)
		}
		for path, exact := range map[string]string{
			"/api/v1/comments": "total_exact", fmt.Sprintf("/api/v1/posts/%d/comments", post): "total_exact",
			"/api/v2/comments": "totalExact",
		} {
			many := w.do(w.ada, "GET", path+"?limit=100", "").want(200)
			if many.at("pagination", "total") != 10_000. || many.at("pagination", exact) != false || many.at("links", "last") != nil {
				t.Errorf("%s: %v %v", path, many.at("pagination"), many.at("links"))
			}
			end := w.do(w.ada, "GET", path+"?limit=100&page=101", "").want(200)
			if next := end.at("links", "next"); next != nil || end.at("links", "prev") == nil || end.at("pagination", exact) != false {
				t.Errorf("the end of %s: %v %v", path, end.at("pagination"), end.at("links"))
			}
		}
		expanded := w.do(w.ada, "GET", fmt.Sprintf("/api/v1/posts/%d?expand=comments", post), "").want(200)
		if expanded.at("data", "more", "comments", "total") != 10_000. || expanded.at("data", "more", "comments", "total_exact") != false {
			t.Errorf("expanded: %v", expanded.at("data", "more"))
		}
		w.do(w.admin, "DELETE", "/api/v1/comments/1", "").want(204)
		if all := w.do(w.ada, "GET", "/api/v1/comments", "").want(200); all.at("pagination", "total") != 10_000. || all.at("pagination", "total_exact") != nil || all.at("links", "last") == nil {
			t.Errorf("10,000 rows are counted: %v", all.at("pagination"))
		}
	})
}

// A listing that is searched is counted so far, and says so.
func TestASearchedListingIsCountedSoFar(t *testing.T) {
	each(t, func(w *world) {
		series := `generate_series(1, 5001) AS s(n)`
		if !w.db.Postgres() {
			series = `(WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 5001) SELECT n FROM c)`
		}
		if _, err := w.db.ExecContext(w.system, `INSERT INTO users (name, name_fold, email, email_fold, role, created_at, updated_at)
			SELECT 'Engineer ' || n, 'engineer ' || n, 'e' || n || '@example.net', 'e' || n || '@example.net', 'user', '2026-01-01 00:00:00.000000+00:00', '2026-01-01 00:00:00.000000+00:00' FROM `+series); err != nil {
			t.Fatal(err)
		}
		many := w.do(w.admin, "GET", "/api/v1/users?search=ENGINEER&page=500", "").want(200)
		if many.at("pagination", "total") != 5000. || many.at("pagination", "total_exact") != false || many.at("pagination", "has_next") != true || many.at("links", "last") != nil || len(many.at("data").([]any)) != 10 {
			t.Errorf("very many: %.300s %v %v", many.Raw, many.at("pagination"), many.at("links"))
		}
		end := w.do(w.admin, "GET", "/api/v1/users?search=engineer&page=501", "").want(200)
		if end.at("pagination", "has_next") != false || len(end.at("data").([]any)) != 1 || !strings.Contains(end.at("links", "prev").(string), "page=500") {
			t.Errorf("the last page: %s", end.Raw)
		}
		some := w.do(w.admin, "GET", "/api/v1/users?search=neer+49&sort=id", "").want(200)
		if some.at("pagination", "total") != 111. || some.at("pagination", "total_exact") != nil || some.at("links", "last") == nil {
			t.Errorf("some: %s", some.Raw)
		}
	})
}
