package rest_test

import (
	"net/http"
	"strings"
	"testing"
)

// A read with a parameter that there is not is refused: a client that misspells one
// would take the answer for what it asked for.
func TestNoReadTakesAnUnknownParameter(t *testing.T) {
	each(t, func(w *world) {
		operationsOf(t, func(method, path string, _ map[string]any) {
			if method != "get" {
				return
			}
			for _, version := range []string{"/api/v1", "/api/v2"} {
				for _, method := range []string{http.MethodGet, http.MethodHead} {
					if a := w.send(w.admin, method, version+pathOf(path)+"?zzz=1", ""); a.Status < 300 {
						t.Errorf("%s %s%s takes zzz: %d", method, version, path, a.Status)
					}
				}
			}
		})
		for _, path := range []string{"/cart", "/files/usage"} {
			w.send(w.ada, "GET", "/api/v1"+path+"?zzz=1", "").want(400).has("is not a parameter of this request; allowed: none")
		}
	})
}

// JSON is exchanged in UTF-8: a body in another charset would be read as other text.
func TestBodiesAreInUTF8(t *testing.T) {
	each(t, func(w *world) {
		for kind, status := range map[string]int{
			"application/json; charset=latin1": 415, "application/json; charset=UTF-16": 415,
			"application/json; charset=UTF-8": 200, `application/json; charset="us-ascii"`: 200,
		} {
			w.send(w.ada, "POST", "/api/v1/users/search", `{}`, "Content-Type", kind).want(status)
		}
	})
}

// Null counts as absent where a member may be.
func TestNoCodeSignsInWithoutOne(t *testing.T) {
	receive(t, func(t *testing.T, r *reception) {
		r.signUp("Ann", "null@example.com")
		r.visitor().do("POST", "/api/v1/auth/login", `{"email":"null@example.com","password":"correct horse 1","totpToken":null}`).want(200)
		r.visitor().do("POST", "/api/v1/auth/login", `{"email":"null@example.com","password":null}`).want(400)
	})
}

// A text of a client is cut where an error repeats it, and what is allowed is not lost
// behind it. Links of a long query are in the body: proxies refuse large headers.
func TestLongTextsAreCut(t *testing.T) {
	each(t, func(w *world) {
		long := strings.Repeat("x", 9000)
		for path, allowed := range map[string]string{
			"/api/v1/posts?sort=" + long: "allowed: id, title", "/api/v1/posts?fields=" + long: "allowed: id, title",
			"/api/v1/posts?expand=" + long: "allowed: author", "/api/v1/posts?" + long + "=1": "allowed: fields", "/api/v1/" + long[:8000]: "there is nothing",
		} {
			a := w.send(w.ada, "GET", path, "")
			if a.has(allowed); len(a.Raw) > 2000 {
				t.Errorf("%.30s is answered with %d bytes", path, len(a.Raw))
			}
		}
		if a := w.send(w.ada, "POST", "/api/v1/posts", `{}`, "Content-Type", long).want(415).has("application/json is"); len(a.Raw) > 500 {
			t.Errorf("a long Content-Type is answered with %d bytes", len(a.Raw))
		}
		if a := w.send(w.ada, "GET", "/api/v1/"+long[:8000], "", "Accept", "application/problem+json").want(404); len(a.Raw) > 500 {
			t.Errorf("a long path is answered with %d bytes", len(a.Raw))
		}
		a := w.send(w.ada, "GET", "/api/v1/users?limit=1&role[in]=user,"+strings.Repeat("senior_developer,", 98)+"user", "").want(200).has(`"self":`)
		if link := a.Header.Get("Link"); len(link) > 2100 || !strings.Contains(link, `rel="next"`) || strings.Contains(link, `rel="self"`) {
			t.Errorf("the Link of a long query has %d bytes: %s", len(link), link)
		}
	})
}
