package web_test

import (
	"net/http"
	"net/netip"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/entwine-go/entwine/kit/config"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/ratelimit"
	"github.com/entwine-go/entwine/kit/web"
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
	got := do(h, get("/", "X-Forwarded-For", "2001:db8::2"))
	if both := "this one counts 1, and 0 of 1 in 1m0s are left"; got.Code != 429 || !strings.Contains(got.Body.String(), both) {
		t.Errorf("a neighbour in the network is answered %d %s", got.Code, got.Body)
	}
	if got := do(h, get("/", "X-Forwarded-For", "2001:db8:0:1::1")); got.Code != 200 {
		t.Errorf("the next network is answered %d", got.Code)
	}
}

func TestMessagesOfAProviderAreCountedApart(t *testing.T) {
	edge := limited(1)
	edge.Webhook, edge.Limit.WebhookRate = true, config.Rate{Count: 2, Window: time.Minute, Algorithm: ratelimit.Fixed}
	h := edge.Handler(whoami)
	send := func(path, from string, headers ...string) int {
		return do(h, request("POST", path, "", append(headers, "X-Forwarded-For", from)...)).Code
	}
	const path = "/api/v1/payments/webhook"
	for i, c := range []struct {
		got, want int
	}{
		{send(path, "2001:db8::1"), 200},
		{send(path, "2001:db8::2", "Authorization", "Bearer bad"), 200}, // no user's
		{send(path, "2001:db8::3", "Authorization", "Bearer good"), 429},
		{send(path, "2001:db8:0:1::1"), 200},
		{send("/api/v1/posts", "2001:db8::1"), 200},
		{send("/api/v1/posts", "2001:db8::1"), 429},
	} {
		if c.got != c.want {
			t.Errorf("request %d is answered %d, want %d", i+1, c.got, c.want)
		}
	}
	edge.Webhook = false
	if got := send(path, "2001:db8::1"); got != 429 {
		t.Errorf("where no provider sends anything it is answered %d, want 429 as anywhere", got)
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
		_, err := ratelimit.Charge(r.Context(), 5)
		errs = append(errs, err)
	}))
	first := do(h, get(web.GraphQLPath))
	do(h, get(web.GraphQLPath))
	if got := first.Header().Get("X-RateLimit-Remaining"); got != "4" || errs[0] != nil || errs[1] == nil {
		t.Errorf("%s are left after the first, and then %v", got, errs)
	}
}

func TestWhatIsNotUsedIsGivenBack(t *testing.T) {
	for name, c := range map[string]struct {
		ask, used int
		left      string
	}{
		"all but what is used":         {5, 2, "7"},
		"nothing where all is used":    {5, 9, "4"},
		"all of it":                    {5, 0, "9"},
		"of no more than was reserved": {500, 3, "6"},
	} {
		t.Run(name, func(t *testing.T) {
			h := limited(10).Handler(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
				reserved, err := ratelimit.Charge(r.Context(), c.ask)
				if err != nil {
					t.Errorf("refused: %v", err)
				}
				reserved.Settle(r.Context(), c.used)
			}))
			if got := do(h, get(web.GraphQLPath)).Header().Get("X-RateLimit-Remaining"); got != c.left {
				t.Errorf("%s are left, want %s", got, c.left)
			}
		})
	}
}

// A client that waits until X-RateLimit-Reset waits as long as Retry-After says.
func TestARefusalSaysOneTime(t *testing.T) {
	for _, algorithm := range []string{ratelimit.Fixed, ratelimit.Sliding, ratelimit.Bucket} {
		t.Run(algorithm, func(t *testing.T) {
			edge := limited(10)
			edge.Limit.Rate.Algorithm = algorithm
			now := time.Date(2026, 5, 1, 12, 0, 7, 0, time.UTC)
			edge.Limiter = &ratelimit.Memory{Now: func() time.Time { return now }}
			var over error
			h := edge.Handler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if _, over = ratelimit.Charge(r.Context(), 6); over != nil {
					w.WriteHeader(http.StatusTooManyRequests)
				}
			}))
			do(h, get(web.GraphQLPath))
			w := do(h, get(web.GraphQLPath))
			p := problem.As(over)
			if p == nil || w.Header().Get("X-RateLimit-Remaining") != "2" || !strings.Contains(p.Message, "counts 6 more, and 2 of 10 in 1m0s are left") {
				t.Fatalf("the second is told %v with %v", over, w.Header())
			}
			reset, err := strconv.ParseInt(w.Header().Get("X-RateLimit-Reset"), 10, 64)
			if wait := now.Add(p.RetryAfter); err != nil || time.Unix(reset, 0).Before(wait) || time.Unix(reset, 0).Sub(wait) >= time.Second {
				t.Errorf("it is reset at %v, and to be tried again at %v", time.Unix(reset, 0).UTC(), wait)
			}
			now = now.Add(p.RetryAfter + time.Microsecond)
			if w := do(h, get(web.GraphQLPath)); w.Code != http.StatusOK {
				t.Errorf("after %v it is still refused: %v", p.RetryAfter, over)
			}
		})
	}
}
