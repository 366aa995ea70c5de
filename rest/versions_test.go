package rest_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/gid"
	"github.com/entwine-go/entwine/kit/migration"
	"github.com/entwine-go/entwine/kit/rest/apiversion"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/viewer"
	"github.com/entwine-go/entwine/migrate"
	"github.com/entwine-go/entwine/rest/crud"
	"github.com/entwine-go/entwine/rest/oas/spec"
)

var differing = []struct {
	pattern *regexp.Regexp
	shown   string
}{
	{regexp.MustCompile(`20\d\d-\d\d-\d\dT\d\d(:|%3A)\d\d(:|%3A)\d\d(\.\d+)?Z`), "TIME"},
	{regexp.MustCompile(`"token":"ey[^"]+"`), `"token":"TOKEN"`},
	{regexp.MustCompile(`"(next_cursor|nextCursor)":"[^"]+"`), `"$1":"CURSOR"`},
	{regexp.MustCompile(`cursor=[A-Za-z0-9_-]+`), "cursor=CURSOR"},
}

// The bodies of testdata/versions.txt, which a person has written.
func TestBodiesOfEveryVersion(t *testing.T) {
	text, err := os.ReadFile("testdata/versions.txt")
	if err != nil {
		t.Fatal(err)
	}
	each(t, func(w *world) {
		who := map[string]*viewer.Viewer{"ada": w.ada, "bob": w.bob, "admin": w.admin, "nobody": w.nobody}
		for _, title := range []string{"First", "Second", "Third"} {
			w.post(w.ada, title, true)
		}
		var request string
		for line := range strings.Lines(string(text)) {
			line = strings.TrimSuffix(line, "\n")
			if line == "" || strings.HasPrefix(line, "#") {
				continue
			}
			version, want, _ := strings.Cut(line, " ")
			if len(version) != 2 || version[0] != 'v' {
				request = line
				continue
			}
			asked := strings.NewReplacer("{v}", version, "{n}", version[1:]).Replace(request)
			parts := append(strings.SplitN(asked, " ", 4), "")
			if parts[1] == "DELETE" {
				w.post(w.ada, "One more", true)
			}
			a := w.send(who[parts[0]], parts[1], parts[2], parts[3])
			got := a.Raw
			for _, d := range differing {
				got = d.pattern.ReplaceAllString(got, d.shown)
			}
			if got = strings.TrimSpace(fmt.Sprint(a.Status, " ", got)); got != want {
				w.t.Errorf("%s: answered\n%s\nwant\n%s", asked, got, want)
			}
		}
	})
}

func TestChoosingAVersion(t *testing.T) {
	each(t, func(w *world) {
		w.post(w.ada, "A", true)
		pinned := &viewer.Viewer{KeyID: 1, Client: "depot", Permissions: []viewer.Permission{viewer.Read}, Version: "v2"}
		stale := &viewer.Viewer{KeyID: 1, Client: "depot", Permissions: []viewer.Permission{viewer.Read}, Version: "v8"}
		for _, c := range []struct {
			who     *viewer.Viewer
			path    string
			headers []string
			status  int
			version string
			holds   string
		}{
			{w.ada, "/api/posts", nil, 200, "1.0.0", `"data":[`},
			{w.ada, "/api/v2/posts", nil, 200, "2.0.0", `"results":1`},
			{w.ada, "/api/posts?v=2", nil, 200, "2.0.0", `"self":"/api/v2/posts","first":"/api/v2/posts?page=1"`},
			{w.ada, "/api/posts?version=v2", nil, 200, "2.0.0", `"results":1`},
			{w.ada, "/api/posts", []string{"X-API-Version", "2"}, 200, "2.0.0", `"results":1`},
			{w.ada, "/api/posts", []string{"API-Version", "v2"}, 200, "2.0.0", `"results":1`},
			{w.ada, "/api/posts", []string{"Accept", "application/vnd.entwine.v2+json"}, 200, "2.0.0", `"results":1`},
			{w.ada, "/api/posts", []string{"Accept", "application/vnd.entwine.v1+json;q=0.5, application/vnd.entwine.v2+json"}, 200, "2.0.0", `"results":1`},
			{w.ada, "/api/v1/posts", []string{"Accept", "application/vnd.entwine.v1+json;q=0.5, application/vnd.entwine.v2+json"}, 200, "1.0.0", `"data":[`},
			{w.ada, "/api/posts", []string{"Content-Type", "application/vnd.entwine.v2+json"}, 200, "2.0.0", `"results":1`},
			{w.ada, "http://v2.example.com/api/posts", nil, 200, "2.0.0", `"results":1`},
			{w.ada, "http://V2.example.com:8080/api/posts", nil, 200, "2.0.0", `"self":"/api/v2/posts"`},
			{w.ada, "http://v6.example.com/api/posts", nil, 200, "1.0.0", `"self":"/api/posts"`},
			{w.ada, "http://v02.example.com/api/v2/posts", nil, 200, "2.0.0", `"results":1`},
			{w.ada, "http://v2.example.com/api/v1/posts", nil, 400, "1.0.0", "two versions"},
			{w.ada, "/api/v1/posts?v=2", nil, 400, "1.0.0", "two versions"},
			{w.ada, "/api/v2/posts", []string{"X-API-Version", "1"}, 400, "2.0.0", `"code":"VALIDATION_FAILED"`},
			{w.ada, "/api/v2/posts", []string{"Accept", "application/vnd.entwine.v1+json"}, 400, "2.0.0", "two versions"},
			{w.ada, "/api/posts?v=9", nil, 400, "1.0.0", "is not a version of this API; allowed: 1, 2, 3"},
			{w.ada, "/api/v1/posts?version=", nil, 400, "1.0.0", `"field":"version","message":"is not a version of this API; allowed: 1, 2, 3"`},
			{w.ada, "/api/v2/posts?v=9", nil, 400, "2.0.0", "is not a version of this API; allowed: 1, 2, 3"},
			{w.ada, "/api/v1/posts", []string{"X-API-Version", "latest"}, 400, "1.0.0", "is not a version of this API; allowed: 1, 2, 3"},
			{w.ada, "/api/v9/posts", nil, 404, "1.0.0", "there is no version v9 of this API; there are: 1, 2, 3"},
			{w.ada, "/api/v9/openapi", nil, 404, "1.0.0", "there is no version v9"},
			{pinned, "/api/posts", nil, 200, "2.0.0", `"results":1`},
			{pinned, "/api/v1/posts", nil, 200, "1.0.0", `"data":[`},
			{pinned, "/api/posts", []string{"X-API-Version", "3"}, 200, "3.0.0", `"success":true`},
			{stale, "/api/posts", nil, 400, "1.0.0", `{"field":"api_version","message":"to which the API key is pinned, is not a version of this API; allowed: 1, 2, 3","value":"v8"}`},
			{stale, "/api/openapi", nil, 400, "1.0.0", "to which the API key is pinned"},
			{stale, "/api/v8/posts", nil, 404, "1.0.0", "there is no version v8 of this API; there are: 1, 2, 3"},
			{stale, "/api/v2/posts", nil, 200, "2.0.0", `"results":1`},
			{stale, "/api/posts?v=1", nil, 200, "1.0.0", `"data":[`},
			{stale, "/api/posts", []string{"API-Version", "3"}, 200, "3.0.0", `"success":true`},
			{stale, "/api/posts", []string{"Accept", "application/vnd.entwine.v2+json"}, 200, "2.0.0", `"results":1`},
			{w.ada, "/api/openapi?v=9", nil, 400, "1.0.0", "is not a version of this API; allowed: 1, 2, 3"},
			{w.ada, "/api/v1/openapi?v=2", nil, 400, "1.0.0", "two versions"},
		} {
			r := httptest.NewRequestWithContext(viewer.With(w.t.Context(), c.who), "GET", c.path, http.NoBody)
			for i := 0; i < len(c.headers); i += 2 {
				r.Header.Set(c.headers[i], c.headers[i+1])
			}
			a := httptest.NewRecorder()
			w.handler.ServeHTTP(a, r)
			if a.Code != c.status || a.Header().Get("X-Api-Version") != c.version || !strings.Contains(a.Body.String(), c.holds) {
				w.t.Errorf("%s %q: %d %s %s, want %d %s %s", c.path, c.headers, a.Code, a.Header().Get("X-Api-Version"), a.Body, c.status, c.version, c.holds)
			}
			if vary := strings.Join(a.Header()["Vary"], ", "); strings.Contains(c.path, "/api/posts") && a.Code == 200 && !strings.Contains(vary, "X-API-Version") {
				w.t.Errorf("%s: Vary is %q", c.path, vary)
			}
		}
	})
}

func TestVersionsWriteTheirNames(t *testing.T) {
	each(t, func(w *world) {
		category := w.do(w.admin, "POST", "/api/v1/categories", `{"name":"engines"}`).want(201).data()["id"].(float64)
		a := w.do2(w.ada, "POST", "/api/v2/posts", `{"title":"T","content":"c","categoryId":"`+gid.Encode("Category", int64(category))+`"}`).want(201)
		post := a.at("data", "post").(map[string]any)
		location := a.Header.Get("Location")
		if location != "/api/v2/posts/"+post["id"].(string) || post["categoryId"] != gid.Encode("Category", int64(category)) {
			w.t.Errorf("made %s at %s", a.Raw, location)
		}
		tag := a.Header.Get("Etag")
		w.do2(w.ada, "PATCH", location, `{"title":"U","category_id":null}`, "If-Match", tag).want(200)
		w.do2(w.ada, "PATCH", location, `{"title":"V"}`, "If-Match", tag).want(412)
		list := w.do2(w.ada, "GET", "/api/v2/posts?authorId="+gid.Encode("User", w.ada.UserID)+"&sort=-createdAt&createdAt[gte]=2020-01-01&fields=id,createdAt&expand=author", "").want(200)
		first := list.at("data", "posts").([]any)[0].(map[string]any)
		if first["createdAt"] == nil || first["author"].(map[string]any)["followersCount"] == nil || len(first) != 3 {
			w.t.Errorf("a page: %s", list.Raw)
		}
		w.do2(w.ada, "GET", "/api/v2/posts?authorId="+gid.Encode("Post", 1), "").want(400)
		w.do2(w.ada, "GET", "/api/v2/posts/"+gid.Encode("User", 1), "").want(400)
		if bad := w.do2(w.ada, "GET", "/api/v2/posts?author_id=1&authorId=1", "").want(400); !strings.Contains(bad.Raw, "cannot be combined with") {
			w.t.Errorf("both names: %s", bad.Raw)
		}
		if bad := w.do2(w.ada, "GET", "/api/v2/posts?sort=nothing", "").want(400); !strings.Contains(bad.Raw, "createdAt") || strings.Contains(bad.Raw, "created_at") {
			w.t.Errorf("what is allowed: %s", bad.Raw)
		}
		if bad := w.do2(w.ada, "POST", "/api/v2/posts", `{"title":"T","content":"c","categoryId":"x","likes_count":3}`).want(400); bad.at("errors", "categoryId") == nil || bad.at("errors", "likes_count") == nil {
			w.t.Errorf("a bad body: %s", bad.Raw)
		}
		csv := w.do2(w.ada, "GET", "/api/v2/posts?fields=id,authorId", "", "Accept", "text/csv").want(200)
		if !strings.HasPrefix(csv.Raw, "id,authorId\r\n"+post["id"].(string)) {
			w.t.Errorf("CSV: %q", csv.Raw)
		}
		if xml := w.do2(w.ada, "GET", location, "", "Accept", "application/xml").want(200); !strings.Contains(xml.Raw, "<data><post><id>") || !strings.Contains(xml.Raw, "<createdAt>") {
			w.t.Errorf("XML: %s", xml.Raw)
		}
		if p := w.do2(w.ada, "GET", "/api/v2/posts/99", "", "Accept", "application/problem+json").want(404); p.at("code") != "POST_NOT_FOUND" {
			w.t.Errorf("problem details: %s", p.Raw)
		}
		if one := w.do2(w.ada, "GET", location, "").want(200); !strings.Contains(one.Raw, `"href":"`+location+`/publish"`) {
			w.t.Errorf("actions: %s", one.Raw)
		}
		if gone := w.do2(w.ada, "DELETE", location, "", "Prefer", "return=representation").want(200); gone.at("message") != "post deleted" || gone.at("data", "post", "id") != post["id"] {
			w.t.Errorf("deleted: %s", gone.Raw)
		}
	})
}

// do2 is send for requests in another version than the document's.
func (w *world) do2(v *viewer.Viewer, method, path, body string, headers ...string) *answer {
	w.t.Helper()
	return w.send(v, method, path, body, headers...)
}

// A repetition in another version is one, and is answered in that version.
func TestARepetitionInAnotherVersion(t *testing.T) {
	each(t, func(w *world) {
		category := int64(w.do(w.admin, "POST", "/api/v1/categories", `{"name":"engines"}`).want(201).data()["id"].(float64))
		first := w.send(w.ada, "POST", "/api/v1/posts", fmt.Sprintf(`{"title":"T","content":"c","category_id":%d}`, category), "Idempotency-Key", "k").want(201)
		again := w.send(w.ada, "POST", "/api/v2/posts", fmt.Sprintf(`{"content":"c","title":"T","categoryId":%q}`, gid.Encode("Category", category)), "Idempotency-Key", "k").want(201)
		if again.Header.Get("Idempotency-Replayed") != "true" || again.at("data", "post", "categoryId") != gid.Encode("Category", category) {
			w.t.Errorf("in version 2: %v %s", again.Header, again.Raw)
		}
		if id := again.at("data", "post", "id"); id != gid.Encode("Post", int64(first.data()["id"].(float64))) || again.Header.Get("Location") != "/api/v2/posts/"+id.(string) {
			w.t.Errorf("in version 2: %s", again.Raw)
		}
		w.send(w.ada, "POST", "/api/v2/posts", `{"title":"U","content":"c"}`, "Idempotency-Key", "k").want(422)
	})
}

// headline has the differences of version 3 of this test: three changes of posts.
var headline = []apiversion.Change{
	{Entity: "Post", Field: "title", Name: "headline"},
	{
		Entity: "Post", Field: "published", Name: "visibility", Default: "public",
		Show: func(dst, value []byte) []byte {
			if string(value) == "true" {
				return append(dst, `"public"`...)
			}
			return append(dst, `"draft"`...)
		},
		Take: func(value any) (any, error) {
			switch value {
			case "public", "draft":
				return value == "public", nil
			}
			return nil, fmt.Errorf("must be public or draft")
		},
	},
}

func TestAChangeBetweenVersions(t *testing.T) {
	versions, err := apiversion.New(about, "1", apiversion.Version{Number: "1.0.0", Set: apiversion.Main()}, apiversion.Version{Number: "3.0.0", Set: apiversion.Flagged(), Changes: headline})
	if err != nil {
		t.Fatal(err)
	}
	each(t, func(w *world) {
		c := w.config()
		c.Versions = versions
		w.handler = serve(t, c)
		made := w.send(w.ada, "POST", "/api/v3/posts", `{"headline":"New","content":"c"}`).want(201)
		if made.at("data", "headline") != "New" || made.at("data", "visibility") != "public" || made.at("data", "title") != nil || made.at("data", "published") != nil {
			w.t.Errorf("made: %s", made.Raw)
		}
		location := made.Header.Get("Location")
		before := w.send(w.ada, "GET", strings.Replace(location, "v3", "v1", 1), "").want(200)
		if before.data()["title"] != "New" || before.data()["published"] != true {
			w.t.Errorf("in version 1: %s", before.Raw)
		}
		w.send(w.ada, "POST", "/api/v3/posts", `{"headline":"Draft","content":"c","visibility":"draft"}`).want(201)
		list := w.send(w.ada, "GET", "/api/v3/posts?visibility=public&sort=headline&fields=headline,visibility", "").want(200)
		if got := fmt.Sprint(list.at("data")); got != "[map[headline:New visibility:public]]" {
			w.t.Errorf("listed: %s", list.Raw)
		}
		for path, field := range map[string]string{"?title=New": "title", "?sort=title": "sort", "?fields=title": "fields", "?visibility=true": "visibility"} {
			if bad := w.send(w.ada, "GET", "/api/v3/posts"+path, "").want(400); !strings.Contains(bad.Raw, `"field":"`+field+`"`) {
				w.t.Errorf("%s: %s", path, bad.Raw)
			}
		}
		for body, field := range map[string]string{`{"title":"Old"}`: "title", `{"visibility":true}`: "visibility", `{"headline":""}`: "headline"} {
			if bad := w.send(w.ada, "PATCH", location, body); bad.Status/100 != 4 || !strings.Contains(bad.Raw, `"field":"`+field+`"`) {
				w.t.Errorf("%s: %d %s", body, bad.Status, bad.Raw)
			}
		}
	})
	for _, bad := range []apiversion.Change{{Entity: "Poem"}, {Entity: "Post", Field: "poem"}, {Entity: "Post", Field: "title", Take: headline[1].Take}} {
		if _, err := apiversion.New(about, "3", apiversion.Version{Number: "3.0.0", Changes: []apiversion.Change{bad}}); err == nil {
			t.Errorf("%+v was taken", bad)
		}
	}
}

// A row that is written in version 1, read in version 2 and written back in it
// is the same in version 1.
func TestThereAndBack(t *testing.T) {
	var document map[string]any
	if err := json.Unmarshal(spec.Document(), &document); err != nil {
		t.Fatal(err)
	}
	each(t, func(w *world) {
		w.do(w.admin, "POST", "/api/v1/categories", `{"name":"first"}`).want(201)
		w.lamp(1999, 9)
		w.do(w.admin, "POST", fmt.Sprintf("/api/v1/posts/%d/comments", w.post(w.admin, "First", true)), `{"text":"First"}`).want(201)
		tried := 0
		for id, o := range crud.Operations {
			if o.Op != expose.Create || o.Parent != nil {
				continue
			}
			tried++
			op := spec.Operations[id]
			replaced := o.Resource.Path + "/{id}"
			for _, other := range spec.Operations {
				if other.Method == "put" && strings.HasPrefix(other.Path, op.Path+"/{") && strings.Count(other.Path, "/") == strings.Count(op.Path, "/")+1 {
					replaced = other.Path
				}
			}
			writable := bodySchema(document, replaced, "put")
			for n := range 8 {
				body, _ := json.Marshal(varied(document, op.Path, n))
				made := w.send(w.admin, "POST", "/api/v1"+op.Path, string(body))
				if n > 0 && (made.Status == 200 || made.Status == 409) {
					break // there is one of the kind for each caller
				}
				if made.Status != 201 {
					w.t.Errorf("%s: %d %s", made.asked, made.Status, made.Raw)
					break
				}
				path := made.Header.Get("Location")
				before := w.do(w.admin, "GET", path, "").want(200).data()
				second := "/api/v2" + strings.TrimPrefix(path, "/api/v1")
				shown := w.send(w.admin, "GET", second, "").want(200).at("data").(map[string]any)
				back := map[string]any{}
				for _, item := range shown {
					for name := range writable {
						if value, ok := item.(map[string]any)[camel(name)]; ok {
							back[camel(name)] = value
						}
					}
				}
				text, _ := json.Marshal(back)
				w.send(w.admin, "PUT", second, string(text)).want(200)
				after := w.do(w.admin, "GET", path, "").want(200).data()
				for name, value := range before {
					if name != "updated_at" && name != "version" && fmt.Sprint(value) != fmt.Sprint(after[name]) {
						w.t.Errorf("%s: %s was %v and is %v; sent %s", path, name, value, after[name], text)
					}
				}
			}
		}
		if tried < 6 {
			w.t.Errorf("%d entities were tried", tried)
		}
	})
}

// bodySchema are the members of a body in the document.
func bodySchema(document map[string]any, path, method string) map[string]any {
	item, _ := document["paths"].(map[string]any)[path].(map[string]any)
	op, _ := item[method].(map[string]any)
	at := follow(document, op["requestBody"])
	for _, name := range []string{"content", "application/json", "schema"} {
		at = follow(document, at[name])
	}
	properties, _ := at["properties"].(map[string]any)
	return properties
}

func follow(document map[string]any, value any) map[string]any {
	object, _ := value.(map[string]any)
	reference, ok := object["$ref"].(string)
	if !ok {
		return object
	}
	var at any = document
	for token := range strings.SplitSeq(strings.TrimPrefix(reference, "#/"), "/") {
		at = at.(map[string]any)[token]
	}
	return follow(document, at)
}

// varied is the nth variation of the body of a POST that the document has for an
// example.
func varied(document map[string]any, path string, n int) map[string]any {
	op := document["paths"].(map[string]any)[path].(map[string]any)["post"].(map[string]any)
	media := follow(document, op["requestBody"])["content"].(map[string]any)["application/json"].(map[string]any)
	body := map[string]any{}
	for name, property := range bodySchema(document, path, "post") {
		p := follow(document, property)
		value, ok := media["example"].(map[string]any)[name]
		text, isText := value.(string)
		switch {
		case !ok:
			continue
		case p["x-entity"] != nil, p["enum"] != nil, p["pattern"] != nil && p["format"] == nil && !strings.Contains(fmt.Sprint(p["pattern"]), "a-z"):
		case p["format"] == "email":
			value = fmt.Sprintf("n%d%s", n, text)
		case isText && p["pattern"] != nil:
			value = fmt.Sprintf("%s-%d", text, n)
		case isText && p["format"] == nil || p["format"] == "line":
			value = fmt.Sprintf("%s é\u2028<%d>", text, n)
			if p["format"] == "line" {
				value = fmt.Sprintf("%s é %d", text, n)
			}
		}
		if flag, is := value.(bool); is {
			value = flag != (n%2 == 1)
		}
		body[name] = value
	}
	return body
}

// A version costs no allocation per row that version 1 has not.
func TestVersionsCostNothingPerRow(t *testing.T) {
	w := benchWorld(t)
	perRow := map[string]float64{}
	for _, version := range []string{"v1", "v2", "v3"} {
		count := func(limit int) float64 {
			return testing.AllocsPerRun(50, func() {
				w.handler.ServeHTTP(&discard{header: http.Header{}}, httptest.NewRequestWithContext(viewer.With(t.Context(), w.ada), "GET", fmt.Sprintf("/api/%s/posts?limit=%d", version, limit), http.NoBody))
			})
		}
		count(100) // buffers grow
		perRow[version] = (count(100) - count(20)) / 80
	}
	t.Logf("allocations per row: %v", perRow)
	for version, n := range perRow {
		if n > perRow["v1"]+0.5 { // what goes on beside it allocates, too
			t.Errorf("%s makes %.2f allocations per row, v1 %.2f", version, n, perRow["v1"])
		}
	}
}

// benchWorld is a world with a hundred posts.
func benchWorld(t testing.TB) *world {
	db, err := store.Open(t.Context(), store.Config{URL: "sqlite://" + filepath.Join(t.TempDir(), "bench.db")})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	if err := migration.Up(t.Context(), db, migrate.Files); err != nil {
		t.Fatal(err)
	}
	w := newWorld(t, db)
	for i := range 100 {
		w.post(w.ada, fmt.Sprintf("Post %d", i), true)
	}
	return w
}

var asksVersion = regexp.MustCompile(`apiversion\.(Snake|Camel|Integers|Global|Structured|Flat|ThreeStatus|Bare|Named|Silent|Told|Status|Flag|Main|JSend|Flagged)\b|Major\(\) *[!=]=|\.Number *[!=]=|"v[23]"|"/api/v[23]`)

// Nothing but the conventions asks which version it has.
func TestNothingElseAsksForTheVersion(t *testing.T) {
	var asked []string
	for _, root := range []string{"../kit", "../rest", "../internal", "../cmd"} {
		err := filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case d.IsDir() && (d.Name() == "apiversion" || d.Name() == "oas" || d.Name() == "testdata" || d.Name() == "tables"):
				return filepath.SkipDir
			case !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go"):
				return nil
			}
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			for i, line := range strings.Split(string(text), "\n") {
				if code, _, _ := strings.Cut(line, "//"); asksVersion.MatchString(code) {
					asked = append(asked, fmt.Sprintf("%s:%d: %s", path, i+1, strings.TrimSpace(line)))
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if len(asked) > 0 {
		t.Errorf("these ask which version they have:\n%s", strings.Join(asked, "\n"))
	}
}
