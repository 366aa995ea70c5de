package limits_test

import (
	"net/http"
	"testing"

	"github.com/entwine-go/entwine/internal/trial"
)

// A client with a /64 of IPv6 has as many addresses as they like, and the event streams
// of one caller.
func TestStreamsOfANetworkAreBounded(t *testing.T) {
	t.Parallel()
	for name, ask := range map[string]func(s *trial.Service, headers ...string) *http.Request{
		"graphql": func(s *trial.Service, headers ...string) *http.Request {
			return trial.NewRequest(t, "POST", s.URL+"/graphql", trial.NewPosts, headers...)
		},
		"rest": func(s *trial.Service, headers ...string) *http.Request {
			return trial.NewRequest(t, "GET", s.URL+"/api/v1/posts", "", headers...)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			streamsOfANetwork(t, ask)
		})
	}
}

func streamsOfANetwork(t *testing.T, ask func(s *trial.Service, headers ...string) *http.Request) {
	t.Helper()
	s := trial.Start(t, "ENTWINE_CONNECTIONS=2", "ENTWINE_TRUSTED_PROXIES=127.0.0.0/8")
	for _, c := range []struct {
		from string
		want int
	}{{"2001:db8::1", 200}, {"2001:db8::2", 200}, {"2001:db8::3", 429}, {"2001:db8:0:1::1", 200}, {"192.0.2.1", 200}} {
		r := ask(s, "Accept", "text/event-stream", "X-Forwarded-For", c.from)
		res, err := http.DefaultTransport.RoundTrip(r)
		if err != nil {
			t.Fatal(err)
		}
		defer res.Body.Close()
		if res.StatusCode != c.want {
			t.Errorf("a stream from %s is answered %d, want %d", c.from, res.StatusCode, c.want)
		}
	}
}

// One caller's live lists are bounded on all connections, and the answer says so.
func TestLiveListsOfACallerAreBounded(t *testing.T) {
	t.Parallel()
	s := trial.Start(t, "ENTWINE_CONNECTIONS=1000")
	for i := range 401 {
		res, err := http.DefaultTransport.RoundTrip(trial.NewRequest(t, "GET", s.URL+"/api/v1/posts", "", "Accept", "text/event-stream"))
		if err != nil {
			t.Fatal(err)
		}
		defer res.Body.Close()
		if refused := i == 400; refused != (res.StatusCode == http.StatusTooManyRequests) || refused != (res.Header.Get("Retry-After") != "") {
			t.Fatalf("list %d is answered %s", i+1, res.Status)
		}
	}
}
