package rest_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// resolved follows a reference of the document.
func resolved(value any) map[string]any {
	o, _ := value.(map[string]any)
	for o != nil {
		reference, ok := o["$ref"].(string)
		if !ok {
			break
		}
		var at any = contract.document
		for name := range strings.SplitSeq(strings.TrimPrefix(reference, "#/"), "/") {
			at = at.(map[string]any)[name]
		}
		o, _ = at.(map[string]any)
	}
	return o
}

// operationsOf visits the operations of the document.
func operationsOf(t testing.TB, visit func(method, path string, op map[string]any)) {
	contract.Lock()
	loadContract(t)
	contract.Unlock()
	for path, item := range contract.document["paths"].(map[string]any) {
		for method, op := range item.(map[string]any) {
			visit(method, path, op.(map[string]any))
		}
	}
}

// Every operation says what it does, what it takes and what it answers, with
// an example of each that is one.
func TestEveryOperationIsDescribed(t *testing.T) {
	operationsOf(t, func(method, path string, op map[string]any) {
		at := strings.ToUpper(method) + " " + path
		for _, name := range []string{"operationId", "summary", "description"} {
			if text, _ := op[name].(string); text == "" {
				t.Errorf("%s: no %s", at, name)
			}
		}
		for _, p := range asList(op["parameters"]) {
			if parameter := resolved(p); parameter["description"] == nil || parameter["schema"] == nil {
				t.Errorf("%s: parameter %v is not described", at, parameter["name"])
			}
		}
		statuses := []string{"401", "403", "406", "429", "500", "503"}
		if body := resolved(op["requestBody"]); body != nil {
			checkExamples(t, at+" request", body)
			statuses = append(statuses, "400", "413", "415", "422")
		}
		if strings.Contains(path, "{") {
			statuses = append(statuses, "404")
		}
		if method != "get" && method != "head" { // a body is judged wherever there is one
			statuses = append(statuses, "413", "415")
		}
		responses := op["responses"].(map[string]any)
		for _, status := range statuses {
			if responses[status] == nil {
				t.Errorf("%s: no %s", at, status)
			}
		}
		for status, r := range responses {
			response := resolved(r)
			if response["description"] == nil {
				t.Errorf("%s: %s is not described", at, status)
			}
			if method == "head" {
				continue
			}
			if status >= "400" && response["content"] == nil {
				t.Errorf("%s: %s has no body", at, status)
			}
			checkExamples(t, at+" "+status, response)
		}
	})
}

func asList(value any) []any {
	list, _ := value.([]any)
	return list
}

// checkExamples demands an example of each content, and that it is one.
func checkExamples(t *testing.T, at string, of map[string]any) {
	t.Helper()
	content, _ := of["content"].(map[string]any)
	for media, m := range content {
		body := m.(map[string]any)
		example, ok := body["example"]
		if !ok {
			for _, e := range resolvedMap(body["examples"]) {
				example, ok = resolved(e)["value"], true
			}
		}
		if schema := resolved(body["schema"]); !ok && schema["example"] == nil && schema["examples"] == nil {
			if !slices.Contains([]string{"application/octet-stream"}, media) {
				t.Errorf("%s: no example of %s", at, media)
			}
			continue
		}
		if !ok || !strings.HasSuffix(media, "json") {
			continue
		}
		c := jsonschema.NewCompiler()
		c.DefaultDraft(jsonschema.Draft2020)
		if err := c.AddResource("test:///example.json", map[string]any{"components": contract.document["components"], "schema": body["schema"]}); err != nil {
			t.Fatal(err)
		}
		schema, err := c.Compile("test:///example.json#/schema")
		if err != nil {
			t.Fatalf("%s: %v", at, err)
		}
		if err := schema.Validate(example); err != nil {
			t.Errorf("%s: the example of %s breaks its schema: %v", at, media, err)
		}
	}
}

func resolvedMap(value any) map[string]any {
	o, _ := value.(map[string]any)
	return o
}

// Paths that are not in the document can't be requested, and those in it by every method
// that HTTP knows.
func TestEveryPathKeepsHTTP(t *testing.T) {
	each(t, func(w *world) {
		paths := map[string][]string{}
		operationsOf(t, func(method, path string, _ map[string]any) {
			paths[path] = append(paths[path], strings.ToUpper(method))
		})
		for template, methods := range paths {
			path := "/api/v1" + pathOf(template)
			if !strings.Contains(template, "{") && !strings.HasPrefix(template, "/auth/") {
				w.send(w.admin, "GET", path+"/", "").want(404)
			}
			w.send(w.admin, "GET", strings.Replace(path, "/api/v1/", "/api/v1//", 1), "").want(404)
			w.send(w.admin, "GET", path+".json", "").wantNot(200)
			allow := strings.Split(w.send(w.admin, "OPTIONS", path, "").want(204).Header.Get("Allow"), ", ")
			want := append(slices.Clone(methods), "OPTIONS")
			slices.Sort(allow)
			slices.Sort(want)
			if !slices.Equal(allow, want) {
				t.Errorf("%s allows %v, the document has %v", path, allow, want)
			}
			for _, method := range []string{"GET", "HEAD", "PUT", "POST", "PATCH", "DELETE", "TRACE", "BREW"} {
				if slices.Contains(methods, method) {
					continue
				}
				a := w.send(w.admin, method, path, "").want(405)
				got := strings.Split(a.Header.Get("Allow"), ", ")
				if slices.Sort(got); !slices.Equal(got, want) {
					t.Errorf("%s %s: Allow %v, want %v", method, path, got, want)
				}
			}
			if slices.Contains(methods, "GET") && !strings.HasPrefix(template, "/auth/") {
				get, head := w.send(w.admin, "GET", path, ""), w.send(w.admin, "HEAD", path, "")
				if head.Status != get.Status || head.Raw != "" {
					t.Errorf("HEAD %s: %d, GET: %d", path, head.Status, get.Status)
				}
				if pagination := get.at("pagination"); get.Status == 200 && (pagination != nil) != (get.Header.Get("Link") != "") {
					t.Errorf("GET %s: Link %q, pagination %v", path, get.Header.Get("Link"), pagination)
				}
				if get.Status == 200 && get.Header.Get("Etag") == "" {
					t.Errorf("GET %s has no ETag", path)
				}
			}
		}
	})
}

// pathOf fills in a path of the document.
func pathOf(template string) string {
	var b strings.Builder
	for segment := range strings.SplitSeq(strings.TrimPrefix(template, "/"), "/") {
		if strings.HasPrefix(segment, "{") {
			segment = "1"
		}
		fmt.Fprintf(&b, "/%s", segment)
	}
	return b.String()
}

// wantNot fails the test if the status is this one.
func (a *answer) wantNot(status int) {
	a.t.Helper()
	if a.Status == status {
		a.t.Errorf("%s: status %d", a.asked, status)
	}
}
