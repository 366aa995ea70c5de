package gql_test

import (
	"bytes"
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/entwine-go/entwine/kit/graph"
	"github.com/entwine-go/entwine/kit/requestid"
	"github.com/entwine-go/entwine/kit/viewer"
)

// A client reads that the service is busy, and the operator why: a fault is
// logged with its cause, and no client's error is counted with it.
func TestAFaultIsNoClientsError(t *testing.T) {
	each(t, func(w *world) {
		w.post(1, "One", 1)
		seen, log := new(witness), new(bytes.Buffer)
		api := over(w, w.db, graph.Options{
			Logger: slog.New(slog.NewTextHandler(log, nil)), Observer: seen,
		})
		send := func(ctx context.Context, query string) string {
			r := httptest.NewRequest(http.MethodPost, "/graphql", strings.NewReader(`{"query":"`+query+`"}`))
			r.Header.Set("Content-Type", "application/json")
			answer := httptest.NewRecorder()
			api.ServeHTTP(answer, r.WithContext(viewer.With(requestid.With(ctx, "the-request"), w.viewers["ada"])))
			return answer.Body.String()
		}
		send(w.Context(), `query Client { user(id: \"99\") { id } }`)
		if log.Len() > 0 {
			w.Errorf("a client's error is logged: %s", log)
		}

		late, cancel := context.WithDeadline(w.Context(), time.Now().Add(-time.Second))
		defer cancel()
		told := send(late, `query Late { posts { id } }`)
		if !strings.Contains(told, `"SERVICE_UNAVAILABLE"`) || strings.Contains(told, "deadline") {
			w.Errorf("the client is told %s", told)
		}
		for _, want := range []string{"level=ERROR", "path=posts", "deadline exceeded", "request_id=the-request"} {
			if !strings.Contains(log.String(), want) {
				w.Errorf("the log lacks %s: %s", want, log)
			}
		}

		log.Reset()
		gone, leave := context.WithCancel(w.Context())
		leave()
		send(gone, `query Gone { posts { id } }`)
		if log.Len() > 0 {
			w.Errorf("a client that went away is logged: %s", log)
		}
		for _, want := range []string{`query "Client" partial 2`, `query "Late" fault 21`, `query "Gone" gone 21`} {
			if !slices.Contains(seen.seen, want) {
				w.Errorf("%s was not observed: %q", want, seen.seen)
			}
		}
	})
}
