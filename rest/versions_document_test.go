package rest_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	entities "github.com/entwine-go/entwine/internal/entity"
	"github.com/entwine-go/entwine/kit/gid"
	"github.com/entwine-go/entwine/kit/rest/negotiate"
	"github.com/entwine-go/entwine/kit/viewer"
	"github.com/entwine-go/entwine/rest/oas/spec"
)

// visitJSON visits the objects of a document with the pointers to them.
func visitJSON(value any, at string, visit func(at string, o map[string]any)) {
	switch v := value.(type) {
	case map[string]any:
		visit(at, v)
		for _, name := range slices.Sorted(maps.Keys(v)) {
			visitJSON(v[name], at+"/"+strings.NewReplacer("~", "~0", "/", "~1").Replace(name), visit)
		}
	case []any:
		for i, item := range v {
			visitJSON(item, fmt.Sprintf("%s/%d", at, i), visit)
		}
	}
}

// Every example of every version is one of its schema, and what it looks like as
// XML and CSV follows from what it looks like as JSON.
func TestExamplesOfEveryVersion(t *testing.T) {
	t.Parallel()
	for _, version := range []string{"v1", "v2", "v3"} {
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			j := judgeOf(t, version)
			j.Lock()
			defer j.Unlock()
			examples := 0
			visitJSON(j.document, "", func(at string, o map[string]any) {
				example, ok := o["example"]
				if o["schema"] == nil || !ok {
					return
				}
				media := at[strings.LastIndex(at, "/")+1:]
				if strings.Contains(at, "/content/") && !strings.HasSuffix(media, "json") {
					return
				}
				examples++
				schema, err := j.compiler.Compile(contractURL + "#" + at + "/schema")
				if err != nil {
					t.Fatal(err)
				}
				if err := schema.Validate(example); err != nil {
					t.Errorf("%s: the example breaks its schema: %v", at, err)
				}
			})
			if examples < 200 {
				t.Errorf("%d examples", examples)
			}
			visitJSON(j.document, "", func(at string, o map[string]any) {
				body, ok := o[negotiate.JSON].(map[string]any)
				if !ok || version == "v1" || strings.Contains(at, "result") {
					return
				}
				text, err := json.Marshal(body["example"])
				if err != nil {
					t.Fatal(err)
				}
				if list, ok := o[negotiate.CSV].(map[string]any); ok && strings.Count(list["example"].(string), "\r\n") < 2 {
					t.Errorf("%s: CSV is %q", at, list["example"])
				}
				if xml, ok := o[negotiate.XML].(map[string]any); ok && len(negotiate.AppendXML(nil, text)) != len(xml["example"].(string)) {
					t.Errorf("%s: XML is %s", at, xml["example"])
				}
			})
		})
	}
}

// bodies are the members and parameters of a document.
func wordsOf(document any) (words map[string]string) {
	words = map[string]string{}
	visitJSON(document, "", func(at string, o map[string]any) {
		if in := o["in"]; in == "query" || in == "path" {
			words[o["name"].(string)] = at
		}
		if properties, ok := o["properties"].(map[string]any); ok {
			for name := range properties {
				words[name] = at
			}
		}
	})
	return words
}

func TestTheDocumentOfVersionTwoHasItsConventions(t *testing.T) {
	t.Parallel()
	document := judgeOf(t, "v2").document
	for name, at := range wordsOf(document) {
		if strings.Contains(name, "_") {
			t.Errorf("%s: %s", at, name)
		}
	}
	firsts := regexp.MustCompile(`/api/v1|created_at|next_cursor|has_next|64-bit|AUTH_REQUIRED|VALIDATION_ERROR`)
	visitJSON(document, "", func(at string, o map[string]any) {
		for name, value := range o {
			if text, ok := value.(string); ok && name != "$ref" && firsts.MatchString(text) {
				t.Errorf("%s: %s: %.200s", at, name, text)
			}
		}
	})
	text, err := json.Marshal(document["servers"])
	if err != nil || string(text) != `[{"description":"Version 2.","url":"/api/v2"}]` {
		t.Errorf("servers %s %v", text, err)
	}
	if got := document["info"].(map[string]any)["version"]; got != "2.0.0" {
		t.Errorf("version %v", got)
	}
	// The paths are the first version's, but for the names of parameters.
	first := judgeOf(t, "v1").document["paths"].(map[string]any)
	paths := document["paths"].(map[string]any)
	if len(paths) != len(first) || paths["/users/{id}/posts/{postId}"] == nil {
		t.Errorf("%d paths, not %d", len(paths), len(first))
	}
}

// The document of the first version equals that of a service without versions.
func TestTheFirstVersionsDocumentIsAsItIs(t *testing.T) {
	t.Parallel()
	versions := offered(t, "v1=main", "v2=jsend")
	if document := versions.Document(versions.Default(), published); string(document) != string(spec.Document()) {
		t.Error("the document of version 1 is another one")
	}
	if _, err := versions.Named("v9"); err == nil || !strings.Contains(err.Error(), "there are: 1, 2") {
		t.Errorf("version 9: %v", err)
	}
}

// Every operation answers in each version as the document of that says: what is
// refused, and a story in which most of them succeed.
func TestEveryOperationKeepsTheDocumentOfItsVersion(t *testing.T) {
	each(t, func(w *world) {
		for _, version := range []string{"v2", "v3"} {
			w.refused(version)
		}
		w.story()
	})
}

// refused sends every operation what it can't take.
func (w *world) refused(version string) {
	for path, item := range judgeOf(w.t, version).document["paths"].(map[string]any) {
		at := "/api/" + version + pathOf(path)
		for method := range item.(map[string]any) {
			if method == "head" || strings.HasPrefix(path, "/auth/idp") || strings.Contains(path, "webhook") {
				continue
			}
			method = strings.ToUpper(method)
			for _, ask := range []struct {
				v          *viewer.Viewer
				path, body string
				headers    []string
			}{
				{w.nobody, at, "", nil}, {w.bob, at + "?nonsense=1", "", nil}, {w.bob, at, "{", nil}, {w.bob, at, `{"nonsense":1}`, nil},
				{w.bob, at, "", []string{"Accept", "image/png"}}, {w.bob, at, `{"nonsense":1}`, []string{"Accept", "application/problem+json"}},
			} {
				if (method == "GET" || strings.Contains(path, "sessions") || strings.Contains(path, "logout")) && ask.v == w.bob && ask.body != "" {
					continue
				}
				if method == "DELETE" && ask.v == w.bob && ask.body == "" && ask.headers == nil && !strings.Contains(ask.path, "nonsense") {
					continue
				}
				w.send(ask.v, method, ask.path, ask.body, ask.headers...).keepsContract(method, ask.path)
			}
		}
	}
}

// story is a use of a shop and a blog in version 2.
func (w *world) story() {
	ada, bob := gid.Encode("User", w.ada.UserID), gid.Encode("User", w.bob.UserID)
	ids := map[string]string{"ada": ada, "bob": bob, "lamp": gid.Encode("Product", w.lamp(1999, 30))}
	fill := func(text string) string {
		for name, id := range ids {
			text = strings.ReplaceAll(text, "<"+name+">", id)
		}
		return text
	}
	for _, step := range []struct {
		v                  *viewer.Viewer
		method, path, body string
		status             int
		keep               string // the id of the row that it answers with
		headers            []string
	}{
		{w.admin, "POST", "/categories", `{"name":"engines","title":"Engines"}`, 201, "", nil},
		{w.admin, "GET", "/categories/engines", "", 200, "", nil},
		{w.ada, "POST", "/posts", `{"title":"One","content":"Text.","published":true,"category":"engines"}`, 201, "post", nil},
		{w.ada, "GET", "/posts/<post>?expand=author,category,comments&fields=id,title,createdAt,author.createdAt", "", 200, "", nil},
		{w.ada, "PATCH", "/posts/<post>", `{"title":"Two","authorId":"<ada>"}`, 200, "", nil},
		{w.ada, "PUT", "/posts/<post>", `{"title":"Three","content":"Text."}`, 200, "", nil},
		{w.nobody, "GET", "/posts?authorId=<ada>&sort=-createdAt&createdAt[gte]=2020-01-01", "", 200, "", nil},
		{w.nobody, "GET", "/posts?cursor=&limit=1", "", 200, "", nil},
		{w.nobody, "GET", "/posts?after=&limit=1", "", 200, "", nil},
		{w.nobody, "GET", "/categories/engines/posts", "", 200, "", nil},
		{w.bob, "POST", "/comments", `{"postId":"<post>","text":"Yes."}`, 201, "comment", nil},
		{w.bob, "POST", "/posts/<post>/comments", `{"text":"No."}`, 201, "", nil},
		{w.bob, "GET", "/posts/<post>/comments", "", 200, "", nil},
		{w.bob, "POST", "/posts/<post>/like", "", 201, "", nil},
		{w.bob, "GET", "/posts/<post>/likes", "", 200, "", nil},
		{w.bob, "DELETE", "/posts/<post>/like", "", 200, "", nil},
		{w.bob, "POST", "/posts/<post>/share", "", 201, "", nil},
		{w.bob, "POST", "/users/<ada>/follow", "", 201, "", nil},
		{w.bob, "GET", "/users/<ada>/followers", "", 200, "", nil},
		{w.bob, "GET", "/feed", "", 200, "", nil},
		{w.bob, "DELETE", "/users/<ada>/follow", "", 200, "", nil},
		{w.bob, "GET", "/search?q=three&type=all", "", 200, "", nil},
		{w.bob, "DELETE", "/comments/<comment>", "", 200, "", nil},
		{w.admin, "POST", "/comments/<comment>/restore", "", 200, "", nil},
		{w.ada, "DELETE", "/posts/<post>", "", 200, "", []string{"Prefer", "return=representation"}},
		{w.ada, "GET", "/posts/<post>", "", 404, "", nil},
		{w.admin, "POST", "/users", `{"name":"Joan Clarke","email":"joan@example.com"}`, 201, "joan", nil},
		{w.admin, "POST", "/users", `{"name":"Joan Clarke","email":"joan@example.com"}`, 409, "", nil},
		{w.admin, "PATCH", "/users/<joan>", `{"isActive":false}`, 200, "", nil},
		{w.admin, "POST", "/users/<joan>/activate", "", 200, "", nil},
		{w.admin, "POST", "/users/bulk", `{"users":[{"name":"Alan Turing","email":"alan@example.com"},{"name":"A","email":"x"}]}`, 207, "", nil},
		{w.admin, "DELETE", "/users/bulk", `{"ids":["<joan>"]}`, 207, "", nil},
		{w.admin, "POST", "/users/search", `{"filters":{"role":["user"],"createdAfter":"2020-01-01","isActive":true},"sort":{"field":"createdAt"}}`, 200, "", nil},
		{w.ada, "PUT", "/users/<ada>/profile", `{"bio":"Mathematician."}`, 201, "", nil},
		{w.ada, "GET", "/users/<ada>/profile", "", 200, "", nil},
		{w.admin, "POST", "/products/bulk", `{"products":[{"name":"Chair","price":10,"currency":"USD"}]}`, 201, "", nil},
		{w.admin, "POST", "/products/bulk", `{"products":[{"name":"Chair","price":-10,"currency":"USD"}]}`, 422, "", nil},
		{w.ada, "POST", "/cart/items", `{"productId":"<lamp>","quantity":2}`, 201, "", nil},
		{w.ada, "GET", "/cart", "", 200, "", nil},
		{w.ada, "GET", "/cart/items?expand=product", "", 200, "", nil},
		{w.ada, "POST", "/orders", `{"items":[{"productId":"<lamp>","quantity":1}]}`, 201, "order", nil},
		{w.ada, "GET", "/orders/<order>?expand=items", "", 200, "", nil},
		{w.ada, "POST", "/orders/<order>/pay", "", 200, "", nil},
		{w.ada, "GET", "/orders/<order>/payment-status", "", 200, "", nil},
		{w.ada, "GET", "/orders/<order>/invoice", "", 200, "", nil},
		{w.admin, "POST", "/orders/<order>/refund", `{"amount":1}`, 200, "", nil},
		{w.ada, "GET", "/payments?expand=refunds", "", 200, "", nil},
		{w.ada, "DELETE", "/cart", "", 200, "", nil},
		{w.ada, "POST", "/reviews", `{"productId":"<lamp>","rating":5,"text":"Bright."}`, 201, "", nil},
		{w.admin, "POST", "/reports/generate", `{"type":"sales","format":"csv","from":"2026-01-01","to":"2026-02-01"}`, 202, "", nil},
		{w.admin, "GET", "/jobs", "", 200, "", nil},
		{w.admin, "POST", "/emails/send", `{"to":"ada@example.com","subject":"Hello","text":"Hello."}`, 202, "", nil},
		{w.admin, "GET", "/reports/sales?from=2026-01-01&to=2026-02-01", "", 200, "", nil},
		{w.admin, "GET", "/dashboard/analytics", "", 200, "", nil},
		{w.admin, "POST", "/api-keys", `{"clientName":"warehouse","permissions":["read"]}`, 201, "", nil},
		{w.ada, "GET", "/auth/me", "", 200, "", nil},
		{w.nobody, "POST", "/auth/register", `{"name":"Edith Clarke","email":"edith@example.com","password":"correct horse 1"}`, 201, "", nil},
		{w.nobody, "POST", "/auth/login", `{"email":"edith@example.com","password":"correct horse 1"}`, 200, "", nil},
	} {
		path := "/api/v2" + fill(step.path)
		a := w.send(step.v, step.method, path, fill(step.body), step.headers...)
		a.keepsContract(step.method, path)
		if a.Status != step.status {
			w.t.Errorf("%s: status %d, want %d: %s", a.asked, a.Status, step.status, a.Raw)
			continue
		}
		if step.keep != "" {
			for _, row := range a.Body["data"].(map[string]any) {
				ids[step.keep] = row.(map[string]any)["id"].(string)
			}
		}
	}
	listed := w.send(w.nobody, "GET", "/api/v2/products", "", "Accept", "text/csv")
	if header, rows, _ := strings.Cut(listed.Raw, "\r\n"); !strings.HasPrefix(header, "id,name,") || !strings.Contains(header, ",updatedAt,") || !strings.Contains(rows, ids["lamp"]+",Lamp,") {
		w.t.Errorf("as CSV: %s", listed.Raw)
	}
}

// The second version's document has no name as the first version spells it: of members
// and parameters, in lists of names, in descriptions, and in examples of every media type.
func TestTheDocumentOfVersionTwoSpellsNoNameOfTheFirst(t *testing.T) {
	t.Parallel()
	first := map[string]bool{"request_id": true}
	for name := range wordsOf(judgeOf(t, "v1").document) {
		for part := range strings.FieldsFuncSeq(name, func(r rune) bool { return strings.ContainsRune("[].", r) }) {
			first[part] = first[part] || strings.Contains(part, "_")
		}
	}
	for _, e := range entities.All {
		names := []string{e.Singular}
		for _, f := range e.Fields {
			names = append(names, f.REST)
		}
		for _, g := range e.Edges {
			names = append(names, g.Name)
		}
		for _, name := range names {
			first[name] = first[name] || strings.Contains(name, "_")
		}
	}
	compound := regexp.MustCompile(`[A-Za-z]+(?:_[A-Za-z]+)+`)
	wrong := func(at, text string) {
		for _, name := range compound.FindAllString(text, -1) {
			if first[name] {
				t.Errorf("%s: %s in %.120q", at, name, text)
			}
		}
	}
	visitJSON(judgeOf(t, "v2").document, "", func(at string, o map[string]any) {
		for name, value := range o {
			if !strings.HasPrefix(at, "/components/") || strings.Count(at, "/") > 2 { // components are called as in the first
				wrong(at, name)
			}
			switch v := value.(type) {
			case string:
				if name != "$ref" {
					wrong(at+"/"+name, v)
				}
			case []any:
				for _, one := range v {
					if text, ok := one.(string); ok {
						wrong(at+"/"+name, text)
					}
				}
			}
		}
	})
}
