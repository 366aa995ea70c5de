package rest_test

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/entwine-go/entwine/kit/viewer"
)

var golden = flag.Bool("golden", false, "write testdata/faults.txt again")

// asked is a request that is given faults.
type asked struct {
	viewer                     *viewer.Viewer
	method, path, query, body  string
	accept, kind, key, expects string
}

// row has the path name another row, if it names one.
func (a *asked) row(id string) bool {
	before, after, ok := strings.Cut(a.path, "/1")
	if ok {
		a.path = before + "/" + id + after
	}
	return ok
}

// says gives the request another body, if it has one.
func (a *asked) says(body string) bool {
	if a.body == "" {
		return false
	}
	a.body = body
	return true
}

// fault is something that is wrong with a request. It reports whether the request
// can have it.
type fault struct {
	name string
	give func(a *asked) bool
}

// faults are in the order in which they are judged.
var faults = []fault{
	{"no such path", func(a *asked) bool { a.path += "/at/all"; return true }},
	{"another method", func(a *asked) bool { a.method = "TRACE"; return true }},
	{"nobody", func(a *asked) bool { a.viewer = viewer.Anonymous(); return true }},
	{"accept", func(a *asked) bool { a.accept = "text/html"; return true }},
	{"id", func(a *asked) bool { return a.row("01") }},
	{"query", func(a *asked) bool { a.query = "?colour=red"; return true }},
	{"content type", func(a *asked) bool { a.kind = "text/plain"; return a.body != "" }},
	{"JSON", func(a *asked) bool { return a.says("{") }},
	{"key", func(a *asked) bool { a.key = strings.Repeat("k", 300); return a.method == "POST" }},
	{"input", func(a *asked) bool { return a.body != "{" && a.says(`{"colour":"red"}`) }},
	{"absent row", func(a *asked) bool { return a.row("999") }},
	{"expectation", func(a *asked) bool { a.expects = `"never"`; return a.method == "PATCH" || a.method == "DELETE" }},
}

// faulty are requests without a fault.
var faulty = []asked{
	{method: "GET", path: "/posts"},
	{method: "POST", path: "/posts", body: `{"title":"New","content":"Of it"}`},
	{method: "GET", path: "/posts/1"},
	{method: "PATCH", path: "/posts/1", body: `{"title":"Newer"}`},
	{method: "DELETE", path: "/users/1/follow"},
	{method: "POST", path: "/posts/1/comments", body: `{"text":"Yes."}`},
	{method: "POST", path: "/orders", body: `{"items":[{"product_id":1,"quantity":100}]}`},
	{method: "POST", path: "/users/search", body: `{"page":1}`},
	{method: "GET", path: "/cart"},
	{method: "GET", path: "/feed"},
	{method: "GET", path: "/orders/1/payment-status"},
	{method: "GET", path: "/orders/1/invoice"},
	{method: "GET", path: "/jobs/1/result"},
	{method: "GET", path: "/search"},
	{method: "GET", path: "/auth/me"},
	{method: "POST", path: "/auth/2fa/verify", body: `{"token":"1"}`},
	{method: "POST", path: "/payments/webhook", body: `{"id":"1","type":"a"}`},
}

// TestRequestsWithSeveralFaults writes down which fault a request is refused for that
// has one, two or all of them: testdata/faults.txt.
func TestRequestsWithSeveralFaults(t *testing.T) {
	each(t, func(w *world) {
		w.post(w.ada, "Shown", true)
		w.do(w.admin, "POST", "/api/v1/products", `{"name":"Chair","price":1,"stock":5,"category":"home"}`).want(201)
		var page strings.Builder
		for _, a := range faulty {
			a.viewer = w.ada
			for _, version := range []string{"/api/v1", "/api/v2", "/api"} {
				if version != "/api/v1" && a.path != "/posts/1" && a.path != "/users/search" {
					continue
				}
				fmt.Fprintf(&page, "\n%s %s%s\n", a.method, version, a.path)
				for i := range faults {
					w.refuse(&page, version, a, faults[i])
					for j := range i {
						w.refuse(&page, version, a, faults[i-1-j], faults[i])
					}
				}
				w.refuse(&page, version, a, faults[2:]...)
				w.refuse(&page, version, a, faults[4:]...)
			}
		}
		w.paths(&page)
		const name = "testdata/faults.txt"
		if *golden {
			if err := os.WriteFile(name, []byte(page.String()), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		wanted := strings.Split(string(want), "\n")
		for i, line := range strings.Split(page.String(), "\n") {
			if i >= len(wanted) || line != wanted[i] {
				t.Fatalf("%s: line %d is %q now: run the test with -golden and read the difference", name, i+1, line)
			}
		}
	})
}

// refuse writes what a request with the faults is answered, if it can have them.
func (w *world) refuse(page *strings.Builder, version string, a asked, all ...fault) {
	var names []string
	for _, f := range all {
		if f.give(&a) {
			names = append(names, f.name)
		} else if len(all) < 3 {
			return
		}
	}
	headers := []string{}
	for name, value := range map[string]string{"Accept": a.accept, "Content-Type": a.kind, "Idempotency-Key": a.key, "If-Match": a.expects} {
		if value != "" {
			headers = append(headers, name, value)
		}
	}
	answered := w.send(a.viewer, a.method, version+a.path+a.query, a.body, headers...)
	fmt.Fprintf(page, "  %s: %s\n", strings.Join(names, ", "), answered.says())
}

// says is the status and what is said of it.
func (a *answer) says() string {
	text := fmt.Sprint(a.Status)
	if code := a.at("error", "code"); code != nil {
		text += fmt.Sprint(" ", code)
	}
	if details, ok := a.at("error", "details").([]any); ok {
		for _, d := range details {
			text += fmt.Sprint(" ", d.(map[string]any)["field"])
		}
	}
	return text
}

// paths writes which methods there are at paths, as they may be written.
func (w *world) paths(page *strings.Builder) {
	for _, path := range []string{
		"/posts", "/posts/1", "/posts/%31", "/posts/1%2F2", "/posts/", "//posts", "/users/search", "/users/searching",
		"/categories/a%2Fb", "/p%6Fsts/1", "/auth/login", "/cart", "", "/",
	} {
		for _, method := range []string{"OPTIONS", "HEAD", "DELETE", "LINK"} {
			for _, version := range []string{"/api/v1", "/api/v2", "/api", "/%61pi/v1", "/api/v9"} {
				a := w.send(w.nobody, method, version+path, "", "Origin", "https://example.com", "Access-Control-Request-Method", "POST")
				fmt.Fprintf(page, "\n%s %s%s %s", method, version, path, a.says())
				for _, name := range []string{"Allow", "Accept-Post", "Accept-Patch", "Access-Control-Allow-Methods", "Access-Control-Allow-Headers", "Vary", "X-Api-Version"} {
					if value := a.Header.Values(name); len(value) > 0 {
						fmt.Fprintf(page, "\n\t%s: %s", name, strings.Join(value, "; "))
					}
				}
			}
		}
	}
}
