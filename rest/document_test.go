package rest_test

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"

	"github.com/entwine-go/entwine/rest/oas/spec"
)

func TestTheDocumentIsPublished(t *testing.T) {
	each(t, func(w *world) {
		if a := w.do(w.nobody, "GET", "/api/v1/openapi", "").want(200); a.Raw != string(spec.Document()) {
			t.Errorf("the document is another one: %.80s", a.Raw)
		}
		var inJSON, inYAML any
		if err := json.Unmarshal(spec.Document(), &inJSON); err != nil {
			t.Fatal(err)
		}
		a := w.do(w.nobody, "GET", "/api/openapi", "", "Accept", "application/yaml").want(200)
		if err := yaml.Unmarshal([]byte(a.Raw), &inYAML); err != nil {
			t.Fatal(err)
		}
		text, err := json.Marshal(inYAML)
		if err != nil {
			t.Fatal(err)
		}
		var again any
		if err := json.Unmarshal(text, &again); err != nil || !reflect.DeepEqual(again, inJSON) {
			t.Errorf("the YAML is another document than the JSON: %v", err)
		}
		w.do(w.nobody, "POST", "/api/v1/openapi", "{}").want(405)
		w.do(w.nobody, "GET", "/api/v1/openapi.json", "").want(404)
	})
}

// The query parameters of a collection are those in the document.
func TestParametersAreThoseOfTheDocument(t *testing.T) {
	each(t, func(w *world) {
		loadContract(t)
		for path, item := range contract.document["paths"].(map[string]any) {
			get, ok := item.(map[string]any)["get"].(map[string]any)
			if !ok || strings.Contains(path, "{") || !strings.HasPrefix(get["operationId"].(string), "list") || len(queryParameters(get)) == 0 {
				continue // what is listed by hand may be listed whole
			}
			message := w.do(w.admin, "GET", "/api/v1"+path+"?nonsense=1", "").want(400).details()["nonsense"]
			_, list, _ := strings.Cut(message, "allowed: ")
			list, compares, _ := strings.Cut(list, "; fields take ")
			allowed, documented := strings.Split(list, ", "), queryParameters(get)
			for i, name := range documented {
				bare, suffix, ok := strings.Cut(name, "[")
				if documented[i] = bare; ok && !strings.Contains(compares, "["+suffix) {
					t.Errorf("%s has %s, and says of comparisons %q", path, name, compares)
				}
			}
			slices.Sort(allowed)
			slices.Sort(documented)
			documented = slices.Compact(documented)
			if !slices.Equal(allowed, documented) {
				t.Errorf("%s allows %q, the document has %q", path, allowed, documented)
			}
		}
	})
}

func queryParameters(op map[string]any) []string {
	var names []string
	for _, p := range op["parameters"].([]any) {
		parameter := p.(map[string]any)
		if reference, ok := parameter["$ref"].(string); ok {
			name := reference[strings.LastIndex(reference, "/")+1:]
			parameter = contract.document["components"].(map[string]any)["parameters"].(map[string]any)[name].(map[string]any)
		}
		if parameter["in"] == "query" {
			names = append(names, parameter["name"].(string))
		}
	}
	return names
}
