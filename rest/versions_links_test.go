package rest_test

import (
	"fmt"
	"regexp"
	"slices"
	"testing"

	"github.com/entwine-go/entwine/kit/viewer"
)

var linked = regexp.MustCompile(`"(/api/[^"]*)"|<(/api/[^>]*)>`)

// A client that follows a link, or a Location, is answered in the version that it
// chose, however it chose it.
func TestLinksKeepTheVersion(t *testing.T) {
	each(t, func(w *world) {
		for i := range 3 {
			w.post(w.ada, fmt.Sprint("Post ", i), true)
		}
		w.do(w.admin, "POST", "/api/v1/products", `{"name":"Chair","price":1,"stock":50}`).want(201)
		ways := map[string]struct {
			host, query string
			headers     []string
		}{
			"header":       {headers: []string{"X-API-Version", "2"}},
			"other header": {headers: []string{"API-Version", "v2.0.0"}},
			"parameter":    {query: "version=2"},
			"short":        {query: "v=2"},
			"host":         {host: "http://v2.example.com"},
			"Accept":       {headers: []string{"Accept", "application/vnd.entwine.v2+json"}},
		}
		for way, c := range ways {
			for n, one := range []struct {
				who                *viewer.Viewer
				method, path, body string
				status             int
			}{
				{w.ada, "GET", "/api/posts?page=2&limit=1", "", 200},
				{w.ada, "GET", "/api/posts?limit=1&cursor=", "", 200},
				{w.ada, "GET", "/api/posts?limit=1&after=&after_id=", "", 200},
				{w.ada, "GET", "/api/posts/1?fields=actions", "", 200},
				{w.ada, "GET", "/api/search?q=Post&limit=1", "", 200},
				{w.ada, "GET", "/api/feed?limit=1", "", 200},
				{w.ada, "POST", "/api/posts?expand=author", `{"title":"T","content":"c"}`, 201},
				{w.ada, "POST", "/api/posts/1/share?", "", 201},
				{w.ada, "POST", "/api/cart/items?", `{"product_id":1,"quantity":1}`, 0},
				{w.ada, "POST", "/api/orders?", `{"items":[{"product_id":1,"quantity":1}]}`, 201},
				{w.ada, "PUT", fmt.Sprintf("/api/users/%d/profile?", w.ada.UserID), `{"bio":"b"}`, 0},
				{w.admin, "POST", "/api/reports/generate?", `{"type":"sales","format":"csv"}`, 202},
			} {
				path := c.host + one.path
				if c.query != "" {
					path += "&" + c.query
				}
				a := w.send(one.who, one.method, path, one.body, append(slices.Clip(c.headers), "Idempotency-Key", fmt.Sprint(way, n))...)
				if one.status != 0 {
					a.want(one.status)
				}
				found := linked.FindAllStringSubmatch(a.Raw+"<"+a.Header.Get("Location")+">"+a.Header.Get("Link"), -1)
				if len(found) == 0 && one.status != 0 {
					t.Errorf("%s: %s has no link: %s", way, a.asked, a.Raw)
				}
				for _, link := range found {
					at := link[1] + link[2]
					if len(at) < 8 || at[:8] != "/api/v2/" {
						t.Errorf("%s: %s links to %s", way, a.asked, at)
					}
				}
			}
		}
	})
}
