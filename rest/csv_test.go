package rest_test

import (
	"fmt"
	"strings"
	"testing"
)

func TestListsAsCSVAreFiles(t *testing.T) {
	each(t, func(w *world) {
		id := w.post(w.ada, "A", true)
		w.do(w.ada, "POST", fmt.Sprintf("/api/v1/posts/%d/comments", id), `{"text":"x"}`).want(201)
		for path, name := range map[string]string{"/api/v1/posts?fields=title": "posts.csv", fmt.Sprintf("/api/v1/posts/%d/comments?fields=text", id): "comments.csv", "/api/v1/search?q=a": "search.csv"} {
			a := w.do(w.ada, "GET", path, "", "Accept", "text/csv").want(200)
			if got := a.Header.Get("Content-Disposition"); got != "attachment; filename="+name || a.Header.Get("Content-Type") != "text/csv; charset=utf-8; header=present" {
				t.Errorf("GET %s: %q, %q", path, got, a.Header.Get("Content-Type"))
			}
			bare := w.do(w.ada, "GET", path, "", "Accept", `application/pdf, text/csv;q=0.9; header="absent"`).want(200)
			if _, rows, _ := strings.Cut(a.Raw, "\r\n"); bare.Raw != rows || bare.Header.Get("Content-Type") != "text/csv; charset=utf-8; header=absent" {
				t.Errorf("GET %s without a header row: %q %q", path, bare.Header.Get("Content-Type"), bare.Raw)
			}
			if bare.Header.Get("Etag") == a.Header.Get("Etag") {
				t.Errorf("GET %s: one ETag for both", path)
			}
			w.do(w.ada, "GET", path, "", "Accept", "text/csv; header=absent", "If-None-Match", bare.Header.Get("Etag")).want(304)
			w.do(w.ada, "GET", path, "", "Accept", "text/csv", "If-None-Match", bare.Header.Get("Etag")).want(200)
		}
		if got := w.do(w.ada, "GET", "/api/v1/posts", "").want(200).Header.Get("Content-Disposition"); got != "" {
			t.Errorf("JSON is a file: %s", got)
		}
	})
}
