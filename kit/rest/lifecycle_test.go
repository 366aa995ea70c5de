package rest_test

import (
	"flag"
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/entwine-go/entwine/kit/config"
	"github.com/entwine-go/entwine/kit/gen/openapi"
	"github.com/entwine-go/entwine/kit/lifecycle"
	"github.com/entwine-go/entwine/kit/ratelimit"
	"github.com/entwine-go/entwine/kit/rest"
	"github.com/entwine-go/entwine/kit/rest/announce"
	"github.com/entwine-go/entwine/kit/rest/apiversion"
	"github.com/entwine-go/entwine/kit/rest/failure"
	"github.com/entwine-go/entwine/kit/rest/handler"
	"github.com/entwine-go/entwine/kit/viewer"
	"github.com/entwine-go/entwine/kit/web"
)

var update = flag.Bool("golden", false, "write testdata/lifecycle.txt again")

// years is the life of version 1 in the test.
const years = `v1 stable=2026-06-01 deprecated=2027-01-01 sunset=2027-07-01 successor=v2
	guide=https://docs.example.com/v2 limit=20% slowing=2027-03-01..2027-06-01 steps=4
	brownouts=2027-05-03T12:00Z/1h,2027-06-07T12:00Z/6h`

// ends are operations and parts of the notes that end at other times.
func ends() map[string]*openapi.Operation {
	all := make(map[string]*openapi.Operation)
	for id, o := range operations {
		one := *o
		all[id] = &one
	}
	all["createNotes"].Ending = lifecycle.End("2027-02-01", "2027-04-01", "create one note after the other")
	text := lifecycle.End("2027-02-01", "2027-04-01", "use title")
	all["readNote"].Ends = []openapi.Part{{In: openapi.InList, List: "fields", Name: "text", Of: "Note.text", Ending: text}}
	all["createNotes"].Ends = []openapi.Part{{In: openapi.InBody, Name: "notes.text", Of: "Note.text", Ending: text}}
	all["createNote"].Ends = []openapi.Part{{In: openapi.InBody, Name: "text", Of: "Note.text", Ending: text}}
	return all
}

// walked is an API of notes behind an edge, whose time is set.
type walked struct {
	http.Handler
	now  time.Time
	used map[string]int
}

// Count implements rest.Usage.
func (w *walked) Count(_ *viewer.Viewer, _ string, kind lifecycle.Kind, name string) {
	w.used[string(kind)+" "+name]++
}

func newWalked(t *testing.T, plan *lifecycle.Plan, operations map[string]*openapi.Operation) *walked {
	t.Helper()
	w := &walked{used: map[string]int{}}
	clock := func() time.Time { return w.now }
	plan.Now = clock
	log := slog.New(slog.NewTextHandler(t.Output(), nil))
	front := announce.Front{Plan: plan, Prefix: "/api", Major: func(*http.Request) string { return "1" }}
	errors := front.Errors(failure.New("notes", versionsOf(t, "notes", "1.4.0", "/api")).Write)
	rate := config.Rate{Count: 100, Window: time.Minute, Algorithm: ratelimit.Fixed}
	edge := &web.Edge{
		Log: log, Errors: errors, Limit: config.Limit{Rate: rate, Body: 1 << 20, BulkBody: 1 << 20, RequestTime: time.Minute, BodyTime: time.Minute},
		Limiter: &ratelimit.Memory{Now: clock}, Now: clock, Rate: front.Rate(ratelimit.Rate(rate)),
	}
	api := rest.New(rest.Service{
		Log: log, Name: "notes", Versions: versionsOf(t, "notes", "1.4.0", "/api"), Prefix: "/api", Webhook: "/notes/bulk",
		Published: apiversion.Published{Document: []byte(document), Number: "1.0.0"}, Operations: operations, NewServer: newServer, Lifecycle: plan, Usage: w,
		Answers: map[string]handler.Handler{"readNote": readNote},
	})
	w.Handler = edge.Handler(api)
	return w
}

func planned(t *testing.T) *lifecycle.Plan {
	t.Helper()
	versions, err := lifecycle.Parse(years)
	if err != nil {
		t.Fatal(err)
	}
	return &lifecycle.Plan{Versions: versions}
}

// send sends a request at an instant. Headers are names and values in turn.
func (w *walked) send(t *testing.T, at, method, path, body string, headers ...string) *httptest.ResponseRecorder {
	t.Helper()
	var err error
	if w.now, err = lifecycle.ParseTime(at); err != nil {
		t.Fatal(err)
	}
	r := httptest.NewRequestWithContext(t.Context(), method, path, strings.NewReader(body))
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	answer := httptest.NewRecorder()
	w.ServeHTTP(answer, r)
	return answer
}

// said are the headers of an answer that have to do with the lifecycle, and its
// body without what differs each time.
func said(w *httptest.ResponseRecorder) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d %s\n", w.Code, http.StatusText(w.Code))
	for _, name := range slices.Sorted(maps.Keys(w.Header())) {
		switch name {
		case "Deprecation", "Sunset", "Link", "Warning", "Retry-After", "X-Api-Brownout", "X-Api-Version", "X-Ratelimit-Limit", "Etag", "Cache-Control":
			for _, value := range w.Header()[name] {
				fmt.Fprintf(&b, "%s: %s\n", name, value)
			}
		}
	}
	body := w.Body.String()
	for _, name := range []string{"timestamp", "request_id"} {
		if before, after, ok := strings.Cut(body, `"`+name+`":"`); ok {
			_, after, _ = strings.Cut(after, `"`)
			body = before + `"` + name + `":"…"` + after
		}
	}
	if body != "" {
		b.WriteString("\n" + body + "\n")
	}
	return b.String()
}

// TestOneVersionWalksThroughItsStates writes down what a client is answered on
// each day that changes something: testdata/lifecycle.txt.
func TestOneVersionWalksThroughItsStates(t *testing.T) {
	t.Parallel()
	var page strings.Builder
	fmt.Fprintf(&page, "What clients are answered in the life of version 1:\n\n\t%s\n\nNote.text is deprecated since 2027-02-01 and removed on 2027-04-01.\n", years)
	w := newWalked(t, planned(t), ends())
	for _, day := range []struct{ at, says string }{
		{"2026-05-31", "active"},
		{"2026-06-01", "stable"},
		{"2027-01-01", "deprecated: the first day"},
		{"2027-03-01", "the first of four steps of the rate limit"},
		{"2027-04-01", "the second"},
		{"2027-05-01", "the third"},
		{"2027-05-03T12:30Z", "a brown-out of an hour"},
		{"2027-05-03T13:00Z", "after it"},
		{"2027-06-01", "the last step"},
		{"2027-06-07T17:59:59Z", "the end of the last brown-out"},
		{"2027-06-30T23:59:59Z", "the last second"},
		{"2027-07-01", "retired"},
	} {
		fmt.Fprintf(&page, "\n==== %s: %s\n", day.at, day.says)
		for _, asked := range []struct{ method, path, body string }{
			{"GET", "/api/v1/notes/7", ""}, {"POST", "/api/v1/notes", `{"text":"Hm."}`},
		} {
			fmt.Fprintf(&page, "\n> %s %s %s\n%s", asked.method, asked.path, asked.body, said(w.send(t, day.at, asked.method, asked.path, asked.body)))
		}
	}
	const name = "testdata/lifecycle.txt"
	if *update {
		if err := os.WriteFile(name, []byte(page.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if page.String() != string(want) {
		t.Errorf("%s is not what is answered: run the test with -golden and read the difference", name)
	}
	for _, use := range []string{"version v1", "field Note.text"} {
		if w.used[use] == 0 {
			t.Errorf("no use of %s was counted: %v", use, w.used)
		}
	}
}

// A deprecated operation says so in answers of every form.
func TestEveryKindOfAnswerSaysSo(t *testing.T) {
	t.Parallel()
	const at = "2027-01-01"
	w := newWalked(t, planned(t), ends())
	plain := w.send(t, "2026-12-31", "GET", "/api/v1/notes/7", "")
	tag := w.send(t, at, "GET", "/api/v1/notes/7", "").Header().Get("Etag")
	head := w.send(t, at, "HEAD", "/api/v1/notes/7", "")
	full := w.send(t, at, "GET", "/api/v1/notes/7", "")
	for name, c := range map[string]struct {
		got    *httptest.ResponseRecorder
		status int
		holds  string
	}{
		"XML has the headers alone":        {w.send(t, at, "GET", "/api/v1/notes/7", "", "Accept", "application/xml"), 200, "<text>Hm.</text></data></response>"},
		"nothing has changed":              {w.send(t, at, "GET", "/api/v1/notes/7", "", "If-None-Match", tag), 304, ""},
		"it is compressed and the same":    {w.send(t, at, "GET", "/api/v1/notes/7", "", "If-None-Match", strings.TrimSuffix(tag, `"`)+`-gzip"`), 304, ""},
		"it had no _meta before":           {w.send(t, at, "GET", "/api/v1/notes/7", "", "If-None-Match", plain.Header().Get("Etag")), 200, `"_meta"`},
		"anything will do":                 {w.send(t, at, "GET", "/api/v1/notes/7", "", "If-None-Match", "*"), 304, ""},
		"HEAD":                             {head, 200, ""},
		"a path that is not there":         {w.send(t, at, "GET", "/api/v1/nothing", ""), 404, `"_meta"`},
		"problem details":                  {w.send(t, at, "GET", "/api/v1/notes/8", "", "Accept", "application/problem+json"), 404, `"_meta":{"api_version":"v1"`},
		"what the edge refuses":            {w.send(t, at, "GET", "/api/v1/notes/8", "", "Authorization", "Basic x"), 401, `"_meta":{"api_version":"v1"`},
		"OPTIONS":                          {w.send(t, at, "OPTIONS", "/api/v1/notes/7", ""), 204, ""},
		"a method that is not there":       {w.send(t, at, "DELETE", "/api/v1/notes/7", ""), 405, `"_meta"`},
		"two versions at once are refused": {w.send(t, at, "GET", "/api/v1/notes/7?v=2", ""), 400, ""},
	} {
		h := c.got.Header()
		deprecated := h.Get("Deprecation") == "true" && h.Get("Sunset") == "Thu, 01 Jul 2027 00:00:00 GMT"
		if c.got.Code != c.status || !strings.Contains(c.got.Body.String(), c.holds) || deprecated != (c.status != 400) {
			t.Errorf("%s: %d %v %s", name, c.got.Code, h, c.got.Body)
		}
	}
	if got, want := head.Header().Get("Content-Length"), fmt.Sprint(full.Body.Len()); got != want {
		t.Errorf("HEAD has a length of %s, GET %s", got, want)
	}
	if got := w.send(t, at, "GET", "/api/v1/notes/7", "", "If-None-Match", tag).Header().Get("Etag"); got != tag {
		t.Errorf("304 has the tag %s, want %s", got, tag)
	}
	file := w.send(t, at, "GET", "/api/v1/notes/9", "")
	tag = file.Header().Get("Etag")
	for _, tags := range []string{tag, `"x", ` + tag, strings.TrimSuffix(tag, `"`) + `-gzip"`, "*"} {
		again := w.send(t, at, "GET", "/api/v1/notes/9", "", "If-None-Match", tags)
		if got := again.Header().Get("Etag"); file.Body.String() != `{"text":"Hm."}` || again.Code != 304 || got != tag && !strings.HasSuffix(got, `-gzip"`) || again.Header().Get("Sunset") == "" {
			t.Errorf("a file of which the client has %s is answered %d with the tag %s, want 304 and %s", tags, again.Code, got, tag)
		}
	}
	if got := w.send(t, "2027-07-01", "POST", "/api/v1/notes/bulk", `[]`); strings.Contains(got.Body.String(), "version 1") {
		t.Errorf("what is sent to the webhook of a retired version: %d %v", got.Code, got.Header())
	}
	dated := planned(t)
	dated.Dated = true
	if got := newWalked(t, dated, ends()).send(t, at, "GET", "/api/v1/notes/7", "").Header().Get("Deprecation"); got != "@1798761600" {
		t.Errorf("since when: %s", got)
	}
}

// Callers of a version whose limit is lowered are counted apart.
func TestTheLimitIsLoweredInSteps(t *testing.T) {
	t.Parallel()
	w := newWalked(t, planned(t), ends())
	for at, want := range map[string]int{"2027-01-01": 100, "2027-03-01": 80, "2027-04-15": 60, "2027-06-01": 20} {
		for i := range want + 1 {
			got := w.send(t, at, "GET", "/api/v1/notes/7", "")
			if limited := got.Code == 429; limited != (i == want) || got.Header().Get("X-Ratelimit-Limit") != fmt.Sprint(want) {
				t.Fatalf("%s: request %d is answered %d of %s, want %d", at, i+1, got.Code, got.Header().Get("X-Ratelimit-Limit"), want)
			}
		}
	}
}

func TestOperationsEndInBrownoutsToo(t *testing.T) {
	t.Parallel()
	windows, err := lifecycle.ParseWindows("2027-03-01T12:00Z/1h")
	if err != nil {
		t.Fatal(err)
	}
	w := newWalked(t, &lifecycle.Plan{Brownouts: windows}, ends())
	for _, c := range []struct {
		at     string
		status int
		holds  string
		next   string
	}{
		{"2027-01-31", 200, "", ""},
		{"2027-02-01", 200, "", "2027-03-01T12:00:00Z/2027-03-01T13:00:00Z"},
		{"2027-03-01T12:59Z", 410, "createNotes is switched off until 2027-03-01T13:00:00Z (a brown-out before it is removed on 2027-04-01): create one note after the other", ""},
		{"2027-03-01T13:00Z", 200, "", ""},
		{"2027-04-01", 410, "createNotes was removed on 2027-04-01: create one note after the other", ""},
	} {
		got := w.send(t, c.at, "POST", "/api/v1/notes/bulk", `{"notes":[{"title":"a"}]}`)
		if got.Code != c.status || !strings.Contains(got.Body.String(), c.holds) || got.Header().Get("X-Api-Brownout") != c.next {
			t.Errorf("%s: %d %v %s", c.at, got.Code, got.Header(), got.Body)
		}
		if retry := got.Header().Get("Retry-After"); (retry == "60") != (c.at == "2027-03-01T12:59Z") {
			t.Errorf("%s: Retry-After %q", c.at, retry)
		}
	}
	for body, want := range map[string]int{`{"notes":[{"title":"a"}]}`: 0, `{"notes":[{"title":"a"},{"text":"b"}]}`: 1} {
		w.used = map[string]int{}
		w.send(t, "2027-02-01", "POST", "/api/v1/notes/bulk", body)
		if got := w.used["field Note.text"]; got != want || w.used["operation createNotes"] != 1 {
			t.Errorf("%s: counted %v", body, w.used)
		}
	}
}

// A request to a version without deprecations allocates no more than one to a service
// without a plan.
func TestWhatIsNotDeprecatedCostsNothing(t *testing.T) {
	answered := func(plan *lifecycle.Plan) float64 {
		h := rest.New(rest.Service{
			Log: slog.New(slog.DiscardHandler), Name: "notes", Versions: versionsOf(t, "notes", "1.4.0", "/api"), Prefix: "/api",
			Published: apiversion.Published{Document: []byte(document), Number: "1.0.0"}, Operations: operations, NewServer: newServer, Lifecycle: plan,
			Answers: map[string]handler.Handler{"readNote": readNote},
		})
		ctx := viewer.With(t.Context(), viewer.Anonymous())
		return testing.AllocsPerRun(100, func() {
			h.ServeHTTP(httptest.NewRecorder(), httptest.NewRequestWithContext(ctx, "GET", "/api/v1/notes/7", http.NoBody))
		})
	}
	plan := planned(t)
	plan.Now = func() time.Time { return time.Date(2026, 6, 1, 0, 0, 0, 0, time.UTC) }
	if none, planned := answered(nil), answered(plan); planned > none {
		t.Errorf("a version that is not deprecated costs %v allocations, %v where nothing is planned", planned, none)
	}
}

// The document of a version, and its page, say that it ends, from the day on which it
// is deprecated.
func TestADeprecatedVersionSaysSoInItsDocument(t *testing.T) {
	t.Parallel()
	w := newWalked(t, planned(t), ends())
	const notice = "version 1 is deprecated and will be retired on 2027-07-01: use version 2 at /api/v2, and see https://docs.example.com/v2"
	for _, c := range []struct {
		at      string
		notices bool
	}{{"2026-12-31", false}, {"2027-01-01", true}, {"2027-03-01", true}} {
		for _, path := range []string{"/api/v1/openapi", "/api/openapi", "/api/v1/docs"} {
			a := w.send(t, c.at, "GET", path, "")
			if a.Code != 200 || strings.Contains(a.Body.String(), notice) != c.notices || strings.Contains(a.Body.String(), `"_meta"`) {
				t.Errorf("%s on %s: %d, notice wanted: %v: %s", path, c.at, a.Code, c.notices, a.Body)
			}
		}
		if n := strings.Count(w.send(t, c.at, "GET", "/api/v1/openapi", "").Body.String(), `"deprecated": true`); c.notices != (n == 3) {
			t.Errorf("on %s %d operations are deprecated, want all or none", c.at, n)
		}
		tag := w.send(t, c.at, "GET", "/api/v1/openapi", "").Header().Get("Etag")
		for name, got := range map[string]*httptest.ResponseRecorder{
			"the document":      w.send(t, c.at, "GET", "/api/v1/openapi", ""),
			"as before":         w.send(t, c.at, "GET", "/api/v1/openapi", "", "If-None-Match", tag),
			"as YAML":           w.send(t, c.at, "GET", "/api/v1/openapi", "", "Accept", "application/yaml"),
			"the page":          w.send(t, c.at, "GET", "/api/v1/docs", "", "Accept", "text/html"),
			"the way to it":     w.send(t, c.at, "GET", "/api/v1", "", "Accept", "text/html"),
			"a wrong method":    w.send(t, c.at, "POST", "/api/v1/openapi", ""),
			"a slash too many":  w.send(t, c.at, "GET", "/api/v1/notes/", ""),
			"a page for no one": w.send(t, c.at, "GET", "/api/v1/none", "", "Accept", "text/html"),
		} {
			h := got.Header()
			if (h.Get("Deprecation") == "true") != c.notices || (h.Get("Sunset") == "Thu, 01 Jul 2027 00:00:00 GMT") != c.notices || (h.Get("Warning") != "") != c.notices {
				t.Errorf("%s on %s: %d %v", name, c.at, got.Code, h)
			}
		}
	}
}
