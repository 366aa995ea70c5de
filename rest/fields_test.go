package rest_test

import (
	"fmt"
	"strings"
	"testing"
)

func TestFieldsReachIntoWhatIsExpanded(t *testing.T) {
	each(t, func(w *world) {
		id := w.post(w.ada, "A", true)
		path := fmt.Sprintf("/api/v1/posts/%d", id)
		w.do(w.bob, "POST", path+"/comments", `{"text":"Well."}`).want(201)
		for query, want := range map[string]string{
			"?fields=title,author.name&expand=author":                                 `{"title":"A","author":{"name":"Ada Lovelace"}}`,
			"?fields=author.name&expand=author":                                       `{"author":{"name":"Ada Lovelace"}}`,
			"?fields=title,comments.author.name,comments.text&expand=comments.author": `{"title":"A","comments":[{"text":"Well.","author":{"name":"Bob Miller"}}]}`,
			"?fields=comments.text&expand=comments.author":                            `{"comments":[{"text":"Well.","author":{"id":`,
			"?fields=title,author&expand=author":                                      `{"title":"A","author":{"id":`,
		} {
			got := w.do(w.ada, "GET", path+query, "").want(200)
			if !strings.HasPrefix(got.Raw, `{"status":"success","data":`+want) {
				t.Errorf("GET %s: %s", query, got.Raw)
			}
			list := w.do(w.ada, "GET", "/api/v1/posts"+query, "").want(200)
			if !strings.HasPrefix(list.Raw, `{"status":"success","data":[`+want) {
				t.Errorf("GET /posts%s: %s", query, list.Raw)
			}
		}
		for query, want := range map[string]string{
			"?fields=author.name":                       `names fields of "author", which is not expanded: expand=author does that`,
			"?fields=author.salary&expand=author":       `has no field "author.salary"; allowed: `,
			"?fields=author.nothing&expand=author":      `has no field "author.nothing"; allowed: `,
			"?fields=title.length":                      `names fields of "title", which is not expanded: expand=title does that`,
			"?fields=comments.author.x&expand=comments": `names fields of "comments.author", which is not expanded: expand=comments.author does that`,
		} {
			if got := w.do(w.ada, "GET", path+query, "").want(400).details()["fields"]; !strings.HasPrefix(got, want) {
				t.Errorf("GET %s: %q, want %q", query, got, want)
			}
		}
		csv := w.do(w.ada, "GET", "/api/v1/posts?fields=title,author.name&expand=author", "", "Accept", "text/csv").want(200).Raw
		if csv != "title,author.name\r\nA,Ada Lovelace\r\n" {
			t.Errorf("CSV: %q", csv)
		}
	})
}
