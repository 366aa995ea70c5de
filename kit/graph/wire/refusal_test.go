package wire_test

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/entwine-go/entwine/kit/graph/wire"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/requestid"
)

func TestRefusalsKeepTheirStatusAndHaveGraphQLsShape(t *testing.T) {
	t.Parallel()
	busy := problem.New(problem.Unavailable, "try again")
	busy.RetryAfter = 2*time.Second + time.Millisecond
	for name, c := range map[string]struct {
		err    error
		status int
		body   string
		header string
		value  string
	}{
		"a bad token":       {problem.New(problem.TokenExpired, "token expired"), 401, `{"data":null,"errors":[{"message":"token expired","extensions":{"code":"TOKEN_EXPIRED","status":401}}]}`, "WWW-Authenticate", "Bearer"},
		"too much":          {problem.New(problem.TooLarge, "too large"), 413, `"PAYLOAD_TOO_LARGE"`, "", ""},
		"an overload":       {busy, 503, `{"data":null,"errors":[{"message":"try again","extensions":{"code":"SERVICE_UNAVAILABLE","retryAfter":3,"status":503}}]}`, "Retry-After", "3"},
		"a fault of ours":   {errors.New("secret"), 500, `{"data":null,"errors":[{"message":"internal error","extensions":{"code":"INTERNAL_SERVER_ERROR","request_id":"r1","status":500}}]}`, "", ""},
		"one that is named": {problem.New(problem.Internal, "secret"), 500, `"internal error"`, "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := httptest.NewRequest(http.MethodPost, "/graphql", nil)
			w := httptest.NewRecorder()
			wire.WriteError(w, r.WithContext(requestid.With(r.Context(), "r1")), c.err)
			if w.Code != c.status || !strings.Contains(w.Body.String(), c.body) || strings.Contains(w.Body.String(), "secret") {
				t.Errorf("answered %d %s, want %d %s", w.Code, w.Body, c.status, c.body)
			}
			if got := w.Header().Get(c.header); got != c.value {
				t.Errorf("%s: %q, want %q", c.header, got, c.value)
			}
		})
	}
}
