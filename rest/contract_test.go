package rest_test

import (
	"bytes"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/entwine-go/entwine/kit/kittest/contracttest"
	"github.com/entwine-go/entwine/kit/rest/apiversion"
)

// contract is the published document of the first version.
var contract struct {
	sync.Mutex
	document map[string]any
}

func loadContract(t testing.TB) {
	if contract.document == nil {
		contract.document = judgeOf(t, "v1").document
	}
}

// judge holds every answer of every test to the document of its version.
type judge struct {
	sync.Mutex
	document  map[string]any
	compiler  *jsonschema.Compiler
	published *contracttest.Document // as clients know it
	begins    string                 // every body does
}

// published is the document of the first version.
var published = apiversion.Published{Number: generated.Schema.Version, Document: generated.Document(), Marks: generated.Marks}

const contractURL = "test:///openapi.json"

// judges are those of the versions. The third is for tests alone.
var judges = map[string]func() (*judge, error){
	"v1": sync.OnceValues(func() (*judge, error) { return newJudge("v1", `{"status":`) }),
	"v2": sync.OnceValues(func() (*judge, error) { return newJudge("v2", `{"status":`) }),
	"v3": sync.OnceValues(func() (*judge, error) { return newJudge("v3", `{"success":`) }),
}

func newJudge(version, begins string) (*judge, error) {
	versions, err := apiversion.Parse(about, generated.Schema.Version, []string{"v1=main", "v2=jsend", "v3=flag"}, "v1")
	if err != nil {
		return nil, err
	}
	served, err := versions.Named(version)
	if err != nil {
		return nil, err
	}
	text := versions.Document(served, published)
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	j := &judge{document: document.(map[string]any), compiler: jsonschema.NewCompiler(), begins: begins}
	j.compiler.DefaultDraft(jsonschema.Draft2020)
	j.compiler.AssertFormat()
	if err := j.compiler.AddResource(contractURL, document); err != nil {
		return nil, err
	}
	bases := []string{"/api/" + version}
	if version == "v1" {
		bases = append(bases, "/api")
	}
	j.published, err = contracttest.Read(text, bases...)
	return j, err
}

func judgeOf(t testing.TB, version string) *judge {
	t.Helper()
	j, err := judges[version]()
	if err != nil {
		t.Fatal(err)
	}
	return j
}

// versionOf is the version that a path names, else the first.
func versionOf(path string) string {
	for version := range judges {
		if strings.HasPrefix(path, "/api/"+version+"/") {
			return version
		}
	}
	return "v1"
}

// keepsContract fails the test unless the document has the answer: its
// status, its headers, its media type, and its body's schema.
func (a *answer) keepsContract(method, path string) {
	a.t.Helper()
	version := versionOf(path)
	j := judgeOf(a.t, version)
	for _, missing := range j.published.Check(method, path, a.Status, a.Header) {
		a.t.Errorf("%s: %s is not in the document", a.asked, missing)
	}
	j.Lock()
	defer j.Unlock()
	path, _, _ = strings.Cut(path, "?")
	template, op := j.find(strings.ToLower(method), strings.TrimPrefix(strings.TrimPrefix(path, "/api/"+version), "/api"))
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
		response = j.document["components"].(map[string]any)["responses"].(map[string]any)[name].(map[string]any)
	}
	content, _ := response["content"].(map[string]any)
	media, _, _ := strings.Cut(a.Header.Get("Content-Type"), ";")
	if strings.HasPrefix(media, "application/vnd.entwine") { // by the name that was asked for
		media = "application/json"
	}
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
	if strings.Contains(a.Header.Get("Content-Type"), ";") {
		a.t.Errorf("%s: Content-Type is %q: JSON has no parameters", a.asked, a.Header.Get("Content-Type"))
	}
	bare := a.Status < 400 && strings.Contains(a.asked, "/manifest") // which is a document of its own
	if media == "application/json" && !bare && !strings.HasPrefix(a.Raw, j.begins) {
		a.t.Errorf("%s: the mark is not the first member of %.60s", a.asked, a.Raw)
	}
	schema, err := j.compiler.Compile(contractURL + "#" + pointer + "/content/" + strings.ReplaceAll(media, "/", "~1") + "/schema")
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
func (j *judge) find(method, path string) (template string, op map[string]any) {
	segments := strings.Split(path, "/")
	best := -1
	for candidate, item := range j.document["paths"].(map[string]any) {
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
