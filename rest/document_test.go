package rest_test

import (
	"slices"
	"strings"
	"testing"
)

// What the document says can be asked of a collection is what can be asked.
func TestParametersAreThoseOfTheDocument(t *testing.T) {
	each(t, func(w *world) {
		loadContract(t)
		for path, item := range contract.document["paths"].(map[string]any) {
			get, ok := item.(map[string]any)["get"].(map[string]any)
			if !ok || strings.Contains(path, "{") || !strings.HasPrefix(get["operationId"].(string), "list") || get["parameters"] == nil {
				continue // what is listed by hand may be listed whole
			}
			message := w.do(w.admin, "GET", "/api/v1"+path+"?nonsense=1", "").want(400).details()["nonsense"]
			_, list, _ := strings.Cut(message, "allowed: ")
			allowed, documented := strings.Split(list, ", "), queryParameters(get)
			slices.Sort(allowed)
			slices.Sort(documented)
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
