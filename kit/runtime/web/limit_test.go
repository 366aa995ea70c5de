package web_test

import (
	"net/http"
	"net/netip"
	"strconv"
	"testing"
	"time"

	"github.com/entwine-go/entwine/kit/runtime/config"
	"github.com/entwine-go/entwine/kit/runtime/ratelimit"
	"github.com/entwine-go/entwine/kit/runtime/web"
)

// limited returns an edge that lets each caller ask so many times.
func limited(count int) *web.Edge {
	edge, _ := newEdge()
	edge.Limit.Rate = config.Rate{Count: count, Window: time.Minute, Algorithm: ratelimit.Fixed}
	edge.Limiter = new(ratelimit.Memory)
	edge.Proxies = []netip.Prefix{netip.MustParsePrefix("192.0.2.1/32")} // httptest's
	return edge
}

func TestCallersAreCountedApart(t *testing.T) {
	h := limited(1).Handler(whoami)
	for name, headers := range map[string][]string{
		"a token":                  {"Authorization", "Bearer good"},
		"a session":                {"Cookie", "session=good"},
		"a key":                    {"X-API-Key", "good"},
		"an address":               {"X-Forwarded-For", "198.51.100.1"},
		"a network of IPv6":        {"X-Forwarded-For", "2001:db8::1"},
		"a bad token, its address": {"Authorization", "Bearer bad", "X-Forwarded-For", "198.51.100.2"},
	} {
		t.Run(name, func(t *testing.T) {
			first, second := do(h, get("/api/v1/posts", headers...)), do(h, get("/api/v1/posts", headers...))
			if first.Code == 429 || second.Code != 429 {
				t.Errorf("answered %d and %d, want 429 the second time", first.Code, second.Code)
			}
		})
	}
	if got := do(h, get("/", "X-Forwarded-For", "2001:db8::2")); got.Code != 429 {
		t.Errorf("a neighbour in the network is answered %d", got.Code)
	}
	if got := do(h, get("/", "X-Forwarded-For", "2001:db8:0:1::1")); got.Code != 200 {
		t.Errorf("the next network is answered %d", got.Code)
	}
}

func TestEveryAnswerSaysWhatIsLeft(t *testing.T) {
	h := limited(50).Handler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/panic" {
			panic("oops")
		}
		whoami(w, r)
	}))
	left := 50
	for name, c := range map[string]struct {
		request *http.Request
		status  int
	}{
		"a success":         {get("/"), 200},
		"a bad token":       {get("/", "Authorization", "Bearer bad"), 401},
		"another site":      {request("POST", "/", "", "Cookie", "token=good", "Sec-Fetch-Site", "cross-site"), 403},
		"a large body":      {request("POST", "/", string(make([]byte, 200))), 413},
		"a compressed body": {request("POST", "/", "x", "Content-Encoding", "gzip"), 415},
		"a panic":           {get("/panic"), 500},
	} {
		w := do(h, c.request)
		left--
		got := w.Header()
		if w.Code != c.status || got.Get("X-RateLimit-Limit") != "50" || got.Get("X-RateLimit-Remaining") != strconv.Itoa(left) || got.Get("X-RateLimit-Reset") == "" {
			t.Errorf("%s is answered %d with %v, want %d and %d left", name, w.Code, got, c.status, left)
		}
	}
}

func TestAVersionMayAllowLess(t *testing.T) {
	edge := limited(5)
	edge.Rate = func(r *http.Request) (string, ratelimit.Rate) {
		rate := ratelimit.Rate(edge.Limit.Rate)
		if r.URL.Path == "/api/v1/posts" {
			rate.Count = 2
			return "v1 ", rate
		}
		return "", rate
	}
	h := edge.Handler(whoami)
	for path, want := range map[string]string{"/api/v1/posts": "2", "/api/v2/posts": "5"} {
		if got := do(h, get(path)).Header().Get("X-RateLimit-Limit"); got != want {
			t.Errorf("%s allows %s, want %s", path, got, want)
		}
	}
}

func TestNobodyIsCountedWithoutALimit(t *testing.T) {
	edge := limited(0)
	w := do(edge.Handler(whoami), get("/"))
	if _, there := w.Header()["X-Ratelimit-Limit"]; there || w.Code != 200 {
		t.Errorf("answered %d with %v", w.Code, w.Header())
	}
}

func TestARequestCanBeChargedForMore(t *testing.T) {
	var errs []error
	h := limited(10).Handler(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		errs = append(errs, ratelimit.Charge(r.Context(), 5))
	}))
	first := do(h, get(web.GraphQLPath))
	do(h, get(web.GraphQLPath))
	if got := first.Header().Get("X-RateLimit-Remaining"); got != "4" || errs[0] != nil || errs[1] == nil {
		t.Errorf("%s are left after the first, and then %v", got, errs)
	}
}
