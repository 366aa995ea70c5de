package rest_test

import (
	"encoding/csv"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
)

func wellFormed(t testing.TB, text string) {
	t.Helper()
	for d := xml.NewDecoder(strings.NewReader(text)); ; {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			return
		} else if err != nil {
			t.Fatalf("%v in %s", err, text)
		}
	}
}

func TestRepresentations(t *testing.T) {
	each(t, func(w *world) {
		id := w.post(w.ada, `=cmd|' /C calc'!A0`, true)
		one, all := fmt.Sprintf("/api/v1/posts/%d", id), "/api/v1/posts"
		tags := map[string]bool{}
		for _, c := range []struct{ path, accept, media, holds string }{
			{one, "application/xml", "application/xml; charset=utf-8", "<title>=cmd|' /C calc'!A0</title>"},
			{all + "?fields=id,title&expand=author", "text/csv", "text/csv; charset=utf-8; header=present", "id,title,author.id,author.name"},
			{all + "?fields=title", "text/csv;q=0.9, application/json;q=0.8", "text/csv; charset=utf-8; header=present", "title\r\n\"'=cmd|' /C calc'!A0\"\r\n"},
			{all + "?title=none&fields=id,title", "text/csv", "text/csv; charset=utf-8; header=present", "id,title\r\n"},
			{all, "application/xml", "application/xml; charset=utf-8", "<pagination><page>1</page>"},
			{all + "?limit=3", "text/xml", "application/xml; charset=utf-8", "<pagination><page>1</page>"},
			{all, "application/vnd.entwine.v1+json", "application/vnd.entwine.v1+json", `"status":"success"`},
			{"/api/v1/posts/999", "application/xml", "application/xml; charset=utf-8", "<code>RESOURCE_NOT_FOUND</code>"},
			{"/api/v1/posts/999", "application/problem+json", "application/problem+json", `"code":"RESOURCE_NOT_FOUND"`},
			{"/api/v1/nothing", "application/xml", "application/xml; charset=utf-8", "<status>error</status>"},
			{all + "?page=0", "text/csv", "application/json", `"VALIDATION_ERROR"`},
			{one, "text/csv", "application/json", "application/json, application/xml can be had"},
			{one, "application/vnd.entwine.v9+json", "application/json", "application/json, application/xml, application/vnd.entwine.v1+json, application/vnd.entwine.v2+json, application/vnd.entwine.v3+json can be had"},
			{"/api/v1/posts/999", "application/vnd.entwine.v1+json", "application/vnd.entwine.v1+json", `"code":"RESOURCE_NOT_FOUND"`},
			{"/api/v1", "application/vnd.entwine+json", "application/vnd.entwine+json", `"code":"RESOURCE_NOT_FOUND"`},
			{"/api/v1/posts/", "application/vnd.entwine.v1+json", "application/vnd.entwine.v1+json", `"code":"RESOURCE_NOT_FOUND"`},
			{all, "image/png", "application/json", "application/json, application/xml, text/csv, application/x-ndjson, text/event-stream can be had"},
		} {
			a := w.do(w.ada, "GET", c.path, "", "Accept", c.accept)
			if a.Header.Get("Content-Type") != c.media || !strings.Contains(a.Raw, c.holds) {
				t.Errorf("%s as %s: %s %s", c.path, c.accept, a.Header.Get("Content-Type"), a.Raw)
			}
			if a.Header.Get("Vary") != "Accept, Accept-Encoding" || a.Header.Get("X-Api-Version") != "1.0.0" {
				t.Errorf("%s: headers %v", c.path, a.Header)
			}
			switch {
			case strings.HasSuffix(c.media, "xml; charset=utf-8"):
				wellFormed(t, a.Raw)
			case strings.HasPrefix(c.media, "text/csv"):
				if _, err := csv.NewReader(strings.NewReader(a.Raw)).ReadAll(); err != nil {
					t.Errorf("%s: %v in %q", c.path, err, a.Raw)
				}
				if a.Header.Get("Link") == "" {
					t.Errorf("%s: no Link", c.path)
				}
			}
			if tag := a.Header.Get("Etag"); tag != "" && tags[tag] {
				t.Errorf("%s as %s has the ETag of another representation", c.path, c.accept)
			} else {
				tags[tag] = tag != ""
			}
		}
		head := w.do(w.ada, "HEAD", one, "", "Accept", "application/xml").want(200)
		if got := w.do(w.ada, "GET", one, "", "Accept", "application/xml"); head.Raw != "" || head.Header.Get("Content-Length") != fmt.Sprint(len(got.Raw)) {
			t.Errorf("HEAD: %v %q", head.Header, head.Raw)
		}
		a := w.do(w.ada, "POST", "/api/v1/posts", `{"title":"New","content":"x"}`, "Accept", "application/xml", "Idempotency-Key", "as-xml").want(201)
		b := w.do(w.ada, "POST", "/api/v1/posts", `{"title":"New","content":"x"}`, "Accept", "application/json", "Idempotency-Key", "as-xml").want(201)
		if !strings.Contains(a.Raw, "<title>New</title>") || b.data()["title"] != "New" {
			t.Errorf("a repetition in another representation: %s %s", a.Raw, b.Raw)
		}
	})
}

func TestVersions(t *testing.T) {
	each(t, func(w *world) {
		for _, c := range []struct {
			path    string
			headers []string
			status  int
		}{
			{"/api/posts", nil, 200},
			{"/api/posts?v=1&limit=5", nil, 200},
			{"/api/posts?version=v1", []string{"X-API-Version", "1.0.0"}, 200},
			{"/api/v1/posts", []string{"API-Version", "1"}, 200},
			{"/api/posts?v=9", nil, 400},
			{"/api/posts", []string{"X-API-Version", "one"}, 400},
			{"/api/v1/posts?v=2", nil, 400},
			{"/api/posts", []string{"X-API-Version", "1", "API-Version", "2"}, 400},
			{"/api/posts", []string{"Accept", "application/vnd.entwine.v9+json"}, 406},
			{"/api/v9/posts", nil, 404},
		} {
			a := w.do(w.ada, "GET", c.path, "", c.headers...).want(c.status)
			if a.Header.Get("X-Api-Version") != "1.0.0" {
				t.Errorf("%s: %v", c.path, a.Header)
			}
		}
		const v9 = "application/vnd.entwine.v9+json"
		w.send(w.ada, "POST", "/api/posts", "{}", "Content-Type", v9).want(415).has(`\"` + v9 + `\" is not taken here: application/json, application/vnd.entwine.v1+json, application/vnd.entwine.v2+json, application/vnd.entwine.v3+json are`)
		w.post(w.ada, "A", true)
		w.post(w.ada, "B", true)
		a := w.do(w.ada, "GET", "/api/posts?v=1&limit=1", "")
		if next := a.at("links", "next"); next != "/api/v1/posts?limit=1&page=2" {
			t.Errorf("the next page is %v", next)
		}
	})
}

func TestConditions(t *testing.T) {
	each(t, func(w *world) {
		path := fmt.Sprintf("/api/v1/posts/%d", w.post(w.ada, "A", true))
		profile := fmt.Sprintf("/api/v1/users/%d/profile", w.ada.UserID)
		w.do(w.ada, "PUT", profile, `{"bio":"x"}`, "If-Match", "*").want(412)
		w.do(w.ada, "PUT", profile, `{"bio":"x"}`, "If-None-Match", "*").want(201)
		w.do(w.ada, "PUT", profile, `{"bio":"y"}`, "If-None-Match", "*").want(412)
		for _, query := range []string{"", "?fields=title", "?expand=author", "?fields=title&expand=author"} {
			for _, accept := range []string{"application/json", "application/xml"} {
				a := w.do(w.ada, "GET", path+query, "", "Accept", accept).want(200)
				tag := a.Header.Get("Etag")
				w.do(w.ada, "GET", path+query, "", "Accept", accept, "If-None-Match", tag).want(304)
				w.do(w.ada, "PATCH", path, `{}`, "If-Match", `"other", `+tag).want(200)
				w.do(w.ada, "PATCH", path, `{}`, "If-Match", "W/"+tag).want(412)
				w.do(w.ada, "PATCH", path, `{"title":"`+query+accept+`"}`, "If-Match", tag).want(200)
				w.do(w.ada, "PATCH", path, `{"title":"late"}`, "If-Match", tag).want(412)
				w.do(w.ada, "GET", path+query, "", "Accept", accept, "If-None-Match", tag).want(200)
			}
		}
		// A change that leaves the version changes the tag, and fails no conditional write.
		tag := w.do(w.ada, "GET", path, "").Header.Get("Etag")
		if _, err := w.db.ExecContext(w.system, `UPDATE "posts" SET "likes_count" = 7`); err != nil {
			t.Fatal(err)
		}
		w.do(w.ada, "GET", path, "", "If-None-Match", tag).want(200)
		w.do(w.ada, "PATCH", path, `{"title":"B"}`, "If-Match", tag).want(200)

		modified := w.do(w.ada, "GET", path, "").Header.Get("Last-Modified")
		w.do(w.ada, "PATCH", path, `{}`, "If-Unmodified-Since", modified).want(200)
		w.do(w.ada, "PATCH", path, `{}`, "If-Unmodified-Since", "Mon, 02 Jan 2006 15:04:05 GMT").want(412)
		w.do(w.ada, "PATCH", path, `{}`, "If-Unmodified-Since", "yesterday").want(200)
		w.do(w.ada, "DELETE", path, "", "If-Unmodified-Since", "Mon, 02 Jan 2006 15:04:05 GMT").want(412)
		w.do(w.ada, "DELETE", path, "", "If-Match", "*").want(204)
	})
}

func TestWhoMayKeepAnAnswer(t *testing.T) {
	each(t, func(w *world) {
		if _, err := w.ent.Product.Create().SetName("Lamp").SetPrice(1999).SetCurrency("EUR").Save(w.system); err != nil {
			t.Fatal(err)
		}
		for _, c := range []struct{ who, path, want string }{
			{"nobody", "/api/v1/products", "public, max-age="},
			{"ada", "/api/v1/products", "private, no-cache"},
			{"nobody", "/api/v1/posts", "private, no-cache"},
			{"ada", fmt.Sprintf("/api/v1/users/%d", w.ada.UserID), "private, no-cache"},
			{"nobody", "/api/v1/posts/999", "no-store"},
		} {
			v := w.nobody
			if c.who == "ada" {
				v = w.ada
			}
			if got := w.do(v, "GET", c.path, "").Header.Get("Cache-Control"); !strings.HasPrefix(got, c.want) {
				t.Errorf("%s of %s: %q, want %q", c.path, c.who, got, c.want)
			}
		}
	})
}
