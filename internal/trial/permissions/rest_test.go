package permissions_test

import (
	"encoding/json"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"

	"github.com/entwine-go/entwine/internal/trial/land"
	"github.com/entwine-go/entwine/rest/oas/spec"
)

// restStates are the states in which operations find their row, other than
// the usual one.
var restStates = map[string][]string{
	"readPost":           {"", "@draft"},
	"readInvoiceOfOrder": {"@paid"},
	"refundOrder":        {"", "@paid"},
	"readUpload":         {"@new"},
	"continueUpload":     {"@new"},
	"endUpload":          {"@new"},
	"readUploadParts":    {"@new"},
	"completeUpload":     {"@new"},
}

// restQueries are the queries with which operations are asked, where there is
// none that does without.
var restQueries = map[string][]string{
	"search":        {"?q=a", "?q=a&type=posts", "?q=a&type=users"},
	"uploadFile":    {"?for=profile.avatar"},
	"requestUpload": {"?for=profile.avatar&size=10"},
	"readPresence":  {"?entity=posts&id=1"},
	"listChanges":   {"?entity=categories", "?entity=orders", "?entity=posts", "?entity=products", "?entity=users"},
}

// restBodies are for operations whose example does not do here.
var restBodies = map[string]string{
	"uploadFile":     land.Picture,
	"continueUpload": land.Picture[:20],
	"forgotPassword": `{"email":"owner@example.com"}`,
	"login":          `{"email":"owner@example.com","password":"correct horse 1"}`,
}

// restHeaders are those of operations whose body is not JSON.
var restHeaders = map[string]http.Header{
	"continueUpload": {"Content-Type": {"application/partial-upload"}, "Upload-Offset": {"0"}, "Upload-Complete": {"?0"}},
}

// restQuestions are the operations of the document, in the order of their
// paths.
func restQuestions(l *land.Land) (all []question) {
	var document struct {
		Paths map[string]map[string]struct {
			RequestBody struct {
				Content map[string]struct{ Example any }
			}
		}
	}
	l.Must(json.Unmarshal(spec.Document(), &document))
	for operation, o := range spec.Operations {
		states := restStates[operation]
		if states == nil {
			states = []string{""}
		}
		for _, query := range restQueries[operation] {
			all = append(all, question{
				name: strings.ToUpper(o.Method) + " " + o.Path + query,
				ask: func(l *land.Land) *http.Request {
					return httptest.NewRequest(strings.ToUpper(o.Method), "/api/v1"+l.Path(o.Path, "")+query, strings.NewReader(restBodies[operation]))
				},
				told: func(w *httptest.ResponseRecorder) string { return strconv.Itoa(w.Code) },
			})
			states = nil
		}
		for _, state := range states {
			body := func() string {
				if text, ok := restBodies[operation]; ok {
					return l.Filled(text)
				}
				example, _ := document.Paths[o.Path][o.Method].RequestBody.Content["application/json"].Example.(map[string]any)
				if example == nil {
					return "" // an action without input
				}
				return l.Example(example)
			}
			all = append(all, question{
				name: strings.TrimSpace(strings.ToUpper(o.Method) + " " + o.Path + " " + state),
				ask: func(l *land.Land) *http.Request {
					if !o.Body {
						return httptest.NewRequest(strings.ToUpper(o.Method), "/api/v1"+l.Path(o.Path, state), nil)
					}
					r := httptest.NewRequest(strings.ToUpper(o.Method), "/api/v1"+l.Path(o.Path, state), strings.NewReader(body()))
					r.Header.Set("Content-Type", "application/json")
					maps.Copy(r.Header, restHeaders[operation])
					return r
				},
				told: func(w *httptest.ResponseRecorder) string { return strconv.Itoa(w.Code) },
			})
		}
	}
	slices.SortFunc(all, func(a, b question) int {
		_, x, _ := strings.Cut(a.name, " ")
		_, y, _ := strings.Cut(b.name, " ")
		return strings.Compare(x+a.name, y+b.name)
	})
	return all
}
