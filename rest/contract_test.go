package rest_test

import (
	"bytes"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/entwine-go/entwine/kit/kittest/contracttest"
	"github.com/entwine-go/entwine/rest/oas/spec"
)

// contract holds every answer of every test to the published document.
var contract struct {
	sync.Mutex
	document map[string]any
	compiler *jsonschema.Compiler
}

const contractURL = "test:///openapi.json"

func loadContract(t testing.TB) {
	if contract.document != nil {
		return
	}
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(spec.Document))
	if err != nil {
		t.Fatal(err)
	}
	contract.compiler = jsonschema.NewCompiler()
	contract.compiler.DefaultDraft(jsonschema.Draft2020)
	contract.compiler.AssertFormat()
	if err := contract.compiler.AddResource(contractURL, document); err != nil {
		t.Fatal(err)
	}
	contract.document = document.(map[string]any)
}

// published is the document as clients know it.
var published = sync.OnceValues(func() (*contracttest.Document, error) {
	return contracttest.Read(spec.Document, "/api/v1", "/api")
})

// keepsContract fails the test unless the document has the answer: its
// status, its headers, its media type, and its body's schema.
func (a *answer) keepsContract(method, path string) {
	a.t.Helper()
	document, err := published()
	if err != nil {
		a.t.Fatal(err)
	}
	for _, missing := range document.Check(method, path, a.Status, a.Header) {
		a.t.Errorf("%s: %s is not in the document", a.asked, missing)
	}
	contract.Lock()
	defer contract.Unlock()
	loadContract(a.t)
	path, _, _ = strings.Cut(path, "?")
	template, op := find(strings.ToLower(method), strings.TrimPrefix(strings.TrimPrefix(path, "/api/v1"), "/api"))
	if op == nil {
		return
	}
	responses := op["responses"].(map[string]any)
	response, ok := responses[strconv.Itoa(a.Status)].(map[string]any)
	if !ok {
		return
	}
	pointer := "/paths/" + strings.ReplaceAll(template, "/", "~1") + "/" + strings.ToLower(method) + "/responses/" + strconv.Itoa(a.Status)
	if reference, ok := response["$ref"].(string); ok {
		pointer = strings.TrimPrefix(reference, "#")
		name := reference[strings.LastIndex(reference, "/")+1:]
		response = contract.document["components"].(map[string]any)["responses"].(map[string]any)[name].(map[string]any)
	}
	content, _ := response["content"].(map[string]any)
	media, _, _ := strings.Cut(a.Header.Get("Content-Type"), ";")
	if a.Raw == "" || content == nil {
		if a.Raw != "" {
			a.t.Errorf("%s: a body that the document does not have: %s", a.asked, a.Raw)
		}
		return
	}
	if content[media] == nil {
		a.t.Errorf("%s: media type %q is not in the document", a.asked, media)
		return
	}
	if !strings.HasSuffix(media, "json") {
		return
	}
	if a.Header.Get("Content-Disposition") != "" {
		return // a file, whose content is not the API's
	}
	if a.Header.Get("Content-Type") != media {
		a.t.Errorf("%s: Content-Type is %q: JSON has no parameters", a.asked, a.Header.Get("Content-Type"))
	}
	if media == "application/json" && !strings.HasPrefix(a.Raw, `{"status":`) {
		a.t.Errorf("%s: the status is not the first member of %.60s", a.asked, a.Raw)
	}
	schema, err := contract.compiler.Compile(contractURL + "#" + pointer + "/content/" + strings.ReplaceAll(media, "/", "~1") + "/schema")
	if err != nil {
		a.t.Fatal(err)
	}
	var instance any = a.Raw
	if strings.Contains(media, "json") {
		if instance, err = jsonschema.UnmarshalJSON(strings.NewReader(a.Raw)); err != nil {
			a.t.Fatal(err)
		}
	}
	if err := schema.Validate(instance); err != nil {
		a.t.Errorf("%s: the answer breaks the document: %v\n%s", a.asked, err, a.Raw)
	}
}

// find returns the operation of a path, the one with fewest parameters first.
func find(method, path string) (template string, op map[string]any) {
	segments := strings.Split(path, "/")
	best := -1
	for candidate, item := range contract.document["paths"].(map[string]any) {
		parts := strings.Split(candidate, "/")
		literal := 0
		if len(parts) != len(segments) {
			continue
		}
		for i := range parts {
			switch {
			case parts[i] == segments[i]:
				literal++
			case !strings.HasPrefix(parts[i], "{"):
				literal = -1000
			}
		}
		if literal > best {
			if found, ok := item.(map[string]any)[method].(map[string]any); ok {
				best, template, op = literal, candidate, found
			}
		}
	}
	return template, op
}
