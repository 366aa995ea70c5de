package web_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/entwine-go/entwine/kit/config"
	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/internal/telemetry"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/requestid"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/viewer"
	"github.com/entwine-go/entwine/kit/web"
)

// newEdge returns an edge whose errors are their kinds' numbers, and its log.
func newEdge() (*web.Edge, *bytes.Buffer) {
	log := new(bytes.Buffer)
	return &web.Edge{
		Log:    telemetry.NewLogger(log, slog.LevelDebug, true),
		Errors: writeError,
		Auth:   fakeAuth{},
		Service: expose.Service{
			Credentials: expose.Credentials{
				Path: "/auth/", Plain: []string{"forgot-password"},
				Entrances: []string{
					"register", "login", "logout", "refresh", "forgot-password", "reset-password",
					"verify-email", "resend-verification", "take-back-email", "idp", "idp/callback", "idp/exchange",
				},
			},
			Webhook: "/payments/webhook",
		},
		Limit: config.Limit{Body: 100, AuthBody: 10, BulkBody: 1000, BodyTime: time.Minute, RequestTime: time.Minute},
	}, log
}

var statuses = map[problem.Kind]int{
	problem.Unauthenticated: 401, problem.TokenExpired: 401, problem.TokenInvalid: 401, problem.Forbidden: 403,
	problem.RequestTimeout: 408, problem.TooLarge: 413, problem.UnsupportedMedia: 415, problem.RateLimited: 429, problem.HeadersTooLarge: 431, problem.Unavailable: 503,
}

func writeError(w http.ResponseWriter, _ *http.Request, err error) {
	status := statuses[problem.KindOf(err)]
	message := "masked"
	if status == 0 {
		status = http.StatusInternalServerError
	} else {
		message = problem.As(err).Message
	}
	http.Error(w, message, status)
}

// fakeAuth knows the token "good" and the key "good".
type fakeAuth struct{}

func (fakeAuth) Token(_ context.Context, token string) (*viewer.Viewer, error) {
	switch token {
	case "good":
		return &viewer.Viewer{UserID: 5, Role: "editor"}, nil
	case "old":
		return nil, problem.New(problem.TokenExpired, "token expired")
	case "ended":
		return nil, problem.Wrap(viewer.ErrEnded, problem.TokenInvalid, "token invalid")
	case "down":
		return nil, errors.New("the database is away")
	}
	return nil, problem.New(problem.TokenInvalid, "token invalid")
}

func (fakeAuth) Session(_ context.Context, secret string) (*viewer.Viewer, error) {
	if secret == "good" {
		return &viewer.Viewer{UserID: 6, Role: "user"}, nil
	}
	return nil, problem.New(problem.Unauthenticated, "authentication required")
}

func (fakeAuth) APIKey(_ context.Context, key string) (*viewer.Viewer, error) {
	if key == "good" {
		return &viewer.Viewer{KeyID: 7, Permissions: []viewer.Permission{viewer.Read}}, nil
	}
	return nil, problem.New(problem.TokenInvalid, "unknown API key")
}

// whoami answers with what the edge made of the request.
var whoami = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
	if _, err := io.Copy(io.Discard, r.Body); err != nil {
		writeError(w, r, err)
		return
	}
	v := viewer.From(r.Context())
	_ = json.NewEncoder(w).Encode(map[string]any{"id": requestid.From(r.Context()), "user": v.UserID, "key": v.KeyID})
})

func do(h http.Handler, r *http.Request) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

func get(path string, headers ...string) *http.Request {
	return request(http.MethodGet, path, "", headers...)
}

func request(method, path, body string, headers ...string) *http.Request {
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	for i := 0; i < len(headers); i += 2 {
		r.Header.Add(headers[i], headers[i+1])
	}
	return r
}

func TestRequestID(t *testing.T) {
	edge, _ := newEdge()
	h := edge.Handler(whoami)
	w := do(h, get("/", "X-Request-Id", "abc-1"))
	if got := w.Header().Get("X-Request-Id"); got != "abc-1" || !strings.Contains(w.Body.String(), `"abc-1"`) {
		t.Errorf("a good id became %q in the answer, %s in the context", got, w.Body)
	}
	for _, bad := range []string{"", "a b", strings.Repeat("a", 200)} {
		w := do(h, get("/", "X-Request-Id", bad))
		if got := w.Header().Get("X-Request-Id"); got == bad || len(got) < 20 {
			t.Errorf("the bad id %q became %q", bad, got)
		}
	}
}

func TestCredentials(t *testing.T) {
	edge, _ := newEdge()
	h := edge.Handler(whoami)
	for name, c := range map[string]struct {
		headers []string
		status  int
		body    string
	}{
		"none is anonymous":                  {nil, 200, `"user":0`},
		"a good token":                       {[]string{"Authorization", "Bearer good"}, 200, `"user":5`},
		"a scheme in any case":               {[]string{"Authorization", "bearer  good"}, 200, `"user":5`},
		"a bad token":                        {[]string{"Authorization", "Bearer bad"}, 401, "token invalid"},
		"an old token":                       {[]string{"Authorization", "Bearer old"}, 401, "token expired"},
		"a bad token beside a good key":      {[]string{"Authorization", "Bearer bad", "X-API-Key", "good"}, 401, "token invalid"},
		"a bad token beside a good cookie":   {[]string{"Authorization", "Bearer bad", "Cookie", "token=good"}, 401, "token invalid"},
		"another scheme":                     {[]string{"Authorization", "Basic YTpi"}, 401, "token required"},
		"no token":                           {[]string{"Authorization", "Bearer "}, 401, "token required"},
		"two tokens":                         {[]string{"Authorization", "Bearer good", "Authorization", "Bearer good"}, 401, "token required"},
		"a good key":                         {[]string{"X-API-Key", "good"}, 200, `"key":7`},
		"a bad key":                          {[]string{"X-API-Key", "bad"}, 401, "unknown API key"},
		"a bad key beside a good cookie":     {[]string{"X-API-Key", "bad", "Cookie", "token=good"}, 401, "unknown API key"},
		"a good cookie":                      {[]string{"Cookie", "token=good"}, 200, `"user":5`},
		"a bad cookie":                       {[]string{"Cookie", "token=bad"}, 401, "token invalid"},
		"a good session":                     {[]string{"Cookie", "session=good"}, 200, `"user":6`},
		"a bad session":                      {[]string{"Cookie", "session=bad"}, 401, "authentication required"},
		"a token before a session":           {[]string{"Cookie", "session=good; token=good"}, 200, `"user":5`},
		"a cookie of somebody else":          {[]string{"Cookie", "theme=dark"}, 200, `"user":0`},
		"a proof that cannot be checked now": {[]string{"Authorization", "Bearer down"}, 500, "masked"},
	} {
		t.Run(name, func(t *testing.T) {
			w := do(h, get("/api/v1/users", c.headers...))
			if w.Code != c.status || !strings.Contains(w.Body.String(), c.body) {
				t.Errorf("answered %d %s, want %d %s", w.Code, w.Body, c.status, c.body)
			}
		})
	}
}

func TestABadCookieIsCleared(t *testing.T) {
	edge, _ := newEdge()
	h := edge.Handler(whoami)
	if got := do(h, get("/", "Cookie", "token=bad")).Header().Get("Set-Cookie"); !strings.HasPrefix(got, "token=; Path=/; Max-Age=0") {
		t.Errorf("Set-Cookie: %q", got)
	}
	if got := do(h, get("/", "Cookie", "session=bad")).Header().Get("Set-Cookie"); !strings.HasPrefix(got, "session=; Path=/; Max-Age=0") {
		t.Errorf("Set-Cookie: %q", got)
	}
	if got := do(h, get("/", "Cookie", "token=down")).Header().Get("Set-Cookie"); got != "" {
		t.Errorf("a cookie that could not be checked was cleared: %q", got)
	}
}

func TestALinkIsFollowedWhateverTheCookieIs(t *testing.T) {
	edge, _ := newEdge()
	h := edge.Handler(whoami)
	const file = "files/wvlz4obqhu3xkmyncdtf5rgjse"
	for path, want := range map[string]int{
		"/api/" + file + "?token=t":                  200,
		"/api/v1/" + file + "?variant=small&token=t": 200,
		"/api/" + file:                               401,
		"/api/" + file + "?token=":                   401,
		"/api/" + file + "/link?token=t":             401,
		"/api/v1/notes/1/" + file + "?token=t":       401,
		"/api/v1/notes?token=t":                      401,
	} {
		for _, cookie := range []string{"token=old", "token=bad", "session=bad"} {
			a := do(h, get(path, "Cookie", cookie))
			if cleared := a.Header().Get("Set-Cookie") != ""; a.Code != want || cleared != (want == 401) {
				t.Errorf("GET %s with the cookie %s is answered %d and clears it: %t, want %d", path, cookie, a.Code, cleared, want)
			}
		}
		if a := do(h, get(path, "Authorization", "Bearer bad")); a.Code != 401 {
			t.Errorf("GET %s with a bad token is answered %d, want 401", path, a.Code)
		}
	}
	post := get("/api/"+file+"?token=t", "Cookie", "token=bad")
	post.Method = "POST"
	if a := do(h, post); a.Code != 401 {
		t.Errorf("what follows no link is answered %d, want 401", a.Code)
	}
}

func TestAnotherSiteCannotUseTheCookie(t *testing.T) {
	edge, _ := newEdge()
	h := edge.Handler(whoami)
	cross := []string{"Cookie", "token=good", "Sec-Fetch-Site", "cross-site"}
	if w := do(h, request("POST", "/api/posts", "{}", cross...)); w.Code != 403 {
		t.Errorf("POST answered %d", w.Code)
	}
	if w := do(h, get("/api/posts", cross...)); w.Code != 200 {
		t.Errorf("GET answered %d", w.Code)
	}
	if w := do(h, request("POST", "/api/posts", "{}", "Authorization", "Bearer good", "Sec-Fetch-Site", "cross-site")); w.Code != 200 {
		t.Errorf("POST with a bearer token answered %d", w.Code)
	}
}

// GraphQL reads nothing for a page of another site in the name of the user whose
// cookie it is, unless the browser has asked first.
func TestAnotherSiteCannotQueryWithTheCookie(t *testing.T) {
	edge, _ := newEdge()
	edge.Origins = []string{"https://app.example.com"}
	h := edge.Handler(whoami)
	for story, c := range map[string]struct {
		query  string
		header []string
		want   int
	}{
		"a simple request":            {"?query={me{id}}", []string{"Cookie", "token=good"}, 403},
		"of a session":                {"?query={me{id}}", []string{"Cookie", "session=good"}, 403},
		"for events":                  {"?query={me{id}}", []string{"Cookie", "token=good", "Accept", "text/event-stream"}, 403},
		"of a foreign origin":         {"?query={me{id}}", []string{"Cookie", "token=good", "Origin", "https://evil.example"}, 403},
		"of a trusted origin":         {"?query={me{id}}", []string{"Cookie", "token=good", "Origin", "https://app.example.com"}, 200},
		"after a preflight":           {"?query={me{id}}", []string{"Cookie", "token=good", "Apollo-Require-Preflight", "true"}, 200},
		"with a type that needs one":  {"?query={me{id}}", []string{"Cookie", "token=good", "Content-Type", "application/json"}, 200},
		"with a type that needs none": {"?query={me{id}}", []string{"Cookie", "token=good", "Content-Type", "text/plain"}, 403},
		"with a token of its own":     {"?query={me{id}}", []string{"Cookie", "token=bad", "Authorization", "Bearer good"}, 200},
		"without a cookie":            {"?query={me{id}}", nil, 200},
		"a link to the page":          {"", []string{"Cookie", "token=good"}, 200},
	} {
		r := get("/graphql"+c.query, append(c.header, "Sec-Fetch-Site", "cross-site")...)
		if w := do(h, r); w.Code != c.want {
			t.Errorf("%s: %d, want %d", story, w.Code, c.want)
		}
	}
	for _, site := range []string{"same-origin", "none", ""} {
		if w := do(h, get("/graphql?query={me{id}}", "Cookie", "token=good", "Sec-Fetch-Site", site)); w.Code != 200 {
			t.Errorf("from %q: %d", site, w.Code)
		}
	}
}

func TestAnotherSiteCannotOpenAWebSocket(t *testing.T) {
	edge, _ := newEdge()
	edge.Origins = []string{"https://app.example.com"}
	h := edge.Handler(whoami)
	for _, c := range []struct {
		origin string
		want   int
	}{
		{"https://evil.example", 403},
		{"null", 403},
		{"https://app.example.com", 200},
		{"http://example.com", 200}, // the request's own
		{"", 200},                   // no browser
	} {
		r := get("/graphql", "Upgrade", "websocket", "Connection", "Upgrade")
		if c.origin != "" {
			r.Header.Set("Origin", c.origin)
		}
		if w := do(h, r); w.Code != c.want {
			t.Errorf("from %q: %d, want %d", c.origin, w.Code, c.want)
		}
	}
}

func TestAnotherSiteCannotSignIn(t *testing.T) {
	edge, _ := newEdge()
	edge.Origins = []string{"https://app.example.com"}
	h := edge.Handler(whoami)
	for origin, want := range map[string]int{"https://evil.example": 403, "https://app.example.com": 200} {
		r := request("POST", "/api/v1/auth/login", "{}", "Sec-Fetch-Site", "cross-site", "Origin", origin)
		if w := do(h, r); w.Code != want {
			t.Errorf("from %s: %d, want %d", origin, w.Code, want)
		}
	}
	for _, path := range []string{"/api/v1/auth/login", "/graphql"} {
		if w := do(h, request("POST", path, "{}")); w.Code != 200 {
			t.Errorf("from no browser to %s: %d", path, w.Code)
		}
		if w := do(h, request("POST", path, "{}", "Sec-Fetch-Site", "cross-site")); w.Code != 403 {
			t.Errorf("from another site to %s: %d", path, w.Code)
		}
	}
	if w := do(h, request("POST", "/graphql", "{}", "Sec-Fetch-Site", "cross-site", "Authorization", "Bearer good")); w.Code != 200 {
		t.Errorf("from another site with a token of its own: %d", w.Code)
	}
}

func TestWhatIsNoGoodIsNoReasonToStayOutside(t *testing.T) {
	edge, _ := newEdge()
	h := edge.Handler(whoami)
	for _, door := range []string{"login", "register", "refresh", "logout", "forgot-password", "reset-password", "verify-email", "resend-verification", "take-back-email", "idp/exchange"} {
		for credential, want := range map[[2]string]int{
			{"Authorization", "Bearer old"}:   200, // has expired
			{"Authorization", "Bearer ended"}: 200, // signed out, or deactivated
			{"Authorization", "Bearer bad"}:   401, // never was one
			{"Authorization", "Basic YTpi"}:   401,
			{"X-API-Key", "bad"}:              401,
			{"Cookie", "token=bad"}:           200, // a page can't take it away
			{"Cookie", "session=bad"}:         200,
		} {
			w := do(h, request("POST", "/api/v1/auth/"+door, "{}", credential[0], credential[1]))
			if w.Code != want || want == 200 && !strings.Contains(w.Body.String(), `"user":0`) {
				t.Errorf("%s with %v: %d %s, want %d", door, credential, w.Code, w.Body, want)
			}
		}
	}
	both := request("POST", "/api/v1/auth/logout", "{}", "Authorization", "Bearer old", "Cookie", "session=good")
	if w := do(h, both); !strings.Contains(w.Body.String(), `"user":0`) {
		t.Errorf("an old token falls through to a cookie: %s", w.Body)
	}
	if w := do(h, get("/api/v1/auth/me", "Authorization", "Bearer old")); w.Code != 401 || !strings.Contains(w.Body.String(), "token expired") {
		t.Errorf("inside: %d %s", w.Code, w.Body)
	}
	if w := do(h, request("POST", "/api/v1/auth/logout", "{}", "Authorization", "Bearer good")); !strings.Contains(w.Body.String(), `"user":5`) {
		t.Errorf("with a good token: %d %s", w.Code, w.Body)
	}
}

func TestWhoSignsInIsKnownByProgramAndAddress(t *testing.T) {
	edge, _ := newEdge()
	edge.Proxies = []netip.Prefix{netip.MustParsePrefix("192.0.2.1/32")} // httptest's client
	var got web.Client
	h := edge.Handler(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { got = web.ClientOf(r.Context()) }))
	do(h, request("POST", "/api/v1/auth/login", "{}", "User-Agent", "browser", "X-Forwarded-For", "203.0.113.9"))
	if want := (web.Client{Agent: "browser", Address: "203.0.113.9"}); got != want {
		t.Errorf("client %+v, want %+v", got, want)
	}
}

func TestCookiesAreWhatTheSpecificationSays(t *testing.T) {
	day := time.Now().Add(24 * time.Hour)
	for _, c := range []struct {
		cookie *http.Cookie
		want   string
	}{
		{web.Cookie(web.RefreshCookie, "x", day, false), "refreshToken=x; Path=/api; Max-Age=86400; HttpOnly; Secure; SameSite=Strict"},
		{web.Cookie(web.TokenCookie, "x", day, false), "token=x; Path=/; Max-Age=86400; HttpOnly; Secure; SameSite=Lax"},
		{web.Cookie(web.SessionCookie, "x", day, false), "session=x; Path=/; Max-Age=86400; HttpOnly; SameSite=Lax"},
		{web.Cookie(web.SessionCookie, "x", day, true), "session=x; Path=/; Max-Age=86400; HttpOnly; Secure; SameSite=Lax"},
		{web.Cookie(web.DeviceCookie, "x", day, false), "__Host-device=x; Path=/; Max-Age=86400; HttpOnly; Secure; SameSite=Strict"},
		{web.NoCookie(web.RefreshCookie, false), "refreshToken=; Path=/api; Max-Age=0; HttpOnly; Secure; SameSite=Strict"},
	} {
		if got := c.cookie.String(); got != c.want {
			t.Errorf("%s, want %s", got, c.want)
		}
	}
}

func TestEveryAnswerProtectsItself(t *testing.T) {
	edge, _ := newEdge()
	edge.Proxies = []netip.Prefix{netip.MustParsePrefix("192.0.2.1/32")} // httptest's client
	h := edge.Handler(whoami)
	for _, w := range []*httptest.ResponseRecorder{
		do(h, get("/")), do(h, get("/", "Authorization", "Bearer bad")),
		do(edge.Handler(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic("x") })), get("/")),
	} {
		for name, want := range map[string]string{
			"X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer",
			"Content-Security-Policy": "default-src 'none'; base-uri 'none'; frame-ancestors 'none'", "Strict-Transport-Security": "",
		} {
			if got := w.Header().Get(name); got != want {
				t.Errorf("%d has %s: %q, want %q", w.Code, name, got, want)
			}
		}
	}
	if got := do(h, get("/", "X-Forwarded-Proto", "https")).Header().Get("Strict-Transport-Security"); got == "" {
		t.Error("no HSTS behind a proxy that speaks TLS")
	}
}

func TestAPanicIsLoggedAndMasked(t *testing.T) {
	edge, log := newEdge()
	w := do(edge.Handler(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Set-Cookie", "half=done")
		panic("the secret reason")
	})), get("/x", "X-Request-Id", "r9"))
	if w.Code != 500 || strings.Contains(w.Body.String(), "secret") || w.Header().Get("Set-Cookie") != "" {
		t.Errorf("answered %d %v %s", w.Code, w.Header(), w.Body)
	}
	if got := w.Header().Get("X-Request-Id"); got != "r9" {
		t.Errorf("the answer's id is %q", got)
	}
	for _, want := range []string{`"msg":"panic"`, "the secret reason", "edge_test.go", `"request_id":"r9"`, `"status":500`} {
		if !strings.Contains(log.String(), want) {
			t.Errorf("the log lacks %s: %s", want, log)
		}
	}
}

func TestAPanicInTheMiddleOfAnAnswerCutsItOff(t *testing.T) {
	edge, _ := newEdge()
	s := httptest.NewServer(edge.Handler(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, "half")
		w.(http.Flusher).Flush()
		panic("x")
	})))
	defer s.Close()
	res, err := http.Get(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if body, err := io.ReadAll(res.Body); err == nil {
		t.Errorf("the answer %q looks complete", body)
	}
}

func TestBudget(t *testing.T) {
	edge, _ := newEdge()
	edge.Limit.RequestTime = time.Nanosecond
	wait := edge.Handler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, limited := r.Context().Deadline(); !limited {
			return
		}
		<-r.Context().Done()
		writeError(w, r, store.Problem(r.Context().Err()))
	}))
	if w := do(wait, get("/api/v1/users")); w.Code != 503 {
		t.Errorf("a slow answer is %d, want 503", w.Code)
	}
	for _, r := range []*http.Request{
		get(web.GraphQLPath, "Upgrade", "websocket"),
		request("POST", web.GraphQLPath, "{}", "Accept", "text/event-stream"),
	} {
		if w := do(wait, r); w.Code != 200 {
			t.Errorf("a stream is ended by the budget: %d", w.Code)
		}
	}
}

func TestAConnectionThatWasClosedIsNoFault(t *testing.T) {
	t.Parallel()
	gone, leave := context.WithCancel(t.Context())
	leave()
	err := web.Closed(gone, fmt.Errorf("read posts: %w", context.Canceled))
	if problem.KindOf(err) != problem.RequestTimeout || problem.Fault(err) {
		t.Errorf("a client that is gone is told %v", err)
	}
	if err := web.Closed(t.Context(), context.Canceled); !problem.Fault(err) {
		t.Errorf("what was cancelled by the service is %v", err)
	}
}
