package telemetry

import (
	"net/http"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// Metrics are the numbers of a process, as Prometheus reads them. Every label
// has few values, all of them the program's own: nothing that a client sends
// becomes one.
type Metrics struct {
	registry *prometheus.Registry

	requests     *prometheus.CounterVec   // api, route, method, status
	requestTime  *prometheus.HistogramVec // api, route
	operations   *prometheus.CounterVec   // type, outcome
	operationFor *prometheus.HistogramVec // type
	cost         *prometheus.HistogramVec // type
	statements   *prometheus.HistogramVec // kind
	failures     *prometheus.CounterVec   // kind, reason
	attempts     *prometheus.CounterVec   // kind, outcome
	attemptWait  *prometheus.HistogramVec // kind
	attemptTime  *prometheus.HistogramVec // kind
	decisions    *prometheus.CounterVec   // decision
}

// The bounds of what takes its time, in seconds: statements, requests, jobs.
var (
	swift = []float64{.00005, .0001, .00025, .0005, .001, .0025, .005, .01, .025, .1, .5, 2.5}
	usual = []float64{.0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 10}
	slow  = []float64{.005, .01, .025, .05, .1, .25, .5, 1, 5, 15, 60, 300, 900}
	costs = []float64{1, 10, 50, 100, 250, 500, 1000, 2500, 5000}
)

// NewMetrics returns metrics that are all zero, with those of the process and
// of the Go runtime.
func NewMetrics(version string) *Metrics {
	m := &Metrics{registry: prometheus.NewRegistry()}
	m.requests = m.counter("http_requests_total", "Requests answered.", "api", "route", "method", "status")
	m.requestTime = m.histogram("http_request_duration_seconds", "How long answering took, streams left out.", usual, "api", "route")
	m.operations = m.counter("graphql_operations_total", "Operations of GraphQL, a subscription counting once, when it is accepted.", "type", "outcome")
	m.operationFor = m.histogram("graphql_operation_duration_seconds", "How long an operation took.", usual, "type")
	m.cost = m.histogram("graphql_operation_cost", "What operations cost, in fields.", costs, "type")
	m.statements = m.histogram("sql_statement_duration_seconds", "How long a statement took until its first row.", swift, "kind")
	m.failures = m.counter("sql_statement_errors_total", "Statements that failed.", "kind", "reason")
	m.attempts = m.counter("jobs_total", "Attempts at jobs that have ended.", "kind", "outcome")
	m.attemptWait = m.histogram("job_start_latency_seconds", "How long a job was due before it was started.", slow, "kind")
	m.attemptTime = m.histogram("job_duration_seconds", "How long an attempt at a job took.", slow, "kind")
	m.decisions = m.counter("ratelimit_decisions_total", "What callers asked the rate limiter.", "decision")
	build := prometheus.NewGaugeVec(prometheus.GaugeOpts{Name: "entwine_build_info", Help: "Always 1; the label says which version runs."}, []string{"version"})
	build.WithLabelValues(version).Set(1)
	m.registry.MustRegister(build, collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
}

// Handler answers Prometheus.
func (m *Metrics) Handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{ErrorHandling: promhttp.ContinueOnError})
}

func (m *Metrics) counter(name, help string, labels ...string) *prometheus.CounterVec {
	c := prometheus.NewCounterVec(prometheus.CounterOpts{Namespace: namespace, Name: name, Help: help}, labels)
	m.registry.MustRegister(c)
	return c
}

func (m *Metrics) histogram(name, help string, bounds []float64, labels ...string) *prometheus.HistogramVec {
	h := prometheus.NewHistogramVec(prometheus.HistogramOpts{Namespace: namespace, Name: name, Help: help, Buckets: bounds}, labels)
	m.registry.MustRegister(h)
	return h
}

// namespace is the prefix of all metrics.
const namespace = "entwine"
