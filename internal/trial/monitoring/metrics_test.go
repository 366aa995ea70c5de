package monitoring_test

import (
	"strings"
	"testing"

	"github.com/entwine-go/entwine/internal/trial"
	"github.com/entwine-go/entwine/migrate/migratetest"
)

// canaryText is in everything that a client can send, and must be in nothing
// that an operator reads.
const canaryText = "canary-7f3a9"

// exercise sends requests of every sort, with a secret in each that no
// metric may show.
func exercise(t *testing.T, s *trial.Service) {
	t.Helper()
	hush := []string{"X-Api-Key", canaryText, "User-Agent", canaryText, "X-" + canaryText, canaryText}
	auth := s.SignUp(t)
	s.Ask(t, "POST", "/api/v1/auth/register", `{"name":"Bob","email":"`+canaryText+`@example.com","password":"`+canaryText+`-1"}`).Want(t, 201)
	s.Ask(t, "GET", "/api/v1/posts?search="+canaryText, "", "Cookie", "theme="+canaryText).Want(t, 200)
	s.Ask(t, "GET", "/api/v1/users/"+canaryText, "", auth...).Want(t, 400)
	s.Ask(t, "GET", "/"+canaryText, "").Want(t, 404)
	s.Ask(t, "GET", "/api/v1/posts", "", hush...).Want(t, 401)
	s.Ask(t, "POST", "/graphql", `{"query":"query Named($q: String!) { searchUsers(query: $q) { id } }","variables":{"q":"`+canaryText+`"}}`, auth...).Want(t, 200)
	s.Ask(t, "POST", "/graphql", `{"query":"{ posts { `+strings.ReplaceAll(canaryText, "-", "_")+` } }"}`).Want(t, 200)
	s.Ask(t, "POST", "/graphql", `{"query":"mutation { createPost(input: {title: \"`+canaryText+`\", content: \"x\"}) { id } }"}`, auth...).Want(t, 200)
	s.Ask(t, "POST", "/graphql", `{"query":"{ order(id: \"1\") { id } }"}`).Want(t, 200)
	s.Ask(t, "POST", "/api/v1/auth/forgot-password", `{"email":"ada@example.com"}`).Want(t, 200)
}

func TestMetricsMoveWithWhatHappens(t *testing.T) {
	t.Parallel()
	settings := []string{"ENTWINE_METRICS_ADDR=127.0.0.1:0", "ENTWINE_LOG_LEVEL=info"}
	test := func(t *testing.T, s *trial.Service) {
		before, _ := trial.Scrape(t, s.Output)
		exercise(t, s)
		const done = `entwine_jobs_total{kind="password_reset",outcome="succeeded"}`
		after, text := trial.Scrape(t, s.Output)
		for after[done] == 0 && t.Context().Err() == nil {
			after, text = trial.Scrape(t, s.Output)
		}
		for _, name := range []string{
			`entwine_http_requests_total{api="rest",method="GET",route="listPosts",status="2xx"}`,
			`entwine_http_requests_total{api="rest",method="POST",route="register",status="2xx"}`,
			`entwine_http_requests_total{api="rest",method="GET",route="none",status="4xx"}`,
			`entwine_http_requests_total{api="site",method="GET",route="none",status="4xx"}`,
			`entwine_http_requests_total{api="graphql",method="POST",route="graphql",status="2xx"}`,
			`entwine_http_request_duration_seconds_count{api="rest",route="listPosts"}`,
			`entwine_graphql_operations_total{outcome="ok",type="query"}`,
			`entwine_graphql_operations_total{outcome="ok",type="mutation"}`,
			`entwine_graphql_operations_total{outcome="refused",type="unknown"}`,
			`entwine_graphql_operation_duration_seconds_count{type="query"}`,
			`entwine_graphql_operation_cost_sum{type="query"}`,
			`entwine_sql_statement_duration_seconds_count{kind="select"}`,
			`entwine_sql_statement_duration_seconds_count{kind="insert"}`,
			`entwine_sql_statement_duration_seconds_count{kind="commit"}`,
			`entwine_ratelimit_decisions_total{decision="allowed"}`,
			`entwine_job_duration_seconds_count{kind="password_reset"}`,
			`entwine_job_start_latency_seconds_count{kind="password_reset"}`,
			done,
		} {
			if after[name] <= before[name] {
				t.Errorf("%s stays at %v", name, after[name])
			}
		}
		for _, family := range []string{
			"entwine_sql_connections_max", "entwine_gate_limit", "entwine_event_lag_seconds", "entwine_event_subscriptions",
			"entwine_graphql_connections", "entwine_build_info", "go_goroutines", "process_cpu_seconds_total",
		} {
			if !strings.Contains(text, "\n"+family) {
				t.Errorf("there is no %s", family)
			}
		}
		if strings.Contains(strings.ReplaceAll(text, "_", "-"), canaryText) {
			t.Errorf("a client's words are in the metrics:\n%s", text)
		}
	}
	t.Run("sqlite", func(t *testing.T) {
		t.Parallel()
		test(t, trial.Start(t, settings...))
	})
	t.Run("postgres", func(t *testing.T) {
		t.Parallel()
		test(t, trial.Start(t, append(settings, "ENTWINE_DATABASE_URL="+migratetest.Schema(t).PostgresURL(t))...))
	})
}

// A process that takes over waits for the port, and has it once the other ends.
func TestMetricsWaitForTheirPort(t *testing.T) {
	t.Parallel()
	first := trial.Start(t, "ENTWINE_METRICS_ADDR=127.0.0.1:0", "ENTWINE_LOG_LEVEL=info")
	first.Output.Wait(t, "metrics are served")
	at := strings.TrimSuffix(strings.TrimPrefix(trial.MetricsURL.FindStringSubmatch(first.Output.String())[1], "http://"), "/metrics")
	second := trial.Start(t, "ENTWINE_METRICS_ADDR="+at, "ENTWINE_LOG_LEVEL=info")
	second.Output.Wait(t, "metrics wait for their port: ENTWINE_METRICS_ADDR")
	second.Ask(t, "GET", "/healthz", "").Want(t, 200)
	first.Stop(t)
	trial.Scrape(t, second.Output)
}
