package failure_test

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/rest/apiversion"
	"github.com/entwine-go/entwine/kit/rest/failure"
)

func TestWrite(t *testing.T) {
	busy := problem.New(problem.Unavailable, "try again")
	busy.RetryAfter = 1500 * time.Millisecond
	for name, c := range map[string]struct {
		err    error
		accept string
		status int
		media  string
		holds  string
		header [2]string
	}{
		"the envelope": {
			problem.Inputs(problem.Rulef("text", "", "must be 1 to 80 characters, not 0")), "", 422, "application/json",
			`"code":"VALIDATION_ERROR","message":"the input is not valid","details":[{"field":"text","message":"must be 1 to 80 characters, not 0","value":""}]`,
			[2]string{"Cache-Control", "no-store"},
		},
		"problem details": {
			problem.New(problem.NotFound, "note not found"), "application/problem+json", 404, "application/problem+json",
			`"title":"Not Found","status":404,"detail":"note not found","instance":"/notes/7","code":"RESOURCE_NOT_FOUND"`,
			[2]string{"Vary", "Accept, Accept-Encoding"},
		},
		"XML": {
			problem.New(problem.Conflict, "was changed"), "application/xml", 409, "application/xml; charset=utf-8",
			"<code>CONFLICT</code><message>was changed</message>", [2]string{"X-Api-Version", "1.4.0"},
		},
		"a media type that errors do not have": {problem.New(problem.Gone, "gone"), "text/csv", 410, "application/json", `"VERSION_RETIRED"`, [2]string{"Etag", ""}},
		"whole seconds to wait":                {busy, "", 503, "application/json", `"SERVICE_UNAVAILABLE"`, [2]string{"Retry-After", "2"}},
		"whom to sign in to":                   {problem.ErrAuthRequired, "", 401, "application/json", `"AUTH_REQUIRED"`, [2]string{"Www-Authenticate", `Bearer realm="notes"`}},
		"no word of what is internal":          {errors.New("secret"), "", 500, "application/json", `"error":{"code":"INTERNAL_ERROR","message":"an internal error occurred"}`, [2]string{"Location", ""}},
	} {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/notes/7", http.NoBody)
		if c.accept != "" {
			r.Header.Set("Accept", c.accept)
		}
		w := httptest.NewRecorder()
		w.Header().Set("ETag", `"1"`)
		w.Header().Set("Location", "/notes/7")
		writer(t).Write(w, r, c.err)
		if w.Code != c.status || w.Header().Get("Content-Type") != c.media || !strings.Contains(w.Body.String(), c.holds) {
			t.Errorf("%s: %d %s %s", name, w.Code, w.Header().Get("Content-Type"), w.Body)
		}
		if got := w.Header().Get(c.header[0]); got != c.header[1] {
			t.Errorf("%s: %s is %q, want %q", name, c.header[0], got, c.header[1])
		}
	}
}

// A path may hold what a URI reference may not (RFC 9457 section 3.1.5).
func TestTheInstanceIsAReference(t *testing.T) {
	r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/notes%00/7", http.NoBody)
	r.Header.Set("Accept", "application/problem+json")
	w := httptest.NewRecorder()
	writer(t).Write(w, r, problem.New(problem.NotFound, "note not found"))
	if !strings.Contains(w.Body.String(), `"instance":"/notes%00/7"`) {
		t.Errorf("problem details: %s", w.Body)
	}
}

// writer writes the errors of an API with one version.
func writer(t *testing.T) *failure.Writer {
	t.Helper()
	versions, err := apiversion.New(apiversion.About{Name: "notes", Prefix: "/notes"}, "1", apiversion.Version{Number: "1.4.0", Set: apiversion.Main()})
	if err != nil {
		t.Fatal(err)
	}
	return failure.New("notes", versions)
}
