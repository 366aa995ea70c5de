package faults_test

import (
	"context"
	"strings"
	"testing"

	"github.com/entwine-go/entwine/internal/trial"
	"github.com/entwine-go/entwine/kit/kittest/storetest"
)

// A database that is away is the service's fault in both APIs: an error in the
// log with its cause, counted apart from what clients do wrong.
func TestADatabaseThatIsAwayIsAFault(t *testing.T) {
	t.Parallel()
	server := storetest.PostgresServer(t)
	s := trial.Start(t, "ENTWINE_DATABASE_URL="+server.URL("postgres"), "ENTWINE_METRICS_ADDR=127.0.0.1:0", "ENTWINE_LOG_LEVEL=info")
	auth := s.SignUp(t)
	const (
		fault  = `entwine_graphql_operations_total{outcome="fault",type="query"}`
		client = `entwine_graphql_operations_total{outcome="partial",type="query"}`
	)
	s.Ask(t, "POST", "/graphql", `{"query":"{ user(id: \"99\") { id } }"}`).Want(t, 200, "errors")
	before, _ := trial.Scrape(t, s.Output)
	server.Kill()
	s.Ask(t, "POST", "/graphql", `{"query":"{ posts { id } }"}`).Want(t, 200, "SERVICE_UNAVAILABLE")
	s.Ask(t, "GET", "/api/v1/posts", "").Want(t, 503)
	s.Ask(t, "POST", "/graphql", `{"query":"{ me { id } }"}`, auth...).Want(t, 503, "SERVICE_UNAVAILABLE")
	for _, message := range []string{`"graphql field failed"`, `"request failed"`, `"request refused"`} {
		line := logged(t, s.Output, message)
		if !strings.Contains(line, "level=ERROR") || !strings.Contains(line, " err=") || !strings.Contains(line, " request_id=") {
			t.Errorf("the log says %s", line)
		}
	}
	after, _ := trial.Scrape(t, s.Output)
	if after[fault] != before[fault]+1 || after[client] != before[client] || before[client] == 0 {
		t.Errorf("faults go from %v to %v, clients' errors from %v to %v", before[fault], after[fault], before[client], after[client])
	}
	if err := server.Restart(context.WithoutCancel(t.Context())); err != nil {
		t.Fatal(err)
	}
}

// logged returns the line of the log with the message, once it is there.
func logged(t *testing.T, log *trial.Log, message string) string {
	t.Helper()
	text := "msg=" + message
	log.Wait(t, text)
	for line := range strings.Lines(log.String()) {
		if strings.Contains(line, text) {
			return line
		}
	}
	return ""
}
