package gql_test

import (
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
)

// A GET that accepts events follows the rules of any GET.
func TestEventStreams(t *testing.T) {
	onStage(t, func(s *stage) {
		for _, c := range []struct {
			query  string
			status int
			want   string
		}{
			{`{ me { name } }`, 200, `data: {"data":{"me":{"name":"Bob"}},"extensions":{"cost":{"requested":2,"actual":2,"limit":5000}}}`},
			{`mutation { likePost(postId: 1) { liked } }`, 405, `"code":"METHOD_NOT_ALLOWED"`},
			{`{ nobody }`, 400, `"code":"GRAPHQL_VALIDATION_FAILED"`},
		} {
			r := httptest.NewRequest("GET", "/graphql?query="+url.QueryEscape(c.query), nil)
			r.Header.Set("Accept", "text/event-stream")
			recorder := s.record("bob", r)
			if body := recorder.Body.String(); recorder.Code != c.status || !strings.Contains(body, c.want) {
				t.Errorf("%s: %d %s, want %d %s", c.query, recorder.Code, body, c.status, c.want)
			}
			if allow := recorder.Header().Get("Allow"); (allow == "POST") != (c.status == 405) {
				t.Errorf("%s: Allow: %q", c.query, allow)
			}
		}
	})
}
