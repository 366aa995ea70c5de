package rest_test

import (
	"fmt"
	"strings"
	"testing"
)

func TestCursorsLeadBack(t *testing.T) {
	each(t, func(w *world) {
		for i := range 11 {
			w.post(w.ada, string(rune('A'+i%3)), i%4 != 0) // published_at is null for some
		}
		for _, path := range []string{
			"/api/v1/posts?cursor=&limit=3", "/api/v1/posts?cursor=&limit=3&sort=title", "/api/v1/posts?cursor=&limit=3&sort=-published_at,title",
			"/api/v1/posts?cursor=&limit=3&sort=published_at", "/api/v1/feed?limit=3", fmt.Sprintf("/api/v1/users/%d/posts?cursor=&limit=3&title=A", w.ada.UserID),
		} {
			follow := func(a *answer, rel string) *answer {
				next, ok := a.at("links", rel).(string)
				if !ok {
					return nil
				}
				if !strings.Contains(a.Header.Get("Link"), "<"+next+`>; rel="`+rel+`"`) {
					t.Errorf("Link lacks %s: %s", rel, a.Header.Get("Link"))
				}
				return w.do(w.ada, "GET", next, "").want(200)
			}
			first := w.do(w.ada, "GET", path, "").want(200)
			if first.at("links", "prev") != nil {
				t.Errorf("%s: the first page has prev", path)
			}
			var pages []string
			last := first
			for a := first; a != nil; a = follow(a, "next") {
				pages, last = append(pages, fmt.Sprint(a.all("id"))), a
			}
			if len(pages) < 2 {
				t.Fatalf("%s: %d pages", path, len(pages))
			}
			for a, i := follow(last, "prev"), len(pages)-2; a != nil || i >= 0; a, i = follow(a, "prev"), i-1 {
				if a == nil || i < 0 {
					t.Fatalf("%s: page %d, %v: another number of pages back than forth", path, i, a)
				}
				if got := fmt.Sprint(a.all("id")); got != pages[i] {
					t.Errorf("%s: page %d is %s on the way back, %s on the way forth", path, i, got, pages[i])
				}
				if a.at("pagination", "has_more") != true {
					t.Errorf("%s: page %d has no more: %s", path, i, a.Raw)
				}
				if again := follow(a, "next"); fmt.Sprint(again.all("id")) != pages[i+1] {
					t.Errorf("%s: forth again from page %d: %v, want %s", path, i, again.all("id"), pages[i+1])
				}
			}
		}
		// A cursor belongs to its listing whichever way it leads.
		back := w.do(w.ada, "GET", "/api/v1/posts?cursor=&limit=3&sort=title", "").at("links", "next").(string)
		back = w.do(w.ada, "GET", back, "").at("links", "prev").(string)
		w.do(w.ada, "GET", strings.Replace(back, "sort=title", "sort=-title", 1), "").want(400)
	})
}
